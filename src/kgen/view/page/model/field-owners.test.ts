import { expect, test } from 'vitest';
import { fieldOwnersOf } from './field-owners.ts';

test.each<readonly [string, unknown, readonly string[]]>([
  ['nested fields', { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } }, ['.spec.replicas', '.spec.paused']],
  ['a field with its members', { 'f:labels': { '.': {}, 'f:app': {} } }, ['.labels.app']],
  ['a field without members', { 'f:labels': { '.': {} } }, ['.labels']],
  ['names with signs', { 'f:example.com/a': {} }, ['["example.com/a"]']],
  [
    'items by their keys',
    { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:name': {} } } },
    ['.ports[port=80,protocol=TCP].name'],
  ],
  ['items by their values', { 'f:finalizers': { 'v:"a/b"': {} } }, ['.finalizers["a/b"]']],
  ['items by their position', { 'f:args': { 'i:2': {} } }, ['.args[2]']],
  ['a key that is malformed', { 'f:a': { 'k:{': {} } }, ['.a[{]']],
  ['no fields', {}, []],
  ['a value that is not an object', 'f:spec', []],
])('has the paths of %s', (_, fieldsV1, paths) => {
  const managedFields = [{ manager: 'shop', operation: 'Apply', subresource: 'status', fieldsV1 }];
  expect(fieldOwnersOf({ metadata: { managedFields } })).toEqual([
    { title: 'shop: Apply of status', time: '', paths },
  ]);
});

test('an object without managed fields has no owners', () => {
  expect(fieldOwnersOf({ metadata: { managedFields: 'none' } })).toEqual([]);
  expect(fieldOwnersOf(undefined)).toEqual([]);
});

test('very deep and very many fields are cut', () => {
  let deep: object = {};
  for (let depth = 0; depth < 10_000; depth += 1) deep = { 'f:a': deep };
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`f:${index}`, {}]));
  const managedFields = [deep, many].map((fieldsV1) => ({ manager: 'a', operation: 'Update', fieldsV1 }));
  const [first, second] = fieldOwnersOf({ metadata: { managedFields } });
  expect(first?.paths).toEqual(['.a'.repeat(50)]);
  expect(second?.paths).toHaveLength(500);
});
