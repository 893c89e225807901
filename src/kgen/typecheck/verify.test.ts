import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatProblem } from '../common/problems.ts';
import { type VerifyOptions, verifyOutput } from './verify.ts';

/** A folder without node_modules, in itself or its parents. */
let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kgen-verify-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const door = '@kgen/runtime/gen/v1';

async function verify(
  files: ReadonlyMap<string, string>,
  options: Partial<VerifyOptions> = {},
): Promise<readonly string[]> {
  const defaults = {
    folder: join(root, 'out'),
    emit: 'ts',
    importExtension: '.js',
    runtimeImport: door,
    protobufImport: `${door}/protobuf`,
  } as const;
  return (await verifyOutput(files, { ...defaults, ...options })).map(formatProblem);
}

const bug = 'this is a bug in kgen, please report it with the input';

/** Returns two modules that import each other's types and those of the runtime. */
function output(extension: string, runtime = door): ReadonlyMap<string, string> {
  const up = runtime.startsWith('.') ? `../../${runtime.slice(2)}` : runtime;
  return new Map([
    [
      'apps/v1/types.ts',
      `import type { ObjectMeta } from '${up}';\n\nexport interface Web {\n  metadata?: ObjectMeta;\n}\n`,
    ],
    [
      'index.ts',
      `import { crud } from '${runtime}';\nimport type { Web } from './apps/v1/types${extension}';\n\nexport const verbs: typeof crud = crud;\nexport const web: Web = { metadata: { name: 'a' } };\n`,
    ],
  ]);
}

/** Returns the modules with one string replaced. */
function planted(path: string, from: string, to: string): ReadonlyMap<string, string> {
  const files = output('.js');
  const text = files.get(path) ?? '';
  expect(text).toContain(from);
  return new Map([...files, [path, text.replace(from, to)]]);
}

describe('outputs in a folder without node_modules', () => {
  test.each<readonly [string, Partial<VerifyOptions>, string]>([
    ['.js', {}, '.js'],
    ['.ts', { importExtension: '.ts' }, '.ts'],
    ['none', { importExtension: '' }, ''],
  ])('are valid with extension %s', async (_what, options, extension) => {
    expect(await verify(output(extension), options)).toEqual([]);
  });

  test.each<readonly [what: string, path: string, from: string, to: string, want: string]>([
    [
      'a wrong type',
      'index.ts',
      "'a'",
      '1',
      "index.ts:5:39: error: TS2322: Type 'number' is not assignable to type 'string'.",
    ],
    [
      'a name that is nowhere',
      'apps/v1/types.ts',
      '?: ObjectMeta',
      '?: ObjectMet',
      'apps/v1/types.ts:4:14: error: TS2552',
    ],
    [
      'a module that is not in the output',
      'index.ts',
      'v1/types.js',
      'v2/types.js',
      "index.ts:2:26: error: TS2307: Cannot find module './apps/v2/types.js'",
    ],
    ['a name that the runtime lacks', 'index.ts', 'crud }', 'crude }', 'index.ts:1:10: error: TS2724'],
    [
      'syntax',
      'apps/v1/types.ts',
      'export interface Web {',
      'export interface We b {',
      'apps/v1/types.ts:3:21: error: TS1',
    ],
    ['a constant without a type', 'index.ts', ': typeof crud', '', 'index.ts:4:14: error: TS9010'],
    [
      'an import that nobody uses',
      'index.ts',
      ': Web =',
      ': { metadata: object } =',
      "index.ts:2:1: error: TS6133: 'Web' is declared but its value is never read.",
    ],
    ['a type imported as a value', 'index.ts', 'import type', 'import', 'index.ts:2:10: error: TS1484'],
    [
      'null where there must be none',
      'index.ts',
      "{ name: 'a' }",
      'undefined',
      'index.ts:5:14: error: TS2375',
    ],
  ])('reports %s', async (_what, path, from, to, want) => {
    const reported = await verify(planted(path, from, to));
    expect(reported.map((line) => line.slice(0, want.length))).toContain(want);
    expect(reported.filter((line) => !line.endsWith(`; ${bug}`))).toEqual([]);
  });

  test('reports an import without extension unless it was requested', async () => {
    expect((await verify(output(''))).join()).toContain('index.ts:2:26: error: TS2835');
  });

  test('reports at most 20 errors and counts the others', async () => {
    const wrong = Array.from(
      { length: 23 },
      (_, index) => `export const a${index}: string = ${index};\n`,
    ).join('');
    const reported = await verify(new Map([['index.ts', wrong]]));
    expect(reported).toHaveLength(21);
    expect(reported.at(-1)).toBe('error: the output has 3 more such errors');
  });
});

