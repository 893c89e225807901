import { mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { formatProblem } from '../common/problems.ts';
import { moduleOf, projectWith } from './declared.fixture.ts';
import type { ManifestsResult } from './manifests.ts';
import { watchManifests } from './watch.ts';

const thing = `import { api, type CustomResource, type Int32, version } from 'kgen/api';
import type { Shared } from './shared.ts';
${moduleOf('name: string; shared?: Shared')}`;
const shared = 'export interface Shared { size: string }\n';

interface Watching {
  readonly cwd: string;
  readonly results: readonly ManifestsResult[];
  readonly put: (path: string, content: string) => void;
  /** Waits until the definition contains a text. */
  readonly written: (text: string, plural?: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts a watch, and waits for its first result. */
async function start(files: Readonly<Record<string, string>>): Promise<Watching> {
  const cwd = projectWith({ 'package.json': '{"name":"shop","type":"module"}', ...files });
  const results: ManifestsResult[] = [];
  const controller = new AbortController();
  const end = watchManifests(
    async () => ({ cwd }),
    (result) => results.push(result),
    controller.signal,
  );
  const stop = (): Promise<void> => {
    controller.abort();
    return end;
  };
  onTestFinished(stop);
  await expect.poll(() => results.length).toBeGreaterThan(0);
  const definition = (plural: string): string => {
    try {
      return readFileSync(join(cwd, `config/crd/example.com_${plural}.yaml`), 'utf8');
    } catch {
      return '';
    }
  };
  return {
    cwd,
    results,
    put: (path, content) => {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), content);
    },
    written: (text, plural = 'things') => expect.poll(() => definition(plural)).toContain(text),
    stop,
  };
}

test('a change of a module, or of one that it imports, is written', async () => {
  const { put, written } = await start({ 'api/thing.ts': thing, 'api/shared.ts': shared });
  await written('size:');
  put('api/shared.ts', shared.replace('size', 'width'));
  await written('width:');
  put('api/thing.ts', thing.replace('name: string', 'label: string'));
  await written('label:');
});

test('errors are reported, and the watch continues', async () => {
  const { put, results, written } = await start({ 'api/thing.ts': thing, 'api/shared.ts': shared });
  const last = (): readonly string[] => (results.at(-1)?.problems ?? []).map(formatProblem);
  put('api/shared.ts', 'export interface Shared { size: ');
  await expect.poll(() => last().join()).toContain('api/shared.ts:1:');
  put('api/shared.ts', shared.replace('size: string', 'size: number'));
  await expect.poll(last).toEqual([expect.stringContaining('is a number')]);
  put('api/shared.ts', shared.replace('size', 'depth'));
  await written('depth:');
  expect(last()).toEqual([]);
});

test('modules are added, in new folders too, and removed', async () => {
  const { cwd, put, results, written } = await start({ 'api/thing.ts': thing, 'api/shared.ts': shared });
  put('api/more/deep/other.ts', thing.replaceAll('Thing', 'Other').replace('./shared', '../../shared'));
  await written('kind: Other', 'others');
  put(
    'api/more/deep/other.ts',
    thing.replaceAll('Thing', 'Other').replace(/^import type.*/m, 'type Shared = string;'),
  );
  await expect.poll(() => results.at(-1)?.apis.length).toBe(2);
  rmSync(join(cwd, 'api/more'), { recursive: true });
  await expect.poll(() => results.at(-1)?.apis.map(({ file }) => file)).toEqual(['api/thing.ts']);
  unlinkSync(join(cwd, 'api/shared.ts'));
  await expect.poll(() => results.at(-1)?.ok).toBe(false);
  put('api/shared.ts', shared.replace('size', 'height'));
  await written('height:');
});

test('a folder that is missing at first or is created again is watched', async () => {
  const { cwd, put, results, written } = await start({ 'other/file.txt': '' });
  expect(results[0]?.problems.map(formatProblem)).toEqual([
    'api: error: file or folder not found: check the path',
  ]);
  put('api/shared.ts', shared);
  put('api/thing.ts', thing);
  await written('size:');
  rmSync(join(cwd, 'api'), { recursive: true });
  put('api/thing.ts', thing);
  put('api/shared.ts', shared.replace('size', 'width'));
  await written('width:');
  put('api/shared.ts', shared.replace('size', 'height'));
  await written('height:');
});

test('tsconfig.json, packages and the program are watched', async () => {
  const program = `import { type ClusterConfig, resource, RESTClient } from '@kgen/runtime';
import { secrets } from '@kgen/kubernetes/core/v1';
import { name } from './name.ts';
export const first = (names: string[]): string => names[0];
export const run = (config: ClusterConfig) => resource(new RESTClient(config), secrets).in('shop').get(name);
`;
  const { cwd, put, results } = await start({
    'api/thing.ts': thing,
    'api/shared.ts': shared,
    'src/main.ts': program,
    'src/name.ts': "export const name = 'apples';\n",
  });
  const role = (): string => readFileSync(join(cwd, 'config/rbac/role.yaml'), 'utf8');
  expect(results[0]?.problems.map(formatProblem)).toEqual([]);
  expect(role()).toContain('apples');
  put('src/name.ts', "export const name = 'pears';\n");
  await expect.poll(role).toContain('pears');
  put(
    'tsconfig.json',
    '{"compilerOptions":{"module":"nodenext","strict":true,"noUncheckedIndexedAccess":true}}',
  );
  await expect
    .poll(() => results.at(-1)?.problems.map(formatProblem).join('\n'))
    .toContain("src/main.ts:4:51: error: Type 'string | undefined' is not assignable to type 'string'");
});

test('no result follows the end', async () => {
  const { put, results, stop } = await start({ 'api/thing.ts': thing, 'api/shared.ts': shared });
  await stop();
  put('api/shared.ts', shared.replace('size', 'width'));
  const count = results.length;
  const second = await start({ 'api/thing.ts': thing, 'api/shared.ts': shared });
  await second.written('size:');
  expect(results).toHaveLength(count);
});
