import { describe, expect, it } from 'vitest';
import type { JsonPatchOperation } from '../api/types.ts';
import { createJsonPatch } from './create-json-patch.ts';
import { applyJsonPatch, isJsonPatchError } from './json-patch.ts';

const parse = (text: string): unknown => JSON.parse(text);

describe('applyJsonPatch', () => {
  it.each<[given: unknown, operation: JsonPatchOperation, want: unknown]>([
    [{ a: 1 }, { op: 'add', path: '/b', value: 2 }, { a: 1, b: 2 }],
    [{ a: 1 }, { op: 'add', path: '/a', value: null }, { a: null }],
    [{ a: 1 }, { op: 'add', path: '', value: [1] }, [1]],
    [{ a: [1, 2] }, { op: 'add', path: '/a/1', value: 9 }, { a: [1, 9, 2] }],
    [{ a: [1, 2] }, { op: 'add', path: '/a/2', value: 9 }, { a: [1, 2, 9] }],
    [{ a: [1, 2] }, { op: 'add', path: '/a/-', value: [9] }, { a: [1, 2, [9]] }],
    [{ a: {} }, { op: 'add', path: '/a/-', value: 1 }, { a: { '-': 1 } }],
    [{ a: { '': 1 } }, { op: 'replace', path: '/a/', value: 2 }, { a: { '': 2 } }],
    [{ 'a/b': { 'c~d': 1 } }, { op: 'replace', path: '/a~1b/c~0d', value: 2 }, { 'a/b': { 'c~d': 2 } }],
    [{ '~1': 1 }, { op: 'remove', path: '/~01' }, {}],
    [{ a: [1, 2, 3] }, { op: 'remove', path: '/a/1' }, { a: [1, 3] }],
    [{ a: null }, { op: 'remove', path: '/a' }, {}],
    [{ a: null }, { op: 'replace', path: '/a', value: 1 }, { a: 1 }],
    [{ a: [1, 2] }, { op: 'replace', path: '/a/0', value: 9 }, { a: [9, 2] }],
    [{ a: 1 }, { op: 'replace', path: '', value: 2 }, 2],
    [{ a: { b: 1 } }, { op: 'move', from: '/a/b', path: '/c' }, { a: {}, c: 1 }],
    [{ a: [1, 2, 3] }, { op: 'move', from: '/a/0', path: '/a/2' }, { a: [2, 3, 1] }],
    [{ a: 1 }, { op: 'move', from: '/a', path: '/a' }, { a: 1 }],
    [{ a: { b: 1 } }, { op: 'copy', from: '/a', path: '/c' }, { a: { b: 1 }, c: { b: 1 } }],
    [{ a: [1] }, { op: 'copy', from: '/a', path: '/a/-' }, { a: [1, [1]] }],
    [{ a: { x: [1], y: 2 } }, { op: 'test', path: '/a', value: { y: 2, x: [1] } }, { a: { x: [1], y: 2 } }],
    [{ a: null }, { op: 'test', path: '/a', value: null }, { a: null }],
    [{}, { op: 'add', path: '/constructor', value: 1 }, parse('{"constructor":1}')],
    [{}, { op: 'add', path: '/__proto__', value: { a: 1 } }, parse('{"__proto__":{"a":1}}')],
    [
      parse('{"__proto__":{"a":1}}'),
      { op: 'add', path: '/__proto__/b', value: 2 },
      parse('{"__proto__":{"a":1,"b":2}}'),
    ],
    [parse('{"__proto__":1}'), { op: 'remove', path: '/__proto__' }, {}],
  ])('%j %j', (given, operation, want) => {
    const before = structuredClone(given);
    const result = applyJsonPatch(given, [operation]);
    expect(JSON.stringify(result)).toBe(JSON.stringify(want));
    expect(Object.getPrototypeOf(Object(result))).not.toHaveProperty('a');
    expect(JSON.stringify(given)).toBe(JSON.stringify(before));
  });

  it.each<[given: unknown, operation: object, message: string]>([
    [{ a: {} }, { op: 'add', path: '/b/c', value: 1 }, 'add "/b/c": "b" not found'],
    [
      { a: 'text' },
      { op: 'add', path: '/a/b', value: 1 },
      'the parent of "b" is neither an object nor a list',
    ],
    [{ a: [1] }, { op: 'add', path: '/a/2', value: 1 }, 'list index 2 is out of range'],
    [{ a: [1] }, { op: 'add', path: '/a/00', value: 1 }, 'not a list index: "00"'],
    [{ a: [1] }, { op: 'add', path: '/a/x', value: 1 }, 'not a list index: "x"'],
    [{ a: [1] }, { op: 'remove', path: '/a/1' }, 'list index 1 is out of range'],
    [{ a: [1] }, { op: 'remove', path: '/a/-' }, 'not a list index: "-"'],
    [{ a: [1] }, { op: 'remove', path: '/a/length' }, 'not a list index: "length"'],
    [{ a: [1] }, { op: 'replace', path: '/a/-', value: 1 }, 'not a list index: "-"'],
    [{ a: [1, 2] }, { op: 'replace', path: '/a/01', value: 1 }, 'not a list index: "01"'],
    [{ a: [1] }, { op: 'move', from: '/a/0', path: '/a/9' }, 'list index 9 is out of range'],
    [{ a: { b: 1 } }, { op: 'move', from: '/a', path: '/a/b' }, 'a value cannot be moved into itself'],
    [{ a: 1 }, { op: 'copy', from: '/b', path: '/c' }, '"b" not found'],
    [{ a: 1 }, { op: 'copy', path: '/c' }, 'the pointer is missing'],
    [{ a: 1 }, { op: 'remove', path: '/b' }, 'remove "/b": "b" not found'],
    [{ a: 1 }, { op: 'remove', path: '' }, 'the whole value cannot be removed'],
    [{ a: 1 }, { op: 'remove', path: '/toString' }, '"toString" not found'],
    [{ a: 1 }, { op: 'replace', path: '/constructor', value: 1 }, '"constructor" not found'],
    [{ a: 1 }, { op: 'add', path: '/__proto__/polluted', value: 1 }, '"__proto__" not found'],
    [{ a: 1 }, { op: 'test', path: '/a', value: '1' }, 'test "/a": the value differs'],
    [{ a: [1, 2] }, { op: 'test', path: '/a', value: [2, 1] }, 'the value differs'],
    [{ a: {} }, { op: 'test', path: '/a', value: { b: 1 } }, 'the value differs'],
    [{ a: [] }, { op: 'test', path: '/a', value: {} }, 'the value differs'],
    [{ a: 1 }, { op: 'test', path: '/b', value: null }, '"b" not found'],
    [{ a: 1 }, { op: 'add', path: '/b' }, 'it has no value'],
    [{ a: 1 }, { op: 'add', path: 'b', value: 1 }, 'not a JSON pointer: "b"'],
    [{ a: 1 }, { op: 'add', path: '/~2', value: 1 }, 'not a JSON pointer: "/~2"'],
    [{ a: 1 }, { op: 'merge', path: '/a' }, 'unknown operation'],
  ])('throws for %j %j', (given, operation, message) => {
    const good: JsonPatchOperation = { op: 'test', path: '', value: given };
    // A value that only plain JavaScript can pass.
    const operations = [good, operation as JsonPatchOperation];
    let found: unknown;
    try {
      applyJsonPatch(given, operations);
    } catch (error) {
      found = error;
    }
    expect(isJsonPatchError(found)).toBe(true);
    expect(found).toMatchObject({ index: 1, operation });
    expect(String(found)).toContain(`JsonPatchError: JSON patch, operation 1:`);
    expect(String(found)).toContain(message);
  });

  it('shares no values with its arguments', () => {
    const value = { b: [1] };
    const before = { keep: { x: 1 } };
    const after = applyJsonPatch<Record<string, unknown>>(before, [{ op: 'add', path: '/a', value }]);
    expect(after['keep']).not.toBe(before.keep);
    expect(after['a']).not.toBe(value);
  });
});

