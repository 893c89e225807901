/** RBAC, events, leases, limits, budgets, autoscalers, networking, and versions of one kind. */
import type { Step } from '../exchange.fixture.ts';
import {
  clusterCollection,
  collection,
  create,
  get,
  list,
  merge,
  remove,
  replace,
  tries,
} from './steps.fixture.ts';

const group = 'rbac.authorization.k8s.io';
const roles = collection(`${group}/v1`, 'Role', 'roles');
const clusterRoles = clusterCollection(`${group}/v1`, 'ClusterRole', 'clusterroles');
const bindings = collection(`${group}/v1`, 'RoleBinding', 'rolebindings');
const clusterBindings = clusterCollection(`${group}/v1`, 'ClusterRoleBinding', 'clusterrolebindings');

const rbacRows: readonly Step[] = [
  ...tries(
    roles,
    {},
    { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
    {
      rules: [
        {},
        { verbs: ['get'] },
        { verbs: ['get'], resources: ['pods'] },
        { verbs: ['get'], apiGroups: [''] },
        { verbs: ['get'], nonResourceURLs: ['/x'] },
        { apiGroups: [''], resources: ['p'], verbs: [] },
      ],
    },
    { metadata: { name: 'system:a' } },
    { metadata: { name: 'a/b' } },
  ),
  ...tries(clusterRoles, {
    rules: [{ verbs: ['get'], nonResourceURLs: ['x'], resources: ['a'], apiGroups: [''] }],
    aggregationRule: { clusterRoleSelectors: [] },
  }),
  ...tries(
    bindings,
    {},
    {
      roleRef: { kind: 'ClusterRole', name: 'view' },
      subjects: [
        { kind: 'User', name: 'a' },
        { kind: 'ServiceAccount', name: 'b', namespace: 'default' },
      ],
    },
    {
      roleRef: { kind: 'Role', name: 'x', apiGroup: group },
      subjects: [
        { kind: 'Group', name: '' },
        { kind: 'X', name: 'c' },
        { kind: 'User', name: 'd', apiGroup: 'z' },
        { kind: 'ServiceAccount', name: 'B_', namespace: 'default', apiGroup: 'q' },
      ],
    },
  ),
  ...tries(clusterBindings, {}, { roleRef: { kind: 'Role', name: 'x', apiGroup: 'y' } }),
  create(bindings, 'bound', {
    roleRef: { kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'User', name: 'a' }],
  }),
  merge(bindings, 'bound', { roleRef: { kind: 'ClusterRole', name: 'edit', apiGroup: group } }),
  merge(bindings, 'bound', { subjects: [] }),
  remove(bindings, 'bound'),
  replace(roles, 'put', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }),
  remove(roles, 'put'),
];

const events = collection('v1', 'Event', 'events');
const newEvents = collection('events.k8s.io/v1', 'Event', 'events');
const pod = { kind: 'Pod', name: 'x', namespace: 'default' };

const eventRows: readonly Step[] = [
  create(events, 'old', { involvedObject: pod, reason: 'Started', type: 'Normal', message: 'm', count: 1 }),
  get(newEvents, 'old'),
  create(newEvents, 'new', {
    regarding: pod,
    eventTime: '2026-01-02T03:04:05.000600Z',
    reportingController: 'example.com/c',
    reportingInstance: 'i',
    action: 'Act',
    reason: 'Done',
    type: 'Normal',
    note: 'n',
  }),
  get(events, 'new'),
  merge(newEvents, 'old', { note: 'changed' }),
  get(events, 'old'),
  list(events, '?fieldSelector=reason%3DStarted'),
  list(events, '?fieldSelector=involvedObject.name%3Dx,type%3DNormal'),
  ...tries(
    events,
    {},
    { involvedObject: { namespace: 'other' } },
    { involvedObject: { kind: 'Node', name: 'x' } },
    { involvedObject: pod, eventTime: '2020-01-01T00:00:00.000000Z' },
    { involvedObject: pod, eventTime: '2020-01-01T00:00:00Z' },
    { involvedObject: pod, eventTime: '2020-01-01' },
  ),
  ...tries(newEvents, {}, { regarding: pod, type: 'X' }),
  remove(events, 'old'),
  remove(newEvents, 'new'),
];

