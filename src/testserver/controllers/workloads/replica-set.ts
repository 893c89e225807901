/** Controllers of ReplicaSets and ReplicationControllers. */
import { array, type Json, type JsonObject, object, text } from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { Failure } from '../../errors/status.ts';
import { isDeleting, nameOf } from '../../store/object-facts.ts';
import { type Cluster, type ResourcePath, storageOf } from '../cluster.ts';
import { type Controller, type ControllerName, ownerKeys, type Requeue } from '../controller.ts';
import { claim, selectingKeys } from './ownership.ts';
import { pods, replicaSets, replicationControllers } from './paths.ts';
import { batch, countPods, createPods, deletionOrder, removePods } from './replicas.ts';
import { isActive, isSelectedBy, isTerminating, number, podOf, sameStatus, statusOf } from './values.ts';

/** Creates and deletes pods until there are as many as the ReplicaSet requests. */
export const replicaSetController: Controller = replicaController('replicaSets', replicaSets);

/** Does the same for ReplicationControllers, whose selectors have only labels. */
export const replicationController: Controller = replicaController(
  'replicationControllers',
  replicationControllers,
);

function replicaController(name: ControllerName, path: ResourcePath): Controller {
  return {
    name,
    keys: (change, cluster) => [
      ...ownerKeys(storageOf(path), path.kind, [storageOf(pods)])(change, cluster),
      ...selectingKeys(path, change.resource === storageOf(pods) ? change.object : undefined, cluster),
    ],
    *reconcile(key, cluster, requeue) {
      const set = cluster.get(path, key);
      if (set === undefined) return;
      yield* claim(cluster, path, set, { path: pods });
      const failure = isDeleting(set) ? undefined : yield* scale(cluster, path, set);
      yield* updateStatus(cluster, path, key, requeue, failure);
      // It is retried.
      if (failure !== undefined) throw failure;
    },
  };
}

/** Returns the failure of a request, such as of a pod that a quota or a webhook refuses. */
function* scale(cluster: Cluster, path: ResourcePath, set: JsonObject): Verb<Failure | undefined> {
  const active = cluster.controlled(pods, set).filter(isActive);
  const missing = number(set, 1, 'spec', 'replicas') - active.length;
  if (missing > 0) {
    const template = object(set, 'spec', 'template');
    const pod = podOf(template, path, set, { generateName: `${nameOf(set)}-` });
    const created = Array.from({ length: Math.min(missing, batch) }, () => pod);
    return (yield* createPods(cluster, path, set, created)).failure;
  }
  try {
    const surplus = deletionOrder(active).slice(0, Math.min(-missing, batch));
    yield* removePods(cluster, path, set, surplus);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

function* updateStatus(
  cluster: Cluster,
  path: ResourcePath,
  key: string,
  requeue: Requeue,
  failure: Failure | undefined,
): Verb<void> {
  const set = cluster.get(path, key);
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
    ...(path === replicaSets ? { terminatingReplicas: controlled.filter(isTerminating).length } : {}),
  };
  if (!sameStatus(status, object(set, 'status'))) yield* cluster.updateStatus(path, set, status);
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
