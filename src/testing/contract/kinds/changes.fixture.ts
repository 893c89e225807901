/** Changes that servers refuse or complete: addresses of services, templates of suspended jobs, secrets. */
import type { Json, JsonObject } from '../../../schema/values/json.ts';
import type { Step } from '../exchange.fixture.ts';
import {
  type Collection,
  clusterCollection,
  collection,
  create,
  get,
  merge,
  remove,
  replace,
  tries,
} from './steps.fixture.ts';

const services = collection('v1', 'Service', 'services');
const jobs = collection('batch/v1', 'Job', 'jobs');
const secrets = collection('v1', 'Secret', 'secrets');
const configMaps = collection('v1', 'ConfigMap', 'configmaps');
const nodes = clusterCollection('v1', 'Node', 'nodes');

function apply(of: Collection, name: string, members: JsonObject, manager = 'one', query = ''): Step {
  const { metadata = {}, ...rest } = members;
  return {
    method: 'PATCH',
    path: `${of.path}/${name}?fieldManager=${manager}${query}`,
    type: 'application/apply-patch+yaml',
    // Spreading a value that is not an object adds nothing.
    body: {
      apiVersion: of.apiVersion,
      kind: of.kind,
      metadata: { name, ...(metadata as JsonObject) },
      ...rest,
    },
  };
}

function spec(members: JsonObject): JsonObject {
  return { spec: { ports: [{ port: 80 }], ...members } };
}

const address = '10.0.0.91';
const external = { type: 'ExternalName', externalName: 'a.b' };
const local = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 30_081 };

/** Specifications of services with their changes. */
const serviceChanges: readonly (readonly [JsonObject, readonly JsonObject[]])[] = [
  [
    { clusterIP: address },
    [
      { clusterIP: 'None' },
      { clusterIP: 'None', clusterIPs: ['None'] },
      { clusterIPs: ['None'] },
      { clusterIP: '', clusterIPs: [] },
      { clusterIP: '10.0.0.92' },
      { clusterIPs: [address, '10.0.0.93'] },
      { clusterIP: 'x' },
      { type: 'LoadBalancer', clusterIP: 'None' },
      external,
      { ipFamilies: ['IPv6'] },
      { ipFamilyPolicy: 'PreferDualStack' },
    ],
  ],
  [
    { clusterIP: 'None', selector: { a: 'b' } },
    [{ clusterIP: address }, { type: 'NodePort' }, { ipFamilies: ['IPv4', 'IPv6'] }, external],
  ],
  [external, [{ clusterIP: address }, { type: 'ClusterIP', externalName: null }, { ipFamilies: ['IPv4'] }]],
  [
    { ...local, loadBalancerClass: 'a/b', ports: [{ port: 80, nodePort: 30_082 }] },
    [
      { loadBalancerClass: 'c/d' },
      { healthCheckNodePort: 30_083 },
      { externalTrafficPolicy: 'Cluster' },
      { type: 'ClusterIP' },
    ],
  ],
];

const serviceRows: readonly Step[] = serviceChanges.flatMap(([initial, changes]) =>
  changes.flatMap((change) => [
    create(services, 'changed', spec(initial)),
    merge(services, 'changed', { spec: change }),
    remove(services, 'changed'),
  ]),
);

const containers = [{ name: 'a', image: 'b' }];
const resources = { requests: { cpu: '1' } };
const startTime = '2026-01-01T00:00:00Z';
const suspended = {
  type: 'Suspended',
  status: 'True',
  lastProbeTime: startTime,
  lastTransitionTime: startTime,
};

function template(pod: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { spec: { template: { metadata, spec: pod } } };
}

