import { describe, expect, test } from 'vitest';
import { typeChanges } from './compare/changes.ts';
import { compare, type ReportedChange } from './comparing.fixture.ts';

describe('names', () => {
  const a = 'export interface A { x: 1 }';
  test.each<readonly [what: string, before: string, after: string, want: readonly ReportedChange[]]>([
    ['new', a, `${a}\nexport interface B { x: 1 }`, [['B', 'added', 'compatible', undefined, 'interface']]],
    ['gone', `${a}\nexport type B = 1;`, a, [['B', 'removed', 'breaking', '1', undefined]]],
    [
      'new, the old one an alias',
      `${a}\nexport interface Use { a: A }`,
      'export interface B { x: 1 }\nexport type A = B;\nexport interface Use { a: B }',
      [['B', 'added', 'compatible', undefined, 'interface']],
    ],
    [
      'new, the old one an alias, and another member',
      a,
      'export interface B { x: 1; y?: 2 }\nexport type A = B;',
      [
        ['A y', 'added', 'compatible', undefined, '2'],
        ['B', 'added', 'compatible', undefined, 'interface'],
      ],
    ],
    [
      'an alias of one with another member',
      'export interface B { x: 1 }\nexport type A = B;',
      'export interface B { x: 1 }\nexport interface A { x: 1; y: 2 }',
      [['A y', 'added', 'breaking', undefined, '2']],
    ],
    [
      'an alias of its own now',
      'export interface B { x: 1 }\nexport type A = B;',
      `export interface B { x: 1 }\n${a}`,
      [],
    ],
    [
      'an alias of another',
      'export type A = string;',
      'export type A = number;',
      [['A', 'type', 'breaking', 'string', 'number']],
    ],
    [
      'a type in place of an object',
      a,
      'export type A = string;',
      [['A', 'type', 'breaking', 'interface', 'string']],
    ],
    [
      'deprecated',
      a,
      `/** @deprecated */\n${a}`,
      [['A', 'deprecated', 'compatible', undefined, '@deprecated']],
    ],
    ['passed on no more', "export { C } from './x.js';", '', [['C', 'removed', 'breaking', 'C', undefined]]],
    ['opened', `${a}\nexport interface U { a: A }`, `${a}\nexport interface U { a: { x: 1 } }`, []],
    ['with parameters', a, 'export interface A<T> { x: 1 }', [['A', 'type', 'breaking', '<>', '<T>']]],
    [
      'functions',
      'export function f(a: string): void;',
      'export function f(a: number): void;',
      [['f', 'type', 'breaking', '(a: string) => void', '(a: number) => void']],
    ],
  ])('%s', async (_what, before, after, want) => {
    expect(await compare(before, after)).toEqual(want);
  });

  test('reports an added or removed module as one change', async () => {
    const files = new Map([
      ['apps/v2/types.ts', `${a}\nexport type B = 1;`],
      ['apps/v2/README.md', 'no code'],
    ]);
    const none = new Map<string, string>();
    const change = { module: 'apps/v2', name: '*' };
    expect(await typeChanges(none, files)).toEqual([
      { ...change, change: 'added', after: '2 exports', breaking: false },
    ]);
    expect(await typeChanges(files, none)).toEqual([
      { ...change, change: 'removed', before: '2 exports', breaking: true },
    ]);
  });
});
