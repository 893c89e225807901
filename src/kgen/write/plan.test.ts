import { describe, expect, test } from 'vitest';
import { emptyManifest, type Manifest, manifestName, parseManifest, printManifest } from './manifest.ts';
import { type DesiredOutput, isUpToDate, type Present, planChanges } from './plan.ts';

const own = (text: string): string => `// Generated\n${text}`;
const isGenerated = (path: string, text: string): boolean =>
  path === 'package.json' ? text === '{}' : text.startsWith('// Generated');
const file = (text: string): Present => ({ kind: 'file', text });
const manifest = (files: Readonly<Record<string, string>>): Manifest => ({
  accessors: new Map(),
  files: Object.keys(files),
  definitions: new Map(),
});
const want = (files: Readonly<Record<string, string>>, complete = true): DesiredOutput => ({
  files: new Map(Object.entries(files)),
  accessors: new Map(),
  definitions: new Map(),
  complete,
  isGenerated,
});

interface Case {
  readonly name: string;
  readonly present: Readonly<Record<string, Present>>;
  readonly before: Manifest;
  readonly requested: DesiredOutput;
  readonly plan: {
    create?: string[];
    update?: string[];
    remove?: string[];
    unchanged?: string[];
    clashes?: string[];
  };
}

const cases: readonly Case[] = [
  {
    name: 'an empty folder',
    present: {},
    before: emptyManifest,
    requested: want({ 'b.ts': 'b', 'a.ts': 'a' }),
    plan: { create: ['a.ts', 'b.ts', manifestName] },
  },
  {
    name: 'everything as it was',
    present: { 'a.ts': file('a'), [manifestName]: file(printManifest(manifest({ 'a.ts': 'a' }))) },
    before: manifest({ 'a.ts': 'a' }),
    requested: want({ 'a.ts': 'a' }),
    plan: { unchanged: ['a.ts', manifestName] },
  },
  {
    name: 'a file of kgen changed by hand below its first line',
    present: { 'a.ts': file(own('mine now')) },
    before: manifest({ 'a.ts': own('a') }),
    requested: want({ 'a.ts': own('a') }),
    plan: { update: ['a.ts'], create: [manifestName] },
  },
  {
    name: 'a file of another program that the manifest claims',
    present: { 'main.ts': file('mine') },
    before: manifest({ 'main.ts': 'mine' }),
    requested: want({ 'main.ts': own('a') }),
    plan: { clashes: ['main.ts'], create: [manifestName] },
  },
  {
    name: 'a stale file of another program that the manifest claims',
    present: { 'main.ts': file('mine'), 'x/package.json': file('{}') },
    before: manifest({ 'main.ts': 'mine', 'x/package.json': '{}' }),
    requested: want({}),
    plan: { create: [manifestName] },
  },
  {
    name: 'a package.json that kgen wrote',
    present: { 'package.json': file('{}') },
    before: emptyManifest,
    requested: want({ 'package.json': '{"type": "module"}' }),
    plan: { update: ['package.json'], create: [manifestName] },
  },
  {
    name: 'files with the desired content, except for line ends',
    present: { 'a.ts': file('a\r\nb\r\n'), 'package.json': file('{\r\n}') },
    before: emptyManifest,
    requested: want({ 'a.ts': 'a\nb\n', 'package.json': '{\n}' }),
    plan: { unchanged: ['a.ts', 'package.json'], create: [manifestName] },
  },
  {
    name: 'a package.json of another program',
    present: { 'package.json': file('{"name": "mine"}') },
    before: manifest({ 'package.json': '{}' }),
    requested: want({ 'package.json': '{}' }),
    plan: { clashes: ['package.json'], create: [manifestName] },
  },
  {
    name: 'a stale package.json',
    present: { 'package.json': file('{}') },
    before: manifest({ 'package.json': '{}' }),
    requested: want({}),
    plan: { remove: ['package.json'], create: [manifestName] },
  },
  {
    name: 'a stale package.json of another program',
    present: { 'package.json': file('{"name": "mine"}') },
    before: manifest({ 'package.json': '{}' }),
    requested: want({}),
    plan: { create: [manifestName] },
  },
  {
    name: 'a generated file without a manifest',
    present: { 'a.ts': file(own('old')) },
    before: emptyManifest,
    requested: want({ 'a.ts': own('new') }),
    plan: { update: ['a.ts'], create: [manifestName] },
  },
  {
    name: 'a file that kgen did not write',
    present: { 'a.ts': file('mine') },
    before: emptyManifest,
    requested: want({ 'a.ts': 'a' }),
    plan: { clashes: ['a.ts'], create: [manifestName] },
  },
  {
    name: 'a manifest that is none',
    present: { [manifestName]: file('{"version": 1}') },
    before: emptyManifest,
    requested: want({}),
    plan: { clashes: [manifestName] },
  },
  {
    name: 'a symbolic link',
    present: { 'a.ts': { kind: 'other', what: 'a symbolic link' } },
    before: manifest({ 'a.ts': 'a' }),
    requested: want({ 'a.ts': 'a' }),
    plan: { clashes: ['a.ts'], create: [manifestName] },
  },
  {
    name: 'a stale file',
    present: { 'a.ts': file(own('a')) },
    before: manifest({ 'a.ts': 'a' }),
    requested: want({}),
    plan: { remove: ['a.ts'], create: [manifestName] },
  },
  {
    name: 'a stale file changed by hand that still looks generated',
    present: { 'a.ts': file(own('x')) },
    before: manifest({ 'a.ts': 'a' }),
    requested: want({}),
    plan: { remove: ['a.ts'], create: [manifestName] },
  },
  {
    name: 'a stale file that was replaced',
    present: { 'a.ts': file('mine') },
    before: manifest({ 'a.ts': 'a' }),
    requested: want({}),
    plan: { create: [manifestName] },
  },
  {
    name: 'a stale file that is gone',
    present: {},
    before: manifest({ 'a.ts': 'a' }),
    requested: want({}),
    plan: { create: [manifestName] },
  },
  {
    name: 'a stale file while the input has errors',
    present: { 'a.ts': file(own('a')) },
    before: manifest({ 'a.ts': 'a' }),
    requested: want({}, false),
    plan: { create: [manifestName] },
  },
];

