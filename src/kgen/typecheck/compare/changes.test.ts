import { describe, expect, test } from 'vitest';
import { compare, type ReportedChange } from '../comparing.fixture.ts';
import { typeChanges } from './changes.ts';

const spec = (members: string): string => `export interface Spec { ${members} }`;

describe('members', () => {
  test.each<readonly [what: string, before: string, after: string, want: readonly ReportedChange[]]>([
    ['gone', 'a: string; b?: number', 'a: string', [['Spec b', 'removed', 'breaking', 'number', undefined]]],
    [
      'new and optional',
      'a: string',
      'a: string; b?: number',
      [['Spec b', 'added', 'compatible', undefined, 'number']],
    ],
    [
      'new and required',
      'a: string',
      'a: string; b: number',
      [['Spec b', 'added', 'breaking', undefined, 'number']],
    ],
    ['required now', 'a?: string', 'a: string', [['Spec a', 'required', 'breaking', undefined, undefined]]],
    ['optional now', 'a: string', 'a?: string', [['Spec a', 'optional', 'breaking', undefined, undefined]]],
    ['of another type', 'a: string', 'a: number', [['Spec a', 'type', 'breaking', 'string', 'number']]],
    [
      'wider',
      'a: string',
      'a: string | number',
      [['Spec a', 'type', 'breaking', 'string', 'string | number']],
    ],
    [
      'narrower',
      'a: string | null',
      'a: string',
      [['Spec a', 'type', 'breaking', 'string | null', 'string']],
    ],
    ['closed to wider', "a: 'x'", "a: 'x' | 'y'", [['Spec a', 'type', 'breaking', "'x'", "'x' | 'y'"]]],
    [
      'open with one more word',
      "a: 'x' | (string & {})",
      "a: 'x' | 'y' | (string & {})",
      [['Spec a', 'type', 'compatible', "'x' | string & {}", "'x' | 'y' | string & {}"]],
    ],
    [
      'open with one word less',
      "a: 'x' | 'y' | (string & {})",
      "a: 'x' | (string & {})",
      [['Spec a', 'type', 'compatible', "'x' | 'y' | string & {}", "'x' | string & {}"]],
    ],
    [
      'a string that names words now',
      'a: string',
      "a: 'x' | (string & {})",
      [['Spec a', 'type', 'compatible', 'string', "'x' | string & {}"]],
    ],
    [
      'open and closed',
      "a: 'x' | (string & {})",
      "a: 'x'",
      [['Spec a', 'type', 'breaking', "'x' | string & {}", "'x'"]],
    ],
    [
      'open, and null now',
      "a: 'x' | (string & {})",
      "a: 'x' | (string & {}) | null",
      [['Spec a', 'type', 'breaking', "'x' | string & {}", "'x' | string & {} | null"]],
    ],
    [
      'a list of others',
      'a: string[]',
      'a: number[]',
      [['Spec a', 'type', 'breaking', 'string[]', 'number[]']],
    ],
    [
      'inside an object',
      'a: { b: string }',
      'a: { b?: string }',
      [['Spec a.b', 'optional', 'breaking', undefined, undefined]],
    ],
    [
      'inside a list',
      'a: { b: 1 }[]',
      'a: { b: 1; c?: 2 }[]',
      [['Spec a[].c', 'added', 'compatible', undefined, '2']],
    ],
    [
      'values of a map',
      'a: { [key: string]: string }',
      'a: { [key: string]: number }',
      [['Spec a.[string]', 'type', 'breaking', 'string', 'number']],
    ],
    [
      'named like a prototype',
      '__proto__?: string',
      'constructor?: string',
      [
        ['Spec __proto__', 'removed', 'breaking', 'string', undefined],
        ['Spec constructor', 'added', 'compatible', undefined, 'string'],
      ],
    ],
    [
      'deprecated',
      'a: 1',
      '/** @deprecated since then */ a: 1',
      [['Spec a', 'deprecated', 'compatible', undefined, '@deprecated']],
    ],
    [
      'no longer deprecated',
      '/** Old.\n * @deprecated */ a: 1',
      'a: 1',
      [['Spec a', 'deprecated', 'compatible', '@deprecated', undefined]],
    ],
    ['readonly now', 'a: 1', 'readonly a: 1', [['Spec a', 'type', 'breaking', '1', 'readonly 1']]],
    ['not readonly any more', 'readonly a: 1', 'a: 1', [['Spec a', 'type', 'compatible', 'readonly 1', '1']]],
  ])('%s', async (_what, before, after, want) => {
    expect(await compare(spec(before), spec(after))).toEqual(want);
  });
});

