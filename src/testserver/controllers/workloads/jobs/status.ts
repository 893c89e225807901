/** The status of a Job, and the finalizers of its pods, which keep them until the status counts them. */
import { array, compact, type Json, type JsonObject, object, omit, text } from '@kgen/schema/values/json';
import type { Verb } from '../../../call/verb.ts';
import { isConditionTrue, isDeleting, nameOf, namespaceOf } from '../../../store/object-facts.ts';
import { type Cluster, keyOf } from '../../cluster.ts';
import { recordEvent } from '../../events.ts';
import { withoutFinalizer } from '../ownership.ts';
import { jobs, pods } from '../paths.ts';
import { number, sameStatus, statusOf } from '../values.ts';
import { formatIndexes, type Intervals, indexesOf, indexOf, total, union } from './indexes.ts';
import type { PodNumbers } from './pods.ts';
import { failureEffect, hasFailed } from './policies.ts';
import {
  hasIndexLimit,
  hasSucceeded,
  hasValidIndex,
  isIndexed,
  isSuspended,
  isTracked,
  type JobView,
  trackingFinalizer,
  type Uncounted,
  uidOf,
} from './view.ts';

/** Pods that are counted in one write of the status at most. */
const mostUncounted = 500;

/**
 * Writes the status in two steps: first with the UIDs of the pods that ended, then, after their finalizers
 * were removed, with their numbers. A controller that stops between the steps counts no pod twice.
 *
 * @param verdict the condition by which the Job ends
 * @param isScaled whether the number of pods was compared with the requested one
 */
export function* track(
  cluster: Cluster,
  view: JobView,
  numbers: PodNumbers,
  verdict: JsonObject | undefined,
  isScaled: boolean,
): Verb<void> {
  const ended = endedPods(view, verdict);
  const first = statusBefore(cluster, view, numbers, ended, { verdict, isScaled });
  recordSuspension(cluster, view.job, first);
  const counting = yield* writeStatus(cluster, view.job, first);
  for (const pod of ended.pods) yield* removeFinalizer(cluster, pod);
  const counted = countedStatus(object(counting, 'status'), new Set(ended.kept));
  const isOver = verdict !== undefined && !ended.isCut && numbers.terminating === 0 && isAllCounted(counted);
  yield* writeStatus(cluster, counting, isOver ? withEnd(cluster, counted, verdict) : counted);
  if (isOver) recordEnd(cluster, counting, verdict);
}

function recordSuspension(cluster: Cluster, job: JsonObject, status: JsonObject): void {
  const next = isConditionTrue({ status }, 'Suspended');
  if (next === isConditionTrue(job, 'Suspended')) return;
  const event = next
    ? { reason: 'Suspended', message: 'Job suspended' }
    : { reason: 'Resumed', message: 'Job resumed' };
  recordEvent(cluster, jobs, job, event);
}

function recordEnd(cluster: Cluster, job: JsonObject, verdict: JsonObject): void {
  const isSuccess = text(verdict, 'type') === 'SuccessCriteriaMet';
  const [reason, message] = [text(verdict, 'reason'), text(verdict, 'message')];
  recordEvent(
    cluster,
    jobs,
    job,
    isSuccess ? { reason: 'Completed', message: 'Job completed' } : { reason, message, type: 'Warning' },
  );
}

/** Pods whose finalizer can be removed. */
interface EndedPods {
  readonly pods: readonly JsonObject[];
  readonly uncounted: Uncounted;
  readonly indexes: Intervals;
  /** UIDs of the pods whose finalizer remains. */
  readonly kept: readonly string[];
  /** Whether there are more pods than one write counts. */
  readonly isCut: boolean;
}

function endedPods(view: JobView, verdict: JsonObject | undefined): EndedPods {
  const { job, indexes } = view;
  const tracked = view.pods.filter(isTracked);
  const all = tracked.filter((pod) => isReleasable(view, pod, verdict));
  const released = all.slice(0, mostUncounted);
  const known = new Set([...view.uncounted.failed, ...view.uncounted.succeeded]);
  const isFailure = verdict !== undefined && text(verdict, 'type') !== 'SuccessCriteriaMet';
  const succeeded = released.filter((pod) => hasSucceeded(pod) && !known.has(uidOf(pod)));
  const failed = released.filter(
    (pod) =>
      !hasSucceeded(pod) &&
      (hasFailed(job, pod) || isFailure) &&
      !known.has(uidOf(pod)) &&
      (!isIndexed(job) || hasValidIndex(job, pod)) &&
      failureEffect(job, pod).counts,
  );
  const valid = succeeded.filter((pod) => hasValidIndex(job, pod));
  return {
    pods: released,
    uncounted: {
      succeeded: [...view.uncounted.succeeded, ...(isIndexed(job) ? [] : succeeded.map(uidOf))],
      failed: [...view.uncounted.failed, ...failed.map(uidOf)],
    },
    indexes: isIndexed(job) ? union(indexes.before, indexesOf(valid)) : [],
    kept: tracked.filter((pod) => !released.includes(pod)).map(uidOf),
    isCut: all.length > released.length,
  };
}

