import { type JsonObject, object, own, text } from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import type { Failure } from '../../errors/status.ts';
import { isDeleting, isReady, nameOf, namespaceOf } from '../../store/object-facts.ts';
import { type Cluster, keyOf, storageOf } from '../cluster.ts';
import { type Controller, ownerKeys, type Requeue } from '../controller.ts';
import { recordEvent } from '../events.ts';
import {
  type DaemonChanges,
  type DaemonView,
  daemonPod,
  daemonView,
  isUpdated,
  placement,
  rollout,
} from './daemon-plan.ts';
import { claim, selectingKeys } from './ownership.ts';
import { daemonSets, nodes, pods } from './paths.ts';
import { countPods, createPods, removePods } from './replicas.ts';
import { revisionLabel, revisionNameOf, syncRevision, truncateHistory } from './revisions.ts';
import { isFinished, number, sameStatus, statusOf } from './values.ts';

/** Runs one pod of a DaemonSet on every node that its template allows. */
export const daemonSetController: Controller = {
  name: 'daemonSets',
  keys: (change, cluster) =>
    change.resource === storageOf(nodes)
      ? cluster.list(daemonSets).map((set) => keyOf(namespaceOf(set), nameOf(set)))
      : [
          ...ownerKeys(storageOf(daemonSets), daemonSets.kind, [storageOf(pods)])(change, cluster),
          ...selectingKeys(
            daemonSets,
            change.resource === storageOf(pods) ? change.object : undefined,
            cluster,
          ),
        ],
  *reconcile(key, cluster, requeue) {
    const set = cluster.get(daemonSets, key);
    if (set === undefined || isDeleting(set)) return;
    yield* claim(cluster, daemonSets, set, { path: pods });
    const revision = yield* syncRevision(cluster, daemonSets, set, revisionLabel);
    const hash = revisionNameOf(revision);
    const view = viewOf(cluster, set, hash);
    const placed = placement(view);
    for (const pod of placed.deleted) recordEnd(cluster, set, pod);
    // A rolling update continues once every node has its pod: each change is reconciled again.
    const isPlaced = placed.created.length === 0 && placed.deleted.length === 0;
    const failure = yield* apply(cluster, view, isPlaced ? rollout(view) : placed);
    if (placed.next !== undefined) requeue(placed.next);
    yield* updateStatus(cluster, key, hash, requeue);
    // It is retried.
    if (failure !== undefined) throw failure;
    const used = new Set([hash, ...cluster.controlled(pods, set).map(revisionNameOf)]);
    yield* truncateHistory(cluster, set, (each) => used.has(revisionNameOf(each)));
  },
};

function viewOf(cluster: Cluster, set: JsonObject, hash: string): DaemonView {
  return daemonView(set, hash, cluster.list(nodes), cluster.controlled(pods, set), cluster.now());
}

/** Records why a pod is replaced that has ended. */
function recordEnd(cluster: Cluster, set: JsonObject, pod: JsonObject): void {
  if (!isFinished(pod)) return;
  const place = `daemon pod ${namespaceOf(pod)}/${nameOf(pod)} on node ${text(pod, 'spec', 'nodeName')}`;
  recordEvent(
    cluster,
    daemonSets,
    set,
    text(pod, 'status', 'phase') === 'Failed'
      ? { reason: 'FailedDaemonPod', message: `Found failed ${place}, will try to kill it`, type: 'Warning' }
      : { reason: 'SucceededDaemonPod', message: `Found succeeded ${place}, will try to delete it` },
  );
}

function* apply(
  cluster: Cluster,
  { set, hash }: DaemonView,
  { created, deleted }: DaemonChanges,
): Verb<Failure | undefined> {
  const planned = created.map((node) => daemonPod(set, hash, node));
  const { failure } = yield* createPods(cluster, daemonSets, set, planned);
  yield* removePods(cluster, daemonSets, set, deleted);
  return failure;
}

function* updateStatus(cluster: Cluster, key: string, hash: string, requeue: Requeue): Verb<void> {
  const set = cluster.get(daemonSets, key);
  if (set === undefined) return;
  const view = viewOf(cluster, set, hash);
  const desired = view.nodes.filter(({ accepts }) => accepts);
  const first = desired.map(({ name }) => view.pods.get(name)?.[0]).filter((pod) => pod !== undefined);
  const counts = countPods(first.filter(isReady), number(set, 0, 'spec', 'minReadySeconds'), cluster.now());
  const status = {
    currentNumberScheduled: first.length,
    numberMisscheduled: view.nodes.filter(({ name, accepts }) => !accepts && view.pods.has(name)).length,
    desiredNumberScheduled: desired.length,
    numberReady: counts.ready,
    ...statusOf({
      observedGeneration: number(set, 0, 'metadata', 'generation'),
      updatedNumberScheduled: first.filter((pod) => isUpdated(view, pod)).length,
      numberAvailable: counts.available,
      numberUnavailable: desired.length - counts.available,
      collisionCount: own(object(set, 'status'), 'collisionCount'),
    }),
  };
  if (!sameStatus(status, object(set, 'status'))) yield* cluster.updateStatus(daemonSets, set, status);
  if (counts.next !== undefined) requeue(counts.next);
}
