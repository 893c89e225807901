/** Controller of CronJobs. */
import {
  array,
  compact,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  text,
} from '@kgen/schema/values/json';
import type { Verb } from '../../../call/verb.ts';
import { Failure } from '../../../errors/status.ts';
import {
  type CronSchedule,
  formatInZone,
  parseSchedule,
} from '../../../resources/kinds/workloads/cron-schedule.ts';
import {
  controllerOf,
  isConditionTrue,
  isDeleting,
  nameOf,
  namespaceOf,
} from '../../../store/object-facts.ts';
import { type Cluster, controllerReference, formatTime, keyOf, storageOf } from '../../cluster.ts';
import { type Controller, ownerKeys, type Requeue } from '../../controller.ts';
import { type ObjectEvent, recordEvent } from '../../events.ts';
import { cronJobs, jobs } from '../paths.ts';
import { sameStatus } from '../values.ts';
import { isDone, uidOf } from './view.ts';

/** Creates the Jobs of CronJobs at their times, and deletes old ones. */
export const cronJobController: Controller = {
  name: 'cronJobs',
  keys: ownerKeys(storageOf(cronJobs), cronJobs.kind, [storageOf(jobs)]),
  *reconcile(key, cluster, requeue) {
    const cronJob = cluster.get(cronJobs, key);
    if (cronJob === undefined) return;
    const owned = cluster.controlled(jobs, cronJob);
    const removed = isDeleting(cronJob) ? [] : yield* removeOld(cluster, cronJob, owned);
    const known = statusAfter(cronJob, owned, removed);
    recordJobs(cluster, cronJob, owned);
    const { status, failure } = yield* start(cluster, cronJob, known, requeue);
    if (!sameStatus(status, object(cronJob, 'status')))
      yield* cluster.updateStatus(cronJobs, cronJob, status);
    if (failure !== undefined) throw failure;
  },
};

/** Deletes the oldest finished Jobs beyond the limits of the history. */
function* removeOld(
  cluster: Cluster,
  cronJob: JsonObject,
  owned: readonly JsonObject[],
): Verb<readonly JsonObject[]> {
  const limits = [
    { type: 'Complete', limit: own(object(cronJob, 'spec'), 'successfulJobsHistoryLimit') },
    { type: 'Failed', limit: own(object(cronJob, 'spec'), 'failedJobsHistoryLimit') },
  ];
  const surplus = limits.flatMap(({ type, limit }) => {
    const finished = owned.filter((job) => isConditionTrue(job, type)).toSorted(byStart);
    return typeof limit === 'number' ? finished.slice(0, Math.max(0, finished.length - limit)) : [];
  });
  for (const job of surplus) {
    if (!isDeleting(job)) yield* removeJob(cluster, cronJob, job);
  }
  return surplus;
}

function* removeJob(cluster: Cluster, cronJob: JsonObject, job: JsonObject): Verb<void> {
  yield* cluster.remove(jobs, job, { propagationPolicy: 'Background' });
  const message = `Deleted job ${nameOf(job)}`;
  recordEvent(cluster, cronJobs, cronJob, { reason: 'SuccessfulDelete', message });
}

/** Jobs that have not started come last. */
function byStart(a: JsonObject, b: JsonObject): number {
  const [left, right] = [a, b].map((job) => `${text(job, 'status', 'startTime') || '~'} ${nameOf(job)}`);
  return (left ?? '') < (right ?? '') ? -1 : 1;
}

/** Returns the status without the Jobs that finished or do not exist any more. */
function statusAfter(
  cronJob: JsonObject,
  owned: readonly JsonObject[],
  removed: readonly JsonObject[],
): JsonObject {
  const status = object(cronJob, 'status');
  const running = new Set(owned.filter((job) => !isDone(job) && !removed.includes(job)).map(uidOf));
  const ends = owned
    .filter((job) => isConditionTrue(job, 'Complete'))
    .map((job) => text(job, 'status', 'completionTime'));
  const lastSuccessfulTime = [text(status, 'lastSuccessfulTime'), ...ends].toSorted().at(-1);
  const active = array(status, 'active').filter((each) => running.has(text(each, 'uid')));
  return {
    ...omit(status, 'active', 'lastSuccessfulTime'),
    ...compact({ lastSuccessfulTime: lastSuccessfulTime || undefined }),
    ...(active.length === 0 ? {} : { active }),
  };
}

