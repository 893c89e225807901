import { afterEach, describe, expect, it } from 'vitest';
import { createJsonPatch } from '../../patch/create-json-patch.ts';
import { applyJsonPatch } from '../../patch/json-patch.ts';
import { applyMergePatch, createMergePatch } from '../../patch/merge-patch.ts';
import { dumpYaml } from '../../yaml/dump.ts';
import { int64, setInt64 } from './int64.ts';
import { parseText } from './keep-digits.ts';
import { jsonOf } from './write-json.ts';

const nanos = '1732272000123456789';
const max = '9223372036854775807';
const min = '-9223372036854775808';

interface Thing {
  spec: { nanos: number; note?: string; list: number[]; items: { count: number }[] };
}

const json = `{"spec":{"nanos":${nanos},"list":[1,${max},${min}],"items":[{"count":${max}},{"count":${min}}]}}`;
// seam: the JSON has this type
const read = (): Thing => parseText(json) as Thing;

describe('int64', () => {
  it.each<[path: (string | number)[], want: bigint | undefined]>([
    [['spec', 'nanos'], BigInt(nanos)],
    [['spec', 'list', 0], 1n],
    [['spec', 'list', 2], BigInt(min)],
    [['spec', 'items', 1, 'count'], BigInt(min)],
    [['spec', 'absent'], undefined],
    [['spec', 'toString'], undefined],
    [['absent', 'nanos'], undefined],
    [['spec', 'nanos', 'deeper'], undefined],
  ])('returns the integer at %j', (path, want) => {
    expect(int64(read(), path)).toBe(want);
  });

  it('refuses other values and an empty path', () => {
    expect(() => int64(read(), ['spec', 'list'])).toThrow('spec.list is not an integer');
    expect(() => int64({ a: 0.5 }, ['a'])).toThrow(TypeError);
    expect(() => int64({}, [])).toThrow('the path to an integer is empty');
  });

  it('returns a bigint that was assigned, and the nearest number where the digits are lost', () => {
    expect(int64({ a: 5n }, ['a'])).toBe(5n);
    expect(int64({ a: 'text' }, ['a', 'length'])).toBeUndefined();
    expect(int64(structuredClone(read()), ['spec', 'nanos'])).toBe(BigInt(Number(nanos)));
    const object = read();
    object.spec.nanos = 7;
    expect(int64(object, ['spec', 'nanos'])).toBe(7n);
  });
});

describe('setInt64', () => {
  it.each([BigInt(max), BigInt(min), BigInt(nanos), 5n, 2n ** 53n])('sets %s', (value) => {
    const object = read();
    const copy = { spec: { ...object.spec } };
    setInt64(object, ['spec', 'nanos'], value);
    expect(object.spec.nanos).toBe(Number(value));
    expect(jsonOf(object)).toBe(json.replace(nanos, `${value}`));
    expect(int64(object, ['spec', 'nanos'])).toBe(value);
    // A copy that was made before shares nothing with it.
    expect(jsonOf(copy)).toBe(json);
  });

  it('refuses what cannot be set', () => {
    expect(() => setInt64({}, ['a'], 2n ** 63n)).toThrow(
      new RangeError('a: 9223372036854775808 does not fit into 64 bits'),
    );
    for (const object of [{}, { a: 5 }, { a: null }, { a: 'text' }]) {
      expect(() => setInt64(object, ['a', 'b'], 1n)).toThrow('a is neither an object nor a list');
    }
    expect(() => setInt64({ a: Object.freeze({}) }, ['a', 'b'], 1n)).toThrow('the object is frozen');
    expect(() => setInt64({}, [], 1n)).toThrow(TypeError);
  });
});

