import { describe, expect, it } from 'vitest';
import type { JsonPatchOperation } from '../api/types.ts';
import { createJsonPatch } from './create-json-patch.ts';
import { applyJsonPatch, isJsonPatchError } from './json-patch.ts';

describe('createJsonPatch leaves the equal beginning and end of a list alone', () => {
  it.each<[before: readonly number[], after: readonly number[], operations: readonly JsonPatchOperation[]]>([
    [[1, 2, 3], [1, 2, 3, 3], [{ op: 'add', path: '/3', value: 3 }]],
    [[1, 2], [1, 2, 2], [{ op: 'add', path: '/2', value: 2 }]],
    [[1, 2, 2], [1, 2], [{ op: 'remove', path: '/2' }]],
    [
      [5, 1, 2],
      [6, 7, 1, 2],
      [
        { op: 'replace', path: '/0', value: 6 },
        { op: 'add', path: '/1', value: 7 },
      ],
    ],
  ])('%j to %j', (before, after, operations) => {
    expect(createJsonPatch(before, after)).toEqual(operations);
  });
});

describe('applyJsonPatch', () => {
  it.each<[given: unknown, operation: JsonPatchOperation, want: string]>([
    [{ a: 1, b: 2 }, { op: 'move', from: '/a', path: '/a' }, '{"a":1,"b":2}'],
    [{ a: 1 }, { op: 'move', from: '/a', path: '/b' }, '{"b":1}'],
    [{ a: { b: 1 } }, { op: 'move', from: '/a/b', path: '/a/c' }, '{"a":{"c":1}}'],
  ])('keeps the order of fields: %j %j', (given, operation, want) => {
    expect(JSON.stringify(applyJsonPatch(given, [operation]))).toBe(want);
  });

  it('adds fields that later operations and the caller can change and delete', () => {
    const added: JsonPatchOperation = { op: 'add', path: '/a', value: 1 };
    expect(applyJsonPatch({}, [added, { op: 'remove', path: '/a' }])).toEqual({});
    const result: { a?: number } = applyJsonPatch({}, [added]);
    result.a = 2;
    expect(result).toEqual({ a: 2 });
  });

  it('throws the error of a value that cannot be copied as it is', () => {
    const operation: JsonPatchOperation = { op: 'add', path: '/a', value: () => 1 };
    let thrown: unknown;
    try {
      applyJsonPatch({}, [operation]);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ name: 'DataCloneError' });
    expect(isJsonPatchError(thrown)).toBe(false);
  });
});
