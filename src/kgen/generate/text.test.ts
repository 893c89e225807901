import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generate } from 'kgen';
import { expect, onTestFinished, test } from 'vitest';
import { formatProblem } from '../common/problems.ts';
import { version } from '../common/version.ts';
import { loadYaml } from '../input/sources/load-yaml.ts';
import { type GeneratedText, generateText } from './text.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

function generated(text: string): GeneratedText {
  return generateText({ file: 'crd.yaml', text }, { version, loadYaml });
}

const crds = readdirSync(join(root, 'crds'));

test.each(crds)('has the files of generate() for %s', async (file) => {
  const { files, problems } = generated(readFileSync(join(root, 'crds', file), 'utf8'));
  expect(problems).toEqual([]);
  const out = mkdtempSync(join(tmpdir(), 'kgen-text-'));
  onTestFinished(() => rmSync(out, { recursive: true }));
  await generate({ cwd: root, input: [join('crds', file)], out });
  const written = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
  expect([...files.keys()]).toEqual(written.sort());
  for (const [path, content] of files) expect(content).toBe(readFileSync(join(out, path), 'utf8'));
});

test.each([
  ['no document', '', []],
  ['an object of another kind', 'apiVersion: v1\nkind: Pod\n', []],
  [
    'a syntax error',
    'a:\n  - b\n c: d\n',
    [
      'crd.yaml:3:1: error: broken YAML: all mapping items must start at the same column; indent the lines of one mapping or list alike',
    ],
  ],
])('generates nothing for %s', (_, text, problems) => {
  const result = generated(text);
  expect([...result.files]).toEqual([]);
  expect(result.problems.map(formatProblem)).toEqual(problems);
});

test('generates a valid definition beside an invalid one', () => {
  const foo = readFileSync(join(root, 'crds/foo.yaml'), 'utf8');
  const { model, problems } = generated(
    `${foo}\n---\n${foo.replaceAll('foo', 'bar').replace(/group: .*/, 'group: 5')}`,
  );
  expect(model.groupVersions.flatMap(({ resources }) => resources).map(({ kind }) => kind)).toEqual(['Foo']);
  expect(problems.map(({ severity }) => severity)).toContain('error');
});
