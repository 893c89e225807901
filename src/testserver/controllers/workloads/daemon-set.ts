import { array, type Json, type JsonObject, object, own, putAt, text } from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { isDeleting, isReady, nameOf, namespaceOf } from '../../store/object-facts.ts';
import { type Cluster, keyOf, storageOf } from '../cluster.ts';
import { type Controller, ownerKeys, type Requeue } from '../controller.ts';
import { fits } from '../kubelet/scheduler/node-affinity.ts';
import { claim, selectingKeys } from './ownership.ts';
import { daemonSets, nodes, pods } from './paths.ts';
import { countPods } from './replicas.ts';
import { revisionLabel, revisionNameOf, syncRevision, truncateHistory } from './revisions.ts';
import { byCreation, isFinished, number, podOf, sameStatus, scaled, statusOf } from './values.ts';

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
    yield* place(cluster, set, hash);
    yield* replaceOld(cluster, set, hash);
    yield* updateStatus(cluster, key, hash, requeue);
    const used = new Set([hash, ...cluster.controlled(pods, set).map(revisionNameOf)]);
    yield* truncateHistory(cluster, set, (each) => used.has(revisionNameOf(each)));
  },
};

/** Tolerations that the pods of DaemonSets have besides those of their template. */
const tolerations: readonly JsonObject[] = [
  ...['not-ready', 'unreachable'].map((name) => toleration(name, 'NoExecute')),
  ...['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map((name) =>
    toleration(name, 'NoSchedule'),
  ),
];

function toleration(name: string, effect: string): JsonObject {
  return { key: `node.kubernetes.io/${name}`, operator: 'Exists', effect };
}

function* place(cluster: Cluster, set: JsonObject, hash: string): Verb<void> {
  const spec = tolerantSpec(set);
  const byNode = podsByNode(cluster, set);
  for (const node of cluster.list(nodes)) {
    const name = nameOf(node);
    const found = byNode.get(name) ?? [];
    const failed = found.filter((pod) => isFinished(pod) && !isDeleting(pod));
    for (const pod of failed) yield* cluster.remove(pods, pod);
    const alive = found.filter((pod) => !isFinished(pod));
    if (!fits({ spec }, node)) {
      for (const pod of alive.filter((each) => !isDeleting(each))) yield* cluster.remove(pods, pod);
    } else if (alive.length === 0) yield* createPod(cluster, set, spec, name, hash);
    byNode.delete(name);
  }
  for (const pod of [...byNode.values()].flat()) {
    if (!isDeleting(pod)) yield* cluster.remove(pods, pod);
  }
}

/** Returns the specification of a pod with the tolerations of DaemonSets. */
function tolerantSpec(set: JsonObject): JsonObject {
  const spec = object(set, 'spec', 'template', 'spec');
  const given = array(spec, 'tolerations');
  const known = given.map((item) => `${text(item, 'key')} ${text(item, 'effect')}`);
  const added = tolerations.filter((item) => !known.includes(`${text(item, 'key')} ${text(item, 'effect')}`));
  return { ...spec, tolerations: [...given, ...added] };
}

function podsByNode(cluster: Cluster, set: JsonObject): Map<string, readonly JsonObject[]> {
  const byNode = new Map<string, readonly JsonObject[]>();
  for (const pod of cluster.controlled(pods, set).toSorted(byCreation)) {
    const node = nodeOf(pod);
    byNode.set(node, [...(byNode.get(node) ?? []), pod]);
  }
  return byNode;
}

/** Returns the node of a pod, or the one that its affinity requires. */
function nodeOf(pod: JsonObject): string {
  const required = object(
    pod,
    'spec',
    'affinity',
    'nodeAffinity',
    'requiredDuringSchedulingIgnoredDuringExecution',
  );
  const fields = array(required, 'nodeSelectorTerms').flatMap((term) => array(term, 'matchFields'));
  const [name] = fields.flatMap((field) => array(field, 'values'));
  return text(pod, 'spec', 'nodeName') || (typeof name === 'string' ? name : '');
}

