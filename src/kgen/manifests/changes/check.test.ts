/** Definitions of files and commits. `test/e2e-changes` has those of clusters. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { JsonObject } from '@kgen/schema/values/json';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crd } from '../../../../test/support/crd.ts';
import { formatProblem } from '../../common/problems.ts';
import type { Definition } from './against.ts';
import { checkDefinitions, type DefinitionCheck } from './check.ts';
import { formatCheck } from './format.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kgen-changes-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function written(path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

function git(...args: readonly string[]): void {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
}

const widget = (limit: number, kind = 'Widget'): object =>
  crd({
    kind,
    versions: [
      {
        schema: {
          type: 'object',
          properties: {
            spec: { type: 'object', properties: { name: { type: 'string', maxLength: limit } } },
          },
        },
      },
    ],
  });

function after(...definitions: readonly object[]): readonly Definition[] {
  const position = (): { readonly file: string; readonly line: number } => ({
    file: 'api/widget.ts',
    line: 7,
  });
  // seam: definitions of tests.
  return definitions.map((value) => ({ value: value as JsonObject, position }));
}

function check(against: string, ...definitions: readonly object[]): Promise<DefinitionCheck> {
  return checkDefinitions({ against, out: 'config', cwd: folder, after: after(...definitions) });
}

const narrowed =
  'breaking: api/widget.ts:7: widgets.tables.example.com v1 .spec.name: max length lowered, was 9, is 5';

test('compares definitions of a folder, and names the lines of both sides', async () => {
  written('old/widget.json', JSON.stringify([widget(9), widget(9, 'Gone')].map((each) => each)[0]));
  written('old/gone.json', JSON.stringify(widget(9, 'Gone')));
  const result = await check('old', widget(5));
  expect(result.isBreaking).toBe(true);
  expect(formatCheck(result)).toEqual([
    'breaking: old/gone.json:1:1: gones.tables.example.com: definition removed',
    '  stored objects lose data, clients break: its objects are deleted with it: keep the definition until they are not needed',
    narrowed,
    '  stored objects break unless .spec.name is unchanged, clients break: longer values are refused: correct the stored objects first, or make the change in a new version',
  ]);
  expect(await check('old/widget.json', widget(9))).toEqual({
    changes: [],
    stored: [],
    problems: [],
    isBreaking: false,
  });
});

test('compares a definition of another name with the one of its kind', async () => {
  written('renamed/widget.json', JSON.stringify(crd({ kind: 'Widget', names: { plural: 'widgetz' } })));
  const { changes } = await check('renamed', crd({ kind: 'Widget' }));
  expect(changes.map(({ rule }) => rule)).toEqual(['plural-changed']);
});

test('compares the output folder at a commit', async () => {
  written('config/crd/widget.json', JSON.stringify(widget(9)));
  git('init', '--initial-branch', 'main');
  git('add', 'config');
  git('commit', '--message', 'first');
  git('tag', 'v1');
  written('config/crd/widget.json', JSON.stringify(widget(5)));
  git('add', 'config');
  git('commit', '--message', 'second');
  expect(formatCheck(await check('v1', widget(5)))[0]).toBe(narrowed);
  expect((await check('HEAD', widget(5))).changes).toEqual([]);
  const inOther = await checkDefinitions({
    against: 'v1',
    out: 'other',
    cwd: folder,
    after: after(widget(5)),
  });
  expect(inOther).toEqual({ changes: [], stored: [], problems: [], isBreaking: false });
});

test.each([
  [
    '--output=stolen',
    'error: "--output=stolen" is neither a file nor a commit of this repository: correct --against',
  ],
  ['v2', 'error: "v2" is neither a file nor a commit of this repository: correct --against'],
  [
    'HEAD:config',
    'error: "HEAD:config" is neither a file nor a commit of this repository: correct --against',
  ],
])('refuses %s', async (against, expected) => {
  const { problems } = await check(against, widget(5));
  expect(problems.map(formatProblem)).toEqual([expected]);
});

test('refuses definitions that cannot be read', async () => {
  written('older/widget.json', JSON.stringify({ ...widget(9), apiVersion: 'apiextensions.k8s.io/v1beta1' }));
  written('broken.yaml', 'kind: [');
  expect((await check('older', widget(5))).problems.map(formatProblem)).toContainEqual(
    expect.stringContaining('older/widget.json'),
  );
  expect((await check('broken.yaml', widget(5))).problems.map(formatProblem)).toContainEqual(
    expect.stringContaining('broken.yaml'),
  );
});
