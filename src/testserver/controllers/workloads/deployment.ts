import { array, type JsonObject, object, own, putAt, text } from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { conditionOf, isDeleting } from '../../store/object-facts.ts';
import { type Cluster, storageOf } from '../cluster.ts';
import { type Controller, ownerKeys, type Requeue } from '../controller.ts';
import { proportionalScale } from './deployment-scale.ts';
import {
  allSets,
  condition,
  counted,
  findSets,
  hasDeadline,
  limitsOf,
  newReplicas,
  recordedSize,
  replicasOf,
  requested,
  revisionOf,
  type Sets,
  scaleSet,
  syncSets,
} from './deployment-sets.ts';
import { isComplete, syncRollout, syncStatus } from './deployment-status.ts';
import { claim, selectingKeys } from './ownership.ts';
import { deployments, pods, replicaSets } from './paths.ts';

import { isFinished, number, withCondition } from './values.ts';

/** Rolls out the templates of Deployments by ReplicaSets. */
export const deploymentController: Controller = {
  name: 'deployments',
  keys: (change, cluster) => {
    const isSet = change.resource === storageOf(replicaSets);
    // The end of a pod may be what a Deployment with the strategy Recreate waits for.
    const isEndedPod = change.resource === storageOf(pods) && change.type === 'DELETED';
    return [
      ...ownerKeys(storageOf(deployments), deployments.kind, [storageOf(replicaSets)])(change, cluster),
      ...selectingKeys(deployments, isSet ? change.object : undefined, cluster),
      ...(isEndedPod
        ? cluster
            .controllerKeys(change, replicaSets.kind)
            .map((key) => cluster.get(replicaSets, key))
            .filter((set) => set !== undefined)
            .flatMap((object) =>
              cluster.controllerKeys({ ...change, object, previous: object }, deployments.kind),
            )
        : []),
    ];
  },
  *reconcile(key, cluster, requeue) {
    const found = cluster.get(deployments, key);
    if (found === undefined) return;
    if (isDeleting(found)) {
      yield* syncStatus(cluster, findSets(cluster, found));
      return;
    }
    yield* claim(cluster, deployments, found, { path: replicaSets });
    const deployment = yield* notePause(cluster, found);
    if (isPaused(deployment)) yield* rescale(cluster, deployment);
    else if (isScaling(cluster, deployment)) yield* rescale(cluster, deployment);
    else if (text(deployment, 'spec', 'strategy', 'type') === 'Recreate') {
      yield* recreate(cluster, deployment, requeue);
    } else yield* roll(cluster, deployment, requeue);
  },
};

function isPaused(deployment: JsonObject): boolean {
  return own(object(deployment, 'spec'), 'paused') === true;
}

/** The time of a pause does not count as a lack of progress. */
function* notePause(cluster: Cluster, deployment: JsonObject): Verb<JsonObject> {
  const before = conditionOf(deployment, 'Progressing');
  const reason = text(before, 'reason');
  const paused = isPaused(deployment);
  const isNoted = reason === 'DeploymentPaused';
  if (!hasDeadline(deployment) || reason === 'ProgressDeadlineExceeded' || paused === isNoted)
    return deployment;
  const news = paused
    ? { reason: 'DeploymentPaused', message: 'Deployment is paused' }
    : { reason: 'DeploymentResumed', message: 'Deployment is resumed' };
  const next = condition(cluster, 'Progressing', 'Unknown', news);
  const conditions = withCondition(array(deployment, 'status', 'conditions'), next);
  return yield* cluster.update(
    deployments,
    putAt(deployment, ['status', 'conditions'], conditions),
    'status',
  );
}

function isScaling(cluster: Cluster, deployment: JsonObject): boolean {
  return allSets(findSets(cluster, deployment))
    .filter((set) => replicasOf(set) > 0)
    .map((set) => recordedSize(set).desired)
    .some((desired) => desired !== null && desired !== replicasOf(deployment));
}

function* rescale(cluster: Cluster, deployment: JsonObject): Verb<void> {
  const sets = yield* syncSets(cluster, deployment, false);
  yield* proportionalScale(cluster, sets);
  if (isPaused(deployment)) yield* cleanUp(cluster, sets);
  yield* syncStatus(cluster, refreshed(cluster, sets));
}

/** Returns the ReplicaSets as they are after a change. */
function refreshed(cluster: Cluster, { deployment }: Sets): Sets {
  return findSets(cluster, deployment);
}

