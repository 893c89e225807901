import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { formatProblem } from '../common/problems.ts';
import { moduleOf, projectWith } from './declared.fixture.ts';
import { type ManifestsResult, manifests } from './manifests.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

function put(cwd: string, path: string, content: string): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), content);
}

const heading = "import { api, type CustomResource, type Int32, version } from 'kgen/api';\n";
const spec = moduleOf('name: string; shared?: Shared');
const thing = `${heading}import type { Shared } from './shared.ts';\n${spec}`;
const shared = 'export interface Shared { size: string }\n';

function run(cwd: string, options = {}): Promise<ManifestsResult> {
  return manifests({ cwd, cacheFolder: join(cwd, 'cache'), ...options });
}

/** Identifies the stored output: each write is another file. */
function entryIn(cwd: string): string {
  return readdirSync(join(cwd, 'cache'), { recursive: true })
    .map((name) => join(cwd, 'cache', String(name)))
    .filter((path) => statSync(path).isFile())
    .map((path) => `${path} ${statSync(path).ino} ${statSync(path).mtimeMs}`)
    .join();
}

function entryPath(cwd: string): string {
  return entryIn(cwd).split(' ')[0] ?? '';
}

const definition = (cwd: string): string =>
  readFileSync(join(cwd, 'config/crd/example.com_things.yaml'), 'utf8');

