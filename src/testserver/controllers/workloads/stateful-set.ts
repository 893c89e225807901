import { array, at, type Json, type JsonObject, object, own, putAt, text } from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { Failure } from '../../errors/status.ts';
import { isDeleting, isReady, nameOf, namespaceOf } from '../../store/object-facts.ts';
import type { Change } from '../../store/store.ts';
import { type Cluster, keyOf, storageOf } from '../cluster.ts';
import { type Controller, ownerKeys, type Requeue } from '../controller.ts';
import { recordEvent } from '../events.ts';
import { claim, selectingKeys } from './ownership.ts';
import { pods, statefulSets, volumeClaims } from './paths.ts';
import { countPods } from './replicas.ts';
import {
  revisionLabel,
  revisionNameOf,
  revisionsOf,
  syncRevision,
  templateOf,
  truncateHistory,
} from './revisions.ts';
import { claimName, createClaims, isClaimStale, retainClaims } from './stateful-claims.ts';
import { isFinished, number, podOf, sameStatus, statusOf, untilAvailable } from './values.ts';

const podNameLabel = 'statefulset.kubernetes.io/pod-name';
const podIndexLabel = 'apps.kubernetes.io/pod-index';

/** Creates, updates and deletes the pods of StatefulSets by their ordinal. */
export const statefulSetController: Controller = {
  name: 'statefulSets',
  keys: (change, cluster) => [
    ...ownerKeys(storageOf(statefulSets), statefulSets.kind, [storageOf(pods)])(change, cluster),
    ...selectingKeys(statefulSets, change.resource === storageOf(pods) ? change.object : undefined, cluster),
    ...keysWithoutClaim(change, cluster),
  ],
  *reconcile(key, cluster, requeue) {
    const set = cluster.get(statefulSets, key);
    if (set === undefined || isDeleting(set)) return;
    const isMember = (pod: JsonObject): boolean => ordinalOf(set, pod) !== undefined;
    yield* claim(cluster, statefulSets, set, { path: pods, isMember });
    const update = yield* syncRevision(cluster, statefulSets, set, 'controller.kubernetes.io/hash');
    const plan = planOf(cluster, set, update);
    const failure = yield* failureOf(step(cluster, plan, requeue));
    yield* updateStatus(cluster, key, update, requeue);
    // It is retried.
    if (failure !== undefined) throw failure;
    const used = new Set([
      nameOf(plan.current),
      nameOf(update),
      ...plan.pods.map(({ pod }) => revisionNameOf(pod)),
    ]);
    yield* truncateHistory(cluster, set, (revision) => used.has(nameOf(revision)));
  },
};

