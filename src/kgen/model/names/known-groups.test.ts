import { expect, test } from 'vitest';
import { isKnownGroup, knownGroupVersion } from './known-groups.ts';

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

const groups = [
  'admission.k8s.io admissionregistration.k8s.io apidiscovery.k8s.io apiextensions.k8s.io',
  'apiregistration.k8s.io apps authentication.k8s.io authorization.k8s.io autoscaling batch',
  'certificates.k8s.io coordination.k8s.io discovery.k8s.io events.k8s.io extensions',
  'flowcontrol.apiserver.k8s.io imagepolicy.k8s.io internal.apiserver.k8s.io lifecycle.k8s.io meta',
  'metrics.k8s.io networking.k8s.io node.k8s.io policy rbac.authorization.k8s.io resource.k8s.io',
  'scheduling.k8s.io storage.k8s.io storagemigration.k8s.io',
].flatMap((line) => line.split(' '));

test.each(['', ...groups])('returns true for the group %j of Kubernetes itself', (group) => {
  expect(isKnownGroup(group)).toBe(true);
  expect(isKnownGroup(`${group}x`)).toBe(false);
});
