/** The pods of a Job as its status counts them. */
import { array, type JsonObject, object, own, strings, text } from '@kgen/schema/values/json';
import { isConditionTrue, isReady } from '../../../store/object-facts.ts';
import { isActive, isFinished, isTerminating, latest, number } from '../values.ts';
import { contains, type Intervals, indexesOf, indexOf, parseIndexes, total, union } from './indexes.ts';
import { endOf, failureCounts, failureEffect, failuresBefore, hasFailed } from './policies.ts';

/** Finalizer of the pods of Jobs, which is removed once they are counted. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';

/** UIDs of pods that ended and whose finalizer may still exist, in the order in which they were found. */
export interface Uncounted {
  readonly succeeded: readonly string[];
  readonly failed: readonly string[];
}

/** A Job, its pods and their numbers. */
export interface JobView {
  readonly job: JsonObject;
  readonly pods: readonly JsonObject[];
  readonly active: readonly JsonObject[];
  readonly ready: number;
  /** Number of pods that are being deleted and have not ended. */
  readonly terminating: number;
  readonly uncounted: Uncounted;
  readonly succeeded: number;
  readonly failed: number;
  /** Indexes that succeeded by the status, and those of pods that ended since. */
  readonly indexes: { readonly before: Intervals; readonly succeeded: Intervals };
  /** `undefined` without a limit for each index. */
  readonly failedIndexes: Intervals | undefined;
  /** By index: the last pod that failed, whose replacement has to continue its count. */
  readonly replaced: ReadonlyMap<number, JsonObject>;
  /** Failures since the last success, and the time of the last one. */
  readonly failures: { readonly count: number; readonly lastEnd: number };
}

/** Returns the numbers of the pods of a Job. */
export function viewOf(job: JsonObject, pods: readonly JsonObject[]): JobView {
  const status = object(job, 'status');
  const uncounted = {
    succeeded: strings(status, 'uncountedTerminatedPods', 'succeeded'),
    failed: strings(status, 'uncountedTerminatedPods', 'failed'),
  };
  const isNew = (pod: JsonObject, known: readonly string[]): boolean =>
    isTracked(pod) && !known.includes(uidOf(pod)) && (!isIndexed(job) || hasValidIndex(job, pod));
  const succeeded = pods.filter((pod) => hasSucceeded(pod) && isNew(pod, uncounted.succeeded));
  const failed = pods.filter((pod) => hasFailed(job, pod) && isNew(pod, uncounted.failed));
  const before = parseIndexes(text(status, 'completedIndexes'), completionsOf(job));
  const tracked = pods.filter((pod) => hasSucceeded(pod) && isTracked(pod) && hasValidIndex(job, pod));
  const indexes = { before, succeeded: isIndexed(job) ? union(before, indexesOf(tracked)) : [] };
  const failedIndexes = hasIndexLimit(job) ? failedIndexesOf(job, pods) : undefined;
  const active = pods.filter(isActive);
  return {
    job,
    pods,
    active,
    ready: active.filter(isReady).length,
    terminating: pods.filter(isTerminating).length,
    uncounted,
    succeeded: isIndexed(job)
      ? total(indexes.succeeded)
      : number(status, 0, 'succeeded') + succeeded.length + uncounted.succeeded.length,
    failed:
      number(status, 0, 'failed') +
      failed.filter((pod) => failureEffect(job, pod).counts).length +
      uncounted.failed.length,
    indexes,
    failedIndexes,
    replaced: hasIndexLimit(job)
      ? replacedPods(job, failed, active, union(indexes.succeeded, failedIndexes ?? []))
      : new Map(),
    failures: failuresOf(job, pods),
  };
}

/** Returns the UID of an object. */
export function uidOf(value: JsonObject): string {
  return text(value, 'metadata', 'uid');
}

/** Returns whether a pod has not been counted for good. */
export function isTracked(pod: JsonObject): boolean {
  return strings(pod, 'metadata', 'finalizers').includes(trackingFinalizer);
}

export function hasSucceeded(pod: JsonObject): boolean {
  return text(pod, 'status', 'phase') === 'Succeeded';
}

/** Returns whether a Job is complete or has failed. */
export function isDone(job: JsonObject): boolean {
  return ['Complete', 'Failed'].some((type) => isConditionTrue(job, type));
}

export function isIndexed(job: JsonObject): boolean {
  return text(job, 'spec', 'completionMode') === 'Indexed';
}

export function isSuspended(job: JsonObject): boolean {
  return own(object(job, 'spec'), 'suspend') === true;
}

/** Returns whether the failures of each index are limited. */
export function hasIndexLimit(job: JsonObject): boolean {
  return isIndexed(job) && own(object(job, 'spec'), 'backoffLimitPerIndex') !== undefined;
}

/** Returns the number of completions of a Job with indexes. */
export function completionsOf(job: JsonObject): number {
  return number(job, 0, 'spec', 'completions');
}

export function hasValidIndex(job: JsonObject, pod: JsonObject): boolean {
  const index = indexOf(pod);
  return index !== undefined && index < completionsOf(job);
}

function failedIndexesOf(job: JsonObject, pods: readonly JsonObject[]): Intervals {
  const failed = pods.filter(
    (pod) => isTracked(pod) && hasValidIndex(job, pod) && hasFailed(job, pod) && isIndexLost(job, pod),
  );
  const before = parseIndexes(text(job, 'status', 'failedIndexes'), completionsOf(job));
  return union(before, indexesOf(failed));
}

function isIndexLost(job: JsonObject, pod: JsonObject): boolean {
  const { action, counts } = failureEffect(job, pod);
  const limit = number(job, 0, 'spec', 'backoffLimitPerIndex');
  return action === 'FailIndex' || (counts && failuresBefore(pod, failureCounts.counted) >= limit);
}

function replacedPods(
  job: JsonObject,
  failed: readonly JsonObject[],
  active: readonly JsonObject[],
  done: Intervals,
): ReadonlyMap<number, JsonObject> {
  const closed = union(done, indexesOf(active));
  const result = new Map<number, JsonObject>();
  for (const pod of failed) {
    const index = indexOf(pod);
    if (index === undefined || !hasValidIndex(job, pod) || contains(closed, index)) continue;
    const known = result.get(index);
    if (known === undefined || isLater(pod, known)) result.set(index, pod);
  }
  return result;
}

function isLater(pod: JsonObject, other: JsonObject): boolean {
  return allFailuresBefore(other) <= allFailuresBefore(pod) && endOf(pod) >= endOf(other);
}

/** Returns the number of failures of the index of a pod before it, those that do not count included. */
export function allFailuresBefore(pod: JsonObject): number {
  return failuresBefore(pod, failureCounts.counted) + failuresBefore(pod, failureCounts.ignored);
}

function failuresOf(job: JsonObject, pods: readonly JsonObject[]): JobView['failures'] {
  const lastSuccess = latest(pods.filter(hasSucceeded).map(endOf));
  const ends = pods
    .filter((pod) => hasFailed(job, pod))
    .map(endOf)
    .filter((time) => time > lastSuccess);
  return { count: ends.length, lastEnd: latest(ends) };
}

/** Returns the container restarts of pods that have not ended. */
export function restartsOf(pods: readonly JsonObject[]): number {
  return pods
    .filter((pod) => !isFinished(pod))
    .flatMap((pod) =>
      ['initContainerStatuses', 'containerStatuses'].flatMap((key) => array(pod, 'status', key)),
    )
    .reduce<number>((sum, status) => sum + number(status, 0, 'restartCount'), 0);
}
