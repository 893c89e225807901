/** Paths of the resources that controllers read and write. */
import type { ResourcePath } from '../cluster.ts';

export const pods: ResourcePath = { group: '', version: 'v1', kind: 'Pod', plural: 'pods' };
export const nodes: ResourcePath = { group: '', version: 'v1', kind: 'Node', plural: 'nodes' };
export const namespaces: ResourcePath = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces' };
export const services: ResourcePath = { group: '', version: 'v1', kind: 'Service', plural: 'services' };
export const endpoints: ResourcePath = { group: '', version: 'v1', kind: 'Endpoints', plural: 'endpoints' };
export const configMaps: ResourcePath = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps' };
export const secrets: ResourcePath = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets' };
export const serviceAccounts: ResourcePath = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
};
export const replicationControllers: ResourcePath = {
  group: '',
  version: 'v1',
  kind: 'ReplicationController',
  plural: 'replicationcontrollers',
};
export const volumeClaims: ResourcePath = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
};
export const volumes: ResourcePath = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
};
export const storageClasses: ResourcePath = storage('StorageClass', 'storageclasses');
export const volumeAttributesClasses: ResourcePath = storage(
  'VolumeAttributesClass',
  'volumeattributesclasses',
);
export const endpointSlices: ResourcePath = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
};
export const serviceCidrs: ResourcePath = networking('ServiceCIDR', 'servicecidrs');
export const ipAddresses: ResourcePath = networking('IPAddress', 'ipaddresses');
export const disruptionBudgets: ResourcePath = {
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
};
export const autoscalers: ResourcePath = {
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
};
export const deployments: ResourcePath = app('Deployment', 'deployments');
export const replicaSets: ResourcePath = app('ReplicaSet', 'replicasets');
export const statefulSets: ResourcePath = app('StatefulSet', 'statefulsets');
export const daemonSets: ResourcePath = app('DaemonSet', 'daemonsets');
export const controllerRevisions: ResourcePath = app('ControllerRevision', 'controllerrevisions');
export const jobs: ResourcePath = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs' };
export const cronJobs: ResourcePath = { group: 'batch', version: 'v1', kind: 'CronJob', plural: 'cronjobs' };

function app(kind: string, plural: string): ResourcePath {
  return { group: 'apps', version: 'v1', kind, plural };
}

function storage(kind: string, plural: string): ResourcePath {
  return { group: 'storage.k8s.io', version: 'v1', kind, plural };
}

function networking(kind: string, plural: string): ResourcePath {
  return { group: 'networking.k8s.io', version: 'v1', kind, plural };
}
