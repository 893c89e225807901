/** The status of a Deployment: counts, availability and progress. */

import { array, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { conditionOf, nameOf } from '../../store/object-facts.ts';
import type { Cluster } from '../cluster.ts';
import type { Requeue } from '../controller.ts';
import {
  allSets,
  condition,
  counted,
  hasDeadline,
  limitsOf,
  replicasOf,
  requested,
  type Sets,
} from './deployment-sets.ts';
import { deployments } from './paths.ts';
import { number, sameStatus, statusOf, withCondition, withoutCondition } from './values.ts';

/** Returns the counts and the condition of availability. */
export function calculateStatus(cluster: Cluster, sets: Sets): JsonObject {
  const { deployment, current } = sets;
  const all = allSets(sets);
  const available = counted(all, 'availableReplicas');
  const isAvailable = available >= replicasOf(deployment) - limitsOf(deployment).unavailable;
  const availability = isAvailable
    ? { reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' }
    : { reason: 'MinimumReplicasUnavailable', message: 'Deployment does not have minimum availability.' };
  const state = condition(cluster, 'Available', isAvailable ? 'True' : 'False', availability);
  return {
    ...statusOf({
      observedGeneration: number(deployment, 0, 'metadata', 'generation'),
      replicas: counted(all, 'replicas'),
      updatedReplicas: current === undefined ? 0 : counted([current], 'replicas'),
      readyReplicas: counted(all, 'readyReplicas'),
      availableReplicas: available,
      unavailableReplicas: Math.max(0, requested(all) - available),
      collisionCount: own(object(deployment, 'status'), 'collisionCount'),
    }),
    ...terminating(all),
    conditions: withCondition(array(deployment, 'status', 'conditions'), state),
  };
}

/** The number is unknown until every ReplicaSet reports its own. */
function terminating(all: readonly JsonObject[]): JsonObject {
  const isKnown = all.every((set) => own(object(set, 'status'), 'terminatingReplicas') !== undefined);
  return isKnown ? { terminatingReplicas: counted(all, 'terminatingReplicas') } : {};
}

/** Returns whether all replicas are of the current template and available. */
export function isComplete(deployment: JsonObject, status: JsonObject): boolean {
  const replicas = replicasOf(deployment);
  return (
    ['updatedReplicas', 'replicas', 'availableReplicas'].every(
      (key) => number(status, 0, key) === replicas,
    ) && number(status, 0, 'observedGeneration') >= number(deployment, 0, 'metadata', 'generation')
  );
}

/** Writes the status while nothing is rolled out. */
export function* syncStatus(cluster: Cluster, sets: Sets): Verb<void> {
  const status = calculateStatus(cluster, sets);
  if (sameStatus(status, object(sets.deployment, 'status'))) return;
  yield* cluster.updateStatus(deployments, sets.deployment, status);
}

/** Writes the status with the progress of a rollout. */
export function* syncRollout(cluster: Cluster, sets: Sets, requeue: Requeue): Verb<void> {
  const { deployment } = sets;
  const base = calculateStatus(cluster, sets);
  const conditions = failures(sets, progress(cluster, sets, base));
  const status = { ...base, conditions };
  if (!sameStatus(status, object(deployment, 'status'))) {
    yield* cluster.updateStatus(deployments, deployment, status);
    return;
  }
  const left = untilDeadline(cluster, deployment, status);
  if (left !== undefined) requeue(left + 1_000);
}

function progress(cluster: Cluster, sets: Sets, status: JsonObject): readonly Json[] {
  const { deployment, current } = sets;
  const conditions = array(status, 'conditions');
  if (!hasDeadline(deployment)) return withoutCondition(conditions, 'Progressing');
  const before = conditionOf(deployment, 'Progressing');
  const isDone =
    number(status, 0, 'replicas') === number(status, 0, 'updatedReplicas') &&
    text(before, 'reason') === 'NewReplicaSetAvailable';
  if (isDone) return conditions;
  const subject =
    current === undefined
      ? `Deployment ${JSON.stringify(nameOf(deployment))}`
      : `ReplicaSet ${JSON.stringify(nameOf(current))}`;
  const next = (state: string, reason: string, message: string): JsonObject =>
    condition(cluster, 'Progressing', state, { reason, message: `${subject} ${message}` });
  if (isComplete(deployment, status)) {
    return withCondition(conditions, next('True', 'NewReplicaSetAvailable', 'has successfully progressed.'));
  }
  if (isProgressing(deployment, status)) {
    const moving = next('True', 'ReplicaSetUpdated', 'is progressing.');
    const time = text(before, 'status') === 'True' ? text(before, 'lastTransitionTime') : '';
    const kept = time === '' ? moving : { ...moving, lastTransitionTime: time };
    return [...withoutCondition(conditions, 'Progressing'), kept];
  }
  if (!isTimedOut(cluster, deployment, status)) return conditions;
  return withCondition(conditions, next('False', 'ProgressDeadlineExceeded', 'has timed out progressing.'));
}

function isProgressing(deployment: JsonObject, status: JsonObject): boolean {
  const before = object(deployment, 'status');
  const old = (value: JsonObject): number =>
    number(value, 0, 'replicas') - number(value, 0, 'updatedReplicas');
  const grows = (key: string): boolean => number(status, 0, key) > number(before, 0, key);
  return (
    grows('updatedReplicas') ||
    old(status) < old(before) ||
    grows('readyReplicas') ||
    grows('availableReplicas')
  );
}

function isTimedOut(cluster: Cluster, deployment: JsonObject, status: JsonObject): boolean {
  const before = conditionOf({ status }, 'Progressing');
  if (before === undefined || text(before, 'reason') === 'NewReplicaSetAvailable') return false;
  if (text(before, 'reason') === 'ProgressDeadlineExceeded') return true;
  return cluster.now() >= deadlineOf(deployment, before);
}

function deadlineOf(deployment: JsonObject, progressing: Json): number {
  const seconds = number(deployment, 600, 'spec', 'progressDeadlineSeconds');
  return Date.parse(text(progressing, 'lastUpdateTime')) + seconds * 1_000;
}

/** Returns the time until a lack of progress is reported. `undefined` if it will not be. */
function untilDeadline(cluster: Cluster, deployment: JsonObject, status: JsonObject): number | undefined {
  const before = conditionOf(deployment, 'Progressing');
  if (!hasDeadline(deployment) || before === undefined || isComplete(deployment, status)) return undefined;
  if (['ProgressDeadlineExceeded', 'NewReplicaSetAvailable'].includes(text(before, 'reason')))
    return undefined;
  return Math.max(0, deadlineOf(deployment, before) - cluster.now());
}

/** Copies the failure of a ReplicaSet to create pods. */
function failures(sets: Sets, conditions: readonly Json[]): readonly Json[] {
  const ordered = [...(sets.current === undefined ? [] : [sets.current]), ...allSets(sets)];
  const found = ordered
    .map((set) => conditionOf(set, 'ReplicaFailure'))
    .find((failure) => failure !== undefined);
  if (found === undefined) return withoutCondition(conditions, 'ReplicaFailure');
  const time = text(found, 'lastTransitionTime');
  return withCondition(conditions, { ...object(found), lastUpdateTime: time });
}
