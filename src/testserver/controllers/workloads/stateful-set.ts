import { array, at, type Json, type JsonObject, object, own, putAt, text } from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { isDeleting, isReady, nameOf, namespaceOf } from '../../store/object-facts.ts';
import { type Cluster, controllerReference, storageOf } from '../cluster.ts';
import { type Controller, ownerKeys, type Requeue } from '../controller.ts';
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
import { isFinished, number, podOf, sameStatus, statusOf, untilAvailable } from './values.ts';

const podNameLabel = 'statefulset.kubernetes.io/pod-name';
const podIndexLabel = 'apps.kubernetes.io/pod-index';

/** Creates, updates and deletes the pods of StatefulSets by their ordinal. */
export const statefulSetController: Controller = {
  name: 'statefulSets',
  keys: (change, cluster) => [
    ...ownerKeys(storageOf(statefulSets), statefulSets.kind, [storageOf(pods)])(change, cluster),
    ...selectingKeys(statefulSets, change.resource === storageOf(pods) ? change.object : undefined, cluster),
  ],
  *reconcile(key, cluster, requeue) {
    const set = cluster.get(statefulSets, key);
    if (set === undefined || isDeleting(set)) return;
    const isMember = (pod: JsonObject): boolean => ordinalOf(set, pod) !== undefined;
    yield* claim(cluster, statefulSets, set, { path: pods, isMember });
    const update = yield* syncRevision(cluster, statefulSets, set, 'controller.kubernetes.io/hash');
    const plan = planOf(cluster, set, update);
    yield* step(cluster, plan, requeue);
    yield* updateStatus(cluster, key, update, requeue);
    const used = new Set([
      nameOf(plan.current),
      nameOf(update),
      ...plan.pods.map(({ pod }) => revisionNameOf(pod)),
    ]);
    yield* truncateHistory(cluster, set, (revision) => used.has(nameOf(revision)));
  },
};

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
  const minReadySeconds = number(set, 0, 'spec', 'minReadySeconds');
  for (const ordinal of ordinals) {
    const pod = plan.pods.find((each) => each.ordinal === ordinal)?.pod;
    if (pod === undefined) {
      yield* createPod(cluster, plan, ordinal);
      if (!isParallel) return;
      continue;
    }
    if (isFinished(pod) && !isDeleting(pod)) {
      yield* cluster.remove(pods, pod);
      if (!isParallel) return;
      continue;
    }
    if (isParallel) continue;
    const left = isDeleting(pod) ? undefined : untilAvailable(pod, minReadySeconds, cluster.now());
    if (left !== undefined && left > 0) requeue(left);
    if (left !== 0) return;
  }
  yield* scaleDown(cluster, plan);
  yield* rollingUpdate(cluster, plan);
}

function* scaleDown(cluster: Cluster, { pods: all, ordinals, isParallel }: Plan): Verb<void> {
  for (const { pod } of all.filter(({ ordinal }) => !ordinals.includes(ordinal)).toReversed()) {
    if (!isDeleting(pod)) yield* cluster.remove(pods, pod);
    if (!isParallel) return;
  }
}

/** Deletes the pod with the highest ordinal that is not of the new revision, one at a time. */
function* rollingUpdate(cluster: Cluster, plan: Plan): Verb<void> {
  const { set, update, ordinals } = plan;
  if (text(set, 'spec', 'updateStrategy', 'type') === 'OnDelete') return;
  const partition = number(set, 0, 'spec', 'updateStrategy', 'rollingUpdate', 'partition');
  const first = number(set, 0, 'spec', 'ordinals', 'start') + partition;
  const affected = plan.pods.filter(({ ordinal }) => ordinals.includes(ordinal) && ordinal >= first);
  for (const { pod } of affected.toReversed()) {
    if (isDeleting(pod)) return;
    if (revisionNameOf(pod) !== nameOf(update)) {
      yield* cluster.remove(pods, pod);
      return;
    }
    if (!isReady(pod)) return;
  }
}

function* createPod(cluster: Cluster, plan: Plan, ordinal: number): Verb<void> {
  const { set } = plan;
  const revision = isCurrent(plan, ordinal) ? plan.current : plan.update;
  const name = `${nameOf(set)}-${ordinal}`;
  const template = templateOf(revision);
  const labels = {
    ...object(template, 'metadata', 'labels'),
    [podNameLabel]: name,
    [podIndexLabel]: String(ordinal),
    [revisionLabel]: nameOf(revision),
  };
  const claims = array(set, 'spec', 'volumeClaimTemplates');
  for (const claim of claims) yield* createClaim(cluster, set, claim, name);
  const pod = podOf(template, statefulSets, set, { name, generateName: `${nameOf(set)}-`, labels });
  const spec = { ...object(pod, 'spec'), hostname: name, subdomain: text(set, 'spec', 'serviceName') };
  yield* cluster.create(pods, putAt({ ...pod, spec }, ['spec', 'volumes'], volumesOf(spec, claims, name)));
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
    ...names.map((name) => ({ name, persistentVolumeClaim: { claimName: `${name}-${pod}` } })),
    ...others,
  ];
}

function* createClaim(cluster: Cluster, set: JsonObject, template: Json, pod: string): Verb<void> {
  const name = `${nameOf(template)}-${pod}`;
  const namespace = namespaceOf(set);
  if (cluster.get(volumeClaims, `${namespace}/${name}`) !== undefined) return;
  const isDeleted = text(set, 'spec', 'persistentVolumeClaimRetentionPolicy', 'whenDeleted') === 'Delete';
  const owners = isDeleted ? { ownerReferences: [controllerReference(statefulSets, set)] } : {};
  yield* cluster.create(volumeClaims, {
    metadata: {
      name,
      namespace,
      labels: {
        ...object(template, 'metadata', 'labels'),
        ...object(set, 'spec', 'selector', 'matchLabels'),
      },
      annotations: object(template, 'metadata', 'annotations'),
      ...owners,
    },
    spec: own(object(template), 'spec') ?? {},
  });
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
