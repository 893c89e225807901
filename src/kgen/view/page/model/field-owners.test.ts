import { expect, test } from 'vitest';
import { fieldOwnersOf } from './field-owners.ts';
import { yamlLines } from './yaml.ts';

/** Returns the lines of the YAML that the first manager owns. */
function ownedLines(object: object, fieldsV1: unknown): readonly string[] {
  const managedFields = [{ manager: 'shop', operation: 'Apply', fieldsV1 }];
  const content = { ...object, metadata: { managedFields } };
  const { of } = fieldOwnersOf(content);
  return yamlLines(content).flatMap(({ text, path }) => (of(path).includes(0) ? [text.trim()] : []));
}

test.each<readonly [string, object, unknown, readonly string[]]>([
  [
    'nested fields',
    { spec: { replicas: 2, paused: true, other: 1 } },
    { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } },
    ['replicas: 2', 'paused: true'],
  ],
  [
    'a field with some of its members',
    { labels: { app: 'a', tier: 'b' } },
    { 'f:labels': { '.': {}, 'f:app': {} } },
    ['labels:', 'app: a'],
  ],
  [
    'a field as a whole',
    { selector: { app: 'a', 'b.c/d': { e: [1] } } },
    { 'f:selector': {} },
    ['selector:', 'app: a', 'b.c/d:', 'e:', '- 1'],
  ],
  ['names with signs', { data: { 'a/b"c': 'x' } }, { 'f:data': { 'f:a/b"c': {} } }, ['"a/b\\"c": x']],
  [
    'items by their keys',
    { ports: [{ port: 79 }, { port: 80, protocol: 'TCP', name: 'http' }] },
    { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { 'f:name': {} } } },
    ['name: http'],
  ],
  ['items by their values', { finalizers: ['x', 'a/b'] }, { 'f:finalizers': { 'v:"a/b"': {} } }, ['- a/b']],
  ['items by their position', { args: ['x', 'z'] }, { 'f:args': { 'i:1': {} } }, ['- z']],
  ['fields that are missing', { a: 1 }, { 'f:b': {}, 'f:c': { 'k:{': {}, 'i:9': {} } }, []],
  ['a malformed key', { a: [{ b: 1 }] }, { 'f:a': { 'k:{': {} } }, []],
  ['no fields', { a: 1 }, {}, []],
  ['a value that is not an object', { a: 1 }, 'f:a', []],
])('owns %s', (_, object, fieldsV1, lines) => {
  expect(ownedLines(object, fieldsV1)).toEqual(lines);
});

test('names each owner with the number of its fields, and several owners of a field', () => {
  const fieldsV1 = { 'f:spec': { 'f:a': {} } };
  const managedFields = [
    { manager: 'shop', operation: 'Apply', subresource: 'status', time: '2026-01-01T00:00:00Z', fieldsV1 },
    { manager: 'kubectl', operation: 'Update', fieldsV1: { 'f:spec': { 'f:a': {}, 'f:b': {} } } },
  ];
  const { owners, of } = fieldOwnersOf({ metadata: { managedFields }, spec: { a: 1, b: 2 } });
  expect(owners).toEqual([
    { title: 'shop: Apply of status', time: '2026-01-01T00:00:00Z', count: 1 },
    { title: 'kubectl: Update', time: '', count: 2 },
  ]);
  expect([of('.spec.a'), of('.spec.b'), of('.spec')]).toEqual([[0, 1], [1], []]);
});

test('an object without managed fields has no owners', () => {
  expect(fieldOwnersOf({ metadata: { managedFields: 'none' } }).owners).toEqual([]);
  expect(fieldOwnersOf(undefined).owners).toEqual([]);
});

test('very deep and very many fields are cut', () => {
  let [deep, value]: [object, object] = [{}, {}];
  for (let depth = 0; depth < 10_000; depth += 1) [deep, value] = [{ 'f:a': deep }, { a: value }];
  const names = Array.from({ length: 50_000 }, (_, index) => `n${index}`);
  const many = Object.fromEntries(names.map((name) => [`f:${name}`, {}]));
  const managedFields = [deep, many].map((fieldsV1) => ({ manager: 'a', operation: 'Update', fieldsV1 }));
  const content = {
    ...value,
    ...Object.fromEntries(names.map((name) => [name, 1])),
    metadata: { managedFields },
  };
  expect(fieldOwnersOf(content).owners.map(({ count }) => count)).toEqual([0, 20_000]);
});