describe('JSON that is written', () => {
  afterEach(() => {
    Reflect.deleteProperty(BigInt.prototype, 'toJSON');
  });

  it('has bigints as their digits', () => {
    expect(jsonOf({ a: 1n, b: [BigInt(max), undefined], c: { toJSON: () => -2n } })).toBe(
      `{"a":1,"b":[${max},null],"c":-2}`,
    );
    Object.defineProperty(BigInt.prototype, 'toJSON', { value: () => 'text', configurable: true });
    expect(jsonOf({ a: 1n })).toBe('{"a":1}');
  });

  it('names the bigint that does not fit', () => {
    expect(() => jsonOf({ spec: { items: [{ nanos: 2n ** 64n }] } })).toThrow(
      new RangeError('spec.items.0.nanos: 18446744073709551616 does not fit into 64 bits'),
    );
  });

  it('is that of JSON.stringify in all else', () => {
    const mark = '\u0001int64';
    const odd = {
      [mark]: mark,
      list: [mark, `"${mark}"`, `,"${mark}`, undefined, Number.NaN, new Date(0)],
      n: 1n,
    };
    expect(jsonOf(odd)).toBe(JSON.stringify({ ...odd, n: 1 }));
    expect(jsonOf(undefined)).toBeUndefined();
    const cyclic: Record<string, unknown> = { n: 1n };
    cyclic['self'] = cyclic;
    expect(() => jsonOf(cyclic)).toThrow(/circular/);
  });
});

describe('patches', () => {
  it('leave out what has not changed', () => {
    const before = read();
    const after = { spec: { ...before.spec, note: 'x' } };
    expect(createMergePatch(before, after)).toEqual({ spec: { note: 'x' } });
    expect(createMergePatch(before, structuredClone(before))).toEqual({});
    expect(createMergePatch({ a: 5 }, { a: 5n })).toEqual({});
    expect(createJsonPatch(before, structuredClone(before))).toEqual([]);
  });

  it('see a change of the last digit', () => {
    const before = read();
    const after = { spec: { ...before.spec, list: [...before.spec.list] } };
    setInt64(after, ['spec', 'nanos'], BigInt(nanos) + 1n);
    setInt64(after, ['spec', 'list', 1], BigInt(max));
    setInt64(after, ['spec', 'list', 2], BigInt(min) + 1n);
    const merge = createMergePatch(before, after);
    const want = `{"nanos":${BigInt(nanos) + 1n},"list":[1,${max},${BigInt(min) + 1n}]}`;
    expect(jsonOf(merge)).toBe(`{"spec":${want}}`);
    const operations = createJsonPatch(before, after);
    expect(jsonOf(operations)).toBe(
      `[{"op":"replace","path":"/spec/nanos","value":${BigInt(nanos) + 1n}},` +
        `{"op":"replace","path":"/spec/list/2","value":${BigInt(min) + 1n}}]`,
    );
    const changed = json.replace(nanos, `${BigInt(nanos) + 1n}`).replace(`${min}]`, `${BigInt(min) + 1n}]`);
    expect(jsonOf(applyMergePatch(before, merge))).toBe(changed);
    expect(jsonOf(applyJsonPatch(before, operations))).toBe(changed);
    expect(jsonOf(before)).toBe(json);
  });

  it.each([
    ['{"op":"remove","path":"/spec/list/1"}', `"list":[1,${min}]`],
    [`{"op":"add","path":"/spec/list/0","value":${nanos}}`, `"list":[${nanos},1,${max},${min}]`],
    [`{"op":"add","path":"/spec/list/-","value":${max}}`, `"list":[1,${max},${min},${max}]`],
    ['{"op":"copy","from":"/spec/nanos","path":"/spec/list/1"}', `"list":[1,${nanos},${max},${min}]`],
    ['{"op":"move","from":"/spec/list/2","path":"/spec/nanos"}', `"nanos":${min},"list":[1,${max}]`],
    ['{"op":"move","from":"/spec/items/0","path":"/spec/items/1"}', `[{"count":${min}},{"count":${max}}]`],
    [`{"op":"test","path":"/spec/nanos","value":${nanos}}`, `"nanos":${nanos}`],
  ])('%s moves the digits along', (operation, want) => {
    // seam: the JSON of an operation
    const operations = parseText(`[${operation}]`) as Parameters<typeof applyJsonPatch>[1];
    expect(jsonOf(applyJsonPatch(read(), operations))).toContain(want);
  });

  it('refuse a test of another last digit', () => {
    // seam: the JSON of an operation
    const operations = parseText(
      `[{"op":"test","path":"/spec/nanos","value":${BigInt(nanos) + 1n}}]`,
    ) as Parameters<typeof applyJsonPatch>[1];
    expect(() => applyJsonPatch(read(), operations)).toThrow('the value differs');
  });
});

it('YAML has the digits', async () => {
  expect(await dumpYaml(read())).toBe(
    `spec:\n  nanos: ${nanos}\n  list:\n    - 1\n    - ${max}\n    - ${min}\n  items:\n    - count: ${max}\n    - count: ${min}\n`,
  );
});
