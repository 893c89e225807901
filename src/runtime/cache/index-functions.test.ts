import { expect, it } from 'vitest';
import { byLabel, byNamespace, byOwner } from './store/indices.ts';

const object = (metadata: object) => ({ apiVersion: 'v1', kind: 'Pod', metadata });

it.each<[metadata: object, namespaces: readonly string[]]>([
  [{ namespace: 'default' }, ['default']],
  [{}, ['']],
])('byNamespace of %j is %j', (metadata, namespaces) => {
  expect(byNamespace(object(metadata))).toEqual(namespaces);
});

it.each<[metadata: object, uids: readonly string[]]>([
  [{ ownerReferences: [{ uid: 'a' }, { uid: 'b' }] }, ['a', 'b']],
  [{ ownerReferences: [] }, []],
  [{}, []],
])('byOwner of %j is %j', (metadata, uids) => {
  expect(byOwner(object(metadata))).toEqual(uids);
});

it.each<[metadata: object, values: readonly string[]]>([
  [{ labels: { app: 'web' } }, ['web']],
  [{ labels: { app: '' } }, ['']],
  [{ labels: { other: 'web' } }, []],
  [{}, []],
])('byLabel of %j is %j', (metadata, values) => {
  expect(byLabel('app')(object(metadata))).toEqual(values);
});
