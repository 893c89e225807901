import {
  array,
  type Json,
  type JsonObject,
  object,
  own,
  putAt,
  strings,
  text,
} from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { isConditionTrue, isDeleting, isReady, nameOf } from '../../store/object-facts.ts';
import { type Cluster, storageOf } from '../cluster.ts';
import { type Controller, ownerKeys, type Requeue } from '../controller.ts';
import { formatIndexes, indexLabel, missingIndexes, succeededIndexes } from './job-indexes.ts';
import { jobs, pods } from './paths.ts';
import { isActive, latest, number, podOf, sameStatus, statusOf, withCondition } from './values.ts';

/** Finalizer of the pods of Jobs, which is removed once they are counted. */
const trackingFinalizer = 'batch.kubernetes.io/job-tracking';

/** Runs the pods of Jobs until enough of them succeed. */
export const jobController: Controller = {
  name: 'jobs',
  keys: ownerKeys(storageOf(jobs), jobs.kind, [storageOf(pods)]),
  *reconcile(key, cluster, requeue) {
    const job = cluster.get(jobs, key);
    if (job === undefined) return;
    if (isDeleting(job) || isDone(job)) {
      yield* release(cluster, job);
      if (!isDeleting(job)) yield* expire(cluster, job, requeue);
      return;
    }
    const next = yield* sync(cluster, job, requeue);
    if (!sameStatus(next, object(job, 'status'))) yield* cluster.updateStatus(jobs, job, next);
    yield* release(cluster, job);
  },
};

function isDone(job: JsonObject): boolean {
  return ['Complete', 'Failed'].some((type) => isConditionTrue(job, type));
}

/** Removes the finalizer of the pods that ended, which the status counts. */
function* release(cluster: Cluster, job: JsonObject): Verb<void> {
  for (const pod of cluster.controlled(pods, job)) {
    const finalizers = strings(pod, 'metadata', 'finalizers');
    if (isActive(pod) || !finalizers.includes(trackingFinalizer)) continue;
    const rest = finalizers.filter((name) => name !== trackingFinalizer);
    yield* cluster.update(pods, putAt(pod, ['metadata', 'finalizers'], rest));
  }
}

/** Deletes a finished Job after its time to live. */
function* expire(cluster: Cluster, job: JsonObject, requeue: Requeue): Verb<void> {
  const ttl = own(object(job, 'spec'), 'ttlSecondsAfterFinished');
  if (typeof ttl !== 'number') return;
  const finished = array(job, 'status', 'conditions').find((condition) =>
    ['Complete', 'Failed'].includes(text(condition, 'type')),
  );
  const left = Date.parse(text(finished, 'lastTransitionTime')) + ttl * 1_000 - cluster.now();
  if (left > 0) requeue(left);
  else yield* cluster.remove(jobs, job, { propagationPolicy: 'Foreground' });
}

/** Numbers of the pods of a Job. */
interface Tally {
  readonly active: readonly JsonObject[];
  readonly succeeded: number;
  readonly failed: number;
  readonly indexes: readonly number[];
}

/** Creates or deletes pods, and returns the new status. */
function* sync(cluster: Cluster, job: JsonObject, requeue: Requeue): Verb<JsonObject> {
  const tally = tallyOf(cluster, job);
  const failure = failureOf(cluster, job, tally, requeue);
  if (failure !== undefined) return yield* finish(cluster, job, tally, 'Failed', failure);
  const completions = own(object(job, 'spec'), 'completions');
  const isComplete =
    typeof completions === 'number'
      ? tally.succeeded >= completions
      : tally.succeeded > 0 && tally.active.length === 0;
  if (isComplete) {
    const why = {
      reason: 'CompletionsReached',
      message: 'Reached expected number of succeeded pods',
    };
    return yield* finish(cluster, job, tally, 'Complete', why);
  }
  const isSuspended = own(object(job, 'spec'), 'suspend') === true;
  const active = isSuspended ? yield* stopAll(cluster, tally) : yield* scale(cluster, job, tally, requeue);
  return statusAfter(cluster, job, { ...tally, active }, suspension(cluster, job, isSuspended));
}

