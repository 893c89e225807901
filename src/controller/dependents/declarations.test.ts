import { Clientset } from '@kgen/kubernetes';
import { type ConfigMap, configMaps } from '@kgen/kubernetes/core/v1';
import { clusterRoles } from '@kgen/kubernetes/rbac.authorization.k8s.io/v1';
import { InformerFactory, type KubernetesObject, type Stored } from '@kgen/runtime';
import { describe, expect, it, test } from 'vitest';
import { dependent, type OwnedDependent, placed } from './declarations.ts';
import { OwnedDependents } from './owned-dependents.ts';

type Primary = Stored<KubernetesObject>;

// No request is sent.
const informers = new InformerFactory(new Clientset({ server: 'http://127.0.0.1:1' }));
const primaryOf = (metadata: object): Primary => ({
  apiVersion: 'example.com/v1',
  kind: 'Web',
  metadata: {
    name: 'web',
    uid: 'u1',
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
    ...metadata,
  },
});
const namespaced = primaryOf({ namespace: 'shop' });
const cluster = primaryOf({});

const mapOf = (metadata: object, trackedBy?: 'labels'): OwnedDependent<Primary> =>
  dependent({
    name: 'map',
    informer: informers.of(configMaps),
    ...(trackedBy && { trackedBy }),
    desired: (): ConfigMap => ({ metadata }),
  });
const role: OwnedDependent<Primary> = dependent({
  name: 'role',
  informer: informers.of(clusterRoles),
  desired: () => ({ metadata: { name: 'a' } }),
});

describe('the place of a dependent', () => {
  it.each<[title: string, OwnedDependent<Primary>, Primary, place: object]>([
    ['the namespace of its owner', mapOf({ name: 'a' }), namespaced, { name: 'a', namespace: 'shop' }],
    ['its own namespace', mapOf({ name: 'a', namespace: 'b' }), cluster, { name: 'a', namespace: 'b' }],
    ['no namespace of a cluster-scoped kind', role, cluster, { name: 'a' }],
    [
      'another namespace with labels',
      mapOf({ name: 'a', namespace: 'b' }, 'labels'),
      primaryOf({ namespace: 'shop', finalizers: ['example.com/a'] }),
      { name: 'a', namespace: 'b' },
    ],
  ])('is %s', (_title, each, primary, place) => {
    expect(placed(each, primary, each.desired(primary) ?? {}).metadata).toEqual(place);
  });

  it.each<[title: string, OwnedDependent<Primary>, Primary, message: RegExp]>([
    ['without a name', mapOf({}), namespaced, /map of web: desired returned an object without a name/],
    [
      'without a namespace',
      mapOf({ name: 'a' }),
      cluster,
      /its owner is cluster-scoped.*needs metadata.namesp/,
    ],
    [
      'in another namespace',
      mapOf({ name: 'a', namespace: 'b' }),
      namespaced,
      /is in namespace b.*trackedBy/,
    ],
    [
      'that is cluster-scoped, with an owner that is not',
      role,
      namespaced,
      /it is cluster-scoped.*trackedBy/,
    ],
    [
      'with labels and no finalizer',
      mapOf({ name: 'a' }, 'labels'),
      namespaced,
      /pass finalize to the contr/,
    ],
  ])('is refused for an object %s', (_title, each, primary, message) => {
    expect(() => placed(each, primary, each.desired(primary) ?? {})).toThrow(message);
  });
});

test('two dependents that are one object are refused', async () => {
  const twice = new OwnedDependents<Primary>(
    [mapOf({ name: 'a' }), { ...mapOf({ name: 'a' }), name: 'other' }],
    { fieldManager: 'me' },
  );
  await expect(twice.reconcile(namespaced)).rejects.toThrow('dependents map and other of web are one object');
});
