import { array, type JsonObject, object, own, putAt, text } from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { isDeleting, nameOf } from '../../store/object-facts.ts';
import { type Cluster, formatTime, storageOf } from '../cluster.ts';
import type { Controller, Requeue } from '../controller.ts';
import { nodes, pods } from '../workloads/paths.ts';
import { isFinished, number, sameStatus, withCondition } from '../workloads/values.ts';
import { syncNode } from './nodes.ts';
import type { PodRules } from './rules.ts';
import { fits } from './scheduler.ts';
import { type PodLife, stateAt, statusOf } from './status.ts';

/** Times of a pod that its status does not record. */
interface Record {
  readonly seenAt: number;
  readonly deletedAt?: number;
  readonly life?: PodLife;
  readonly ip: string;
}

/**
 * Returns the scheduler and the kubelets of a cluster: they assign pods to nodes, and run them by rules
 * instead of containers.
 */
export function kubelet(rules: PodRules): Controller {
  const records = new Map<string, Record>();
  /** Node of every pod by UID. */
  const placed = new Map<string, string>();
  let addresses = 0;
  const recordOf = (pod: JsonObject, now: number): Record => {
    const uid = text(pod, 'metadata', 'uid');
    const known = records.get(uid);
    if (known !== undefined) return known;
    addresses += 1;
    const made = { seenAt: now, ip: text(pod, 'status', 'podIP') || addressOf(addresses) };
    records.set(uid, made);
    return made;
  };
  return {
    name: 'pods',
    keys: (change, cluster) => {
      if (change.resource === storageOf(nodes)) {
        return change.type === 'DELETED' ? [] : [nodePrefix + change.key, ...pendingKeys(cluster)];
      }
      if (change.resource !== storageOf(pods)) return [];
      const uid = text(change.object, 'metadata', 'uid');
      if (change.type !== 'DELETED') {
        placed.set(uid, text(change.object, 'spec', 'nodeName'));
        return [change.key];
      }
      records.delete(uid);
      placed.delete(uid);
      return [];
    },
    *reconcile(key, cluster, requeue) {
      if (key.startsWith(nodePrefix)) yield* syncNode(cluster, key.slice(nodePrefix.length));
      const pod = cluster.get(pods, key);
      if (pod === undefined) return;
      const record = recordOf(pod, cluster.now());
      const keep = (change: Partial<Record>): void => {
        records.set(text(pod, 'metadata', 'uid'), { ...record, ...change });
      };
      if (isDeleting(pod)) yield* terminate(cluster, pod, rules, record, keep, requeue);
      else if (isFinished(pod)) return;
      else if (text(pod, 'spec', 'nodeName') === '') schedule(cluster, pod, rules, record, placed, requeue);
      else run(cluster, pod, rules, record, keep, requeue);
    },
  };
}

/** Prefix of the keys of nodes. */
const nodePrefix = 'node ';

function addressOf(index: number): string {
  return `10.244.${Math.floor(index / 254) % 256}.${(index % 254) + 1}`;
}

function pendingKeys(cluster: Cluster): readonly string[] {
  return cluster
    .list(pods)
    .filter((pod) => text(pod, 'spec', 'nodeName') === '')
    .map((pod) => `${text(pod, 'metadata', 'namespace')}/${nameOf(pod)}`);
}

/** Deletes a terminating pod once its containers have ended. */
function* terminate(
  cluster: Cluster,
  pod: JsonObject,
  rules: PodRules,
  record: Record,
  keep: (change: Partial<Record>) => void,
  requeue: Requeue,
): Verb<void> {
  const now = cluster.now();
  const deletedAt = record.deletedAt ?? now;
  keep({ deletedAt });
  const grace = number(pod, 30, 'metadata', 'deletionGracePeriodSeconds') * 1_000;
  const left = deletedAt + Math.min(rules.of(pod).terminateAfterMs ?? 0, grace) - now;
  if (left > 0) requeue(left);
  else if (grace > 0 || array(pod, 'metadata', 'finalizers').length === 0) {
    yield* cluster.remove(pods, pod, { gracePeriodSeconds: 0 });
  }
}

function schedule(
  cluster: Cluster,
  pod: JsonObject,
  rules: PodRules,
  { seenAt }: Record,
  placed: ReadonlyMap<string, string>,
  requeue: Requeue,
): void {
  const rule = rules.of(pod);
  if (array(pod, 'spec', 'schedulingGates').length > 0) return;
  const left = seenAt + (rule.scheduleAfterMs ?? 0) - cluster.now();
  if (left > 0) {
    requeue(left);
    return;
  }
  const all = cluster.list(nodes);
  const node =
    rule.unschedulable === undefined
      ? choose(
          placed,
          all.filter((each) => fits(pod, each)),
        )
      : undefined;
  if (node === undefined) {
    reject(cluster, pod, rule.unschedulable ?? unschedulableMessage(all.length));
    return;
  }
  const conditions = withCondition(array(pod, 'status', 'conditions'), scheduled(cluster, 'True'));
  const bound = putAt(pod, ['spec', 'nodeName'], nameOf(node));
  cluster.report(pods, putAt(bound, ['status', 'conditions'], conditions));
}

function scheduled(cluster: Cluster, status: string): JsonObject {
  const lastTransitionTime = formatTime(cluster.now());
  return { type: 'PodScheduled', status, lastProbeTime: null, lastTransitionTime };
}

function unschedulableMessage(count: number): string {
  if (count === 0) return 'no nodes available to schedule pods';
  return `0/${count} nodes are available: ${count} node(s) didn't match Pod's node affinity/selector.`;
}

/** Returns the node with the fewest pods. */
function choose(
  placed: ReadonlyMap<string, string>,
  candidates: readonly JsonObject[],
): JsonObject | undefined {
  if (candidates.length < 2) return candidates[0];
  const loads = new Map<string, number>();
  for (const node of placed.values()) loads.set(node, (loads.get(node) ?? 0) + 1);
  const load = (node: JsonObject): number => loads.get(nameOf(node)) ?? 0;
  return candidates.reduce((best, node) => (load(node) < load(best) ? node : best));
}

function reject(cluster: Cluster, pod: JsonObject, message: string): void {
  const state = { ...scheduled(cluster, 'False'), reason: 'Unschedulable', message };
  const conditions = withCondition(array(pod, 'status', 'conditions'), state);
  if (conditions === own(object(pod, 'status'), 'conditions')) return;
  cluster.report(pods, putAt(pod, ['status', 'conditions'], conditions));
}

function run(
  cluster: Cluster,
  pod: JsonObject,
  rules: PodRules,
  record: Record,
  keep: (change: Partial<Record>) => void,
  requeue: Requeue,
): void {
  const now = cluster.now();
  const rule = rules.of(pod);
  const life = record.life ?? firstLife(pod, now, rule.startAfterMs ?? 0);
  const state = stateAt(pod, rule, life, now);
  keep({ life: state.life });
  const status = statusOf(pod, rule, state, record.ip, now);
  if (!sameStatus(status, object(pod, 'status'))) cluster.report(pods, { ...pod, status });
  if (state.wakeAt !== undefined) requeue(state.wakeAt - now);
}

/** A pod that already runs, such as one of a snapshot, keeps running. */
function firstLife(pod: JsonObject, now: number, startAfterMs: number): PodLife {
  const started = Date.parse(text(pod, 'status', 'startTime'));
  const scheduledAt = Number.isNaN(started) ? now : started;
  const ends = number(array(pod, 'status', 'containerStatuses')[0], 0, 'restartCount');
  return { scheduledAt, startedAt: scheduledAt + startAfterMs, ends, endedAt: undefined };
}
