import { describe, expect, test } from 'vitest';
import { parseSchema } from '../../schema/validation/structural.ts';
import type { Json, JsonObject } from '../../schema/values/json.ts';
import { seededRandom } from '../environment/environment.ts';
import { decodeManagers, encodeManagers, type Managers } from './entries.ts';
import { decodeSet, encodeSet, printPath } from './fieldset.ts';
import { afterApply, afterUpdate, createdFields, type Write } from './ownership.ts';
import { ownershipSchema } from './shape.ts';
import { merge, setOf } from './walk.ts';

const string = { type: 'string' };
const schema = ownershipSchema(
  parseSchema({
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          a: string,
          b: string,
          map: { type: 'object', additionalProperties: string },
          whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { x: string } },
          set: { type: 'array', 'x-kubernetes-list-type': 'set', items: string },
          keyed: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['k'],
            items: { type: 'object', properties: { k: string, v: string } },
          },
          list: { type: 'array', items: string },
        },
      },
    },
  }),
);

const write = (manager: string, operation: 'Apply' | 'Update'): Write => ({
  manager: { manager, operation, apiVersion: 'v1', subresource: '' },
  schema,
  ignored: [['f:status']],
  time: '2024-01-01T00:00:00Z',
});

const owned = (managers: Managers): JsonObject =>
  Object.fromEntries([...managers.values()].map(({ manager, fields }) => [manager, encodeSet(fields)]));

test('round-trips the field set of an object as fieldsV1', () => {
  const spec = {
    a: '1',
    map: { m: 'x' },
    whole: { x: 'y' },
    set: ['p'],
    keyed: [{ k: 'n', v: '1' }],
    list: ['z'],
  };
  const set = setOf({ spec }, schema);
  const want = {
    'f:spec': {
      'f:a': {},
      'f:keyed': { 'k:{"k":"n"}': { '.': {}, 'f:k': {}, 'f:v': {} } },
      'f:list': {},
      'f:map': { 'f:m': {} },
      'f:set': { 'v:"p"': {} },
      'f:whole': {},
    },
  };
  expect(encodeSet(set)).toEqual(want);
  expect(encodeSet(decodeSet(want))).toEqual(want);
  expect(encodeSet(decodeSet({ 'k:{': {}, bogus: {}, 'f:a': {} }))).toEqual({ 'f:a': {} });
  expect([...set.values()].map(printPath)).toContain('.spec.keyed[k="n"].v');
});

test.each<[JsonObject, JsonObject, JsonObject]>([
  [{ set: ['p'] }, { set: ['q'] }, { set: ['p', 'q'] }],
  [
    { keyed: [{ k: 'a', v: '1' }] },
    { keyed: [{ k: 'b' }, { k: 'a', w: '2' }] },
    { keyed: [{ k: 'b' }, { k: 'a', v: '1', w: '2' }] },
  ],
  [
    { list: ['a'], whole: { x: '1' } },
    { list: ['b'], whole: {} },
    { list: ['b'], whole: {} },
  ],
  [{ map: { a: '1' } }, { map: { b: '2' } }, { map: { a: '1', b: '2' } }],
])('merges %j with %j', (live, config, want) => {
  expect(merge({ spec: live }, { spec: config }, schema)).toEqual({ spec: want });
});