function isReleasable({ job, replaced }: JobView, pod: JsonObject, verdict: JsonObject | undefined): boolean {
  if (isDeleting(job) || verdict !== undefined || hasSucceeded(pod)) return true;
  const index = indexOf(pod);
  // Its replacement reads how often the index failed.
  const isAwaited = index !== undefined && replaced.get(index) === pod;
  return hasFailed(job, pod) && !(hasIndexLimit(job) && isAwaited);
}

interface Stage {
  readonly verdict: JsonObject | undefined;
  readonly isScaled: boolean;
}

function statusBefore(
  cluster: Cluster,
  { job, failedIndexes }: JobView,
  { active, ready, terminating }: PodNumbers,
  ended: EndedPods,
  { verdict, isScaled }: Stage,
): JsonObject {
  const before = object(job, 'status');
  const suspension = verdict === undefined && isScaled ? suspensionOf(cluster, job) : undefined;
  const own = array(before, 'conditions');
  const conditions = [verdict, suspension].reduce<readonly Json[]>(
    (all, next) => (next === undefined ? all : withCondition(all, next)),
    own,
  );
  const started = text(before, 'startTime') || (isSuspended(job) ? '' : cluster.timestamp());
  const isChanged = suspension !== undefined;
  const startTime = isChanged ? (isSuspended(job) ? '' : cluster.timestamp()) : started;
  const { succeeded, failed } = ended.uncounted;
  return {
    ...omit(before, 'startTime', 'completedIndexes', 'active', 'conditions', 'succeeded'),
    ...statusOf({
      conditions,
      startTime: startTime || undefined,
      active,
      succeeded: isIndexed(job) ? total(ended.indexes) : number(before, 0, 'succeeded'),
      completedIndexes: ended.indexes.length === 0 ? undefined : formatIndexes(ended.indexes),
    }),
    ...(failedIndexes === undefined ? {} : { failedIndexes: formatIndexes(failedIndexes) }),
    ready,
    terminating,
    uncountedTerminatedPods: uncountedOf(succeeded, failed),
  };
}

/** Returns the condition of a Job that was suspended or resumed since. */
function suspensionOf(cluster: Cluster, job: JsonObject): JsonObject | undefined {
  const now = cluster.timestamp();
  if (isSuspended(job) === isConditionTrue(job, 'Suspended')) return undefined;
  const [status, reason, message] = isSuspended(job)
    ? ['True', 'JobSuspended', 'Job suspended']
    : ['False', 'JobResumed', 'Job resumed'];
  return { type: 'Suspended', status, lastProbeTime: now, lastTransitionTime: now, reason, message };
}

/** Returns the conditions with `next` in the place of the one of its type. */
function withCondition(conditions: readonly Json[], next: JsonObject): readonly Json[] {
  const index = conditions.findIndex((each) => text(each, 'type') === text(next, 'type'));
  return index === -1 ? [...conditions, next] : conditions.with(index, next);
}

function uncountedOf(succeeded: readonly string[], failed: readonly string[]): JsonObject {
  return compact({
    succeeded: succeeded.length === 0 ? undefined : succeeded,
    failed: failed.length === 0 ? undefined : failed,
  });
}

function* writeStatus(cluster: Cluster, job: JsonObject, status: JsonObject): Verb<JsonObject> {
  return sameStatus(status, object(job, 'status')) ? job : yield* cluster.updateStatus(jobs, job, status);
}

function* removeFinalizer(cluster: Cluster, pod: JsonObject): Verb<void> {
  // The pod may have been deleted by this reconciliation.
  const current = cluster.get(pods, keyOf(namespaceOf(pod), nameOf(pod)));
  if (current !== undefined && uidOf(current) === uidOf(pod) && isTracked(current)) {
    yield* cluster.update(pods, withoutFinalizer(current, trackingFinalizer));
  }
}

/** Returns the status with the numbers of the pods whose finalizer is removed. */
function countedStatus(status: JsonObject, kept: ReadonlySet<string>): JsonObject {
  const split = (key: string): { readonly left: readonly string[]; readonly count: number } => {
    const all = array(status, 'uncountedTerminatedPods', key).filter((uid) => typeof uid === 'string');
    const left = all.filter((uid) => kept.has(uid));
    return { left, count: number(status, 0, key) + all.length - left.length };
  };
  const [succeeded, failed] = [split('succeeded'), split('failed')];
  return {
    ...omit(status, 'succeeded', 'failed'),
    ...statusOf({ succeeded: succeeded.count, failed: failed.count }),
    uncountedTerminatedPods: uncountedOf(succeeded.left, failed.left),
  };
}

function isAllCounted(status: JsonObject): boolean {
  return Object.keys(object(status, 'uncountedTerminatedPods')).length === 0;
}

function withEnd(cluster: Cluster, status: JsonObject, verdict: JsonObject): JsonObject {
  const isSuccess = text(verdict, 'type') === 'SuccessCriteriaMet';
  const now = cluster.timestamp();
  const end = {
    ...verdict,
    type: isSuccess ? 'Complete' : 'Failed',
    lastProbeTime: now,
    lastTransitionTime: now,
  };
  const conditions = withCondition(array(status, 'conditions'), end);
  return { ...status, conditions, ...(isSuccess ? { completionTime: now } : {}) };
}