/** Records the ends of the Jobs that the status still has. */
function recordJobs(cluster: Cluster, cronJob: JsonObject, owned: readonly JsonObject[]): void {
  const byUid = new Map(owned.map((job) => [uidOf(job), job]));
  const active = array(cronJob, 'status', 'active');
  for (const each of active) {
    const job = byUid.get(text(each, 'uid'));
    const ended = ['Complete', 'Failed'].find((type) => job !== undefined && isConditionTrue(job, type));
    const missing = `Active job went missing: ${text(each, 'name')}`;
    if (job === undefined)
      recordEvent(cluster, cronJobs, cronJob, { reason: 'MissingJob', message: missing });
    const message = `Saw completed job: ${text(each, 'name')}, condition: ${ended}`;
    if (ended !== undefined) recordEvent(cluster, cronJobs, cronJob, { reason: 'SawCompletedJob', message });
  }
  const known = new Set(active.map((each) => text(each, 'uid')));
  for (const job of owned.filter((each) => !known.has(uidOf(each)) && !isDone(each))) {
    const message = `Saw a job that the controller did not create or forgot: ${nameOf(job)}`;
    recordEvent(cluster, cronJobs, cronJob, { reason: 'UnexpectedJob', message, type: 'Warning' });
  }
}

interface Started {
  readonly status: JsonObject;
  readonly failure?: Failure;
}

/** Delay after the time of a schedule, at which the controller looks again. */
const delayMs = 100;

/** Creates the Job that is due, and requests the next reconciliation. */
function* start(cluster: Cluster, cronJob: JsonObject, status: JsonObject, requeue: Requeue): Verb<Started> {
  const schedule = scheduleOf(cronJob);
  if (isDeleting(cronJob) || own(object(cronJob, 'spec'), 'suspend') === true || schedule === undefined) {
    return { status };
  }
  const now = cluster.now();
  const due = dueTime(cronJob, status, schedule, now);
  const obstacle = due === undefined ? undefined : obstacleOf(cronJob, status, due, now);
  if (typeof obstacle === 'object') recordEvent(cluster, cronJobs, cronJob, obstacle);
  const isAllowed = due !== undefined && obstacle === undefined;
  const result = isAllowed ? yield* startJob(cluster, cronJob, status, due) : { status };
  const following = schedule.next(due ?? lastTime(cronJob, status));
  const next = following !== undefined && following > now ? following : schedule.next(now);
  if (next !== undefined) requeue(next + delayMs - now);
  return result;
}

function scheduleOf(cronJob: JsonObject): CronSchedule | undefined {
  const schedule = parseSchedule(text(cronJob, 'spec', 'schedule'), zoneOf(cronJob));
  return typeof schedule === 'string' ? undefined : schedule;
}

function zoneOf(cronJob: JsonObject): string {
  return text(cronJob, 'spec', 'timeZone') || 'UTC';
}

/** Returns the last time of the schedule that has passed since the last Job. */
function dueTime(
  cronJob: JsonObject,
  status: JsonObject,
  schedule: CronSchedule,
  now: number,
): number | undefined {
  const since = lastTime(cronJob, status);
  const deadline = own(object(cronJob, 'spec'), 'startingDeadlineSeconds');
  const earliest = typeof deadline === 'number' ? Math.max(since, now - deadline * 1_000) : since;
  const first = schedule.next(earliest);
  const second = first === undefined ? undefined : schedule.next(first);
  if (first === undefined || first > now) return undefined;
  if (second === undefined || second > now) return first;
  // Of many times that were missed, only the last ones are visited.
  const interval = second - first;
  const missed = Math.floor((now - first) / interval) + 1;
  let found: number | undefined;
  let time = schedule.next(first + (missed - 2) * interval);
  for (; time !== undefined && time <= now; time = schedule.next(time)) found = time;
  return found;
}

/** Returns the time of the last Job, or that of the CronJob before the first one. */
function lastTime(cronJob: JsonObject, status: JsonObject): number {
  const last = Date.parse(text(status, 'lastScheduleTime'));
  return Number.isNaN(last) ? Date.parse(text(cronJob, 'metadata', 'creationTimestamp')) : last;
}

