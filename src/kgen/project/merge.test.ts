import { describe, expect, test } from 'vitest';
import { conflictLine, mergeTexts } from './merge.ts';

const base = 'one\ntwo\nthree\nfour\nfive\n';
const next = 'one\ntwo\nthree\nfour\nFIVE\n';
const windows = (text: string): string => text.replaceAll('\n', '\r\n');

describe('a merge', () => {
  const own = base.replace('one', 'ONE');
  const both = next.replace('one', 'ONE');
  test.each([
    ['line ends', windows(own), windows(both)],
    ['single line ends', own.replace('two\n', 'two\r\n'), both.replace('two\n', 'two\r\n')],
    ['a missing final newline', own.slice(0, -1), both.slice(0, -1)],
    ['a byte order mark', `\uFEFF${own}`, `\uFEFF${both}`],
    ['both', windows(own).slice(0, -2), windows(both).slice(0, -2)],
  ])('keeps %s', (_, before, after) => {
    expect(mergeTexts('a.ts', { own: before, base, next })).toEqual({ text: after, conflicts: 0 });
  });

  test('marks only the lines that differ, with the line ends of the file', () => {
    const sides = {
      own: windows('one\nA\nB\nmine\nC\nfive'),
      base: 'one\ntwo\nfive\n',
      next: 'one\nA\nB\nyours\nC\nfive\n',
    };
    const text = 'one\nA\nB\n<<<<<<< yours\nmine\n=======\nyours\n>>>>>>> kgen\nC\nfive';
    expect(mergeTexts('a.ts', sides)).toEqual({ text: windows(text), conflicts: 1 });
  });

  test('of an emptied file marks the change', () => {
    const { text, conflicts } = mergeTexts('a.ts', { own: '', base, next });
    expect(conflicts).toBe(1);
    expect(text).toContain('FIVE');
  });
});

describe('members of JSON', () => {
  const merge = (own: string, before: object, after: object) =>
    mergeTexts('package.json', { own, base: json(before), next: json(after) });
  const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

  test('are merged where both sides have changed the last line', () => {
    const own = json({ a: 1, deps: { x: '1', mine: '1' } });
    const { text, conflicts } = merge(own, { a: 1, deps: { x: '1' } }, { a: 2, deps: { x: '2', y: '1' } });
    expect(conflicts).toBe(0);
    expect(text).toBe(json({ a: 2, deps: { x: '2', mine: '1', y: '1' } }));
  });

  test('keep indentation, line ends and a missing final newline', () => {
    const own = windows(JSON.stringify({ a: 1, mine: null }, null, '\t'));
    const { text } = merge(own, { a: 1 }, { a: 1, b: 1 });
    expect(text).toBe(windows(JSON.stringify({ a: 1, mine: null, b: 1 }, null, '\t')));
  });

  test('that one side has removed are absent', () => {
    const { text } = merge(json({ b: 1 }), { a: 1, b: 1 }, { a: 1, c: 1 });
    expect(JSON.parse(text)).toEqual({ c: 1 });
  });

  test('that both sides have changed are marked', () => {
    const { text, conflicts } = merge(json({ a: 2 }), { a: 1 }, { a: 3 });
    expect({ conflicts, line: conflictLine(text) }).toEqual({ conflicts: 1, line: 2 });
  });

  test('with names of inherited members are merged', () => {
    const own = '{\n  "constructor": 1,\n  "__proto__": 2\n}\n';
    const { text } = merge(own, {}, { toString: 1 });
    expect(text).toBe('{\n  "constructor": 1,\n  "__proto__": 2,\n  "toString": 1\n}\n');
  });

  test('are merged as lines in a file with comments', () => {
    const sides = { own: '{\n  // mine\n  "a": 1\n}\n', base: '{\n  "a": 1\n}\n', next: '{\n  "a": 2\n}\n' };
    expect(mergeTexts('tsconfig.json', sides).conflicts).toBe(1);
  });
});

test.each([
  ['<<<<<<< yours\n', 1],
  ['a\r\n>>>>>>> kgen\r\n', 2],
  ['a\n<<<<<<<\n', 2],
  ['Title\n=======\n<<<<<<<< 8\n', undefined],
])('finds the first mark of %j', (text, line) => {
  expect(conflictLine(text)).toBe(line);
});
