import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../input/crd/crd-input.ts';
import { jsonText } from './schema/json.ts';

/** `levels` lists, one in the other, around `inner`. */
function nested(levels: number, inner: JsonValue): JsonValue {
  return levels === 0 ? inner : [nested(levels - 1, inner)];
}

describe('jsonText', () => {
  test.each<[limit: number, text: string]>([
    [1, '"…'],
    [5, '"abcd…'],
    [8, '"abcdef"'],
    [7, '"abcdef…'],
  ])('cuts a string at %d characters', (limit, text) => {
    expect(jsonText('abcdef', { limit })).toBe(text);
  });

  test.each<[limit: number, text: string]>([
    [4, '[1,2…'],
    [5, '[1,2,…'],
    [7, '[1,2,3]'],
  ])('cuts a list at %d characters', (limit, text) => {
    expect(jsonText([1, 2, 3], { limit })).toBe(text);
  });

  test('writes a hundred levels and marks what lies below', () => {
    expect(jsonText(nested(100, 1))).toBe(`${'['.repeat(100)}1${']'.repeat(100)}`);
    expect(jsonText(nested(101, 1))).toBe(`${'['.repeat(100)}…${']'.repeat(100)}`);
  });

  test('does not read what comes after the limit', () => {
    let reads = 0;
    const item = {
      get field(): number {
        reads += 1;
        return reads;
      },
    };
    jsonText([item, item, item], { limit: 5 });
    expect(reads).toBe(1);
    jsonText({ first: 'long', second: item, third: item }, { limit: 5 });
    expect(reads).toBe(1);
  });
});