test.each(cases)('$name', ({ present, before, requested, plan }) => {
  const got = planChanges(new Map(Object.entries(present)), before, requested);
  const paths = (changes: readonly { readonly path: string }[]): readonly string[] =>
    changes.map(({ path }) => path);
  expect({
    ...got,
    create: paths(got.create),
    update: paths(got.update),
    remove: paths(got.remove),
    clashes: paths(got.clashes),
  }).toEqual({
    create: [],
    update: [],
    remove: [],
    unchanged: [],
    clashes: [],
    ...plan,
  });
  expect(isUpToDate(got)).toBe(Object.keys(plan).join() === 'unchanged');
});

test('keeps a stale file that is not removed in the manifest', () => {
  const before = manifest({ 'old.ts': own('old') });
  const plan = planChanges(new Map([['old.ts', file(own('old'))]]), before, want({ 'new.ts': 'new' }, false));
  const written = plan.create.find(({ path }) => path === manifestName)?.after ?? '';
  expect(parseManifest(written)?.files).toEqual(['new.ts', 'old.ts']);
});

test.each([
  '../a.ts',
  '/etc/passwd',
  'a/../../b',
  'a//b',
  './a',
  'a\\b',
  'C:/a',
  '',
  'a/',
  'a\0b',
  manifestName,
])('throws for the path %j', (path) => {
  expect(() => planChanges(new Map(), emptyManifest, want({ [path]: '' }))).toThrow(RangeError);
});

describe('the manifest', () => {
  test('is equal in any order', () => {
    const print = (...names: readonly string[]): string =>
      printManifest({
        accessors: new Map(names.map((name) => [name, 'x'])),
        files: names,
        definitions: new Map(),
      });
    expect(print('b', 'a')).toBe(print('a', 'b'));
    expect(parseManifest(print('b', 'a'))?.accessors).toEqual(
      new Map([
        ['a', 'x'],
        ['b', 'x'],
      ]),
    );
  });

  test.each([
    '',
    '[]',
    '{}',
    'null',
    '{"generator":"other","format":1}',
    '{"generator":"kgen","format":2}',
    '<<<<<<< HEAD',
  ])('is not read from %j', (text) => {
    expect(parseManifest(text)).toBeUndefined();
  });

  test('rejects files outside of the folder', () => {
    const text = JSON.stringify({
      generator: 'kgen',
      format: 1,
      accessors: { a: 3 },
      files: ['../x', '/y', 'ok/z', 1],
    });
    expect(parseManifest(text)).toEqual({ accessors: new Map(), files: ['ok/z'], definitions: new Map() });
  });
});