describe('apply', () => {
  const none: Managers = new Map();
  const first = afterApply({}, { spec: { a: '1', map: { m: 'x' } } }, none, write('one', 'Apply'));

  test('owns the fields that it sets', () => {
    expect(first.value).toEqual({ spec: { a: '1', map: { m: 'x' } } });
    expect(owned(first.managers)).toEqual({ one: { 'f:spec': { 'f:a': {}, 'f:map': { 'f:m': {} } } } });
  });

  test('conflicts with the owner of changed fields, but not of equal values', () => {
    const live = first.value as JsonObject;
    const other = afterApply(
      live,
      { spec: { a: '2', map: { n: 'y' } } },
      first.managers,
      write('two', 'Apply'),
    );
    expect(other.conflicts.map(({ manager, path }) => [manager.manager, printPath(path)])).toEqual([
      ['one', '.spec.a'],
    ]);
    expect(owned(other.managers)).toMatchObject({ one: { 'f:spec': { 'f:map': { 'f:m': {} } } } });
    const same = afterApply(live, { spec: { a: '1' } }, first.managers, write('two', 'Apply'));
    expect(same.conflicts).toEqual([]);
  });

  test('removes fields that its only owner no longer sets', () => {
    const live = { spec: { a: '1', b: 'other', map: { m: 'x', n: 'other' } } };
    const managers = afterUpdate(first.value as JsonObject, live, first.managers, write('other', 'Update'));
    const next = afterApply(live, { spec: { a: '1' } }, managers, write('one', 'Apply'));
    expect(next.value).toEqual({ spec: { a: '1', b: 'other', map: { n: 'other' } } });
  });

  test('keeps fields that have another owner', () => {
    const shared = afterApply(
      first.value as JsonObject,
      { spec: { a: '1' } },
      first.managers,
      write('two', 'Apply'),
    );
    const next = afterApply(
      shared.value as JsonObject,
      { spec: { map: { m: 'x' } } },
      shared.managers,
      write('one', 'Apply'),
    );
    expect(next.value).toEqual({ spec: { a: '1', map: { m: 'x' } } });
  });
});

test('an update owns changed fields and releases removed ones', () => {
  const created = afterUpdate(undefined, { spec: { a: '1', b: '2' } }, new Map(), write('one', 'Update'));
  const updated = afterUpdate(
    { spec: { a: '1', b: '2' } },
    { spec: { a: '3' }, status: { x: 1 } },
    created,
    write('two', 'Update'),
  );
  expect(owned(updated)).toEqual({ one: { 'f:spec': {} }, two: { 'f:spec': { 'f:a': {} } } });
});

test('writes entries of appliers first, and round-trips', () => {
  const managers = new Map([
    ...afterUpdate(undefined, { spec: { a: '1' } }, new Map(), write('u', 'Update')),
    ...afterApply({}, { spec: { b: '1' } }, new Map(), write('z', 'Apply')).managers,
  ]);
  const entries = encodeManagers(managers);
  expect(entries.map((entry) => entry['manager'])).toEqual(['z', 'u']);
  expect(encodeManagers(decodeManagers(entries))).toEqual(entries);
});

test('the creator of an object owns what an update of nothing changes', () => {
  const random = seededRandom(1);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const names = ['a', 'b', 'map', 'whole', 'set', 'keyed', 'list', 'other'];
  const randomValue = (depth: number): Json => {
    const kind = depth > 3 ? 'leaf' : pick(['leaf', 'leaf', 'object', 'array', 'keyed', 'null', 'empty']);
    if (kind === 'object')
      return Object.fromEntries(Array.from({ length: 3 }, () => [pick(names), randomValue(depth + 1)]));
    if (kind === 'array') return ['p', 'q'].slice(0, Math.floor(random() * 3));
    if (kind === 'keyed') return [{ k: 'n', v: randomValue(4) }, { k: 'm' }];
    return kind === 'null' ? null : kind === 'empty' ? {} : 'x';
  };
  for (let round = 0; round < 500; round += 1) {
    const metadata = { name: 'x', uid: 'u', ...(random() < 0.5 ? { labels: { a: 'b' } } : {}) };
    const next = {
      apiVersion: 'v1',
      kind: 'Foo',
      metadata,
      spec: randomValue(0),
      status: randomValue(1),
      data: randomValue(1),
    };
    const { ignored, ...rest } = write('me', 'Update');
    const options = { ...rest, ignored: random() < 0.3 ? [['f:metadata'], ['f:spec']] : ignored };
    const empty = random() < 0.5 ? undefined : { spec: { a: 'x', map: {} }, status: {} };
    const [entry] = encodeManagers(afterUpdate(empty, next, new Map(), options));
    // Twice, because the second time finds the fields of the first.
    for (let time = 0; time < 2; time += 1)
      expect(JSON.stringify(createdFields(next, empty, options))).toBe(JSON.stringify(entry?.['fieldsV1']));
  }
});
