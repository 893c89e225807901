/** Lazily decoded members cannot be distinguished from ordinary ones. */
import { deepStrictEqual, notDeepStrictEqual } from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { decode, encode } from './codec.ts';
import { type JsonObject, parsed } from './expected.ts';
import { block, count, envelope } from './wire.ts';

const raw = '{"f:metadata":{"f:labels":{".":{},"f:é":{}}},"__proto__":{"a":1}}';
const spaced = '{ "f:spec" : { } }';

const bytes: Buffer = envelope(
  'v1',
  'ConfigMap',
  block(1, block(1, 'a'), entry('kubectl', raw), entry('b', spaced)),
);

function entry(manager: string, fields: string): Buffer {
  const time = block(4, count(1, 1), count(2, 0));
  return block(
    17,
    block(1, manager),
    block(2, 'Apply'),
    block(3, 'v1'),
    time,
    block(6, 'FieldsV1'),
    block(7, block(1, fields)),
    block(8, ''),
  );
}

const want: JsonObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'a',
    managedFields: [managed('kubectl', raw), managed('b', spaced)],
  },
};

function managed(manager: string, fields: string): JsonObject {
  const fieldsV1 = parsed(fields);
  return {
    manager,
    operation: 'Apply',
    apiVersion: 'v1',
    time: '1970-01-01T00:00:01Z',
    fieldsType: 'FieldsV1',
    fieldsV1,
  };
}

type Entry = Record<string, unknown>;

async function decoded(): Promise<{ object: Awaited<ReturnType<typeof decode>>; entries: Entry[] }> {
  const object = await decode(bytes);
  // seam: the entries as in JSON
  return { object, entries: object.metadata?.managedFields as unknown as Entry[] };
}

/** First operations on an entry, with their result and the expected result. */
const looks: readonly {
  readonly name: string;
  readonly look: (entry: Entry) => unknown;
  readonly gives: unknown;
}[] = [
  {
    name: 'Object.keys',
    look: (one) => Object.keys(one).sort(),
    gives: Object.keys(managed('', '{}')).sort(),
  },
  {
    name: 'Object.entries',
    look: (one) => Object.fromEntries(Object.entries(one)),
    gives: managed('kubectl', raw),
  },
  {
    name: 'for in',
    look: (one) => {
      const keys: string[] = [];
      for (const key in one) keys.push(key);
      return keys.sort();
    },
    gives: Object.keys(managed('', '{}')).sort(),
  },
  { name: 'in', look: (one) => 'fieldsV1' in one, gives: true },
  { name: 'hasOwn', look: (one) => Object.hasOwn(one, 'fieldsV1'), gives: true },
  {
    name: 'propertyIsEnumerable',
    look: (one) => Object.prototype.propertyIsEnumerable.call(one, 'fieldsV1'),
    gives: true,
  },
  {
    name: 'own names of any sort',
    look: (one) => Object.getOwnPropertyNames(one).length,
    gives: Object.keys(managed('', '{}')).length,
  },
  { name: 'spread', look: (one) => ({ ...one }), gives: managed('kubectl', raw) },
  { name: 'Object.assign', look: (one) => Object.assign({}, one), gives: managed('kubectl', raw) },
  { name: 'rest', look: ({ manager, ...rest }) => ({ manager, ...rest }), gives: managed('kubectl', raw) },
  { name: 'structuredClone', look: (one) => structuredClone(one), gives: managed('kubectl', raw) },
  { name: 'JSON.stringify', look: (one) => JSON.parse(JSON.stringify(one)), gives: managed('kubectl', raw) },
  { name: 'reading', look: (one) => one['fieldsV1'], gives: JSON.parse(raw) },
  { name: 'a frozen one', look: (one) => Object.freeze(one)['fieldsV1'], gives: JSON.parse(raw) },
  { name: 'a proxy', look: (one) => ({ ...new Proxy(one, {}) }), gives: managed('kubectl', raw) },
  { name: 'nothing', look: (one) => one, gives: managed('kubectl', raw) },
];

describe('lazily decoded fieldsV1', () => {
  it.each(looks)('$name', async ({ look, gives }) => {
    const { entries } = await decoded();
    const [first] = entries;
    if (first === undefined) throw new Error('no entry');
    deepStrictEqual(look(first), gives);
  });

  it('is included in comparisons of whole objects, in both directions', async () => {
    const { object } = await decoded();
    deepStrictEqual(object, want);
    const other = await decoded();
    deepStrictEqual(want, other.object);
    const changed = structuredClone(want);
    // seam: a copy of the object above
    const [first] = (changed['metadata'] as { managedFields: Entry[] }).managedFields;
    if (first !== undefined) first['fieldsV1'] = {};
    notDeepStrictEqual((await decoded()).object, changed);
    expect((await decoded()).object).toEqual(want);
  });

  it('returns the same object each time', async () => {
    const { entries } = await decoded();
    expect(entries[0]?.['fieldsV1']).toBe(entries[0]?.['fieldsV1']);
    const frozen = Object.freeze(entries[1] ?? {});
    expect(frozen['fieldsV1']).toBe(frozen['fieldsV1']);
  });
});

describe('encoding of lazily decoded fieldsV1', () => {
  it('writes the original bytes if it was never read', async () => {
    const { object } = await decoded();
    const written = Buffer.from(await encode(object));
    for (const text of [raw, spaced]) expect(written.includes(block(7, block(1, text)))).toBe(true);
  });

  it('writes its value after it was read, including changes', async () => {
    const { object, entries } = await decoded();
    deepStrictEqual(object, want);
    deepStrictEqual(await decode(await encode(object)), want);
    // seam: the fields of the entry
    (entries[0]?.['fieldsV1'] as JsonObject)['f:more'] = {};
    const again = (await decode(await encode(object))).metadata?.managedFields?.[0]?.fieldsV1;
    deepStrictEqual(again, { ...parsed(raw), 'f:more': {} });
  });

  it('writes a value that replaced it', async () => {
    const { object, entries } = await decoded();
    if (entries[0] !== undefined) entries[0]['fieldsV1'] = { 'f:mine': {} };
    expect(Object.keys(entries[0] ?? {})).toContain('fieldsV1');
    deepStrictEqual((await decode(await encode(object))).metadata?.managedFields?.[0]?.fieldsV1, {
      'f:mine': {},
    });
  });

  it('writes nothing if it was deleted', async () => {
    const { object, entries } = await decoded();
    if (entries[0] !== undefined) delete entries[0]['fieldsV1'];
    expect(Object.keys(entries[0] ?? {})).not.toContain('fieldsV1');
    const [first] = (await decode(await encode(object))).metadata?.managedFields ?? [];
    expect(first).not.toHaveProperty('fieldsV1');
  });

  it('writes copies like the originals', async () => {
    const { object } = await decoded();
    const { object: other } = await decoded();
    deepStrictEqual(await decode(await encode({ ...object, metadata: { ...object.metadata } })), want);
    deepStrictEqual(await decode(await encode(structuredClone(other))), want);
  });
});
