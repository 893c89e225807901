import { expect, test } from 'vitest';
import { knownGroupVersion } from './known-groups.ts';

test.each([
  ['io.k8s.api.core.v1', '', 'v1'],
  ['io.k8s.api.rbac.v1beta1', 'rbac.authorization.k8s.io', 'v1beta1'],
  ['io.k8s.api.apiserverinternal.v1alpha1', 'internal.apiserver.k8s.io', 'v1alpha1'],
  ['io.k8s.kube-aggregator.pkg.apis.apiregistration.v1', 'apiregistration.k8s.io', 'v1'],
  ['io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1', 'apiextensions.k8s.io', 'v1'],
])('returns for %s the group version %j %s', (name, group, version) => {
  expect(knownGroupVersion(name)).toEqual({ group, version });
});

test.each(['com.example.api.core.v1', 'io.k8s.api.core', 'io.k8s.api.shop.v1', 'io.k8s.api.core.V1', ''])(
  'returns no group version for %j',
  (name) => {
    expect(knownGroupVersion(name)).toBeUndefined();
  },
);
