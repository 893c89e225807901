import { array, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import type { Verb } from '../../../call/verb.ts';
import {
  conditionOf,
  controllerOf,
  isConditionTrue,
  isDeleting,
  nameOf,
  namespaceOf,
} from '../../../store/object-facts.ts';
import { type Cluster, keyOf, storageOf } from '../../cluster.ts';
import { type Controller, ownerKeys, type Requeue } from '../../controller.ts';
import { claim, selectingKeys, withoutFinalizer } from '../ownership.ts';
import { jobs, pods } from '../paths.ts';
import { number } from '../values.ts';
import { total } from './indexes.ts';
import { deletePods, type PodNumbers, scalePods } from './pods.ts';
import { failureEffect, hasFailed, successMessage } from './policies.ts';
import { track } from './status.ts';
import {
  completionsOf,
  hasIndexLimit,
  isDone,
  isIndexed,
  isSuspended,
  isTracked,
  type JobView,
  restartsOf,
  trackingFinalizer,
  uidOf,
  viewOf,
} from './view.ts';

/** Runs the pods of Jobs until enough of them succeed. */
export const jobController: Controller = {
  name: 'jobs',
  keys: (change, cluster) => {
    const isPod = change.resource === storageOf(pods);
    const isGone = change.resource === storageOf(jobs) && change.type === 'DELETED';
    return [
      ...ownerKeys(storageOf(jobs), jobs.kind, [storageOf(pods)])(change, cluster),
      ...selectingKeys(jobs, isPod ? change.object : undefined, cluster),
      ...(isPod && change.type !== 'DELETED' && isTracked(change.object) ? [podKey(change.object)] : []),
      ...(isGone ? cluster.controlled(pods, change.object).map(podKey) : []),
    ];
  },
  *reconcile(key, cluster, requeue) {
    if (key.startsWith(podPrefix)) {
      yield* releaseOrphan(cluster, key.slice(podPrefix.length));
      return;
    }
    const job = cluster.get(jobs, key);
    if (job === undefined) return;
    if (isDone(job)) yield* expire(cluster, job, requeue);
    else if (!isManagedElsewhere(job)) yield* sync(cluster, job, requeue);
  },
};

/** Keys of single pods have a prefix that no key of a Job has. */
const podPrefix = 'pod ';

function podKey(pod: JsonObject): string {
  return `${podPrefix}${keyOf(namespaceOf(pod), nameOf(pod))}`;
}

/** Another controller runs the Jobs that name it. */
function isManagedElsewhere(job: JsonObject): boolean {
  return !['', 'kubernetes.io/job-controller'].includes(text(job, 'spec', 'managedBy'));
}

/** Removes the finalizer of a pod whose Job does not exist any more, or has finished. */
function* releaseOrphan(cluster: Cluster, key: string): Verb<void> {
  const pod = cluster.get(pods, key);
  if (pod === undefined || !isTracked(pod)) return;
  const reference = controllerOf(pod);
  if (reference !== undefined) {
    if (text(reference, 'kind') !== jobs.kind || !text(reference, 'apiVersion').startsWith('batch/')) return;
    const job = cluster.get(jobs, keyOf(namespaceOf(pod), text(reference, 'name')));
    const isOwn = job !== undefined && uidOf(job) === text(reference, 'uid');
    if (isOwn && (isManagedElsewhere(job) || !isDone(job))) return;
  }
  yield* cluster.update(pods, withoutFinalizer(pod, trackingFinalizer));
}

/** Deletes a finished Job after its time to live. */
function* expire(cluster: Cluster, job: JsonObject, requeue: Requeue): Verb<void> {
  const ttl = own(object(job, 'spec'), 'ttlSecondsAfterFinished');
  if (typeof ttl !== 'number' || isDeleting(job)) return;
  const finished = array(job, 'status', 'conditions').find(
    (condition) =>
      ['Complete', 'Failed'].includes(text(condition, 'type')) && text(condition, 'status') === 'True',
  );
  const left = Date.parse(text(finished, 'lastTransitionTime')) + ttl * 1_000 - cluster.now();
  if (left > 0) requeue(left);
  else yield* cluster.remove(jobs, job, { propagationPolicy: 'Foreground' });
}

function* sync(cluster: Cluster, job: JsonObject, requeue: Requeue): Verb<void> {
  const found = yield* claim(cluster, jobs, job, { path: pods, finalizer: trackingFinalizer });
  const view = viewOf(job, found);
  const verdict = verdictOf(cluster, view, requeue);
  const numbers =
    verdict !== undefined
      ? yield* deletePods(cluster, view, view.active, true)
      : isDeleting(job)
        ? { active: view.active.length, ready: view.ready, terminating: view.terminating }
        : yield* scalePods(cluster, view, requeue);
  const isScaled = verdict === undefined && !isDeleting(job);
  yield* track(cluster, view, numbers, verdict ?? completion(cluster, view, numbers), isScaled);
  if (numbers.failure !== undefined) throw numbers.failure;
}

/** Returns the condition by which a Job ends, before its pods are deleted. */
function verdictOf(cluster: Cluster, view: JobView, requeue: Requeue): JsonObject | undefined {
  const { job } = view;
  const known = ['SuccessCriteriaMet', 'FailureTarget'].find((type) => isConditionTrue(job, type));
  if (known !== undefined) return object(conditionOf(job, known));
  const failure = policyFailure(view) ?? limitFailure(cluster, view, requeue) ?? indexFailure(view);
  if (failure !== undefined) return jobCondition(cluster, 'FailureTarget', failure);
  const message = isIndexed(job) ? successMessage(job, view.indexes.succeeded) : undefined;
  return message === undefined
    ? undefined
    : jobCondition(cluster, 'SuccessCriteriaMet', { reason: 'SuccessPolicy', message });
}

interface Reason {
  readonly reason: string;
  readonly message: string;
}

function policyFailure({ job, pods: all }: JobView): Reason | undefined {
  const messages = all.filter((pod) => hasFailed(job, pod)).map((pod) => failureEffect(job, pod).message);
  const message = messages.find((each) => each !== undefined);
  return message === undefined ? undefined : { reason: 'PodFailurePolicy', message };
}

function limitFailure(
  cluster: Cluster,
  { job, pods: all, failed }: JobView,
  requeue: Requeue,
): Reason | undefined {
  const limit = number(job, 6, 'spec', 'backoffLimit');
  const restarts =
    text(job, 'spec', 'template', 'spec', 'restartPolicy') === 'OnFailure' ? restartsOf(all) : 0;
  if (failed > limit || restarts >= Math.max(limit, 1)) {
    return { reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' };
  }
  const seconds = own(object(job, 'spec'), 'activeDeadlineSeconds');
  if (typeof seconds !== 'number' || isSuspended(job)) return undefined;
  // A Job that was suspended starts again once it is resumed.
  const isResuming = isConditionTrue(job, 'Suspended');
  const start = isResuming ? Number.NaN : Date.parse(text(job, 'status', 'startTime'));
  const left = (Number.isNaN(start) ? cluster.now() : start) + seconds * 1_000 - cluster.now();
  if (left <= 0) {
    return { reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' };
  }
  requeue(left);
  return undefined;
}

function indexFailure({ job, indexes, failedIndexes }: JobView): Reason | undefined {
  if (!hasIndexLimit(job) || failedIndexes === undefined) return undefined;
  const failed = total(failedIndexes);
  const limit = own(object(job, 'spec'), 'maxFailedIndexes');
  if (typeof limit === 'number' && failed > limit) {
    const message = 'Job has exceeded the specified maximal number of failed indexes';
    return { reason: 'MaxFailedIndexesExceeded', message };
  }
  return failed > 0 && failed + total(indexes.succeeded) >= completionsOf(job)
    ? { reason: 'FailedIndexes', message: 'Job has failed indexes' }
    : undefined;
}

function completion(
  cluster: Cluster,
  { job, succeeded }: JobView,
  { active }: PodNumbers,
): JsonObject | undefined {
  const completions = own(object(job, 'spec'), 'completions');
  const isEnough = typeof completions === 'number' ? succeeded >= completions : succeeded > 0;
  if (!isEnough || active > 0) return undefined;
  const message = 'Reached expected number of succeeded pods';
  return jobCondition(cluster, 'SuccessCriteriaMet', { reason: 'CompletionsReached', message });
}

function jobCondition(cluster: Cluster, type: string, why: Reason): JsonObject {
  const now = cluster.timestamp();
  return { type, status: 'True', lastProbeTime: now, lastTransitionTime: now, ...why } satisfies Json;
}
