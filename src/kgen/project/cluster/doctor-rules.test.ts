import { createAuthority } from '@kgen/certificates/authority';
import type { JsonObject } from '@kgen/schema/values/json';
import { describe, expect, it } from 'vitest';
import { permissionsOf } from './doctor.ts';
import { type DoctorFacts, diagnose } from './doctor-rules.ts';

const now = Date.parse('2026-06-01T00:00:00Z');
const dayMs = 86_400_000;
const ago = (ms: number): string => new Date(now - ms).toISOString();
const version = (name: string, storage = false): JsonObject => ({ name, served: true, storage });
const definition = (stored: readonly string[], versions = [version('v1', true)]): JsonObject => ({
  ...{ kind: 'CustomResourceDefinition', metadata: { name: 'boxes' } },
  spec: { versions },
  status: { storedVersions: stored, conditions: [{ type: 'Established', status: 'True' }] },
});
const bundle = (days: number): string => {
  const authority = createAuthority({ now: () => now - 400 * dayMs, validMs: (400 + days) * dayMs });
  return Buffer.from(authority.cert).toString('base64');
};
const webhook = (caBundle: string, service = 'box-webhook'): JsonObject => ({
  webhooks: [{ name: 'a.b.c', clientConfig: { caBundle, service: { name: service, namespace: 'box' } } }],
});
const deployment = (available: number, replicas = 2): JsonObject => ({
  ...{ metadata: { name: 'box' }, spec: { replicas } },
  status: { replicas, updatedReplicas: replicas, availableReplicas: available },
});
const rollout = (available: number, replicas?: number) => ({
  deployment: deployment(available, replicas),
  ...{ replicaSets: [], pods: [], events: [] },
});
const lease = (holderIdentity: string, age: number): JsonObject => ({
  spec: { holderIdentity, leaseDurationSeconds: 15, renewTime: ago(age) },
});
const healthy: DoctorFacts = {
  ...{ name: 'box', namespace: 'box', now, checked: 5, denied: [], services: ['box-webhook'] },
  rollout: rollout(2),
  definitions: [definition([])],
  defined: [{ definition: definition(['v1']), objects: [] }],
  webhooks: [webhook(bundle(100))],
  lease: lease('pod-1', 2_000),
};
const inCluster = (found: JsonObject) => ({ defined: [{ definition: found, objects: [] }] });

describe('kgen doctor', () => {
  it('finds nothing about an operator that works', () => {
    expect(diagnose(healthy).filter(({ level }) => level !== 'ok')).toEqual([]);
    expect(diagnose(healthy)).toHaveLength(6);
  });

  it.each<readonly [what: string, changes: Partial<DoctorFacts>, finding: RegExp]>([
    ['a missing definition', { defined: [] }, /^error boxes does not exist: run kgen install/],
    [
      'a missing version',
      { definitions: [definition([], [version('v2', true)])] },
      /^error .* does not serve v2/,
    ],
    [
      'objects in an old version',
      {
        definitions: [definition([], [version('v1'), version('v2', true)])],
        ...inCluster(definition(['v1', 'v2'], [version('v1'), version('v2', true)])),
      },
      /^warning .* stored as v1: run kgen migrate/,
    ],
    [
      'objects in a version that is dropped',
      {
        definitions: [definition([], [version('v2', true)])],
        ...inCluster(definition(['v1', 'v2'], [version('v1'), version('v2', true)])),
      },
      /^error .* stored as v1, which config\/crd no longer has.*kgen migrate first/,
    ],
    ['a missing permission', { denied: ['list boxes'] }, /^error the service account may not list boxes/],
    [
      'a missing Deployment',
      { rollout: { ...rollout(0), deployment: undefined } },
      /^error .*run kgen deploy/,
    ],
    ['a Deployment without Pods', { rollout: rollout(0, 0) }, /^warning the Deployment is scaled to 0/],
    ['Pods that are not available', { rollout: rollout(1) }, /^error 1 of 2 Pods are available/],
    [
      'webhooks without a server',
      { rollout: rollout(0) },
      /^error a\.b\.c refuses all its writes, since no Pod/,
    ],
    ['webhooks without a Service', { services: [] }, /^error .*Service box-webhook does not exist/],
    ['webhooks without an authority', { webhooks: [webhook('')] }, /^error a\.b\.c has no caBundle/],
    ['an invalid authority', { webhooks: [webhook('QUJD')] }, /^error .*contains no certificate/],
    ['an expired authority', { webhooks: [webhook(bundle(-1))] }, /^error .*has expired on 2026-05-31/],
    [
      'an authority that expires soon',
      { webhooks: [webhook(bundle(3))] },
      /^warning .*expires on 2026-06-04/,
    ],
    ['an election without a leader', { lease: lease('', 0) }, /^error nobody holds the lease/],
    [
      'a leader that hangs',
      { lease: lease('pod-1', 60_000) },
      /^error pod-1 has not renewed the lease for 60 s/,
    ],
    ['an operator without an election', { lease: undefined }, /^warning Lease box does not exist/],
    [
      'an object that waits for its deletion',
      {
        defined: [
          {
            definition: definition(['v1']),
            objects: [
              { kind: 'Box', metadata: { name: 'a', deletionTimestamp: ago(90_000), finalizers: ['x/y'] } },
              { kind: 'Box', metadata: { name: 'b', deletionTimestamp: ago(1_000), finalizers: ['x/y'] } },
            ],
          },
        ],
      },
      /^error Box a is being deleted since .*, and waits for x\/y$/,
    ],
  ])('finds %s', (_, changes, finding) => {
    const found = diagnose({ ...healthy, ...changes }).filter(({ level }) => level !== 'ok');
    const lines = found.map(({ level, what }) => `${level} ${what.replace(/^\w+: /, '')}`);
    expect(lines).toContainEqual(expect.stringMatching(finding));
  });
});

it('reads the permissions of an account from its bindings', () => {
  const subjects = [{ kind: 'ServiceAccount', name: 'box', namespace: 'box' }];
  const role = (kind: string, rules: readonly JsonObject[]): JsonObject => ({
    kind,
    rules,
    metadata: { name: 'r' },
  });
  const objects = [
    {
      kind: 'ClusterRoleBinding',
      metadata: { name: 'b' },
      subjects,
      roleRef: { kind: 'ClusterRole', name: 'r' },
    },
    {
      kind: 'RoleBinding',
      metadata: { name: 'b', namespace: 'box' },
      subjects,
      roleRef: { kind: 'Role', name: 'r' },
    },
    { kind: 'RoleBinding', metadata: { name: 'other' }, subjects: [], roleRef: { kind: 'Role', name: 'r' } },
    role('ClusterRole', [{ apiGroups: ['a'], resources: ['boxes/status'], verbs: ['get', 'patch'] }]),
    role('Role', [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['one'], verbs: ['get'] }]),
  ];
  expect(permissionsOf(objects, { name: 'box', namespace: 'box' })).toEqual([
    { verb: 'get', group: 'a', resource: 'boxes', subresource: 'status' },
    { verb: 'patch', group: 'a', resource: 'boxes', subresource: 'status' },
    { verb: 'get', group: '', resource: 'secrets', namespace: 'box', name: 'one' },
  ]);
});
