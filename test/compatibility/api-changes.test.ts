import { describe, expect, it } from 'vitest';
import { changesOf, isAtLeast, leastVersion } from '../../scripts/api-changes/changes.mjs';

const report = (code: string) => `<!-- -->\n\n## \`@kgen/x\`\n\n\`\`\`ts\n${code}\n\`\`\`\n`;

describe('changes of an API report', () => {
  it.each([
    ['equal reports', 'export interface A { a: 1; }', 'export interface A {\n  a: 1;\n}', []],
    ['an added function', '', 'export function f(): void;', ['minor added f']],
    ['an added interface, as one change', '', 'export interface A { a: 1; b: 2; }', ['minor added A']],
    ['a removed class, as one change', 'export class A { a(): void; }', '', ['major removed A']],
    [
      'a removed member',
      'export class A { a(): void; b: 1; }',
      'export class A { b: 1; }',
      ['major removed A.a'],
    ],
    [
      'an added optional member',
      'export interface A { }',
      'export interface A { a?: 1; }',
      ['minor added A.a'],
    ],
    [
      'an added required member',
      'export interface A { }',
      'export interface A { a: 1; }',
      ['major added A.a'],
    ],
    ['an added member of a class', 'export class A { }', 'export class A { a: 1; }', ['minor added A.a']],
    ['a changed type', 'export type A = 1;', 'export type A = 1 | 2;', ['major changed A']],
    [
      'an added overload',
      'export function f(a: 1): void;',
      'export function f(a: 1): void;\nexport function f(a: 2): void;',
      ['major changed f'],
    ],
    ['another base', 'export class A { }', 'export class A extends B { }', ['major changed A']],
    [
      'a constant',
      'export const a: 1, b: 2;',
      'export const b: 2, a: 1;',
      ['major changed a', 'major changed b'],
    ],
    [
      'a member with a quoted name',
      "export interface A { 'a-b'?: 1; }",
      'export interface A { }',
      ["major removed A.'a-b'"],
    ],
  ])('%s', (_, before, after, changes) => {
    const found = changesOf(report(before), report(after));
    expect(found.map(({ level, kind, name }) => `${level} ${kind} ${name}`)).toEqual(changes);
  });

  it('names the entry point and both declarations', () => {
    expect(changesOf(report('export type A = 1;'), report('export type A =\n  2;'))).toEqual([
      {
        entry: '@kgen/x',
        name: 'A',
        kind: 'changed',
        level: 'major',
        before: 'export type A = 1;',
        after: 'export type A = 2;',
      },
    ]);
  });
});

describe('the version after changes', () => {
  const major = changesOf(report('export type A = 1;'), '');
  const minor = changesOf('', report('export type A = 1;'));
  it.each([
    ['1.2.3', major, '2.0.0'],
    ['1.2.3', minor, '1.3.0'],
    ['1.2.3', [], '1.2.4'],
    ['0.2.3', major, '0.3.0'],
    ['0.2.3', minor, '0.2.4'],
    ['0.2.3', [], '0.2.4'],
  ])('of %s', (version, changes, next) => {
    expect(leastVersion(version, changes)).toBe(next);
  });

  it.each([
    ['1.2.3', '1.2.3', true],
    ['1.3.0', '1.2.9', true],
    ['2.0.0', '1.9.9', true],
    ['1.2.3', '1.2.4', false],
    ['1.10.0', '1.9.0', true],
    ['1.3.0-beta.1', '1.3.0', true],
    ['0.9.9', '1.0.0', false],
  ])('%s is at least %s: %s', (version, least, expected) => {
    expect(isAtLeast(version, least)).toBe(expected);
  });
});