function* createPod(
  cluster: Cluster,
  set: JsonObject,
  spec: JsonObject,
  node: string,
  hash: string,
): Verb<void> {
  const template = object(set, 'spec', 'template');
  const generation = text(set, 'metadata', 'annotations', 'deprecated.daemonset.template.generation');
  const labels = {
    ...object(template, 'metadata', 'labels'),
    [revisionLabel]: hash,
    ...(generation === '' ? {} : { 'pod-template-generation': generation }),
  };
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  const required = { nodeSelectorTerms: [...termsOf(spec, matchFields)] };
  const affinity = putAt(
    object(spec, 'affinity'),
    ['nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution'],
    required,
  );
  const pod = podOf(template, daemonSets, set, { generateName: `${nameOf(set)}-`, labels });
  yield* cluster.create(pods, { ...pod, spec: { ...spec, affinity } });
}

/** The node replaces the fields of every term of the template. */
function termsOf(spec: JsonObject, matchFields: readonly Json[]): readonly Json[] {
  const required = object(spec, 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
  const terms = array(required, 'nodeSelectorTerms');
  return terms.length === 0 ? [{ matchFields }] : terms.map((term) => ({ ...object(term), matchFields }));
}

/** Deletes pods of old revisions, as many as may be unavailable. */
function* replaceOld(cluster: Cluster, set: JsonObject, hash: string): Verb<void> {
  if (text(set, 'spec', 'updateStrategy', 'type') === 'OnDelete') return;
  const all = cluster.controlled(pods, set).filter((pod) => !isFinished(pod));
  const rolling = object(set, 'spec', 'updateStrategy', 'rollingUpdate');
  const allowed = Math.max(1, scaled(own(rolling, 'maxUnavailable') ?? 1, all.length, Math.ceil));
  const unavailable = all.filter((pod) => isDeleting(pod) || !isReady(pod));
  const old = all.filter((pod) => revisionNameOf(pod) !== hash && !isDeleting(pod));
  const broken = old.filter((pod) => !isReady(pod));
  const healthy = old.filter(isReady).slice(0, Math.max(0, allowed - unavailable.length));
  for (const pod of [...broken, ...healthy]) yield* cluster.remove(pods, pod);
}

function* updateStatus(cluster: Cluster, key: string, hash: string, requeue: Requeue): Verb<void> {
  const set = cluster.get(daemonSets, key);
  if (set === undefined) return;
  const spec = tolerantSpec(set);
  const desired = cluster.list(nodes).filter((node) => fits({ spec }, node));
  const names = new Set(desired.map(nameOf));
  const all = cluster.controlled(pods, set);
  const scheduled = all.filter((pod) => names.has(nodeOf(pod)));
  const perNode = [...new Map(scheduled.map((pod) => [nodeOf(pod), pod])).values()];
  const active = perNode.filter((pod) => !isDeleting(pod));
  const counts = countPods(active, number(set, 0, 'spec', 'minReadySeconds'), cluster.now());
  const status = {
    currentNumberScheduled: perNode.length,
    numberMisscheduled: all.filter((pod) => !names.has(nodeOf(pod))).length,
    desiredNumberScheduled: desired.length,
    numberReady: counts.ready,
    ...statusOf({
      observedGeneration: number(set, 0, 'metadata', 'generation'),
      updatedNumberScheduled: perNode.filter((pod) => revisionNameOf(pod) === hash).length,
      numberAvailable: counts.available,
      numberUnavailable: desired.length - counts.available,
      collisionCount: own(object(set, 'status'), 'collisionCount'),
    }),
  };
  if (!sameStatus(status, object(set, 'status'))) yield* cluster.updateStatus(daemonSets, set, status);
  if (counts.next !== undefined) requeue(counts.next);
}