describe('createJsonPatch', () => {
  it.each<[before: unknown, after: unknown, want: JsonPatchOperation[]]>([
    [{ a: 1 }, { a: 1 }, []],
    [{ a: 1, b: undefined }, { a: 1 }, []],
    [{ a: 1 }, { a: 2 }, [{ op: 'replace', path: '/a', value: 2 }]],
    [
      { 'a/b': 1, '~': 2 },
      { '~': 2, c: null },
      [
        { op: 'remove', path: '/a~1b' },
        { op: 'add', path: '/c', value: null },
      ],
    ],
    [[1, 2, 3], [1, 3], [{ op: 'remove', path: '/1' }]],
    [[1, 3], [1, 2, 3], [{ op: 'add', path: '/1', value: 2 }]],
    [
      [],
      [1, 2],
      [
        { op: 'add', path: '/0', value: 1 },
        { op: 'add', path: '/1', value: 2 },
      ],
    ],
    [
      [1, 2],
      [],
      [
        { op: 'remove', path: '/1' },
        { op: 'remove', path: '/0' },
      ],
    ],
    [{ a: [{ x: 1 }] }, { a: [{ x: 2 }] }, [{ op: 'replace', path: '/a/0/x', value: 2 }]],
    [{ a: [] }, { a: {} }, [{ op: 'replace', path: '/a', value: {} }]],
    [1, 'x', [{ op: 'replace', path: '', value: 'x' }]],
    [{}, parse('{"__proto__":1}'), [{ op: 'add', path: '/__proto__', value: 1 }]],
  ])('%j to %j', (before, after, want) => {
    expect(createJsonPatch(before, after)).toEqual(want);
  });

  it('round-trips with applyJsonPatch for random values', () => {
    const random = randomFrom(1);
    for (let round = 0; round < 2000; round += 1) {
      const [before, after] = [randomValue(random, 4), randomValue(random, 4)];
      const result = applyJsonPatch(before, createJsonPatch(before, after));
      expect(result, `round ${round}`).toEqual(after);
    }
  });

  it('handles long lists', () => {
    const before = Array.from({ length: 50_000 }, (_, index) => index);
    const after = [...before.slice(1), -1];
    const patch = createJsonPatch(before, after);
    expect(patch).toHaveLength(50_000);
    expect(createJsonPatch(before, before.slice(0, -7))).toHaveLength(7);
  });
});

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) / 0x80_0000;
  };
}

function randomValue(random: () => number, depth: number): unknown {
  const choice = Math.floor(random() * (depth === 0 ? 4 : 8));
  const count = Math.floor(random() * 4);
  if (choice < 4) return [null, 1, 'text', true][choice];
  if (choice < 6) return Array.from({ length: count }, () => randomValue(random, depth - 1));
  const keys = ['a', 'b/c', '~', '', 'constructor'].filter(() => random() < 0.5);
  return Object.fromEntries(keys.map((key) => [key, randomValue(random, depth - 1)]));
}
