/** Changes and values of kinds that servers check in rules of their own, which a search found. */
import type { Json, JsonObject } from '../../src/schema/values/json.ts';
import { sampledKinds } from './sampled-kinds.ts';
import type { Step } from './step.ts';

const core = '/api/v1/namespaces/{ns}';
const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';
const dryRun = { dryRun: 'All' };

const post = (path: string, body: JsonObject, query: Step['query'] = {}): Step => ({
  method: 'POST',
  path,
  query,
  body,
});
const patch = (path: string, body: Json, type = merge, query: Step['query'] = {}): Step => ({
  method: 'PATCH',
  path,
  query,
  type,
  body,
});
const remove = (path: string): Step => ({ method: 'DELETE', path });

const containers = [{ name: 'main', image: 'main:1' }];
const requirement = (key: string): JsonObject => ({ key, operator: 'Exists' });
const affine = (...terms: readonly (readonly JsonObject[])[]): JsonObject => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: terms.map((matchExpressions) => ({ matchExpressions })),
      },
    },
  },
});
const gated = `${core}/pods/gated`;
const plain = `${core}/pods/plain`;
const placements: readonly JsonObject[] = [
  { nodeSelector: { c: 'd' } },
  { nodeSelector: { a: null } },
  { nodeSelector: { a: 'c' } },
  affine([requirement('zone'), requirement('rack')]),
  affine([requirement('zone')], [requirement('rack')]),
  affine([requirement('rack')]),
  affine(),
  { affinity: { podAffinity: {} } },
  { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } } },
  { affinity: null },
  { terminationGracePeriodSeconds: 1 },
];

const podSteps: readonly Step[] = [
  post(`${core}/pods`, {
    metadata: { name: 'gated' },
    spec: {
      containers,
      schedulingGates: [{ name: 'example.com/gate' }],
      nodeSelector: { a: 'b' },
      ...affine([requirement('zone')]),
    },
  }),
  post(`${core}/pods`, { metadata: { name: 'plain' }, spec: { containers } }),
  ...placements.flatMap((spec) => [
    patch(gated, { spec }, merge, dryRun),
    patch(plain, { spec }, merge, dryRun),
  ]),
  ...['main', 'debug'].map((name) =>
    patch(
      `${plain}/ephemeralcontainers`,
      { spec: { ephemeralContainers: [{ name, image: 'debug' }] } },
      strategic,
    ),
  ),
  patch(`${plain}/ephemeralcontainers`, { spec: { ephemeralContainers: [] } }),
  patch(
    `${plain}/resize`,
    { spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }] } },
    strategic,
  ),
  ...['1m', '1', '2', '0'].map((divisor) =>
    post(
      `${core}/pods`,
      {
        metadata: { name: 'divided' },
        spec: {
          containers: [
            {
              ...containers[0],
              env: [
                { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor } } },
                { name: 'MEMORY', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor } } },
              ],
            },
          ],
        },
      },
      dryRun,
    ),
  ),
  post(`${plain}/binding`, { target: { name: 'n1' }, metadata: { uid: 'wrong' } }),
  post(`${plain}/binding`, { target: { name: 'n1' }, metadata: { name: 'plain', uid: 'wrong' } }),
  post(`${plain}/binding`, { more: 1, metadata: { name: 'plain' } }),
  post(`${core}/bindings`, { target: { name: 'n1' }, metadata: { name: 'none' } }),
  post(`${plain}/eviction`, { more: 1, metadata: { namespace: 'other' } }),
  post(`${plain}/eviction`, { apiVersion: 'v1', kind: 'Binding', spec: {}, metadata: { name: 'plain' } }),
];

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const signing = sampledKinds.find(({ kind }) => kind === 'CertificateSigningRequest')?.base ?? {};
const condition = (type: string, status = 'True'): JsonObject => ({
  type,
  status,
  reason: 'R',
  message: 'm',
});
const decided = (part: string, ...conditions: readonly JsonObject[]): Step =>
  patch(`${requests}/{ns}/${part}`, { status: { conditions } });

const approvalSteps: readonly Step[] = [
  ...['a/b', 'Upper', 'a..b'].map((name) => post(requests, { ...signing, metadata: { name } }, dryRun)),
  post(requests, { ...signing, metadata: { name: '{ns}' } }),
  decided('approval', condition('Approved'), condition('Denied')),
  decided('approval', condition('Approved', 'False')),
  decided('approval', condition('Other', 'Wrong')),
  decided('approval'),
  decided('status', condition('Approved')),
  decided('approval', condition('Approved')),
  decided('approval', condition('Denied')),
  decided('status', condition('Approved'), condition('Failed')),
  decided('status'),
  remove(`${requests}/{ns}`),
];

const classes = '/apis/resource.k8s.io/v1/deviceclasses';
const expressions = [
  'true',
  '1',
  '',
  'other',
  'device.driver',
  'device.more',
  "device.driver == 'a.example.com'",
  "device.attributes['a.example.com'].b",
  "device.capacity['a.example.com'].b.compareTo(quantity('1')) > 0",
  'device.allowMultipleAllocations',
];

const events = `${core}/events`;
const namedEvent = { involvedObject: { namespace: '{ns}' }, reason: 'A' };
const newEvent = {
  ...{ eventTime: '2026-01-02T03:04:05.000600Z', reportingInstance: 'a', action: 'A', reason: 'A' },
  ...{ regarding: { namespace: '{ns}' }, reportingController: 'example.com/a', type: 'Normal' },
};
const newEvents = '/apis/events.k8s.io/v1/namespaces/{ns}/events';
const names: readonly JsonObject[] = [
  { name: 'a_b' },
  { name: 'a/b' },
  {},
  { name: 'a', labels: { 'a b': '' } },
  { name: 'a', finalizers: ['hold'] },
];
const budgets = '/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets';