function tallyOf(cluster: Cluster, job: JsonObject): Tally {
  const all = cluster.controlled(pods, job);
  const active = all.filter(isActive);
  const status = object(job, 'status');
  // Pods that were counted before may be deleted since, so that only those with the finalizer are new.
  const ended = all.filter(
    (pod) => !isActive(pod) && strings(pod, 'metadata', 'finalizers').includes(trackingFinalizer),
  );
  const hasSucceeded = (pod: JsonObject): boolean => text(pod, 'status', 'phase') === 'Succeeded';
  const indexes = isIndexed(job) ? succeededIndexes(status, ended.filter(hasSucceeded)) : [];
  const succeeded = number(status, 0, 'succeeded') + ended.filter(hasSucceeded).length;
  return {
    active,
    succeeded: isIndexed(job) ? indexes.length : succeeded,
    failed: number(status, 0, 'failed') + ended.filter((pod) => !hasSucceeded(pod)).length,
    indexes,
  };
}

function isIndexed(job: JsonObject): boolean {
  return text(job, 'spec', 'completionMode') === 'Indexed';
}

interface Reason {
  readonly reason: string;
  readonly message: string;
}

function failureOf(cluster: Cluster, job: JsonObject, tally: Tally, requeue: Requeue): Reason | undefined {
  const limit = number(job, 6, 'spec', 'backoffLimit');
  const restarts = tally.active
    .flatMap((pod) => array(pod, 'status', 'containerStatuses'))
    .reduce<number>((sum, status) => sum + number(status, 0, 'restartCount'), 0);
  const isExceeded = tally.failed > limit || (limit > 0 && restarts >= limit && restartsInPlace(job));
  if (isExceeded) {
    return { reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' };
  }
  const seconds = own(object(job, 'spec'), 'activeDeadlineSeconds');
  const start = Date.parse(text(job, 'status', 'startTime'));
  if (typeof seconds !== 'number' || own(object(job, 'spec'), 'suspend') === true) return undefined;
  const left = (Number.isNaN(start) ? cluster.now() : start) + seconds * 1_000 - cluster.now();
  if (left <= 0) {
    return { reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' };
  }
  requeue(left);
  return undefined;
}

function restartsInPlace(job: JsonObject): boolean {
  return text(job, 'spec', 'template', 'spec', 'restartPolicy') === 'OnFailure';
}

function* stopAll(cluster: Cluster, { active }: Tally): Verb<readonly JsonObject[]> {
  for (const pod of active) yield* cluster.remove(pods, pod);
  return [];
}

/** Returns the active pods after pods were created or deleted. */
function* scale(
  cluster: Cluster,
  job: JsonObject,
  { active, succeeded, failed, indexes }: Tally,
  requeue: Requeue,
): Verb<readonly JsonObject[]> {
  const parallelism = number(job, 1, 'spec', 'parallelism');
  const completions = own(object(job, 'spec'), 'completions');
  const open =
    typeof completions === 'number' ? completions - succeeded : succeeded > 0 ? active.length : parallelism;
  const desired = Math.max(0, Math.min(parallelism, open));
  const surplus = active.slice(0, Math.max(0, active.length - desired));
  for (const pod of surplus) yield* cluster.remove(pods, pod);
  const left = failed > number(job, 0, 'status', 'failed') ? 0 : backoffLeft(cluster, job, failed);
  if (left > 0 && active.length < desired) {
    requeue(left);
    return active;
  }
  const missing = isIndexed(job) ? missingIndexes(Number(completions), indexes, active) : [];
  const created: JsonObject[] = [];
  for (let count = active.length; count < desired; count += 1) {
    created.push(yield* createPod(cluster, job, missing[created.length]));
  }
  return [...active.filter((pod) => !surplus.includes(pod)), ...created];
}

/** Failed pods are replaced after 10 s, 20 s and so on. */
function backoffLeft(cluster: Cluster, job: JsonObject, failed: number): number {
  if (failed === 0) return 0;
  const ends = cluster
    .controlled(pods, job)
    .filter((pod) => text(pod, 'status', 'phase') === 'Failed')
    .flatMap((pod) => array(pod, 'status', 'containerStatuses'))
    .map((status) => Date.parse(text(status, 'state', 'terminated', 'finishedAt')))
    .filter((time) => !Number.isNaN(time));
  if (ends.length === 0) return 0;
  return latest(ends) + Math.min(10_000 * 2 ** (failed - 1), 600_000) - cluster.now();
}

function* createPod(cluster: Cluster, job: JsonObject, index: number | undefined): Verb<JsonObject> {
  const template = object(job, 'spec', 'template');
  const metadata = {
    generateName: index === undefined ? `${nameOf(job)}-` : `${nameOf(job)}-${index}-`,
    finalizers: [...strings(template, 'metadata', 'finalizers'), trackingFinalizer],
  };
  const pod = podOf(template, jobs, job, metadata);
  return yield* cluster.create(pods, index === undefined ? pod : withIndex(job, pod, index));
}

function withIndex(job: JsonObject, pod: JsonObject, index: number): JsonObject {
  const value = String(index);
  const labels = { ...object(pod, 'metadata', 'labels'), [indexLabel]: value };
  const annotations = { ...object(pod, 'metadata', 'annotations'), [indexLabel]: value };
  const metadata = { ...object(pod, 'metadata'), labels, annotations };
  const env = {
    name: 'JOB_COMPLETION_INDEX',
    valueFrom: { fieldRef: { fieldPath: `metadata.labels['${indexLabel}']` } },
  };
  const containers = array(pod, 'spec', 'containers').map((container) => ({
    ...object(container),
    env: [...array(container, 'env'), env],
  }));
  const spec = { ...object(pod, 'spec'), hostname: `${nameOf(job)}-${index}`, containers };
  return { ...pod, metadata, spec };
}

/** Ends a Job: its active pods are deleted first. */
function* finish(
  cluster: Cluster,
  job: JsonObject,
  tally: Tally,
  type: 'Complete' | 'Failed',
  why: Reason,
): Verb<JsonObject> {
  const active = yield* stopAll(cluster, tally);
  const cause = type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
  const now = cluster.timestamp();
  const stamps = { lastProbeTime: now, lastTransitionTime: now };
  const conditions = [cause, type].reduce<readonly Json[]>(
    (all, name) => withCondition(all, { type: name, status: 'True', ...stamps, ...why }),
    array(job, 'status', 'conditions'),
  );
  const failed = type === 'Failed' ? tally.failed + tally.active.length : tally.failed;
  const status = statusAfter(cluster, job, { ...tally, failed, active }, conditions);
  return type === 'Complete' ? { ...status, completionTime: now } : status;
}

function suspension(cluster: Cluster, job: JsonObject, isSuspended: boolean): readonly Json[] {
  const conditions = array(job, 'status', 'conditions');
  if (isSuspended === isConditionTrue(job, 'Suspended')) return conditions;
  const now = cluster.timestamp();
  return withCondition(conditions, {
    type: 'Suspended',
    status: isSuspended ? 'True' : 'False',
    lastProbeTime: now,
    lastTransitionTime: now,
    reason: isSuspended ? 'JobSuspended' : 'JobResumed',
    message: isSuspended ? 'Job suspended' : 'Job resumed',
  });
}

function statusAfter(
  cluster: Cluster,
  job: JsonObject,
  { active, succeeded, failed, indexes }: Tally,
  conditions: readonly Json[],
): JsonObject {
  const before = object(job, 'status');
  const isSuspended = own(object(job, 'spec'), 'suspend') === true;
  const startTime = text(before, 'startTime') || (isSuspended ? undefined : cluster.timestamp());
  const terminating = cluster.controlled(pods, job).filter((pod) => isDeleting(pod) && !isActive(pod)).length;
  return {
    ...statusOf({
      active: active.length,
      conditions,
      completedIndexes: indexes.length === 0 ? undefined : formatIndexes(indexes),
      failed,
      startTime,
      succeeded,
    }),
    ready: active.filter(isReady).length,
    terminating,
    uncountedTerminatedPods: {},
  };
}
