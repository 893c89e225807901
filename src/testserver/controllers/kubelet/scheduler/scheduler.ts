/** The scheduler: assigns pods to nodes, or records why it cannot. */

import { array, compact, type JsonObject, object, omit, own, putAt, text } from '@kgen/schema/values/json';
import type { Verb } from '../../../call/verb.ts';
import { conditionOf, isDeleting, nameOf, namespaceOf } from '../../../store/object-facts.ts';
import { type Cluster, formatTime } from '../../cluster.ts';
import type { Requeue } from '../../controller.ts';
import { nodes, pods } from '../../workloads/paths.ts';
import { withCondition } from '../../workloads/values.ts';
import { disrupted } from '../disruption.ts';
import type { RecordEvent } from '../events.ts';
import type { PodRule } from '../rules.ts';
import type { KubeletState } from '../state.ts';
import { claimProblem } from './claims.ts';
import { best, type Nodes, type Rejection, rejection } from './filters.ts';
import { chooseCandidate, mayPreempt } from './preemption.ts';

export const defaultScheduler = 'default-scheduler';

/** Assigns a pod to a node, once the rule allows it. */
export function* schedule(
  cluster: Cluster,
  pod: JsonObject,
  rule: PodRule,
  state: KubeletState,
  requeue: Requeue,
): Verb<void> {
  const { places, record } = state;
  const name = text(pod, 'spec', 'schedulerName') || defaultScheduler;
  if (name !== defaultScheduler || array(pod, 'spec', 'schedulingGates').length > 0) return;
  const left = state.seenAt(pod) + (rule.scheduleAfterMs ?? 0) - cluster.now();
  if (left > 0) requeue(left);
  else if (rule.unschedulable !== undefined) reject({ cluster, record }, pod, rule.unschedulable);
  else {
    const all = cluster.list(nodes).filter((each) => !isDeleting(each));
    const problem = claimProblem(cluster, pod);
    if (problem === undefined) yield* place({ cluster, nodes: all, places, record }, pod);
    else reject({ cluster, record }, pod, unboundMessage(all.length, problem));
  }
}

/** The nodes of a scheduler that records events. */
type Recorded = Nodes & { readonly record: RecordEvent };

function* place(all: Recorded, pod: JsonObject): Verb<void> {
  const results = all.nodes.map((node) => ({ node, problem: rejection(all, pod, node) }));
  const candidates = results.filter(({ problem }) => problem === undefined).map(({ node }) => node);
  const nominated = candidates.find((node) => nameOf(node) === text(pod, 'status', 'nominatedNodeName'));
  const node = nominated ?? best(all, pod, candidates);
  if (node !== undefined) {
    bind(all, pod, node);
    return;
  }
  const rejected = results.flatMap(({ node: each, problem }) =>
    problem === undefined ? [] : [{ node: each, problem }],
  );
  yield* preempt(all, pod, rejected);
}

function bind({ cluster, record }: Recorded, pod: JsonObject, node: JsonObject): void {
  const conditions = withCondition(array(pod, 'status', 'conditions'), scheduled(cluster, pod, 'True'));
  const bound = putAt(pod, ['spec', 'nodeName'], nameOf(node));
  const status = omit(object(pod, 'status'), 'nominatedNodeName');
  cluster.report(pods, { ...bound, status: { ...status, conditions } });
  const message = `Successfully assigned ${namespaceOf(pod)}/${nameOf(pod)} to ${nameOf(node)}`;
  record(cluster, pod, { reason: 'Scheduled', message, component: defaultScheduler });
}

function scheduled(cluster: Cluster, pod: JsonObject, status: string): JsonObject {
  const lastTransitionTime = formatTime(cluster.now());
  const observedGeneration = own(object(pod, 'metadata'), 'generation');
  return compact({
    observedGeneration,
    type: 'PodScheduled',
    status,
    lastProbeTime: null,
    lastTransitionTime,
  });
}

/** A node that a pod does not fit. */
interface RejectedNode {
  readonly node: JsonObject;
  readonly problem: Rejection;
}

