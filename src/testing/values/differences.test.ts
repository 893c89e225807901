import { describe, expect, test } from 'vitest';
import { equal, type Json } from '../../schema/values/json.ts';
import { differencesOf } from './differences.ts';

describe('differences', () => {
  test.each<readonly [string, Json, Json, readonly string[]]>([
    ['of equal values', { a: [1, { b: 'x' }] }, { a: [1, { b: 'x' }] }, []],
    ['of members, innermost', { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, ['.a.c']],
    ['of items', { a: [{ b: 1 }, { b: 2 }] }, { a: [{ b: 1 }, { b: 3 }] }, ['.a[1].b']],
    ['of lists of different lengths, as one', { a: [1, 2] }, { a: [1] }, ['.a']],
    ['of types', { a: [] }, { a: {} }, ['.a']],
    ['of absent members on both sides', { a: 1 }, { b: 1 }, ['.a', '.b']],
    ['of members named like those of all objects', {}, { constructor: 1 }, ['.constructor']],
    ['of the values themselves', 1, 2, ['']],
  ])('have paths: %s', (_, expected, actual, paths) => {
    expect(differencesOf(expected, actual, equal).map(({ path }) => path)).toEqual(paths);
  });

  test('have both values, undefined if one is absent', () => {
    expect(differencesOf({ a: 1 }, { b: null }, equal)).toEqual([
      { path: '.a', expected: 1, actual: undefined },
      { path: '.b', expected: undefined, actual: null },
    ]);
  });

  test('end at values that the predicate accepts', () => {
    const isHidden = (expected: Json | undefined): boolean => expected === 'hidden';
    expect(differencesOf({ a: 'hidden', b: 1 }, { a: { c: 1 }, b: 1 }, isHidden)).toHaveLength(1);
  });
});
