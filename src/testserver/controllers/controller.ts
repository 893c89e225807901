import type { Verb } from '../call/verb.ts';
import type { Change } from '../store/store.ts';
import type { Cluster } from './cluster.ts';

/** Controllers that can be switched off. */
export type ControllerName =
  | 'garbageCollection'
  | 'namespaces'
  | 'deployments'
  | 'replicaSets'
  | 'replicationControllers'
  | 'statefulSets'
  | 'daemonSets'
  | 'jobs'
  | 'cronJobs'
  | 'pods'
  | 'endpoints'
  | 'endpointMirrors'
  | 'serviceAddresses'
  | 'disruptionBudgets'
  | 'autoscalers'
  | 'claimProtection'
  | 'persistentVolumes'
  | 'volumeProvisioner'
  | 'ephemeralVolumes'
  | 'certificates'
  | 'policyStatus'
  | 'resourceQuotas'
  | 'serviceAccounts'
  | 'rootCertificates'
  | 'clusterRoleAggregation';

/**
 * One controller of a cluster. Level-triggered: it compares the state of an object with its specification.
 */
export interface Controller {
  /** The name in options, or of a controller of the API server, which is always on. */
  readonly name: ControllerName | 'definitions' | 'flowSchemas';
  /** Returns the keys of objects that a change may concern. */
  readonly keys: (change: Change, cluster: Cluster) => readonly string[];
  /** Makes the changes that an object needs. A later call is requested with `cluster.requeue`. */
  readonly reconcile: (key: string, cluster: Cluster, requeue: Requeue) => Verb<void>;
}

/** Requests another reconciliation of the same key after `ms` milliseconds. */
export type Requeue = (ms: number) => void;

/**
 * Returns a controller that reconciles the objects of `resource`, and the owners among them of dependents.
 */
export function ownerKeys(
  resource: string,
  kind: string,
  dependents: readonly string[],
): (change: Change, cluster: Cluster) => readonly string[] {
  return (change, cluster) => {
    if (change.resource === resource) return [change.key];
    if (!dependents.includes(change.resource)) return [];
    return cluster.controllerKeys(change, kind);
  };
}
