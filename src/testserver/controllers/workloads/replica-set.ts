/** Controller of ReplicaSets, and rules about pods and owners that other workloads share. */
import { array, type Json, type JsonObject, object, own, putAt, text } from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { Failure } from '../../errors/status.ts';
import { controllerOf, isDeleting, isReady, nameOf, namespaceOf } from '../../store/object-facts.ts';
import { type Cluster, controllerReference, type ResourcePath, storageOf } from '../cluster.ts';
import { type Controller, ownerKeys, type Requeue } from '../controller.ts';
import { pods, replicaSets } from './paths.ts';
import {
  earliest,
  isActive,
  isSelectedBy,
  latest,
  number,
  podOf,
  sameStatus,
  statusOf,
  untilAvailable,
} from './values.ts';

/** Creates and deletes pods until there are as many as the ReplicaSet requests. */
export const replicaSetController: Controller = {
  name: 'replicaSets',
  keys: (change, cluster) => [
    ...ownerKeys(storageOf(replicaSets), replicaSets.kind, [storageOf(pods)])(change, cluster),
    ...selectingKeys(replicaSets, change.resource === storageOf(pods) ? change.object : undefined, cluster),
  ],
  *reconcile(key, cluster, requeue) {
    const set = cluster.get(replicaSets, key);
    if (set === undefined) return;
    let failure: Failure | undefined;
    if (!isDeleting(set)) {
      yield* adopt(cluster, replicaSets, set, pods);
      failure = yield* failureOf(scale(cluster, set));
    }
    yield* updateStatus(cluster, key, requeue, failure);
    // It is retried.
    if (failure !== undefined) throw failure;
  },
};

/** Returns the keys of the objects whose selector selects a dependent without a controller. */
export function selectingKeys(
  path: ResourcePath,
  dependent: JsonObject | undefined,
  cluster: Cluster,
): readonly string[] {
  if (dependent === undefined || controllerOf(dependent) !== undefined || isDeleting(dependent)) return [];
  return cluster
    .list(path, namespaceOf(dependent))
    .filter((owner) => isSelectedBy(own(object(owner, 'spec'), 'selector'), dependent))
    .map((owner) => `${namespaceOf(owner)}/${nameOf(owner)}`);
}

/** Makes an owner the controller of the objects without one that it selects. */
export function* adopt(
  cluster: Cluster,
  path: ResourcePath,
  owner: JsonObject,
  dependents: ResourcePath,
): Verb<void> {
  const selector = own(object(owner, 'spec'), 'selector');
  for (const value of cluster.orphans(dependents, namespaceOf(owner))) {
    if (isDeleting(value) || !isSelectedBy(selector, value)) continue;
    const references = array(value, 'metadata', 'ownerReferences');
    const adopted = [...references, controllerReference(path, owner)];
    yield* cluster.update(dependents, putAt(value, ['metadata', 'ownerReferences'], adopted));
  }
}