/** Returns the failure of a request, such as of a pod that a quota or a webhook refuses. */
function* failureOf(steps: Verb<void>): Verb<Failure | undefined> {
  try {
    yield* steps;
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** Returns the keys of the StatefulSets whose pods may wait for the end of a claim. */
function keysWithoutClaim({ resource, type, object: value }: Change, cluster: Cluster): readonly string[] {
  if (resource !== storageOf(volumeClaims) || type !== 'DELETED') return [];
  return cluster
    .list(statefulSets, namespaceOf(value))
    .filter((set) =>
      array(set, 'spec', 'volumeClaimTemplates').some((template) =>
        nameOf(value).startsWith(`${claimName(template, nameOf(set))}-`),
      ),
    )
    .map((set) => keyOf(namespaceOf(set), nameOf(set)));
}

interface Numbered {
  readonly ordinal: number;
  readonly pod: JsonObject;
}

interface Plan {
  readonly set: JsonObject;
  /** Ordinals of the requested pods. */
  readonly ordinals: readonly number[];
  /** Pods by ordinal. */
  readonly pods: readonly Numbered[];
  readonly current: JsonObject;
  readonly update: JsonObject;
  readonly isParallel: boolean;
}

function planOf(cluster: Cluster, set: JsonObject, update: JsonObject): Plan {
  const start = number(set, 0, 'spec', 'ordinals', 'start');
  const replicas = number(set, 1, 'spec', 'replicas');
  const name = text(set, 'status', 'currentRevision');
  const current = revisionsOf(cluster, set).find((revision) => nameOf(revision) === name) ?? update;
  const found = cluster.controlled(pods, set).flatMap((pod) => {
    const ordinal = ordinalOf(set, pod);
    return ordinal === undefined ? [] : [{ ordinal, pod }];
  });
  return {
    set,
    ordinals: Array.from({ length: replicas }, (_, index) => start + index),
    pods: found.toSorted((a, b) => a.ordinal - b.ordinal),
    current,
    update,
    isParallel: text(set, 'spec', 'podManagementPolicy') === 'Parallel',
  };
}

/** Returns the ordinal in the name of a pod, which begins with that of its StatefulSet. */
function ordinalOf(set: JsonObject, pod: JsonObject): number | undefined {
  const [, parent, ordinal] = /^(.*)-(\d{1,9})$/.exec(nameOf(pod)) ?? [];
  return parent === nameOf(set) ? Number(ordinal) : undefined;
}

/** Makes the next change: in order, each waits for the pods before it. */
function* step(cluster: Cluster, plan: Plan, requeue: Requeue): Verb<void> {
  const { set, ordinals, isParallel } = plan;
  for (const ordinal of ordinals) {
    const pod = plan.pods.find((each) => each.ordinal === ordinal)?.pod;
    const isSettled = yield* pod === undefined
      ? createPod(cluster, plan, ordinal)
      : keepPod(cluster, plan, pod);
    if (isParallel || (isSettled && pod !== undefined && isAvailable(cluster, set, pod, requeue))) continue;
    return;
  }
  const surplus = plan.pods.filter(({ ordinal }) => !ordinals.includes(ordinal)).map(({ pod }) => pod);
  for (const pod of surplus) yield* retainClaims(cluster, set, pod, false);
  yield* scaleDown(cluster, plan, surplus, requeue);
  if (isParallel || surplus.length === 0) yield* rollingUpdate(cluster, plan, requeue);
}

/** Keeps the identity and the claims of a pod. Returns whether it neither ended nor is being deleted. */
function* keepPod(cluster: Cluster, { set }: Plan, pod: JsonObject): Verb<boolean> {
  if (isFinished(pod)) {
    if (!isDeleting(pod)) yield* removePod(cluster, set, pod);
    return false;
  }
  if (text(pod, 'status', 'phase') === 'Pending') yield* createClaims(cluster, set, nameOf(pod));
  if (isDeleting(pod)) return false;
  const isChanged = yield* retainClaims(cluster, set, pod, true);
  const labels = identityOf(pod);
  const current = object(pod, 'metadata', 'labels');
  const isNamed = Object.entries(labels).every(([key, value]) => own(current, key) === value);
  if (!isNamed) {
    yield* cluster.update(pods, putAt(pod, ['metadata', 'labels'], { ...current, ...labels }));
  }
  if (isChanged || !isNamed) recordPod(cluster, set, nameOf(pod), 'Update');
  return true;
}

/** Returns whether a pod has been ready for long enough; if it will be, it is looked at again. */
function isAvailable(cluster: Cluster, set: JsonObject, pod: JsonObject, requeue: Requeue): boolean {
  if (isDeleting(pod)) return false;
  const left = untilAvailable(pod, number(set, 0, 'spec', 'minReadySeconds'), cluster.now());
  if (left !== undefined && left > 0) requeue(left);
  return left === 0;
}

/**
 * Deletes the pods beyond the replicas, the highest ordinal first. In order, one that is not available waits,
 * unless it is the first of them.
 */
function* scaleDown(
  cluster: Cluster,
  { set, isParallel }: Plan,
  surplus: readonly JsonObject[],
  requeue: Requeue,
): Verb<void> {
  const first = surplus.find((pod) => !isAvailable(cluster, set, pod, requeue));
  for (const pod of surplus.toReversed()) {
    const mayEnd = isParallel || pod === first || isAvailable(cluster, set, pod, requeue);
    if (mayEnd && !isDeleting(pod)) yield* removePod(cluster, set, pod);
    if (!isParallel) return;
  }
}

/** Deletes the pod with the highest ordinal that is not of the new revision, one at a time. */
function* rollingUpdate(cluster: Cluster, plan: Plan, requeue: Requeue): Verb<void> {
  const { set, update, ordinals } = plan;
  if (text(set, 'spec', 'updateStrategy', 'type') === 'OnDelete') return;
  const partition = number(set, 0, 'spec', 'updateStrategy', 'rollingUpdate', 'partition');
  const first = number(set, 0, 'spec', 'ordinals', 'start') + partition;
  const affected = plan.pods.filter(({ ordinal }) => ordinals.includes(ordinal) && ordinal >= first);
  for (const { pod } of affected.toReversed()) {
    if (isDeleting(pod)) return;
    if (revisionNameOf(pod) !== nameOf(update)) {
      yield* removePod(cluster, set, pod);
      return;
    }
    if (!isAvailable(cluster, set, pod, requeue)) return;
  }
}

function* removePod(cluster: Cluster, set: JsonObject, pod: JsonObject): Verb<void> {
  yield* cluster.remove(pods, pod);
  recordPod(cluster, set, nameOf(pod), 'Delete');
}

function recordPod(cluster: Cluster, set: JsonObject, pod: string, verb: string, failure?: Failure): void {
  const subject = `${verb} Pod ${pod} in StatefulSet ${nameOf(set)}`;
  recordEvent(
    cluster,
    statefulSets,
    set,
    failure === undefined
      ? { reason: `Successful${verb}`, message: `${subject} successful` }
      : { reason: `Failed${verb}`, message: `${subject} failed error: ${failure.message}`, type: 'Warning' },
  );
}

/** Creates a pod and its claims, unless these are to be deleted with an earlier pod. */
function* createPod(cluster: Cluster, plan: Plan, ordinal: number): Verb<boolean> {
  const { set } = plan;
  const name = `${nameOf(set)}-${ordinal}`;
  if (isClaimStale(cluster, set, name)) return false;
  try {
    yield* createClaims(cluster, set, name);
    const pod = yield* cluster.create(pods, newPod(plan, ordinal, name));
    yield* retainClaims(cluster, set, pod, true);
  } catch (error) {
    if (error instanceof Failure && error.problem.reason !== 'AlreadyExists')
      recordPod(cluster, set, name, 'Create', error);
    throw error;
  }
  recordPod(cluster, set, name, 'Create');
  return true;
}

function newPod(plan: Plan, ordinal: number, name: string): JsonObject {
  const { set } = plan;
  const revision = isCurrent(plan, ordinal) ? plan.current : plan.update;
  const template = templateOf(revision);
  const labels = {
    ...object(template, 'metadata', 'labels'),
    ...identityOf({ metadata: { name } }),
    [revisionLabel]: nameOf(revision),
  };
  const claims = array(set, 'spec', 'volumeClaimTemplates');
  const pod = podOf(template, statefulSets, set, { name, generateName: `${nameOf(set)}-`, labels });
  const spec = { ...object(pod, 'spec'), hostname: name, subdomain: text(set, 'spec', 'serviceName') };
  return putAt({ ...pod, spec }, ['spec', 'volumes'], volumesOf(spec, claims, name));
}

/** Returns the labels with the name and the ordinal of a pod. */
function identityOf(pod: JsonObject): JsonObject {
  const name = nameOf(pod);
  return { [podNameLabel]: name, [podIndexLabel]: name.slice(name.lastIndexOf('-') + 1) };
}

/** Pods below the partition keep the current revision. */
function isCurrent({ set }: Plan, ordinal: number): boolean {
  const index = ordinal - number(set, 0, 'spec', 'ordinals', 'start');
  if (text(set, 'spec', 'updateStrategy', 'type') === 'OnDelete') return false;
  const partition = at(set, 'spec', 'updateStrategy', 'rollingUpdate', 'partition');
  return index < (typeof partition === 'number' ? partition : number(set, 0, 'status', 'currentReplicas'));
}

function volumesOf(spec: JsonObject, claims: readonly Json[], pod: string): readonly Json[] {
  const names = claims.map(nameOf);
  const others = array(spec, 'volumes').filter((volume) => !names.includes(text(volume, 'name')));
  return [
    ...names.map((name) => ({
      name,
      persistentVolumeClaim: { claimName: claimName({ metadata: { name } }, pod) },
    })),
    ...others,
  ];
}

function* updateStatus(cluster: Cluster, key: string, update: JsonObject, requeue: Requeue): Verb<void> {
  const set = cluster.get(statefulSets, key);
  if (set === undefined) return;
  const plan = planOf(cluster, set, update);
  const live = plan.pods.map(({ pod }) => pod);
  const active = live.filter((pod) => !isDeleting(pod));
  const running = live.filter((pod) => text(pod, 'status', 'phase') === 'Running' && isReady(pod));
  const counts = countPods(running, number(set, 0, 'spec', 'minReadySeconds'), cluster.now());
  const ofRevision = (name: string): number => active.filter((pod) => revisionNameOf(pod) === name).length;
  const [current, updated] = [nameOf(plan.current), nameOf(update)];
  const isDone =
    ofRevision(updated) === plan.ordinals.length &&
    live.length === plan.ordinals.length &&
    counts.ready === plan.ordinals.length;
  const isRolling = text(set, 'spec', 'updateStrategy', 'type') !== 'OnDelete';
  const settled = isDone && isRolling ? updated : current;
  const status = {
    replicas: live.length,
    ...statusOf({
      observedGeneration: number(set, 0, 'metadata', 'generation'),
      readyReplicas: counts.ready,
      currentReplicas: ofRevision(settled),
      updatedReplicas: ofRevision(updated),
      currentRevision: settled,
      updateRevision: updated,
    }),
    collisionCount: number(set, 0, 'status', 'collisionCount'),
    availableReplicas: counts.available,
  };
  if (!sameStatus(status, object(set, 'status'))) yield* cluster.updateStatus(statefulSets, set, status);
  if (counts.next !== undefined) requeue(counts.next);
}
