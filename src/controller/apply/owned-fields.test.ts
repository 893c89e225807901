import { describe, expect, it, test } from 'vitest';
import { isObject, type JsonObject } from '../members.ts';
import { ownedFieldsMatch } from './owned-fields.ts';

const owner = { manager: 'me' };

/** Returns `fieldsV1` of an object whose lists are owned as a whole, unless their items have names. */
function fieldsOf(value: JsonObject): object {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (isObject(inner)) return [`f:${key}`, fieldsOf(inner)];
      return [`f:${key}`, Array.isArray(inner) ? Object.fromEntries(inner.flatMap(itemOf)) : {}];
    }),
  );
}

function itemOf(item: unknown): (readonly [string, object])[] {
  if (!isObject(item) || item['name'] === undefined) return [];
  return [[`k:${JSON.stringify({ name: item['name'] })}`, { '.': {}, ...fieldsOf(item) }]];
}

function liveOf(spec: object, fieldsV1: object, apiVersion: string, kind: string): JsonObject {
  const entry = { manager: 'me', operation: 'Apply', apiVersion, fieldsV1: { 'f:spec': fieldsV1 } };
  return { apiVersion, kind, metadata: { managedFields: [entry] }, spec };
}

const podSpec = (spec: object): JsonObject => ({ template: { spec } });
const limits = (amounts: object): JsonObject =>
  podSpec({ containers: [{ name: 'a', resources: { limits: amounts } }] });
const volume = (emptyDir: object): JsonObject => podSpec({ volumes: [{ name: 'a', emptyDir }] });

/**
 * Intent and stored value of a field, and whether they are equal in a built-in kind and in a custom
 * resource.
 */
const values: readonly [
  title: string,
  desired: JsonObject,
  live: object,
  builtIn: boolean,
  custom: boolean,
][] = [
  ['a quantity (JOSDK #2249)', limits({ cpu: '1000m' }), limits({ cpu: '1' }), true, false],
  ['a quantity as number', limits({ cpu: 0.5 }), limits({ cpu: '500m' }), true, false],
  ['an equal amount in another form', limits({ cpu: '1' }), limits({ cpu: '1000m' }), false, false],
  ['another amount', limits({ cpu: '1' }), limits({ cpu: '2' }), false, false],
  ['an amount that is malformed', limits({ cpu: 'x' }), limits({ cpu: '1' }), false, false],
  ['a size limit', volume({ sizeLimit: '1000m' }), volume({ sizeLimit: '1' }), true, false],
  ['a field with the name of a quantity', { sizeLimit: '1000m' }, { sizeLimit: '1' }, false, false],
  [
    'a map with the name of one of quantities',
    { limits: { a: '1000m' } },
    { limits: { a: '1' } },
    false,
    false,
  ],
  ['a string like a quantity', { value: '1000m' }, { value: '1' }, false, false],
  ['an empty list (JOSDK #2802)', { env: [] }, {}, true, false],
  ['an empty list and items', { env: [] }, { env: [1] }, false, false],
  ['an empty map', podSpec({ nodeSelector: {} }), podSpec({}), true, false],
  ['an empty map of another place', { nodeSelector: {} }, {}, false, false],
  ['an empty selector', { namespaceSelector: {} }, {}, false, false],
  ['null (JOSDK #2290)', { strategy: null }, {}, true, false],
  ['null and a value', { strategy: null }, { strategy: 'x' }, false, false],
  ['zero values (JOSDK #2742)', { hostNetwork: false }, {}, false, false],
  ['int-or-string', { port: '80' }, { port: 80 }, false, false],
  ['a list in another order', { list: ['a', 'b'] }, { list: ['b', 'a'] }, false, false],
  ['defaults in a list (JOSDK #2038)', { l: [{ a: 1 }] }, { l: [{ a: 1, d: 2 }] }, false, false],
  ['equal values', { a: { b: null }, c: 'x' }, { a: { b: null }, c: 'x', d: 1 }, true, true],
  // The list may have items that others added to an empty one, so that an apply would own them.
  ['a list that is owned as a whole', { l: ['a'] }, { l: ['a'] }, false, false],
];

test.each(values)('compares %s', (_title, desired, live, builtIn, custom) => {
  const matches = (apiVersion: string, kind: string): boolean =>
    ownedFieldsMatch(
      { apiVersion, kind, spec: desired },
      liveOf(live, fieldsOf(desired), apiVersion, kind),
      owner,
    );
  expect(matches('apps/v1', 'Deployment')).toBe(builtIn);
  expect(matches('example.com/v1', 'Thing')).toBe(custom);
});

