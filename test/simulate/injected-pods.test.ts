/** The side-car operator under simulation: Pods are created with its container only. */
import { pods } from '@kgen/kubernetes/core/v1';
import { simulate } from '@kgen/testing';
import { expect, test } from 'vitest';
import { operator as sidecarOperator } from '../../examples/operators/sidecar/src/operator.ts';

const inject = { 'sidecar.example.com/inject': 'enabled' };
const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: inject } };
const files = ['mutating', 'validating'].map(
  (name) => `examples/operators/sidecar/config/webhook/${name}.yaml`,
);
const account = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'default', namespace: 'shop' },
};
const pod = {
  ...{ apiVersion: 'v1', kind: 'Pod' },
  metadata: { name: 'web', namespace: 'shop', labels: inject },
  spec: { automountServiceAccountToken: false, containers: [{ name: 'app', image: 'app:1' }] },
};

test('no Pod is created without the container of the side-car operator', async () => {
  const without: string[] = [];
  let found = 0;
  const report = await simulate(sidecarOperator, {
    objects: [...files, namespace, account],
    samples: [pod],
    controllers: [],
    seeds: 20,
    invariants: [
      ({ list }) => {
        found += list(pods).length;
        for (const { metadata, spec } of list(pods))
          if (!spec.initContainers?.some(({ name }) => name === 'log-shipper')) without.push(metadata.name);
      },
    ],
  });
  expect(without).toEqual([]);
  expect(found).toBeGreaterThan(20);
  expect(report.seeds).toBe(20);
});