const jobChanges: readonly JsonObject[] = [
  template({ containers: [{ name: 'a', image: 'z' }] }),
  template({ containers: [{ ...containers[0], command: ['x'] }] }),
  template({ restartPolicy: 'OnFailure' }),
  template({ serviceAccountName: 'x' }),
  template({ containers: [{ ...containers[0], resources }] }),
  template({ nodeSelector: { a: 'b' }, tolerations: [{ key: 'a', operator: 'Exists' }] }),
  template({}, { labels: { x: 'y' }, annotations: { x: 'y' } }),
  { spec: { suspend: false } },
];

/** The server prints its internal type in the message; the object shows whether the change was refused. */
const jobRows: readonly Step[] = [
  {},
  { startTime },
  { startTime, conditions: [suspended] },
  { active: 1 },
].flatMap((status) =>
  jobChanges.flatMap((change) => [
    create(jobs, 'held', {
      spec: { suspend: true, template: { spec: { restartPolicy: 'Never', containers } } },
    }),
    merge(jobs, 'held', { status }, '/status'),
    { ...merge(jobs, 'held', change), ignore: true },
    get(jobs, 'held'),
    remove(jobs, 'held', '?propagationPolicy=Background'),
  ]),
);

const docker = { type: 'kubernetes.io/dockercfg', stringData: { '.dockercfg': '{}' } };

const secretRows: readonly Step[] = [
  apply(secrets, 'strings', { stringData: { a: 'b' } }),
  apply(secrets, 'strings', { stringData: { a: 'c', d: 'e' } }),
  apply(secrets, 'strings', { stringData: { a: 'x' } }, 'two'),
  apply(secrets, 'strings', { data: { a: 'AA==' }, stringData: { f: 'g' } }),
  apply(secrets, 'strings', {}),
  get(secrets, 'strings'),
  remove(secrets, 'strings'),
  create(secrets, 'docker', docker, '?dryRun=All'),
  apply(secrets, 'docker', docker, 'one', '&dryRun=All'),
  create(secrets, 'fixed', { stringData: { a: 'b' }, immutable: true }),
  apply(secrets, 'fixed', { stringData: { a: 'b' }, immutable: true }),
  apply(secrets, 'fixed', { stringData: { a: 'c' }, immutable: true }),
  remove(secrets, 'fixed'),
];

const managed: readonly Json[] = [
  null,
  [],
  [{}],
  [null],
  [{}, null],
  ['x'],
  [{ manager: 'a' }],
  [{ manager: 1 }],
  {},
  'x',
];

const managerRows: readonly Step[] = [
  ...managed.map((managedFields) =>
    apply(configMaps, 'managed', { metadata: { managedFields }, data: { a: 'b' } }),
  ),
  apply(configMaps, 'managed', { metadata: { name: null } }),
  apply(configMaps, 'managed', { metadata: { name: '' } }),
  ...[null, [], 'x', {}].map((metadata) => ({
    ...apply(configMaps, 'managed', {}),
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata },
  })),
  replace(configMaps, 'managed', { data: { a: 'b', c: 'd' } }),
  merge(configMaps, 'managed', { metadata: { managedFields: [] } }),
  apply(configMaps, 'managed', { data: { a: 'z' } }),
  apply(configMaps, 'managed', { data: { a: 'z' } }, 'one', '&force=true'),
  get(configMaps, 'managed'),
  remove(configMaps, 'managed'),
];

const nodeRows: readonly Step[] = [
  ...tries(
    nodes,
    { spec: { podCIDR: '10.1.0.0/24' } },
    { spec: { podCIDRs: ['10.1.0.0/24'] } },
    { spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.2.0.0/24', 'fd00::/64'] } },
    { spec: { podCIDR: 'x' } },
    { spec: { podCIDRs: ['10.1.0.0/24', '10.2.0.0/24'] } },
  ),
];

/** Rows about changes. */
export const changeSteps: Readonly<Record<string, readonly Step[]>> = {
  'changes: addresses and ports of services': serviceRows,
  'changes: templates of suspended jobs': jobRows,
  'changes: strings of secrets': secretRows,
  'changes: managed fields and names in applied configurations': managerRows,
  'changes: ranges of nodes': nodeRows,
};
