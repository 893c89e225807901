/** Objects of built-in kinds that violate a rule, and changes that a server refuses or completes. */
import type { Json, JsonObject } from '../../src/schema/values/json.ts';
import type { Step } from './step.ts';

/** Path of a kind in the namespace of the sequence, or in the cluster. */
interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly path: string;
}

const kindOf = (apiVersion: string, kind: string, plural: string, isNamespaced = false): Kind => {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return { apiVersion, kind, path: `${root}/${isNamespaced ? 'namespaces/{ns}/' : ''}${plural}` };
};

const jobs = kindOf('batch/v1', 'Job', 'jobs', true);
const claims = kindOf('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims', true);
const volumes = kindOf('v1', 'PersistentVolume', 'persistentvolumes');
const nodes = kindOf('v1', 'Node', 'nodes');
const slices = kindOf('resource.k8s.io/v1', 'ResourceSlice', 'resourceslices');
const requests = kindOf('resource.k8s.io/v1', 'ResourceClaim', 'resourceclaims', true);
const drivers = kindOf('storage.k8s.io/v1', 'CSIDriver', 'csidrivers');
const attributes = kindOf('storage.k8s.io/v1', 'VolumeAttributesClass', 'volumeattributesclasses');
const attachments = kindOf('storage.k8s.io/v1', 'VolumeAttachment', 'volumeattachments');
const events = kindOf('events.k8s.io/v1', 'Event', 'events', true);
const ingresses = kindOf('networking.k8s.io/v1', 'Ingress', 'ingresses', true);
const daemonSets = kindOf('apps/v1', 'DaemonSet', 'daemonsets', true);
const addresses = kindOf('discovery.k8s.io/v1', 'EndpointSlice', 'endpointslices', true);
const classes = kindOf('networking.k8s.io/v1', 'IngressClass', 'ingressclasses');

const create = (kind: Kind, more: JsonObject, name = '{ns}', query: Step['query'] = {}): Step => {
  const { apiVersion, kind: named, path } = kind;
  const { metadata = {}, ...rest } = more;
  const body = { apiVersion, kind: named, metadata: { name, ...Object(metadata) }, ...rest };
  return { method: 'POST', path, query, body };
};
const tried = (kind: Kind, more: JsonObject): Step => create(kind, more, '{ns}', { dryRun: 'All' });
const change = ({ path }: Kind, body: Json): Step => ({
  method: 'PATCH',
  path: `${path}/{ns}`,
  type: 'application/merge-patch+json',
  body,
});
const remove = ({ path }: Kind, name = '{ns}'): Step => ({ method: 'DELETE', path: `${path}/${name}` });

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } };
const indexed = { completionMode: 'Indexed', completions: 2, template };
const onExitCodes = { operator: 'In', values: [1] };
const onPodConditions = [{ type: 'A', status: 'True' }];

const failureRules: readonly Json[] = [
  { action: 'Some', onExitCodes },
  { onExitCodes },
  { action: 'FailIndex', onExitCodes },
  { action: 'Ignore' },
  { action: 'Ignore', onExitCodes, onPodConditions },
  { action: 'Ignore', onPodConditions: [{ type: 'a b', status: 'Some' }, { type: 'A' }] },
  { action: 'Ignore', onExitCodes: { operator: 'Some', values: [1] } },
  { action: 'Ignore', onExitCodes: { operator: 'In' } },
  { action: 'Ignore', onExitCodes: { operator: 'In', values: [3, 0, 3] } },
  { action: 'Ignore', onExitCodes: { ...onExitCodes, containerName: 'b' } },
];

const successRules: readonly Json[] = [[], [{}], [{ succeededCount: 3 }], [{ succeededCount: -1 }]];

const jobSteps: readonly Step[] = [
  ...failureRules.map((rule) => tried(jobs, { spec: { template, podFailurePolicy: { rules: [rule] } } })),
  ...successRules.map((rules) => tried(jobs, { spec: { ...indexed, successPolicy: { rules } } })),
  tried(jobs, { metadata: { name: 'a.b' }, spec: indexed }),
  create(jobs, { metadata: { name: '', generateName: 'gen-1-' }, spec: { ...indexed, suspend: true } }),
  remove(jobs, 'missing'),
  create(jobs, { spec: { ...indexed, suspend: true } }),
  change(jobs, { spec: { completions: null } }),
  remove(jobs),
];

const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const source = { kind: 'VolumeSnapshot', name: 'a', apiGroup: 'snapshot.storage.k8s.io' };
const csi = { driver: 'a.example.com', volumeHandle: 'a' };
const volume = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], csi };
const affinity = (key: string): JsonObject => ({
  nodeAffinity: {
    required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: ['a'] }] }] },
  },
});