/** Deletes pods with a lower priority if that makes room, and records that the pod has to wait. */
function* preempt(all: Recorded, pod: JsonObject, rejected: readonly RejectedNode[]): Verb<void> {
  const { cluster } = all;
  const problems = rejected.map(({ problem }) => problem);
  const resolvable = rejected.filter(({ problem }) => problem.isResolvable).map(({ node }) => node);
  const isAllowed = mayPreempt(all, pod);
  const candidate = isAllowed ? chooseCandidate(all, pod, resolvable) : undefined;
  const why = isAllowed ? noVictims(problems) : 'not eligible due to preemptionPolicy=Never.';
  reject(
    all,
    pod,
    messageOf(problems, candidate === undefined ? why : undefined),
    candidate === undefined ? undefined : nameOf(candidate.node),
  );
  for (const victim of candidate?.victims ?? []) {
    const message = `${defaultScheduler}: preempting to accommodate a higher priority pod`;
    const preempted = `Preempted by pod ${text(pod, 'metadata', 'uid')} on node ${text(victim, 'spec', 'nodeName')}`;
    all.record(cluster, victim, { reason: 'Preempted', message: preempted, component: defaultScheduler });
    const marked = disrupted(cluster, victim, 'PreemptionByScheduler', message);
    if (!isDeleting(marked)) yield* cluster.remove(pods, marked);
  }
}

function noVictims(problems: readonly Rejection[]): string {
  const count = problems.length;
  const resolvable = problems.filter(({ isResolvable }) => isResolvable).length;
  const reasons = [
    ...(resolvable > 0 ? [`${resolvable} No preemption victims found for incoming pod`] : []),
    ...(count > resolvable ? [`${count - resolvable} Preemption is not helpful for scheduling`] : []),
  ];
  return `0/${count} nodes are available: ${reasons.sort().join(', ')}.`;
}

/** Returns the message of the scheduler for a pod whose claims are not bound. */
function unboundMessage(count: number, problem: string): string {
  if (count === 0) return noNodes;
  const why = `0/${count} nodes are available: ${count} Preemption is not helpful for scheduling.`;
  return `0/${count} nodes are available: ${problem}.${preemptionPart} ${why}`;
}

const noNodes = 'no nodes available to schedule pods';
const preemptionPart = ' no new claims to deallocate, preemption:';

/** Returns the message of the scheduler for a pod that fits no node. */
function messageOf(problems: readonly Rejection[], preemption: string | undefined): string {
  if (problems.length === 0) return noNodes;
  const counts = new Map<string, number>();
  for (const reason of problems.flatMap(({ reasons }) => reasons))
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  const more = preemption === undefined ? '' : `${preemptionPart} ${preemption}`;
  return `0/${problems.length} nodes are available: ${reasons.join(', ')}.${more}`;
}

/** Records that a pod cannot be scheduled, and the node on which it preempts others. */
function reject(
  { cluster, record }: Pick<Recorded, 'cluster' | 'record'>,
  pod: JsonObject,
  message: string,
  nominated?: string,
): void {
  const state = { ...scheduled(cluster, pod, 'False'), reason: 'Unschedulable', message };
  const before = conditionOf(pod, 'PodScheduled');
  const node = nominated ?? text(pod, 'status', 'nominatedNodeName');
  const isSame =
    text(before, 'reason') === 'Unschedulable' &&
    text(before, 'message') === message &&
    text(pod, 'status', 'nominatedNodeName') === node;
  if (isSame) return;
  record(cluster, pod, { reason: 'FailedScheduling', message, type: 'Warning', component: defaultScheduler });
  const others = array(pod, 'status', 'conditions').filter((each) => each !== before);
  const isKept = text(before, 'status') === 'False';
  const since = isKept ? own(before, 'lastTransitionTime') : own(state, 'lastTransitionTime');
  const conditions = [...others, { ...state, lastTransitionTime: since ?? null }];
  const status = {
    ...object(pod, 'status'),
    conditions,
    ...(node === '' ? {} : { nominatedNodeName: node }),
  };
  cluster.report(pods, { ...pod, status });
}