const autoscalers = collection('autoscaling/v2', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers');
const oldAutoscalers = collection('autoscaling/v1', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers');
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };

const versionRows: readonly Step[] = [
  create(autoscalers, 'two', { spec: { scaleTargetRef: target, maxReplicas: 3 } }),
  get(oldAutoscalers, 'two'),
  create(oldAutoscalers, 'one', {
    spec: { scaleTargetRef: target, maxReplicas: 3, targetCPUUtilizationPercentage: 60 },
  }),
  get(autoscalers, 'one'),
  create(autoscalers, 'more', {
    spec: {
      scaleTargetRef: target,
      maxReplicas: 3,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
        },
      ],
    },
  }),
  get(autoscalers, 'more'),
  ...tries(
    autoscalers,
    {},
    { spec: { scaleTargetRef: target, minReplicas: 0, maxReplicas: 0, metrics: [{ type: 'X' }] } },
    { spec: { scaleTargetRef: target, maxReplicas: 3, metrics: [{ type: 'Resource' }] } },
    {
      spec: {
        scaleTargetRef: target,
        maxReplicas: 3,
        behavior: { scaleDown: { stabilizationWindowSeconds: 0 } },
      },
    },
  ),
  merge(autoscalers, 'two', { status: { currentReplicas: 1, desiredReplicas: 2 } }, '/status'),
  remove(autoscalers, 'two'),
  remove(oldAutoscalers, 'one'),
  remove(autoscalers, 'more'),
];

const leases = collection('coordination.k8s.io/v1', 'Lease', 'leases');
const budgets = collection('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets');
const quotas = collection('v1', 'ResourceQuota', 'resourcequotas');
const ranges = collection('v1', 'LimitRange', 'limitranges');
const ingresses = collection('networking.k8s.io/v1', 'Ingress', 'ingresses');
const policies = collection('networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies');
const nodes = clusterCollection('v1', 'Node', 'nodes');
const namespaces = clusterCollection('v1', 'Namespace', 'namespaces');

const limitRows: readonly Step[] = [
  ...tries(
    leases,
    {},
    { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } },
    { spec: { renewTime: '2020-01-01T00:00:00Z' } },
    { spec: { renewTime: '2020-01-01T00:00:00.500000+01:00', holderIdentity: 'a' } },
  ),
  create(leases, 'lock', { spec: { holderIdentity: 'a', leaseDurationSeconds: 15 } }),
  replace(leases, 'lock', { spec: { holderIdentity: 'b' } }),
  merge(leases, 'lock', { spec: { holderIdentity: 'b' } }),
  remove(leases, 'lock'),
  ...tries(
    budgets,
    {},
    { spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } } },
    { spec: { minAvailable: '101%', maxUnavailable: -1 } },
  ),
  ...tries(
    quotas,
    {},
    { spec: { hard: { pods: '1.5', x: '1', cpu: '-1' }, scopes: ['X'] } },
    { spec: { hard: { cpu: '1.5', pods: 3 } } },
  ),
  ...tries(
    ranges,
    {},
    { spec: { limits: [{ type: 'Container', max: { cpu: '2' }, min: { cpu: '100m' } }] } },
    { spec: { limits: [{ type: 'Container', default: { cpu: '1' }, max: { cpu: '500m' } }, {}] } },
  ),
  ...tries(
    ingresses,
    {},
    { spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } } },
    { spec: { rules: [{ host: 'A_', http: { paths: [{ path: 'x', pathType: 'Prefix', backend: {} }] } }] } },
    { spec: { rules: [{ host: '1.2.3.4', http: { paths: [] } }] } },
    { spec: { defaultBackend: { service: { name: 'W_', port: {} } } } },
  ),
  ...tries(
    policies,
    {},
    { spec: { podSelector: {}, egress: [{ to: [{}] }] } },
    { spec: { podSelector: {}, policyTypes: ['X'], ingress: [{ ports: [{ port: 0 }] }] } },
    ...[
      { endPort: 90 },
      { port: 'web', endPort: 90 },
      { port: 'Web_', endPort: 90, protocol: 'X' },
      { port: 100, endPort: 90 },
      { port: 80, endPort: 70_000, protocol: 'X' },
      { port: 0, endPort: -1 },
      { port: 80, endPort: 80 },
    ].map((port) => ({ spec: { podSelector: {}, ingress: [{ ports: [port] }] } })),
  ),
  ...tries(nodes, {}, { status: { capacity: { cpu: '4' } } }),
  ...tries(namespaces, {}, { metadata: { name: 'A_' } }),
  create(namespaces, 'store', { metadata: { labels: { a: 'b' } } }),
  merge(namespaces, 'store', { metadata: { labels: { c: 'd' } } }),
  list(namespaces, '?fieldSelector=status.phase%3DActive,metadata.name%3Dstore'),
];

/** Rows about policies and versions. */
export const policySteps: Readonly<Record<string, readonly Step[]>> = {
  'access: roles and bindings': rbacRows,
  'events of both groups': eventRows,
  'versions: autoscalers': versionRows,
  'limits, networking and cluster': limitRows,
};
