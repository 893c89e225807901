/**
 * Preemption of pods with a lower priority.
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/
 */

import { isObject, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { isDeleting, nameOf, namespaceOf } from '../../../store/object-facts.ts';
import { disruptionBudgets } from '../../workloads/paths.ts';
import { byCreation, isSelectedBy, number } from '../../workloads/values.ts';
import { type Nodes, rejection } from './filters.ts';
import { priorityOf } from './load.ts';

/** A node on which a pod fits after the deletion of others. */
export interface Candidate {
  readonly node: JsonObject;
  readonly victims: readonly JsonObject[];
  /** Number of victims that a disruption budget protects. */
  readonly violations: number;
}

/** Returns whether a pod may preempt others now: not while its earlier victims still terminate. */
export function mayPreempt({ places }: Nodes, pod: JsonObject): boolean {
  if (text(pod, 'spec', 'preemptionPolicy') === 'Never') return false;
  const nominated = text(pod, 'status', 'nominatedNodeName');
  if (nominated === '') return true;
  return ![...places.of(nominated).pods.values()].some(
    (each) => isDeleting(each) && priorityOf(each) < priorityOf(pod),
  );
}

/** Returns the one of some nodes whose pods cost the least to delete. */
export function chooseCandidate(
  nodes: Nodes,
  pod: JsonObject,
  resolvable: readonly JsonObject[],
): Candidate | undefined {
  const candidates = resolvable.flatMap((node) => candidateOf(nodes, pod, node) ?? []);
  return candidates.reduce<Candidate | undefined>(
    (found, each) => (found === undefined || isCheaper(each, found) ? each : found),
    undefined,
  );
}

/** Compares in the order of Kubernetes: budgets, highest priority, sum of priorities, number, start. */
function isCheaper(a: Candidate, b: Candidate): boolean {
  const [left, right] = [costOf(a), costOf(b)];
  const index = left.findIndex((value, at) => value !== right[at]);
  return index >= 0 && (left[index] ?? 0) < (right[index] ?? 0);
}

function costOf({ victims, violations }: Candidate): readonly number[] {
  const priorities = victims.map(priorityOf);
  const highest = priorities.reduce((high, each) => Math.max(high, each), Number.NEGATIVE_INFINITY);
  const sum = priorities.reduce((total, each) => total + each + 2 ** 31, 0);
  const starts = victims
    .filter((each) => priorityOf(each) === highest)
    .map((each) => Date.parse(text(each, 'status', 'startTime')) || 0);
  const earliestStart = starts.reduce((low, each) => Math.min(low, each), Number.POSITIVE_INFINITY);
  return [violations, highest, sum, victims.length, -earliestStart];
}

function candidateOf(nodes: Nodes, pod: JsonObject, node: JsonObject): Candidate | undefined {
  const lower = [...nodes.places.of(nameOf(node)).pods.values()].filter(
    (each) => priorityOf(each) < priorityOf(pod),
  );
  if (lower.length === 0 || rejection(nodes, pod, node, lower) !== undefined) return undefined;
  const isProtected = protection(nodes, lower);
  const order = [...lower].sort(
    (a, b) =>
      Number(isProtected(b)) - Number(isProtected(a)) || priorityOf(b) - priorityOf(a) || byCreation(a, b),
  );
  // As many pods as possible stay: those that budgets protect first, then the most important ones.
  const victims = order.reduce<readonly JsonObject[]>((left, each) => {
    const others = left.filter((other) => other !== each);
    return rejection(nodes, pod, node, others) === undefined ? others : left;
  }, lower);
  return { node, victims, violations: victims.filter(isProtected).length };
}

/** Returns a predicate for the pods whose deletion would violate a disruption budget. */
function protection({ cluster }: Nodes, candidates: readonly JsonObject[]): (pod: JsonObject) => boolean {
  const violating = new Set<JsonObject>();
  const budgets = cluster.list(disruptionBudgets);
  const allowed = new Map(
    budgets.map((budget) => [budget, number(budget, 0, 'status', 'disruptionsAllowed')]),
  );
  const sorted = [...candidates].sort((a, b) => priorityOf(b) - priorityOf(a));
  for (const pod of budgets.length === 0 ? [] : sorted) {
    for (const budget of budgets) {
      const selector = own(object(budget, 'spec'), 'selector');
      if (namespaceOf(budget) !== namespaceOf(pod) || !isObject(selector)) continue;
      if (Object.keys(selector).length === 0 || !isSelectedBy(selector, pod)) continue;
      if (own(object(budget, 'status', 'disruptedPods'), nameOf(pod)) !== undefined) continue;
      const left = (allowed.get(budget) ?? 0) - 1;
      allowed.set(budget, left);
      if (left < 0) violating.add(pod);
    }
  }
  return (pod) => violating.has(pod);
}