/** Returns the failure of a request, such as of a pod that a quota or a webhook refuses. */
function* failureOf(requests: Verb<void>): Verb<Failure | undefined> {
  try {
    yield* requests;
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

function* scale(cluster: Cluster, set: JsonObject): Verb<void> {
  const active = cluster.controlled(pods, set).filter(isActive);
  const desired = number(set, 1, 'spec', 'replicas');
  for (let count = active.length; count < desired; count += 1) {
    const template = object(set, 'spec', 'template');
    yield* cluster.create(pods, podOf(template, replicaSets, set, { generateName: `${nameOf(set)}-` }));
  }
  const surplus = active.length - desired;
  for (const pod of deletionOrder(active).slice(0, Math.max(surplus, 0))) yield* cluster.remove(pods, pod);
}

/** Returns pods in the order in which they are deleted: those that serve least come first. */
export function deletionOrder(found: readonly JsonObject[]): readonly JsonObject[] {
  const perNode = new Map<string, number>();
  for (const pod of found) {
    const node = text(pod, 'spec', 'nodeName');
    perNode.set(node, (perNode.get(node) ?? 0) + 1);
  }
  const rank = (pod: JsonObject): readonly (number | string)[] => [
    text(pod, 'spec', 'nodeName') === '' ? 0 : 1,
    ['Pending', 'Unknown', 'Running'].indexOf(text(pod, 'status', 'phase')),
    isReady(pod) ? 1 : 0,
    Number(text(pod, 'metadata', 'annotations', 'controller.kubernetes.io/pod-deletion-cost') || 0),
    -(perNode.get(text(pod, 'spec', 'nodeName')) ?? 0),
    -restarts(pod),
  ];
  return found.toSorted((a, b) => {
    const [left, right] = [rank(a), rank(b)];
    const index = left.findIndex((part, position) => part !== right[position]);
    if (index >= 0) return (left[index] ?? 0) < (right[index] ?? 0) ? -1 : 1;
    // Newer pods first.
    const [first, second] = [a, b].map((pod) => text(pod, 'metadata', 'creationTimestamp'));
    if (first !== second) return (first ?? '') > (second ?? '') ? -1 : 1;
    return nameOf(a) < nameOf(b) ? -1 : 1;
  });
}

function restarts(pod: JsonObject): number {
  const counts = array(pod, 'status', 'containerStatuses').map((status) => number(status, 0, 'restartCount'));
  return latest(counts);
}

/** Numbers of pods for a status. */
export interface PodCounts {
  readonly ready: number;
  readonly available: number;
  /** Milliseconds until another pod becomes available. `undefined` if none will. */
  readonly next: number | undefined;
}

/** Counts ready pods, and those that have been ready for `minReadySeconds`. */
export function countPods(found: readonly JsonObject[], minReadySeconds: number, now: number): PodCounts {
  const times = found
    .map((pod) => untilAvailable(pod, minReadySeconds, now))
    .filter((time) => time !== undefined);
  const waiting = times.filter((time) => time > 0);
  return {
    ready: times.length,
    available: times.length - waiting.length,
    next: earliest(waiting),
  };
}

function* updateStatus(
  cluster: Cluster,
  key: string,
  requeue: Requeue,
  failure: Failure | undefined,
): Verb<void> {
  const set = cluster.get(replicaSets, key);
  if (set === undefined) return;
  const controlled = cluster.controlled(pods, set);
  const active = controlled.filter(isActive);
  const { ready, available, next } = countPods(
    active,
    number(set, 0, 'spec', 'minReadySeconds'),
    cluster.now(),
  );
  const labels = object(set, 'spec', 'template', 'metadata', 'labels');
  const surplus = active.length - number(set, 1, 'spec', 'replicas');
  const status = {
    replicas: active.length,
    ...statusOf({
      fullyLabeledReplicas: active.filter((pod) => isSelectedBy({ matchLabels: labels }, pod)).length,
      readyReplicas: ready,
      availableReplicas: available,
      observedGeneration: number(set, 0, 'metadata', 'generation'),
      conditions: conditionsOf(cluster, set, surplus, failure),
    }),
    terminatingReplicas: controlled.filter(isDeleting).length,
  };
  if (!sameStatus(status, object(set, 'status'))) yield* cluster.updateStatus(replicaSets, set, status);
  if (next !== undefined) requeue(next);
}

/** Returns the conditions after pods were created or deleted. A failure lasts until the first success. */
function conditionsOf(
  cluster: Cluster,
  set: JsonObject,
  surplus: number,
  failure: Failure | undefined,
): readonly Json[] {
  const type = 'ReplicaFailure';
  const conditions = array(set, 'status', 'conditions');
  const found = conditions.find((condition) => text(condition, 'type') === type);
  if (failure === undefined) return conditions.filter((condition) => condition !== found);
  if (found !== undefined) return conditions;
  const reason = surplus > 0 ? 'FailedDelete' : 'FailedCreate';
  const lastTransitionTime = cluster.timestamp();
  return [...conditions, { type, status: 'True', reason, message: failure.message, lastTransitionTime }];
}