function* roll(cluster: Cluster, deployment: JsonObject, requeue: Requeue): Verb<void> {
  const sets = yield* syncSets(cluster, deployment, true);
  const grown = yield* grow(cluster, sets);
  const shrunk = grown ? false : yield* shrink(cluster, sets);
  if (!grown && !shrunk && isComplete(deployment, object(deployment, 'status')))
    yield* cleanUp(cluster, sets);
  yield* syncRollout(cluster, refreshed(cluster, sets), requeue);
}

/** Scales the current ReplicaSet as far as the surge allows. */
function* grow(cluster: Cluster, { deployment, current, old }: Sets): Verb<boolean> {
  if (current === undefined) return false;
  const [now, desired] = [replicasOf(current), replicasOf(deployment)];
  if (now === desired) return false;
  const next = now > desired ? desired : newReplicas(deployment, old, now);
  const { isScaled } = yield* scaleSet(cluster, deployment, current, next);
  return isScaled;
}

/** Scales old ReplicaSets down: unhealthy pods first, then as far as enough pods stay available. */
function* shrink(cluster: Cluster, sets: Sets): Verb<boolean> {
  const { deployment, current } = sets;
  const active = sets.old.filter((set) => replicasOf(set) > 0);
  if (active.length === 0) return false;
  const minimum = replicasOf(deployment) - limitsOf(deployment).unavailable;
  const starting = current === undefined ? 0 : replicasOf(current) - counted([current], 'availableReplicas');
  const limit = requested(allSets(sets)) - minimum - starting;
  if (limit <= 0) return false;
  const unhealthy = yield* shrinkBy(cluster, deployment, active, limit, (set) =>
    Math.max(0, replicasOf(set) - counted([set], 'availableReplicas')),
  );
  const available = counted(
    [...unhealthy.sets, ...(current === undefined ? [] : [current])],
    'availableReplicas',
  );
  const healthy = yield* shrinkBy(cluster, deployment, unhealthy.sets, available - minimum, replicasOf);
  return unhealthy.count + healthy.count > 0;
}

interface Shrunk {
  readonly sets: readonly JsonObject[];
  readonly count: number;
}

function* shrinkBy(
  cluster: Cluster,
  deployment: JsonObject,
  sets: readonly JsonObject[],
  limit: number,
  surplus: (set: JsonObject) => number,
): Verb<Shrunk> {
  let count = 0;
  const result: JsonObject[] = [];
  for (const set of sets) {
    const step = Math.max(0, Math.min(limit - count, surplus(set), replicasOf(set)));
    const { set: next } = yield* scaleSet(cluster, deployment, set, replicasOf(set) - step);
    result.push(next);
    count += step;
  }
  return { sets: result, count };
}

/** Deletes all old pods before the first new one is created. */
function* recreate(cluster: Cluster, deployment: JsonObject, requeue: Requeue): Verb<void> {
  const before = yield* syncSets(cluster, deployment, false);
  const active = before.old.filter((set) => replicasOf(set) > 0);
  for (const set of active) yield* scaleSet(cluster, before.deployment, set, 0);
  if (active.length > 0 || before.old.some((set) => hasPods(cluster, set))) {
    yield* syncRollout(cluster, refreshed(cluster, before), requeue);
    return;
  }
  const sets = yield* syncSets(cluster, before.deployment, true);
  if (sets.current !== undefined) {
    yield* scaleSet(cluster, sets.deployment, sets.current, replicasOf(deployment));
  }
  if (isComplete(deployment, object(deployment, 'status'))) yield* cleanUp(cluster, sets);
  yield* syncRollout(cluster, refreshed(cluster, sets), requeue);
}

function hasPods(cluster: Cluster, set: JsonObject): boolean {
  return cluster.controlled(pods, set).some((pod) => !isFinished(pod));
}

/** Deletes old ReplicaSets without pods beyond the limit of the history. */
function* cleanUp(cluster: Cluster, { deployment, old }: Sets): Verb<void> {
  const limit = number(deployment, 2 ** 31 - 1, 'spec', 'revisionHistoryLimit');
  const kept = old
    .filter((set) => !isDeleting(set))
    .toSorted((a, b) => Number(revisionOf(a) - revisionOf(b)));
  for (const set of kept.slice(0, Math.max(0, kept.length - limit))) {
    const isCurrent =
      number(set, 0, 'metadata', 'generation') <= number(set, 0, 'status', 'observedGeneration');
    const isEmpty = replicasOf(set) === 0 && counted([set], 'replicas') === 0;
    if (isEmpty && isCurrent) yield* cluster.remove(replicaSets, set);
  }
}