/** Returns why no Job is created: an event, or `processed` for a time whose Job was created. */
function obstacleOf(
  cronJob: JsonObject,
  status: JsonObject,
  due: number,
  now: number,
): ObjectEvent | 'processed' | undefined {
  const deadline = own(object(cronJob, 'spec'), 'startingDeadlineSeconds');
  if (typeof deadline === 'number' && due + deadline * 1_000 < now) {
    const message = `Missed scheduled time to start a job: ${new Date(due).toUTCString().replace('GMT', 'UTC')}`;
    return { reason: 'MissSchedule', message, type: 'Warning' };
  }
  const active = array(status, 'active');
  const isProcessed =
    active.some((each) => text(each, 'name') === jobName(cronJob, due)) ||
    text(status, 'lastScheduleTime') === formatTime(due);
  if (isProcessed) return 'processed';
  if (text(cronJob, 'spec', 'concurrencyPolicy') !== 'Forbid' || active.length === 0) return undefined;
  const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
  return { reason: 'JobAlreadyActive', message };
}

/** Names are those of a minute, so that no Job is created twice. */
function jobName(cronJob: JsonObject, due: number): string {
  return `${nameOf(cronJob)}-${Math.floor(due / 60_000)}`;
}

function* startJob(cluster: Cluster, cronJob: JsonObject, status: JsonObject, due: number): Verb<Started> {
  const isReplacing = text(cronJob, 'spec', 'concurrencyPolicy') === 'Replace';
  const before = array(status, 'active');
  if (isReplacing) {
    for (const each of before) {
      const job = cluster.get(jobs, keyOf(namespaceOf(cronJob), text(each, 'name')));
      if (job !== undefined) yield* removeJob(cluster, cronJob, job);
    }
  }
  const kept = isReplacing ? [] : before;
  try {
    const job = yield* createJob(cluster, cronJob, due);
    const active = job === undefined ? kept : [...kept, referenceTo(job)];
    const others = omit(status, 'active');
    return {
      status: { ...others, active, ...(job === undefined ? {} : { lastScheduleTime: formatTime(due) }) },
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const causes = error.problem.details?.causes ?? [];
    const message = `Error creating job: ${error.message}`;
    if (!causes.some(({ reason }) => reason === 'NamespaceTerminating'))
      recordEvent(cluster, cronJobs, cronJob, { reason: 'FailedCreate', message, type: 'Warning' });
    return {
      status: { ...omit(status, 'active'), ...(kept.length === 0 ? {} : { active: kept }) },
      failure: error,
    };
  }
}

/** Returns the Job of a time. `undefined` if another owner has one of its name. */
function* createJob(cluster: Cluster, cronJob: JsonObject, due: number): Verb<JsonObject | undefined> {
  const name = jobName(cronJob, due);
  const existing = cluster.get(jobs, keyOf(namespaceOf(cronJob), name));
  if (existing !== undefined) {
    return text(controllerOf(existing), 'uid') === uidOf(cronJob) ? existing : undefined;
  }
  const template = object(cronJob, 'spec', 'jobTemplate');
  const annotations = {
    ...object(template, 'metadata', 'annotations'),
    'batch.kubernetes.io/cronjob-scheduled-timestamp': formatInZone(due, zoneOf(cronJob)),
  };
  const labels = object(template, 'metadata', 'labels');
  const ownerReferences = [controllerReference(cronJobs, cronJob)];
  const job = yield* cluster.create(jobs, {
    metadata: { name, namespace: namespaceOf(cronJob), labels, annotations, ownerReferences },
    spec: object(template, 'spec'),
  });
  recordEvent(cluster, cronJobs, cronJob, { reason: 'SuccessfulCreate', message: `Created job ${name}` });
  return job;
}

function referenceTo(job: JsonObject): Json {
  return {
    apiVersion: 'batch/v1',
    kind: jobs.kind,
    namespace: namespaceOf(job),
    name: nameOf(job),
    uid: uidOf(job),
    resourceVersion: text(job, 'metadata', 'resourceVersion'),
  };
}