test('a value of a ConfigMap is never a quantity', () => {
  const [apiVersion, kind] = ['v1', 'ConfigMap'];
  const data = (value: string): object => ({ data: { sizeLimit: value, limits: value } });
  const entry = { manager: 'me', operation: 'Apply', apiVersion, fieldsV1: fieldsOf({ ...data('') }) };
  const live = { apiVersion, kind, metadata: { managedFields: [entry] }, ...data('1') };
  expect(ownedFieldsMatch({ apiVersion, kind, ...data('1') }, live, owner)).toBe(true);
  expect(ownedFieldsMatch({ apiVersion, kind, ...data('1000m') }, live, owner)).toBe(false);
});

describe('lists by key', () => {
  const item = { '.': {}, 'f:name': {} };
  const fields = { 'f:l': { 'k:{"name":"a"}': { ...item, 'f:v': {} }, 'k:{"name":"b"}': item } };
  const [a, b] = [{ name: 'a', v: 1 }, { name: 'b' }];

  test.each<[title: string, desired: readonly object[], live: readonly object[], boolean]>([
    ['equal items', [a, b], [a, b], true],
    ['items and fields of other managers', [a, b], [{ ...a, w: 1 }, { name: 'x' }, b], true],
    ['another value', [a, b], [{ ...a, v: 2 }, b], false],
    ['another order', [a, b], [b, a], false],
    ['a removed item', [a], [a, b], false],
    ['an additional item', [a, b, { name: 'c' }], [a, b, { name: 'c' }], false],
    ['a removed field', [{ name: 'a' }, b], [a, b], false],
    ['duplicate stored items', [a, b], [a, b, a], false],
    ['duplicate items in the intent', [a, a], [a, b], false],
    ['an item that is not an object', [a, b], [a, b].map(String) as unknown as object[], false],
  ])('compares %s', (_title, desired, live, expected) => {
    const object = liveOf({ l: live }, fields, 'example.com/v1', 'Thing');
    expect(ownedFieldsMatch({ apiVersion: 'example.com/v1', spec: { l: desired } }, object, owner)).toBe(
      expected,
    );
  });

  it('finds items whose keys have defaults', () => {
    const owned = {
      'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } },
    };
    const live = liveOf({ ports: [{ containerPort: 80, protocol: 'TCP' }] }, owned, 'apps/v1', 'Deployment');
    const matches = (port: object): boolean =>
      ownedFieldsMatch({ apiVersion: 'apps/v1', kind: 'Deployment', spec: { ports: [port] } }, live, owner);
    expect(matches({ containerPort: 80 })).toBe(true);
    expect(matches({ containerPort: 80, protocol: 'TCP' })).toBe(false);
    expect(matches({ containerPort: 81 })).toBe(false);
  });

  test.each<[desired: readonly string[], live: readonly string[], boolean]>([
    [['a', 'b'], ['x', 'a', 'b'], true],
    [['b', 'a'], ['a', 'b'], false],
    [['a', 'a'], ['a', 'b'], false],
    [['a'], ['a', 'b'], false],
  ])('compares the set %j with %j', (desired, live, expected) => {
    const owned = { 'f:s': { 'v:"a"': {}, 'v:"b"': {} } };
    const object = liveOf({ s: live }, owned, 'example.com/v1', 'Thing');
    expect(ownedFieldsMatch({ apiVersion: 'example.com/v1', spec: { s: desired } }, object, owner)).toBe(
      expected,
    );
  });
});

describe('without certainty', () => {
  const spec = { a: 1 };
  const live = liveOf(spec, { 'f:a': {} }, 'example.com/v1', 'Thing');
  const intent = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'x' }, spec };
  const withFields = (fieldsV1: object): JsonObject => liveOf(spec, fieldsV1, 'example.com/v1', 'Thing');

  test.each<[title: string, intent: JsonObject, live: JsonObject, manager: string]>([
    ['the manager has no entry', intent, live, 'you'],
    ['there are no managedFields', intent, { ...live, metadata: {} }, 'me'],
    ['the entry is of another version', { ...intent, apiVersion: 'example.com/v2' }, live, 'me'],
    ['the manager owns more', intent, withFields({ 'f:a': {}, 'f:b': {} }), 'me'],
    ['the manager owns less', { ...intent, spec: { a: 1, b: 1 } }, { ...live, spec: { a: 1, b: 1 } }, 'me'],
    ['the fields contain indices', intent, withFields({ 'f:a': { 'i:0': {} } }), 'me'],
    ['the fields are malformed', intent, withFields({ 'f:a': { 'k:{': {} } }), 'me'],
    ['fields and items are mixed', intent, withFields({ 'f:a': {}, 'v:1': {} }), 'me'],
    ['the intent has stringData', { ...intent, stringData: {} }, live, 'me'],
  ])('the result is false: %s', (_title, desired, object, manager) => {
    expect(ownedFieldsMatch(intent, live, owner)).toBe(true);
    expect(ownedFieldsMatch(desired, object, { manager })).toBe(false);
  });
});