const storageSteps: readonly Step[] = [
  ...['name', 'kind', 'apiGroup'].map((key) =>
    tried(claims, { spec: { ...claim, dataSourceRef: { ...source, [key]: null } } }),
  ),
  tried(claims, { spec: { ...claim, dataSource: { ...source, apiGroup: 'A b' } } }),
  tried(volumes, { spec: { ...volume, nodeAffinity: {} } }),
  tried(volumes, { spec: { ...volume, nodeAffinity: { required: { nodeSelectorTerms: [] } } } }),
  create(volumes, { spec: { ...volume, ...affinity('zone') } }),
  change(volumes, { spec: affinity('other') }),
  change(volumes, { spec: affinity('zone') }),
  remove(volumes),
  create(drivers, { spec: {} }),
  change(drivers, { spec: { attachRequired: false, volumeLifecycleModes: ['Ephemeral'] } }),
  change(drivers, { spec: { podInfoOnMount: true } }),
  change(drivers, { metadata: { labels: { a: 'b' } } }),
  remove(drivers),
  create(attributes, { driverName: 'a.example.com', parameters: { a: 'b' } }),
  change(attributes, { driverName: 'b.example.com', parameters: { a: null } }),
  remove(attributes),
  create(attachments, {
    spec: { attacher: 'a', nodeName: 'a', source: { persistentVolumeName: 'a' } },
  }),
  change(attachments, { spec: { attacher: 'b' } }),
  {
    method: 'PATCH',
    path: `${attachments.path}/{ns}/status`,
    query: { fieldManager: 'other' },
    type: 'application/apply-patch+yaml',
    body: { apiVersion: attachments.apiVersion, kind: attachments.kind, metadata: { labels: { app: 'a' } } },
  },
  remove(attachments),
];

const slice = {
  driver: 'a.example.com',
  nodeName: 'a',
  pool: { name: 'a', generation: 1, resourceSliceCount: 1 },
};
const event = {
  ...{
    eventTime: '2026-01-02T03:04:05.000600Z',
    reportingController: 'example.com/a',
    reportingInstance: 'a',
  },
  ...{ action: 'A', reason: 'A', type: 'Normal', regarding: { namespace: '{ns}' } },
};
const request = { name: 'a', firstAvailable: [{ name: 'b', deviceClassName: 'c' }] };
const marked = { annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } };
const ingress = { spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } } };

const daemonSpec = {
  selector: { matchLabels: { app: 'a' } },
  template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
};
const rolled = (rollingUpdate: JsonObject): Step =>
  tried(daemonSets, { spec: { ...daemonSpec, updateStrategy: { type: 'RollingUpdate', rollingUpdate } } });

/** All requests. */
export const ruleSteps: readonly Step[] = [
  rolled({ maxSurge: '10%' }),
  rolled({ maxSurge: '101%', maxUnavailable: 0 }),
  rolled({ maxSurge: 0, maxUnavailable: '0%' }),
  create(addresses, { addressType: 'IPv4', endpoints: [{ addresses: ['192.0.2.7'] }], ports: [] }),
  change(addresses, { metadata: { labels: { app: 'a' } } }),
  change(addresses, { metadata: { annotations: { app: 'a' } } }),
  change(addresses, { metadata: { name: 'other' }, endpoints: [{ addresses: 7 }] }),
  remove(addresses),
  {
    method: 'GET',
    path: events.path,
    accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  },
  ...jobSteps,
  ...storageSteps,
  create(nodes, { spec: { providerID: 'a://b' } }),
  change(nodes, { spec: { providerID: 'a://c' } }),
  remove(nodes),
  create(slices, { spec: { ...slice, devices: [] } }),
  change(slices, { spec: { driver: 'b.example.com', nodeName: 'b', pool: { name: 'b' } } }),
  remove(slices),
  tried(requests, {
    spec: { devices: { requests: [request], config: [{ requests: ['a', 'a/b', 'c', 'a/c'] }] } },
  }),
  create(requests, { spec: { devices: { requests: [request] } } }),
  change(requests, { spec: { devices: { requests: null } } }),
  {
    method: 'PUT',
    path: `${requests.path}/{ns}/status`,
    isUpdate: true,
    body: { metadata: { labels: { app: 'a' }, annotations: { app: 'a' }, finalizers: ['example.com/a'] } },
  },
  ...[{ count: 1, lastObservedTime: event.eventTime }, { count: 2 }].map((series) =>
    tried(events, { ...event, series }),
  ),
  tried(kindOf('v1', 'LimitRange', 'limitranges', true), { metadata: { name: '' }, spec: { limits: null } }),
  tried(ingresses, ingress),
  create(classes, { metadata: marked, spec: { controller: 'a.example.com/b' } }, '{ns}-b'),
  create(classes, { metadata: marked, spec: { controller: 'a.example.com/b' } }, '{ns}-a'),
  { method: 'GET', path: `${classes.path}/{ns}-a` },
  tried(ingresses, { spec: { ...ingress.spec, ingressClassName: 'own' } }),
  tried(ingresses, { metadata: { annotations: { 'kubernetes.io/ingress.class': 'own' } }, ...ingress }),
  remove(classes, '{ns}-b'),
  tried(ingresses, ingress),
  remove(classes, '{ns}-a'),
];
