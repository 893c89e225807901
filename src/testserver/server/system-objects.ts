/** Objects that every server has from its start, apart from roles and bindings. */
import type { JsonObject } from '@kgen/schema/values/json';
import { defaultRange } from '../resources/kinds/services/ranges.ts';
import { flowControlObjects } from './flow-control.ts';

/** Namespaces of every server. */
export const systemNamespaces: readonly string[] = [
  'default',
  'kube-node-lease',
  'kube-public',
  'kube-system',
];

/** The manager of these objects. */
export const systemManager = 'kube-apiserver';

/** Returns the objects: the priority classes of the system, and the service of the API server. */
export function systemObjects(): readonly JsonObject[] {
  return [
    priorityClass(
      'system-node-critical',
      2_000_001_000,
      'Used for system critical pods that must not be moved from their current node.',
    ),
    priorityClass(
      'system-cluster-critical',
      2_000_000_000,
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
    ),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        name: 'kubernetes',
        namespace: 'default',
        labels: { component: 'apiserver', provider: 'kubernetes' },
      },
      spec: {
        clusterIP: '10.0.0.1',
        ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6_443 }],
        type: 'ClusterIP',
      },
    },
  ];
}

/** Binding modes of storage classes. */
export type VolumeBindingMode = 'Immediate' | 'WaitForFirstConsumer';

/** Returns the storage class `standard`, the default of claims, whose volumes the server provisions. */
export function standardClass(volumeBindingMode: VolumeBindingMode): JsonObject {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: {
      name: 'standard',
      annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
    },
    provisioner: 'volumes.test-server',
    reclaimPolicy: 'Delete',
    allowVolumeExpansion: true,
    volumeBindingMode,
  };
}

/** Address of the API server in Endpoints, which cannot contain that of the loopback interface. */
const apiServerAddress = '192.0.2.1';

/**
 * Returns further objects of the API server in the form in which they are stored: to write them through the
 * API would take a noticeable part of the start.
 */
export function storedSystemObjects(now: string): readonly JsonObject[] {
  const ready = { type: 'Ready', status: 'True', reason: '', message: 'Kubernetes Service CIDR is ready' };
  const port = { name: 'https', port: 6_443, protocol: 'TCP' };
  const metadata = { name: 'kubernetes', namespace: 'default' };
  return [
    {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { ...metadata, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
      subsets: [{ addresses: [{ ip: apiServerAddress }], ports: [port] }],
    },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...metadata, generation: 1, labels: { 'kubernetes.io/service-name': 'kubernetes' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [apiServerAddress], conditions: { ready: true } }],
      ports: [port],
    },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'ServiceCIDR',
      metadata: { name: 'kubernetes', finalizers: ['networking.k8s.io/service-cidr-finalizer'] },
      spec: { cidrs: [defaultRange] },
      status: { conditions: [{ ...ready, lastTransitionTime: now }] },
    },
    ...flowControlObjects(now),
  ];
}

function priorityClass(name: string, value: number, description: string): JsonObject {
  return {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value,
    description,
  };
}
