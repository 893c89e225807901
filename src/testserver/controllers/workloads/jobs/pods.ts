/** Creation and deletion of the pods of Jobs. */
import { array, type Json, type JsonObject, object, own, strings, text } from '@kgen/schema/values/json';
import type { Verb } from '../../../call/verb.ts';
import type { Failure } from '../../../errors/status.ts';
import { isReady, nameOf } from '../../../store/object-facts.ts';
import type { Cluster } from '../../cluster.ts';
import type { Requeue } from '../../controller.ts';
import { withoutFinalizer } from '../ownership.ts';
import { jobs, pods } from '../paths.ts';
import { batch, createPods, deletionOrder, removePods } from '../replicas.ts';
import { earliest, isTerminating, number, podOf } from '../values.ts';
import { freeIndexes, indexesOf, indexLabel, indexOf, union } from './indexes.ts';
import {
  backoffLeft,
  endOf,
  failureCounts,
  failureEffect,
  failuresBefore,
  waitsForEnds,
} from './policies.ts';
import {
  allFailuresBefore,
  completionsOf,
  hasIndexLimit,
  hasValidIndex,
  isIndexed,
  isSuspended,
  type JobView,
  trackingFinalizer,
} from './view.ts';

/** Numbers of pods after some were created or deleted. */
export interface PodNumbers {
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
  /** The failure of a request, which is retried after the status was written. */
  readonly failure?: Failure;
}

/** Creates or deletes pods until there are as many as the Job requests. */
export function* scalePods(cluster: Cluster, view: JobView, requeue: Requeue): Verb<PodNumbers> {
  const { job, active, ready, terminating } = view;
  const target = isSuspended(job) ? 0 : targetCount(view);
  const surplus = isSuspended(job) ? active : surplusPods(view, active.length - target);
  if (surplus.length > 0) return yield* deletePods(cluster, view, surplus.slice(0, batch), false);
  const unchanged = { active: active.length, ready, terminating };
  const missing = target - active.length - (waitsForEnds(job) ? terminating : 0);
  if (missing <= 0) return unchanged;
  const now = cluster.now();
  const left = hasIndexLimit(job) ? 0 : backoffLeft(view.failures.count, view.failures.lastEnd, now);
  if (left > 0) {
    requeue(left);
    return unchanged;
  }
  const created = isIndexed(job)
    ? podsOfIndexes(view, Math.min(missing, batch), now, requeue)
    : Array.from({ length: Math.min(missing, batch) }, () => newPod(job));
  const { count, failure } = yield* createPods(cluster, jobs, job, created);
  const numbers = { ...unchanged, active: active.length + count };
  return failure === undefined ? numbers : { ...numbers, failure };
}

function targetCount({ job, active, succeeded }: JobView): number {
  const completions = own(object(job, 'spec'), 'completions');
  const parallelism = number(job, 1, 'spec', 'parallelism');
  if (typeof completions !== 'number') return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(completions - succeeded, parallelism));
}

/** Returns the pods to delete: those with an invalid or repeated index, and as many others as necessary. */
function surplusPods({ job, active }: JobView, count: number): readonly JsonObject[] {
  const ordered = deletionOrder(active);
  const seen = new Set<number>();
  const invalid = isIndexed(job)
    ? ordered.toReversed().filter((pod) => {
        const index = indexOf(pod);
        if (index === undefined || !hasValidIndex(job, pod) || seen.has(index)) return true;
        seen.add(index);
        return false;
      })
    : [];
  const others = ordered.filter((pod) => !invalid.includes(pod));
  return [...invalid, ...others.slice(0, Math.max(0, count - invalid.length))];
}

/** Deletes active pods of a Job. Those that count fail by it. */
export function* deletePods(
  cluster: Cluster,
  { job, active, ready, terminating }: JobView,
  deleted: readonly JsonObject[],
  counts: boolean,
): Verb<PodNumbers> {
  for (const pod of deleted) {
    if (!counts) yield* cluster.update(pods, withoutFinalizer(pod, trackingFinalizer));
    yield* removePods(cluster, jobs, job, [pod]);
  }
  return {
    active: active.length - deleted.length,
    ready: ready - deleted.filter(isReady).length,
    terminating: terminating + deleted.length,
  };
}

/** Returns pods for indexes without one. After a failure within a limited index, its replacement waits. */
function podsOfIndexes(view: JobView, count: number, now: number, requeue: Requeue): readonly JsonObject[] {
  const { job, active, indexes, failedIndexes = [], replaced } = view;
  const ending = waitsForEnds(job) ? view.pods.filter(isTerminating) : [];
  const taken = union(indexes.succeeded, failedIndexes, indexesOf([...active, ...ending]));
  const waits = freeIndexes(taken, count, completionsOf(job)).map((index) => {
    const before = replaced.get(index);
    const left = before === undefined ? 0 : backoffLeft(allFailuresBefore(before) + 1, endOf(before), now);
    return { index, before, left };
  });
  const due = waits.filter(({ left }) => left === 0);
  const next = earliest(waits.map(({ left }) => left));
  if (due.length === 0 && next !== undefined) requeue(next);
  return due.map(({ index, before }) => withIndex(job, newPod(job), index, before));
}

function newPod(job: JsonObject): JsonObject {
  const template = object(job, 'spec', 'template');
  const finalizers = strings(template, 'metadata', 'finalizers');
  return podOf(template, jobs, job, {
    generateName: `${nameOf(job)}-`,
    finalizers: [...finalizers.filter((name) => name !== trackingFinalizer), trackingFinalizer],
  });
}

/** Longest prefix of a generated name. */
const longestPrefix = 58;

function withIndex(
  job: JsonObject,
  pod: JsonObject,
  index: number,
  before: JsonObject | undefined,
): JsonObject {
  const value = String(index);
  const suffix = `-${value}-`;
  const metadata = {
    ...object(pod, 'metadata'),
    generateName: nameOf(job).slice(0, longestPrefix - suffix.length) + suffix,
    labels: { ...object(pod, 'metadata', 'labels'), [indexLabel]: value },
    annotations: {
      ...object(pod, 'metadata', 'annotations'),
      [indexLabel]: value,
      ...(hasIndexLimit(job) ? countedFailures(job, before) : {}),
    },
  };
  const spec = object(pod, 'spec');
  const containers = Object.fromEntries(
    ['initContainers', 'containers']
      .filter((key) => own(spec, key) !== undefined)
      .map((key) => [key, array(spec, key).map(withIndexVariable)]),
  );
  return { ...pod, metadata, spec: { ...spec, ...containers, hostname: `${nameOf(job)}-${value}` } };
}

function withIndexVariable(container: Json): JsonObject {
  const env = array(container, 'env');
  const name = 'JOB_COMPLETION_INDEX';
  if (env.some((each) => text(each, 'name') === name)) return object(container);
  const fieldRef = { fieldPath: `metadata.labels['${indexLabel}']` };
  return { ...object(container), env: [...env, { name, valueFrom: { fieldRef } }] };
}

function countedFailures(job: JsonObject, before: JsonObject | undefined): JsonObject {
  if (before === undefined) return { [failureCounts.counted]: '0' };
  const { counts } = failureEffect(job, before);
  const counted = failuresBefore(before, failureCounts.counted) + (counts ? 1 : 0);
  const ignored = failuresBefore(before, failureCounts.ignored) + (counts ? 0 : 1);
  return {
    [failureCounts.counted]: String(counted),
    ...(ignored > 0 ? { [failureCounts.ignored]: String(ignored) } : {}),
  };
}