const nameSteps: readonly Step[] = [
  ...names.flatMap((metadata) => [
    post(events, { metadata, ...namedEvent }, dryRun),
    post(newEvents, { metadata, ...newEvent }, dryRun),
    post(newEvents, { metadata, ...newEvent, action: '' }, dryRun),
    post(budgets, { metadata, spec: { minAvailable: 1 } }, dryRun),
    post(budgets, { metadata, spec: { minAvailable: -1 } }, dryRun),
  ]),
  post(events, { metadata: { name: 'a' }, ...newEvent, regarding: null, reportingComponent: 'a' }, dryRun),
  post(`${core}/replicationcontrollers`, { metadata: { name: 'x'.repeat(254) } }, dryRun),
  post(
    `${core}/configmaps`,
    { metadata: { name: 'a', labels: { [`${'x'.repeat(254)}/a`]: '', 'a/b/c': '' } } },
    dryRun,
  ),
];

const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const runtimes = '/apis/node.k8s.io/v1/runtimeclasses';
const services = `${core}/services`;
const slices = '/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices';
const apply = 'application/apply-patch+yaml';
const by = { fieldManager: 'other' };
const outside = [
  { ip: 'x' },
  { ip: '192.0.2.7' },
  { ip: '192.0.2.7', ipMode: 'X' },
  { hostname: '192.0.2.7' },
  { ipMode: 'VIP' },
];

const valueSteps: readonly Step[] = [
  ...expressions.map((expression) =>
    post(classes, { metadata: { name: '{ns}' }, spec: { selectors: [{ cel: { expression } }] } }, dryRun),
  ),
  ...[[], [{}], [{ matchLabels: { a: 'Not Valid/' } }]].map((clusterRoleSelectors) =>
    post(roles, { metadata: { name: '{ns}' }, aggregationRule: { clusterRoleSelectors } }, dryRun),
  ),
  ...['cpu', 'cpux', 'example.com/a'].map((name) =>
    post(
      runtimes,
      { metadata: { name: '{ns}' }, handler: 'a', overhead: { podFixed: { [name]: '1' } } },
      dryRun,
    ),
  ),
  post(services, {
    metadata: { name: 'a' },
    spec: { type: 'LoadBalancer', externalName: 'x', ports: [{ port: 80 }] },
  }),
  ...outside.map((point) =>
    patch(`${services}/a/status`, { status: { loadBalancer: { ingress: [point] } } }, merge, dryRun),
  ),
  post('/api/v1/namespaces', { metadata: { name: '{ns}-b', finalizers: ['example.com/hold'] } }),
  patch(
    '/api/v1/namespaces/{ns}-b/status',
    [{ op: 'add', path: '/status', value: {} }],
    'application/json-patch+json',
  ),
  remove('/api/v1/namespaces/{ns}-b'),
  { ...remove('/api/v1/namespaces/{ns}-b'), query: { propagationPolicy: 'Orphan' } },
  patch(
    `${slices}/a`,
    {
      ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { name: 'a' } },
      ...{ addressType: 'IPv4', endpoints: [{ addresses: ['192.0.2.7', '192.0.2.7'] }] },
    },
    apply,
    by,
  ),
  patch(
    `${core}/serviceaccounts/a`,
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a', uid: 'wrong' }, secrets: [{}] },
    apply,
    by,
  ),
  post(budgets, { metadata: { name: 'a', labels: 7 }, spec: { minAvailable: { a: 1 } } }),
  post(events, { metadata: { name: 'a', labels: 'x' }, ...namedEvent, eventTime: 'other' }),
  post(budgets, { metadata: { name: 'a' }, spec: { minAvailable: 1 } }),
  patch(`${budgets}/a`, { spec: { minAvailable: { a: 1 } } }, strategic),
  patch(`${budgets}/a`, { more: 1, metadata: { name: 'other' } }),
  post(`${core}/configmaps`, { metadata: { name: 'a', finalizers: ['example.com/hold'] } }),
  remove(`${core}/configmaps/a`),
  patch(`${core}/configmaps/a`, { metadata: { finalizers: [] } }),
  ...['limit', 'labelSelector', 'timeoutSeconds'].map(
    (name): Step => ({
      method: 'GET',
      path: `${core}/configmaps`,
      query: { fieldSelector: 'metadata.name=a', [name]: 'x=y=z' },
      user: 'system:anonymous',
    }),
  ),
];

const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const selectors: readonly JsonObject[] = [
  {},
  { rawSelector: 'a=b=c' },
  { requirements: [{}] },
  { requirements: [{ key: 'a', operator: 'Wrong' }] },
  { requirements: [{ key: 'a', operator: 'In' }] },
  { requirements: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
  { rawSelector: 'a', requirements: [{ key: 'a b', operator: 'Exists' }] },
  {
    requirements: [
      { key: 'a', operator: 'Exists' },
      { key: 'a', operator: 'Wrong' },
    ],
  },
];

const reviewSteps: readonly Step[] = selectors.flatMap((selector) =>
  ['labelSelector', 'fieldSelector'].map((name) =>
    post(reviews, { spec: { resourceAttributes: { verb: 'list', resource: 'pods', [name]: selector } } }),
  ),
);

/** All requests. */
export const changeSteps: readonly Step[] = [
  ...podSteps,
  ...approvalSteps,
  ...nameSteps,
  ...valueSteps,
  ...reviewSteps,
];