test('does not write to the disk and ignores files of an earlier run', async () => {
  const folder = join(root, 'out');
  mkdirSync(join(folder, 'apps', 'v2'), { recursive: true });
  writeFileSync(join(folder, 'apps', 'v2', 'types.ts'), 'export interface Web {}\n');
  const look = (): readonly string[] =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map(
      (path) => `${path} ${statSync(join(root, path)).mtimeMs}`,
    );
  const before = look();
  expect((await verify(planted('index.ts', 'v1/types.js', 'v2/types.js'))).join()).toContain('TS2307');
  expect(await verify(output('.js'))).toEqual([]);
  expect(look()).toEqual(before);
});

describe("a user's own runtime", () => {
  const runtimeImport = './rt.js';
  const write = (text: string): void => {
    mkdirSync(join(root, 'out'));
    writeFileSync(join(root, 'out', 'rt.ts'), text);
  };

  test('is resolved from the output folder', async () => {
    write(`export * from '${door}';\n`);
    expect(await verify(output('.js', runtimeImport), { runtimeImport })).toEqual([]);
  });

  test.each<readonly [string, string | undefined]>([
    ['lacks a name', `export { crud } from '${door}';\n`],
    ['is missing', undefined],
  ])('is reported if it %s', async (_what, text) => {
    if (text !== undefined) write(text);
    const reported = await verify(output('.js', runtimeImport), { runtimeImport });
    expect(reported.join()).toContain(
      '--runtime-import "./rt.js" must export what @kgen/runtime/gen/v1 does: correct it',
    );
    expect(reported.join()).not.toContain(bug);
  });

  const codecs = `import type { Codecs } from '../../rt/protobuf.js';\n\nexport const codecs: Codecs = new Map();\n`;
  const withCodecs = (): ReadonlyMap<string, string> =>
    new Map([...output('.js', runtimeImport), ['apps/v1/protobuf.ts', codecs]]);
  const doors = { runtimeImport, protobufImport: './rt/protobuf.js' };

  test('is resolved with its protobuf module', async () => {
    write(`export * from '${door}';\n`);
    mkdirSync(join(root, 'out', 'rt'));
    writeFileSync(join(root, 'out', 'rt', 'protobuf.ts'), `export * from '${door}/protobuf';\n`);
    expect(await verify(withCodecs(), doors)).toEqual([]);
  });

  test('is reported if its protobuf module is missing', async () => {
    write(`export * from '${door}';\n`);
    const [reported = '', ...more] = await verify(withCodecs(), doors);
    expect(more).toEqual([]);
    expect(reported).toMatch(/^apps\/v1\/protobuf\.ts:1:29: error: TS2307: Cannot find module/);
    expect(reported).toMatch(
      /"\.\/rt\/protobuf\.js" must export what @kgen\/runtime\/gen\/v1\/protobuf does: correct it, or add --no-protobuf$/,
    );
  });

  test('is not reported for errors that occur with any runtime', async () => {
    write(`export * from '${door}';\n`);
    const files = new Map([...output('.js', runtimeImport), ['other.ts', 'export const a: string = 1;\n']]);
    expect(await verify(files, { runtimeImport })).toEqual([
      `other.ts:1:14: error: TS2322: Type 'number' is not assignable to type 'string'. in "export const a: string = 1;"; ${bug}`,
    ]);
  });
});

describe('.js with .d.ts', () => {
  const files = (code: string): ReadonlyMap<string, string> =>
    new Map([
      ['package.json', '{ "type": "module" }\n'],
      ['a.d.ts', 'export declare const a: string;\n'],
      ['a.js', "export const a = 'a';\n"],
      ['index.d.ts', "export { a } from './a.js';\n"],
      ['index.js', code],
    ]);

  test.each<readonly [what: string, code: string, want: readonly RegExp[]]>([
    ['is right', "export { a } from './a.js';\n", []],
    ['imports what is not there', "export { b as a } from './a.js';\n", [/^index.js:1:10: error: TS2305/]],
    ['is no JavaScript', "export { a from './a.js';\n", [/^index.js:1:12: error: TS1005/]],
    ['names what is not there', 'export const a = b;\n', [/^index.js:1:18: error: TS2304/]],
  ])('%s', async (_what, code, want) => {
    const reported = await verify(files(code), { emit: 'js' });
    expect(reported.slice(0, 1)).toEqual(want.map((pattern) => expect.stringMatching(pattern)));
  });

  test('reports invalid declarations', async () => {
    const wrong = new Map([
      ...files("export { a } from './a.js';\n"),
      ['a.d.ts', 'export declare const a: Missing;\n'],
    ]);
    expect((await verify(wrong, { emit: 'js' })).join()).toContain('a.d.ts:1:25: error: TS2304');
  });
});

test('accepts the clients of the custom resources in this repository', async () => {
  const folder = fileURLToPath(new URL('../../../generated/crds/', import.meta.url));
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
  const files = new Map(
    paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')]),
  );
  expect(files.size).toBeGreaterThan(5);
  expect(await verify(files)).toEqual([]);
});
