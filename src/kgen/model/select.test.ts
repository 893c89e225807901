import { describe, expect, test } from 'vitest';
import { isSelected, parsePattern, type Selectable } from './select.ts';

const item: Selectable = { group: 'apps.example.com', version: 'v1', kind: 'MyApp' };

function patterns(texts: readonly string[]) {
  return texts.map((text) => parsePattern(text)).filter((pattern) => pattern !== undefined);
}

describe('patterns', () => {
  test.each([
    { include: [], exclude: [], want: true },
    { include: ['apps.example.com'], exclude: [], want: true },
    { include: ['apps.example.com/v1'], exclude: [], want: true },
    { include: ['apps.example.com/v1/MyApp'], exclude: [], want: true },
    { include: ['*.example.com'], exclude: [], want: true },
    { include: ['*/*/My*'], exclude: [], want: true },
    { include: ['*/*/*A*p*'], exclude: [], want: true },
    { include: ['a*.*.com/v*'], exclude: [], want: true },
    { include: ['*'], exclude: ['apps.example.com/v2'], want: true },
    { include: ['other', 'apps.example.com'], exclude: [], want: true },
    { include: ['example.com'], exclude: [], want: false },
    { include: ['apps.example.com/v1/myapp'], exclude: [], want: false },
    { include: ['apps.example.com/v'], exclude: [], want: false },
    { include: ['apps.example.com*com'], exclude: [], want: false },
    { include: ['apps.example.comm*'], exclude: [], want: false },
    { include: ['core'], exclude: [], want: false },
    { include: [], exclude: ['*.com'], want: false },
    { include: ['apps.example.com'], exclude: ['*/*/MyApp'], want: false },
    { include: ['.*'], exclude: [], want: false },
  ])('selects with include $include, exclude $exclude: $want', ({ include, exclude, want }) => {
    expect(isSelected(item, patterns(include), patterns(exclude))).toBe(want);
  });

  test('match the core group by the name core', () => {
    expect(isSelected({ ...item, group: '' }, patterns(['core/v1']), [])).toBe(true);
  });

  test.each(['a/b/c/d', 'a/', 'a//C', 'a/b/'])('reject %s', (text) => {
    expect(parsePattern(text)).toBeUndefined();
  });

  test('match many stars in linear time', () => {
    const hard = parsePattern(`${'a*'.repeat(5_000)}b`);
    const long = { ...item, group: 'a'.repeat(20_000) };
    expect(hard !== undefined && isSelected(long, [hard], [])).toBe(false);
  });
});
