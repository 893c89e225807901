/**
 * State of a rollout as kubectl determines it, as a value.
 * @see https://github.com/kubernetes/kubectl/blob/master/pkg/polymorphichelpers/rollout_status.go
 */
import { listAt, memberAt, valueAt } from '../../common/fields.ts';

/** State of a rollout. */
export interface RolloutState {
  readonly done: boolean;
  /** Message of kubectl for the state. */
  readonly message: string;
}

/**
 * Returns the state of the rollout of a Deployment, DaemonSet or StatefulSet.
 * @throws {Error} if the rollout has failed, or the object has another kind or update strategy
 */
export function rolloutState(object: unknown): RolloutState {
  const kind = memberAt(object, 'kind');
  if (kind === 'Deployment') return deploymentState(object);
  if (kind === 'DaemonSet') return daemonSetState(object);
  if (kind === 'StatefulSet') return statefulSetState(object);
  throw new TypeError(`a rollout has the kind Deployment, DaemonSet or StatefulSet, got ${String(kind)}`);
}

const done = (message: string): RolloutState => ({ done: true, message });
const waiting = (message: string): RolloutState => ({ done: false, message });

function deploymentState(object: unknown): RolloutState {
  const name = nameOf(object);
  if (!isObserved(object)) return waiting('Waiting for deployment spec update to be observed...');
  const progressing = listAt(object, 'status', 'conditions').find(
    (one) => memberAt(one, 'type') === 'Progressing',
  );
  if (memberAt(progressing, 'reason') === 'ProgressDeadlineExceeded') {
    throw new Error(`deployment ${name} exceeded its progress deadline`);
  }
  const desired = numberAt(object, 'spec', 'replicas');
  const updated = numberAt(object, 'status', 'updatedReplicas');
  const all = numberAt(object, 'status', 'replicas');
  const available = numberAt(object, 'status', 'availableReplicas');
  const prefix = `Waiting for deployment ${name} rollout to finish:`;
  if (updated < desired)
    return waiting(`${prefix} ${updated} out of ${desired} new replicas have been updated...`);
  if (all > updated) return waiting(`${prefix} ${all - updated} old replicas are pending termination...`);
  if (available < updated)
    return waiting(`${prefix} ${available} of ${updated} updated replicas are available...`);
  return done(`deployment ${name} successfully rolled out`);
}

function daemonSetState(object: unknown): RolloutState {
  const name = nameOf(object);
  checkStrategy(object);
  if (!isObserved(object)) return waiting('Waiting for daemon set spec update to be observed...');
  const desired = numberAt(object, 'status', 'desiredNumberScheduled');
  const updated = numberAt(object, 'status', 'updatedNumberScheduled');
  const available = numberAt(object, 'status', 'numberAvailable');
  const prefix = `Waiting for daemon set ${name} rollout to finish:`;
  if (updated < desired)
    return waiting(`${prefix} ${updated} out of ${desired} new pods have been updated...`);
  if (available < desired)
    return waiting(`${prefix} ${available} of ${desired} updated pods are available...`);
  return done(`daemon set ${name} successfully rolled out`);
}

function statefulSetState(object: unknown): RolloutState {
  checkStrategy(object);
  const observed = numberAt(object, 'status', 'observedGeneration');
  if (observed === 0 || !isObserved(object)) {
    return waiting('Waiting for statefulset spec update to be observed...');
  }
  const desired = numberAt(object, 'spec', 'replicas');
  const ready = numberAt(object, 'status', 'readyReplicas');
  if (ready < desired) return waiting(`Waiting for ${desired - ready} pods to be ready...`);
  const updated = numberAt(object, 'status', 'updatedReplicas');
  const partition = memberAt(object, 'spec', 'updateStrategy', 'rollingUpdate', 'partition');
  if (typeof partition === 'number' && partition > 0) {
    const share = desired - partition;
    if (updated >= share)
      return done(`partitioned roll out complete: ${updated} new pods have been updated...`);
    const progress = `${updated} out of ${share} new pods have been updated...`;
    return waiting(`Waiting for partitioned roll out to finish: ${progress}`);
  }
  const revision = String(memberAt(object, 'status', 'updateRevision'));
  if (revision !== String(memberAt(object, 'status', 'currentRevision'))) {
    return waiting(
      `waiting for statefulset rolling update to complete ${updated} pods at revision ${revision}...`,
    );
  }
  const current = numberAt(object, 'status', 'currentReplicas');
  return done(`statefulset rolling update complete ${current} pods at revision ${revision}...`);
}

function isObserved(object: unknown): boolean {
  return numberAt(object, 'metadata', 'generation') <= numberAt(object, 'status', 'observedGeneration');
}

function checkStrategy(object: unknown): void {
  const strategy = memberAt(object, 'spec', 'updateStrategy', 'type');
  if (strategy === undefined || strategy === 'RollingUpdate') return;
  throw new TypeError(
    `rollout status is only available for the RollingUpdate strategy, got ${String(strategy)}`,
  );
}

function nameOf(object: unknown): string {
  return JSON.stringify(memberAt(object, 'metadata', 'name'));
}

function numberAt(object: unknown, ...path: readonly string[]): number {
  const value = valueAt(object, path);
  return typeof value === 'number' ? value : 0;
}
