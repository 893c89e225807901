import { createAuthority } from '@kgen/certificates/authority';
import type { JsonObject } from '@kgen/schema/values/json';
import { describe, expect, it } from 'vitest';
import { mountedSecret, permissionsOf } from './doctor.ts';
import type { ServingSecret } from './doctor-certificates.ts';
import { type DoctorFacts, diagnose, loggingPods } from './doctor-rules.ts';
import type { PodLog } from './logs.ts';

const now = Date.parse('2026-06-01T00:00:00Z');
const dayMs = 86_400_000;
const ago = (ms: number): string => new Date(now - ms).toISOString();
const version = (name: string, storage = false): JsonObject => ({ name, served: true, storage });
const definition = (stored: readonly string[], versions = [version('v1', true)]): JsonObject => ({
  ...{ kind: 'CustomResourceDefinition', metadata: { name: 'boxes' } },
  spec: { versions },
  status: { storedVersions: stored, conditions: [{ type: 'Established', status: 'True' }] },
});
const authorityFor = (days: number) =>
  createAuthority({ now: () => now - 400 * dayMs, validMs: (400 + days) * dayMs });
const encoded = (pem: string): string => Buffer.from(pem).toString('base64');
const bundle = (days: number): string => encoded(authorityFor(days).cert);
const [trusted, foreign] = [authorityFor(100), authorityFor(100)];
const chain = (days: number, authority = trusted): string =>
  authority.issueServer('box', { names: ['box-webhook.box.svc'], addresses: [] }, (400 + days) * dayMs).cert;
const secret = (changes: Partial<ServingSecret>): Partial<DoctorFacts> => ({
  certificate: { name: 'box-tls', isMounted: false, state: 'present', chain: chain(50), ...changes },
});
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
const converting = (caBundle: string): JsonObject => {
  const found = definition(['v1']);
  const service = { name: 'box-webhook', namespace: 'box' };
  const conversion = { strategy: 'Webhook', webhook: { clientConfig: { caBundle, service } } };
  return { ...found, spec: { ...Object(found['spec']), conversion } };
};
const healthy: DoctorFacts = {
  ...{ name: 'box', namespace: 'box', now, checked: 5, denied: [], services: ['box-webhook'] },
  rollout: rollout(2),
  definitions: [definition([])],
  defined: [{ definition: definition(['v1']), objects: [] }],
  webhooks: [webhook(encoded(trusted.cert))],
  ...secret({}),
  lease: lease('pod-1', 2_000),
  logs: [],
};
const logOf = (pod: string, ...lines: readonly string[]): PodLog => ({ pod, lines });
const delays = (...all: readonly number[]): readonly string[] =>
  all.map((ms) => `throttled by rateLimit of the client: apply boxes/status waited for ${ms} ms {`);
const refusals = (count: number): readonly string[] =>
  Array(count).fill('{"msg":"throttled by the API server: list pods had the response 429"}');
const inCluster = (found: JsonObject) => ({ defined: [{ definition: found, objects: [] }] });