describe.each([
  { compiler: 'ts-morph', typescript: 'node_modules/typescript' },
  { compiler: 'TypeScript 7', typescript: 'test/compilers/7/node_modules/typescript' },
])('the output that $compiler has read', ({ typescript }) => {
  /** Returns a project with a package of its own and this TypeScript. */
  function projectOf(files: Readonly<Record<string, string>>): string {
    const cwd = projectWith({ 'package.json': '{"type":"module"}', ...files });
    rmSync(join(cwd, 'node_modules'));
    for (const name of ['kgen', '@kgen']) {
      mkdirSync(join(cwd, 'node_modules'), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), join(cwd, 'node_modules', name));
    }
    symlinkSync(join(root, typescript), join(cwd, 'node_modules/typescript'));
    return cwd;
  }

  test('is used again', async () => {
    const cwd = projectOf({ 'api/thing.ts': thing, 'api/shared.ts': shared });
    const first = await run(cwd);
    expect(first.problems).toEqual([]);
    const [entry, text] = [entryIn(cwd), definition(cwd)];
    rmSync(join(cwd, 'config'), { recursive: true });
    const second = await run(cwd);
    expect(entryIn(cwd)).toBe(entry);
    expect(definition(cwd)).toBe(text);
    const path = [
      'spec',
      'versions',
      0,
      'schema',
      'openAPIV3Schema',
      'properties',
      'spec',
      'properties',
      'name',
    ];
    const [before, after] = [first, second].map(({ apis }) =>
      apis.map(({ file, value, placeAt }) => ({ file, value, place: placeAt(path) })),
    );
    expect(after).toEqual(before);
    expect(after?.[0]?.place).toMatchObject({ file: 'api/thing.ts', line: 4 });
  });

  test('has the same problems again', async () => {
    const cwd = projectOf({
      'api/thing.ts': thing.replace('name: string', 'name: number'),
      'api/shared.ts': shared,
    });
    const first = (await run(cwd)).problems.map(formatProblem);
    const entry = entryIn(cwd);
    expect(first).toEqual([expect.stringMatching(/^api\/thing\.ts:4:1: error: spec\.name is a number/)]);
    expect((await run(cwd)).problems.map(formatProblem)).toEqual(first);
    expect(entryIn(cwd)).toBe(entry);
  });

  test.each<{ readonly title: string; readonly change: (cwd: string) => void; readonly text: string }>([
    {
      title: 'a module that the declaration imports',
      change: (cwd) => put(cwd, 'api/shared.ts', shared.replace('size', 'width')),
      text: 'width:',
    },
    {
      title: 'a file of equal size and time',
      change: (cwd) => {
        const path = join(cwd, 'api/shared.ts');
        const { atime, mtime } = statSync(path);
        put(cwd, 'api/shared.ts', readFileSync(path, 'utf8').replace('size', 'mass'));
        utimesSync(path, atime, mtime);
      },
      text: 'mass:',
    },
    {
      title: 'a dependency',
      change: (cwd) => put(cwd, 'node_modules/units/index.d.ts', 'export type Unit = { grams: string };\n'),
      text: 'grams:',
    },
    {
      title: 'the version of a dependency, by a link to another folder',
      change: (cwd) => {
        put(cwd, 'store/2/package.json', '{"name":"units","types":"index.d.ts"}');
        put(cwd, 'store/2/index.d.ts', 'export type Unit = { grams: string };\n');
        unlinkSync(join(cwd, 'node_modules/units'));
        symlinkSync(join(cwd, 'store/2'), join(cwd, 'node_modules/units'));
      },
      text: 'grams:',
    },
    {
      title: 'a package that is found earlier',
      change: (cwd) => {
        put(cwd, 'api/node_modules/units/package.json', '{"name":"units","types":"index.d.ts"}');
        put(cwd, 'api/node_modules/units/index.d.ts', 'export type Unit = { grams: string };\n');
      },
      text: 'grams:',
    },
    {
      title: 'tsconfig.json',
      change: (cwd) =>
        put(
          cwd,
          'tsconfig.json',
          '{"compilerOptions":{"module":"nodenext","paths":{"units":["./units.ts"]}}}',
        ),
      text: 'kilos:',
    },
    {
      title: 'a configuration that tsconfig.json extends',
      change: (cwd) =>
        put(cwd, 'base.json', '{"compilerOptions":{"module":"nodenext","paths":{"units":["./units.ts"]}}}'),
      text: 'kilos:',
    },
    {
      title: 'the module',
      change: (cwd) =>
        put(cwd, 'api/thing.ts', thing.replace("kind: 'Thing'", "kind: 'Thing', shortNames: ['added']")),
      text: '- added',
    },
  ])('is not used after a change of: $title', async ({ change, text }) => {
    const cwd = projectOf({
      'api/thing.ts': thing,
      'api/shared.ts': `import type { Unit } from 'units';\n${shared.replace('string', 'string; unit: Unit')}`,
      'base.json': '{"compilerOptions":{"module":"nodenext"}}',
      'tsconfig.json': '{"extends":"./base.json"}',
      'units.ts': 'export type Unit = { kilos: string };\n',
    });
    put(cwd, 'store/1/package.json', '{"name":"units","types":"index.d.ts"}');
    put(cwd, 'store/1/index.d.ts', 'export type Unit = { pounds: string };\n');
    symlinkSync(join(cwd, 'store/1'), join(cwd, 'node_modules/units'));
    expect((await run(cwd)).problems).toEqual([]);
    expect(definition(cwd)).toContain('pounds:');
    expect(definition(cwd)).not.toContain(text);
    change(cwd);
    const { problems } = await run(cwd);
    expect(problems.map(formatProblem)).toEqual([]);
    expect(definition(cwd)).toContain(text);
  });

  test('is not used if a module is added or removed', async () => {
    const cwd = projectOf({ 'api/thing.ts': thing, 'api/shared.ts': shared });
    await run(cwd);
    put(cwd, 'api/other.ts', thing.replaceAll('Thing', 'Other'));
    expect((await run(cwd)).apis.map(({ file }) => file)).toEqual(['api/other.ts', 'api/thing.ts']);
    unlinkSync(join(cwd, 'api/other.ts'));
    expect((await run(cwd)).apis.map(({ file }) => file)).toEqual(['api/thing.ts']);
  });

  test.each([
    ['is empty', () => ''],
    ['ends early', (text: string) => text.slice(0, -20)],
    ['has another byte', (text: string) => text.replace('Thing', 'Thinh')],
    ['is of another version', () => '{"tag":"a","type":"b","hash":"c"}\n{}'],
  ])('is read anew if its file %s', async (_, damage) => {
    const cwd = projectOf({ 'api/thing.ts': thing, 'api/shared.ts': shared });
    const { changes } = await run(cwd);
    writeFileSync(entryPath(cwd), damage(readFileSync(entryPath(cwd), 'utf8')));
    const again = await run(cwd, { mode: 'check' });
    expect(again).toMatchObject({ ok: true, problems: [] });
    expect(again.changes.unchanged).toEqual(changes.create.map(({ path }) => path));
  });

  test('needs no folder that can be written', async () => {
    const cwd = projectOf({ 'api/thing.ts': thing, 'api/shared.ts': shared, file: '' });
    for (const cacheFolder of ['file/cache', '/proc/cache'])
      expect(await run(cwd, { cacheFolder: join(cwd, cacheFolder) })).toMatchObject({
        ok: true,
        problems: [],
      });
  });

  test('is whole if several runs write it at once', async () => {
    const cwd = projectOf({ 'api/thing.ts': thing, 'api/shared.ts': shared });
    await Promise.all(['a', 'b', 'c'].map((out) => run(cwd, { out })));
    const entry = entryIn(cwd);
    expect(entry).not.toContain(',');
    await run(cwd, { out: 'd' });
    expect(entryIn(cwd)).toBe(entry);
    const [first, ...others] = ['a', 'b', 'c', 'd'].map((out) =>
      readFileSync(join(cwd, out, 'crd/example.com_things.yaml'), 'utf8'),
    );
    expect(others).toEqual([first, first, first]);
  });
});

test('the permissions of the program follow its files, its names and the configuration', async () => {
  const program = `import { type ClusterConfig, resource, RESTClient } from '@kgen/runtime';
import { secrets } from '@kgen/kubernetes/core/v1';
import { name } from './name.ts';
export const run = (config: ClusterConfig) => resource(new RESTClient(config), secrets).in('shop').get(name);
`;
  const cwd = projectWith({ 'src/main.ts': program, 'src/name.ts': "export const name = 'token';\n" });
  const role = (): string => readFileSync(join(cwd, 'config/rbac/role.yaml'), 'utf8');
  expect((await run(cwd, { name: 'shop' })).problems).toEqual([]);
  expect(role()).toContain('resourceNames: [token]');
  const entry = entryIn(cwd);
  await run(cwd, { name: 'shop' });
  expect(entryIn(cwd)).toBe(entry);
  put(cwd, 'src/name.ts', "export const name = 'password';\n");
  await run(cwd, { name: 'shop' });
  expect(role()).toContain('resourceNames: [password]');
  await run(cwd, { name: 'store' });
  expect(role()).toContain('name: store');
  await run(cwd, { name: 'store', permissions: { 'src/main.ts': ['batch/jobs list'] } });
  expect(role()).toContain('jobs');
});
