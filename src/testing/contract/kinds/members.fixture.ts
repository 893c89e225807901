/** Rules between the members of built-in kinds, which no schema states. */
import type { JsonObject } from '../../../schema/values/json.ts';
import type { Step } from '../exchange.fixture.ts';
import { clusterCollection, collection, tries } from './steps.fixture.ts';

const pods = collection('v1', 'Pod', 'pods');
const ranges = collection('v1', 'LimitRange', 'limitranges');
const autoscalers = collection('autoscaling/v2', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers');
const jobs = collection('batch/v1', 'Job', 'jobs');
const services = clusterCollection('apiregistration.k8s.io/v1', 'APIService', 'apiservices');
const levels = clusterCollection(
  'flowcontrol.apiserver.k8s.io/v1',
  'PriorityLevelConfiguration',
  'prioritylevelconfigurations',
);

const quotas = collection('v1', 'ResourceQuota', 'resourcequotas');
const container: JsonObject = { name: 'app', image: 'registry.example.com/app:1' };

function selecting(...matchFields: readonly JsonObject[]): JsonObject {
  const terms = { nodeSelectorTerms: [{ matchFields }] };
  const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: terms };
  return { spec: { containers: [container], affinity: { nodeAffinity } } };
}

function scaling(target: JsonObject): JsonObject {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  const metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
  return { spec: { scaleTargetRef, maxReplicas: 3, metrics } };
}

function scoped(...matchExpressions: readonly JsonObject[]): JsonObject {
  return { spec: { scopeSelector: { matchExpressions } } };
}

function running(members: JsonObject): JsonObject {
  return { spec: { containers: [{ ...container, ...members }] } };
}

const workloadRows: readonly Step[] = [
  ...tries(
    pods,
    selecting({ key: 'metadata.name', operator: 'In', values: ['node'] }),
    selecting({ key: 'metadata.name', operator: 'NotIn', values: ['a', 'b'] }),
    selecting({ key: 'zone', operator: 'In', values: ['a'] }),
    selecting({ key: 'metadata.name', operator: 'Exists' }),
  ),
  ...tries(
    ranges,
    { spec: { limits: [{ type: 'Container' }, { type: 'Pod' }, { type: 'Container' }] } },
    { spec: { limits: [{ type: 'Pod' }, { type: 'Pod', min: { cpu: '2' }, max: { cpu: '1' } }] } },
  ),
  ...tries(
    autoscalers,
    scaling({ type: 'Utilization', averageUtilization: 50 }),
    scaling({ type: 'Utilization' }),
    scaling({ type: 'Percent', averageUtilization: 50 }),
    scaling({ type: 'Utilization', averageUtilization: 50, averageValue: '1' }),
    scaling({}),
  ),
  ...tries(
    pods,
    running({ readinessProbe: { tcpSocket: { port: 80 }, terminationGracePeriodSeconds: 5 } }),
    running({ livenessProbe: { tcpSocket: { port: 80 }, terminationGracePeriodSeconds: 5 } }),
    running({ volumeDevices: [{ name: 'none', devicePath: '/dev/x' }] }),
  ),
  ...tries(
    quotas,
    scoped({ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }),
    scoped({ scopeName: 'PriorityClass', operator: 'In' }),
    scoped({ scopeName: 'PriorityClass', operator: 'Exists', values: ['high'] }),
    scoped({ scopeName: 'Terminating', operator: 'In', values: ['high'] }),
    scoped({ scopeName: 'Terminating', operator: 'DoesNotExist' }),
  ),
  ...tries(jobs, {
    spec: {
      selector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] },
      template: {
        metadata: { labels: { app: 'a' } },
        spec: { containers: [container], restartPolicy: 'Never' },
      },
    },
  }),
];

const group: JsonObject = {
  group: 'example.com',
  version: 'v1',
  groupPriorityMinimum: 1000,
  versionPriority: 10,
};
const metadata: JsonObject = { name: 'v1.example.com' };

const schemas = clusterCollection('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', 'flowschemas');
const level: JsonObject = { name: 'global-default' };
const policies = clusterCollection(
  'admissionregistration.k8s.io/v1beta1',
  'MutatingAdmissionPolicy',
  'mutatingadmissionpolicies',
);

function mutating(mutation: JsonObject): JsonObject {
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
  const matchConstraints = { resourceRules: [rule] };
  return { spec: { matchConstraints, mutations: [mutation], reinvocationPolicy: 'Never' } };
}

const serverRows: readonly Step[] = [
  ...tries(
    services,
    { metadata, spec: group },
    {
      metadata,
      spec: { ...group, service: { name: 'api', namespace: 'default' }, insecureSkipTLSVerify: true },
    },
    { metadata, spec: { ...group, service: {} } },
    { metadata, spec: { ...group, service: { name: 'api' } } },
  ),
  ...tries(
    levels,
    { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } },
    { spec: { type: 'Limited', limited: { nominalConcurrencyShares: 5 } } },
  ),
  ...tries(
    schemas,
    { spec: { priorityLevelConfiguration: level, matchingPrecedence: 2 } },
    { spec: { priorityLevelConfiguration: level, matchingPrecedence: 1 } },
  ),
  ...tries(
    policies,
    mutating({ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }),
    mutating({ patchType: 'ApplyConfiguration' }),
    mutating({ patchType: 'JSONPatch', applyConfiguration: { expression: 'Object{}' } }),
  ),
];

const requests: readonly JsonObject[] = [{ name: 'one', exactly: { deviceClassName: 'class.example.com' } }];
const opaque: JsonObject = { driver: 'driver.example.com', parameters: { any: 'value' } };

function claims(version: string): readonly Step[] {
  const of = collection(`resource.k8s.io/${version}`, 'ResourceClaim', 'resourceclaims');
  const classes = clusterCollection(`resource.k8s.io/${version}`, 'DeviceClass', 'deviceclasses');
  return [
    ...tries(
      of,
      { spec: { devices: { requests } } },
      { spec: { devices: { requests: [{ name: 'one' }] } } },
      { spec: { devices: { requests, constraints: [{ requests: ['one'] }] } } },
      { spec: { devices: { requests, constraints: [{ matchAttribute: 'example.com/model' }] } } },
      { spec: { devices: { requests, config: [{ requests: ['one'] }] } } },
      { spec: { devices: { requests, config: [{ opaque }] } } },
    ),
    ...tries(classes, { spec: { config: [{ opaque }] } }, { spec: { config: [{}] } }),
  ];
}

function slicing(device: JsonObject): JsonObject {
  const pool = { name: 'pool', generation: 1, resourceSliceCount: 1 };
  return {
    spec: { driver: 'driver.example.com', nodeName: 'node', pool, devices: [{ name: 'one', ...device }] },
  };
}

const deviceRows: readonly Step[] = [
  ...claims('v1'),
  ...claims('v1beta2'),
  ...tries(
    clusterCollection('resource.k8s.io/v1', 'ResourceSlice', 'resourceslices'),
    slicing({}),
    slicing({ bindingConditions: ['example.com/bound'] }),
    slicing({ bindingFailureConditions: ['example.com/failed'] }),
    slicing({ bindingConditions: ['example.com/bound'], bindingFailureConditions: ['example.com/failed'] }),
  ),
];

export const memberSteps: Readonly<Record<string, readonly Step[]>> = {
  'rules between members of workloads': workloadRows,
  'rules between members of extensions of the server': serverRows,
  'rules between members of devices': deviceRows,
};