describe('kgen doctor', () => {
  it('finds nothing about an operator that works', () => {
    expect(diagnose(healthy).filter(({ level }) => level !== 'ok')).toEqual([]);
    expect(diagnose(healthy)).toHaveLength(8);
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
    [
      'a conversion without an authority',
      inCluster(converting('')),
      /^error the conversion of boxes has no caB/,
    ],
    [
      'a conversion that trusts another authority',
      inCluster(converting(encoded(foreign.cert))),
      /^error the conversion of boxes fails .*does not contain the authority .*Secret box-tls/,
    ],
    [
      'a webhook that trusts another authority',
      secret({ chain: chain(50, foreign) }),
      /^error a\.b\.c refuses all its writes: its caBundle does not contain the authority .*Secret box-tls; the op/,
    ],
    [
      'an expired serving certificate',
      secret({ chain: chain(-1) }),
      /^error the certificate in Secret box-tls has expired on 2026-05-31; the operator writes it/,
    ],
    [
      'a serving certificate that expires soon',
      secret({ chain: chain(6), isMounted: true }),
      /^warning the certificate in Secret box-tls expires on 2026-06-07; cert-manager/,
    ],
    [
      'a missing Secret',
      secret({ state: 'missing', chain: '' }),
      /^error Secret box-tls does not exist, but API servers call the operator \(a\.b\.c\)/,
    ],
    ['a Secret without a certificate', secret({ chain: 'x' }), /^error Secret box-tls has no certificate in/],
    [
      'a Secret that the account may not read',
      secret({ state: 'forbidden', chain: '' }),
      /^warning Secret box-tls is not checked: your account may not get it/,
    ],
    ['an election without a leader', { lease: lease('', 0) }, /^error nobody holds the lease/],
    [
      'a leader that hangs',
      { lease: lease('pod-1', 60_000) },
      /^error pod-1 has not renewed the lease for 60 s/,
    ],
    ['an operator without an election', { lease: undefined }, /^warning Lease box does not exist/],
    [
      'requests that the API server refuses',
      { logs: [logOf('box-1', ...refusals(2))] },
      /^warning Pod box-1 logs "throttled by the API server: list pods had the response 429": send fewer/,
    ],
    [
      'requests that their client delays',
      { logs: [logOf('box-1', ...delays(1200, 2400), 'reconciled a')] },
      /^warning Pod box-1 logs "throttled .*: apply boxes\/status waited for 2400 ms": raise qps and burst/,
    ],
    [
      'a log that cannot be read',
      { logs: [{ ...logOf('box-1'), failure: 'get pods/log box/box-1: 403 Forbidden' }] },
      /^warning the log of Pod box-1 cannot be read: get pods\/log box\/box-1: 403 Forbidden$/,
    ],
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

it.each<readonly [what: string, lease: JsonObject | undefined, pods: readonly string[]]>([
  ['the leader', lease('box-2_6f1c', 0), ['box-2']],
  ['all running Pods without a lease', undefined, ['box-1', 'box-2']],
  ['all running Pods if the leader has ended', lease('box-0_6f1c', 0), ['box-1', 'box-2']],
])('searches in the log of %s', (_, held, expected) => {
  const pods = ['Succeeded', 'Running', 'Running'].map((phase, index) => ({
    metadata: { name: `box-${index}` },
    status: { phase },
  }));
  expect(loggingPods(pods, held).map((pod) => pod['metadata'])).toEqual(expected.map((name) => ({ name })));
});

it('does not report one minute in which a server has refused requests, as after a restart', () => {
  const logs = [logOf('box-1', ...refusals(1), ...delays(1200))];
  expect(diagnose({ ...healthy, logs }).filter(({ level }) => level !== 'ok')).toEqual([]);
});

describe('the serving certificate', () => {
  it.each<readonly [what: string, changes: Partial<DoctorFacts>]>([
    [
      'may be missing while no configuration calls the operator',
      { ...secret({ state: 'missing' }), webhooks: [] },
    ],
    [
      'is trusted by one authority of a bundle',
      { webhooks: [webhook(encoded(foreign.cert + trusted.cert))] },
    ],
    ['is trusted by a later certificate of its chain', secret({ chain: chain(50, foreign) + chain(50) })],
  ])('%s', (_, changes) => {
    expect(diagnose({ ...healthy, ...changes }).filter(({ level }) => level !== 'ok')).toEqual([]);
  });

  it('is in the Secret that the Deployment mounts for its webhooks', () => {
    const volumes = [
      { name: 'tmp', emptyDir: {} },
      { name: 'webhook-certificate', secret: { secretName: 'box-webhook' } },
    ];
    const mounting = { ...deployment(2), kind: 'Deployment', spec: { template: { spec: { volumes } } } };
    expect(mountedSecret([mounting])).toBe('box-webhook');
    expect(mountedSecret([{ ...deployment(2), kind: 'Deployment' }])).toBeUndefined();
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
