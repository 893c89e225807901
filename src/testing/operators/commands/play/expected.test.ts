import { Store } from '@kgen/testserver/internal/store/store';
import { expect, test } from 'vitest';
import { expectedObjects } from './expected.ts';

const user = 'system:serviceaccount:shop:operator';

function requestOf(query: Readonly<Record<string, string>>, by = user) {
  const target = { verb: 'patch', group: '', resource: '', subresource: '', namespace: '', name: '' };
  return {
    ...target,
    method: 'PATCH',
    path: '',
    query,
    user: by,
    userAgent: 'operator/1',
    time: 0,
    status: 200,
  };
}

const fieldsV1 = {
  'f:metadata': { 'f:labels': { 'f:app': {} } },
  'f:spec': { 'f:size': {}, 'f:at': {}, 'f:list': { 'k:{"name":"a"}': { '.': {}, 'f:name': {} } } },
  'f:status': { 'f:phase': {} },
};
const managed = [
  { manager: 'operator', operation: 'Apply', fieldsV1 },
  { manager: 'kubectl', operation: 'Update', fieldsV1: { 'f:spec': { 'f:other': {} } } },
];
const content = {
  spec: { size: 2, at: '2026-01-01T00:00:00Z', list: [{ name: 'a' }], other: 1 },
  status: { phase: 'Ready' },
};

function storedObject(
  resource: string,
  name: string,
  metadata: object = {},
): readonly [string, string, object] {
  const all = { name, namespace: 'shop', managedFields: managed, ...metadata };
  return [resource, `shop/${name}`, { apiVersion: 'v1', kind: 'Web', metadata: all, ...content }];
}

test('a test expects the fields of the operator, without values that another run does not repeat', () => {
  const store = new Store();
  const objects = [
    storedObject('webs', 'one'),
    storedObject('webs', 'random', { generateName: 'rand' }),
    storedObject('webs', 'leaves', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    storedObject('webs', 'foreign', { managedFields: managed.slice(1) }),
    storedObject('secrets', 'hidden'),
  ] as const;
  for (const [resource, key, value] of objects) store.put(resource, key, JSON.parse(JSON.stringify(value)));
  const log = [requestOf({ fieldManager: 'operator' }), requestOf({ fieldManager: 'kubectl' }, 'admin')];
  expect(expectedObjects(store, log, user)).toEqual([
    {
      ...{ apiVersion: 'v1', kind: 'Web', namespace: 'shop', name: 'one' },
      fields: { spec: { size: 2 }, status: { phase: 'Ready' } },
    },
  ]);
  expect(expectedObjects(store, [requestOf({})], user).map(({ name }) => name)).toEqual(['one']);
});