describe('equivalent declarations', () => {
  test.each<readonly [what: string, before: string, after: string]>([
    [
      'formatting',
      'export interface A { a: string; b?: number }',
      'export interface A {\n  a : string,\n  b? : number\n}',
    ],
    ['order of members', spec('a: 1; b: 2'), spec('b: 2; a: 1')],
    [
      'order of declarations',
      'export type A = 1;\nexport type B = 2;',
      'export type B = 2;\nexport type A = 1;',
    ],
    ['order of a union', spec("a: 'x' | null | 'y'"), spec("a: 'y' | 'x' | null")],
    ['quotes', spec(`a: 'x"y'`), spec('a: "x\\"y"')],
    ['parentheses and broken lines', spec('a: (1 | 2)[]'), spec('a: (\n    | 1\n    | 2)[]')],
    [
      'comments',
      `/** One. */\n${spec('/** x */ a: 1')}`,
      `// Generated\n${spec('/** y \\@deprecated */ a: 1')}`,
    ],
    ['Array and []', spec('a: string[]'), spec('a: Array<string>')],
    ['an alias of an object type', spec('a: 1'), 'export type Spec = { a: 1 };'],
    [
      'names of imports',
      `import type { X } from '../../core/v1/types.js';\n${spec('a: X')}`,
      `import type { X as Y } from '../../core/v1/index.js';\n${spec('a: Y')}`,
    ],
    [
      'where the runtime is',
      `import type { Time } from '@kgen/runtime/gen/v1';\n${spec('a: Time')}`,
      `import type { Time as T } from '../../../rt.js';\n${spec('a: T')}`,
    ],
    ['what a module keeps to itself', spec('a: 1'), `interface Own { b: 1 }\n${spec('a: 1')}`],
  ])('%s', async (_what, before, after) => {
    expect(await compare(before, after)).toEqual([]);
  });

  test('ignores declarations that move between files of a module', async () => {
    const before = new Map([
      ['apps/v1/types.ts', spec('a: 1')],
      ['apps/v1/index.ts', "export type * from './types.js';"],
    ]);
    const after = new Map([
      ['apps/v1/types.ts', ''],
      ['apps/v1/index.ts', spec('a: 1')],
    ]);
    expect(await typeChanges(before, after)).toEqual([]);
  });

  test('reports codecs of a group version and in its descriptors', async () => {
    const descriptor = (facts: string): string =>
      `export const pods: Pods = /* @__PURE__ */ defineResource({ plural: 'pods'${facts} });`;
    const before = new Map([['core/v1/index.ts', descriptor('')]]);
    const after = new Map([
      ['core/v1/index.ts', descriptor(', protobuf')],
      ['core/v1/protobuf.ts', 'export function readPod(): void {}\nexport const codecs: Codecs = new Map();'],
    ]);
    expect(await typeChanges(before, after)).toEqual([]);
    expect(await typeChanges(after, before)).toEqual([]);
  });

  test('compares .ts and .d.ts with .js', async () => {
    const value = "defineResource({ plural: 'pods', verbs: ['get', 'list'] })";
    const before = new Map([['core/v1/index.ts', `export const pods: Pods = /* @__PURE__ */ ${value};`]]);
    const after = new Map([
      ['core/v1/index.d.ts', 'export declare const pods: Pods;'],
      ['core/v1/index.js', `export const pods = /* @__PURE__ */ ${value};`],
    ]);
    expect(await typeChanges(before, after)).toEqual([]);
  });
});

test('sorts changes by module, name and member', async () => {
  const before = new Map(
    ['b', 'a'].map((group) => [
      `${group}/v1/types.ts`,
      'export interface Z { b: 1; a: 1 }\nexport type A = 1;',
    ]),
  );
  const after = new Map(['b', 'a'].map((group) => [`${group}/v1/types.ts`, 'export interface Z {}']));
  const found = await typeChanges(before, after);
  expect(found.map(({ module, name, member = '' }) => `${module} ${name} ${member}`)).toEqual([
    'a/v1 A ',
    'a/v1 Z a',
    'a/v1 Z b',
    'b/v1 A ',
    'b/v1 Z a',
    'b/v1 Z b',
  ]);
});
