/** Readiness, taints and leases of simulated nodes. */
import {
  array,
  equal,
  fromEntries,
  type Json,
  type JsonObject,
  object,
  own,
  putAt,
  text,
} from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { conditionOf } from '../../store/object-facts.ts';
import { type Cluster, formatTime } from '../cluster.ts';
import { nodes } from '../workloads/paths.ts';
import { earliest, withCondition } from '../workloads/values.ts';
import { tolerationsOf } from './scheduler/node-affinity.ts';

/** Taints of nodes that are not ready, by the status of their condition. */
const readiness = {
  False: 'node.kubernetes.io/not-ready',
  Unknown: 'node.kubernetes.io/unreachable',
} as const;

/** Reports a node as ready if nothing reports its state, and sets its taints by its readiness. */
export function* syncNode(cluster: Cluster, name: string): Verb<void> {
  const found = cluster.get(nodes, name);
  if (found === undefined) return;
  const node = conditionOf(found, 'Ready') === undefined ? yield* report(cluster, found) : found;
  yield* allocate(cluster, node);
  const current = cluster.get(nodes, name) ?? node;
  const taints = array(current, 'spec', 'taints');
  const next = taintsOf(cluster, node, taints);
  if (next.length !== taints.length || next.some((taint, index) => taint !== taints[index]))
    yield* cluster.update(nodes, putAt(current, ['spec', 'taints'], next));
}

/** Makes extended resources allocatable that a test adds to the capacity of a node. */
function* allocate(cluster: Cluster, node: JsonObject): Verb<void> {
  const [capacity, allocatable] = [object(node, 'status', 'capacity'), object(node, 'status', 'allocatable')];
  const isExtended = (name: string): boolean => name.includes('/') && !name.includes('kubernetes.io/');
  const own_ = Object.entries(allocatable).filter(([name]) => !isExtended(name));
  const extended = Object.entries(capacity).filter(([name]) => isExtended(name));
  const next = fromEntries([
    ...own_,
    ...extended.map(([name, all]) => [name, allocatable[name] ?? all] as const),
  ]);
  if (!equal(next, allocatable))
    yield* cluster.update(nodes, putAt(node, ['status', 'allocatable'], next), 'status');
}

/** Returns the taints of a node, with those that its readiness and its cordon imply. */
function taintsOf(cluster: Cluster, node: JsonObject, taints: readonly Json[]): readonly Json[] {
  const status = text(conditionOf(node, 'Ready'), 'status');
  const key = status === 'False' || status === 'Unknown' ? readiness[status] : undefined;
  const isCordoned = own(object(node, 'spec'), 'unschedulable') === true;
  const implied = [
    ...(key === undefined ? [] : ['NoSchedule', 'NoExecute'].map((effect) => ({ key, effect }))),
    ...(isCordoned ? [{ key: cordonKey, effect: 'NoSchedule' }] : []),
  ];
  const isImplied = (taint: Json): boolean => implied.some((each) => isSame(taint, each));
  const kept = taints.filter((taint) => !managed.includes(text(taint, 'key')) || isImplied(taint));
  const missing = implied.filter((each) => !kept.some((taint) => isSame(taint, each)));
  return [...kept, ...missing.map((each) => ({ ...each, timeAdded: formatTime(cluster.now()) }))];
}

const cordonKey = 'node.kubernetes.io/unschedulable';

/** Keys of the taints that the cluster sets. */
const managed: readonly string[] = [...Object.values(readiness), cordonKey];

function isSame(a: Json, b: Json): boolean {
  return text(a, 'key') === text(b, 'key') && text(a, 'effect') === text(b, 'effect');
}

function* report(cluster: Cluster, node: JsonObject): Verb<JsonObject> {
  const now = formatTime(cluster.now());
  const conditions = withCondition(array(node, 'status', 'conditions'), {
    type: 'Ready',
    status: 'True',
    lastHeartbeatTime: now,
    lastTransitionTime: now,
    reason: 'KubeletReady',
    message: 'kubelet is posting ready status',
  });
  return yield* cluster.update(nodes, putAt(node, ['status', 'conditions'], conditions), 'status');
}

const unknownAddress = '10.0.0.1';

/** Returns the address of a node. */
export function hostAddress(node: JsonObject | undefined): string {
  const addresses = array(object(node, 'status'), 'addresses');
  const internal = addresses.find((each) => text(each, 'type') === 'InternalIP');
  return text(internal, 'address') || unknownAddress;
}

/**
 * Returns when a pod has to leave its node: at the end of the shortest toleration. `undefined`: never.
 *
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/
 */
export function evictionAt(
  pod: JsonObject,
  node: JsonObject,
  taintedAt: (taint: Json) => number,
): number | undefined {
  const taints = array(node, 'spec', 'taints').filter((taint) => text(taint, 'effect') === 'NoExecute');
  const times = taints.flatMap((taint) => {
    const tolerations = tolerationsOf(pod, taint);
    if (tolerations.length === 0) return [taintedAt(taint)];
    const seconds = tolerations
      .map((each) => own(object(each), 'tolerationSeconds'))
      .filter((each) => typeof each === 'number');
    const shortest = earliest(seconds);
    return shortest === undefined ? [] : [taintedAt(taint) + Math.max(shortest, 0) * 1_000];
  });
  return earliest(times);
}
