import { array, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { controllerOf, isDeleting, isReady, nameOf, namespaceOf } from '../../store/object-facts.ts';
import { type Cluster, keyOf, storageOf } from '../cluster.ts';
import type { Controller } from '../controller.ts';
import { deployments, disruptionBudgets, pods, replicaSets, statefulSets } from '../workloads/paths.ts';
import {
  earliest,
  isFinished,
  isSelectedBy,
  number,
  sameStatus,
  scaled,
  withCondition,
} from '../workloads/values.ts';

/** Time in which an evicted pod has to be deleted, or it counts as available again. */
const deletionTimeoutMs = 120_000;

/** Counts the healthy pods of disruption budgets, on which evictions depend. */
export const disruptionBudgetController: Controller = {
  name: 'disruptionBudgets',
  keys: (change, cluster) => {
    if (change.resource === storageOf(disruptionBudgets)) return [change.key];
    if (change.resource !== storageOf(pods)) return [];
    const states = [change.object, change.previous].filter((pod) => pod !== undefined);
    return cluster
      .list(disruptionBudgets, namespaceOf(change.object))
      .filter((budget) => states.some((pod) => isSelectedBy(selectorOf(budget), pod)))
      .map((budget) => keyOf(namespaceOf(budget), nameOf(budget)));
  },
  *reconcile(key, cluster, requeue) {
    const budget = cluster.get(disruptionBudgets, key);
    if (budget === undefined || isDeleting(budget)) return;
    const selected = cluster
      .list(pods, namespaceOf(budget))
      .filter((pod) => isSelectedBy(selectorOf(budget), pod) && !isFinished(pod));
    const { status, wakeMs } = statusOf(cluster, budget, selected);
    if (!sameStatus(status, object(budget, 'status'))) {
      yield* cluster.updateStatus(disruptionBudgets, budget, status);
    }
    if (wakeMs !== undefined) requeue(wakeMs);
  },
};

function selectorOf(budget: JsonObject): JsonObject {
  return object(budget, 'spec', 'selector');
}

interface Counted {
  readonly status: JsonObject;
  readonly wakeMs: number | undefined;
}

function statusOf(cluster: Cluster, budget: JsonObject, selected: readonly JsonObject[]): Counted {
  const now = cluster.now();
  const evicted = Object.entries(object(budget, 'status', 'disruptedPods'))
    .map(([name, time]) => ({ name, until: Date.parse(String(time)) + deletionTimeoutMs, time }))
    .filter(
      ({ name, until }) => until > now && selected.some((pod) => nameOf(pod) === name && !isDeleting(pod)),
    );
  const disrupted = new Set(evicted.map(({ name }) => name));
  const healthy = selected.filter((pod) => isReady(pod) && !isDeleting(pod) && !disrupted.has(nameOf(pod)));
  const { expected, desired } = desiredPods(cluster, budget, selected);
  const allowed = expected > 0 ? Math.max(0, healthy.length - desired) : 0;
  const status: JsonObject = {
    observedGeneration: number(budget, 0, 'metadata', 'generation'),
    ...(evicted.length === 0
      ? {}
      : { disruptedPods: Object.fromEntries(evicted.map(({ name, time }) => [name, time])) }),
    disruptionsAllowed: allowed,
    currentHealthy: healthy.length,
    desiredHealthy: desired,
    expectedPods: expected,
    conditions: withCondition(array(budget, 'status', 'conditions'), {
      type: 'DisruptionAllowed',
      status: allowed > 0 ? 'True' : 'False',
      observedGeneration: number(budget, 0, 'metadata', 'generation'),
      lastTransitionTime: cluster.timestamp(),
      reason: allowed > 0 ? 'SufficientPods' : 'InsufficientPods',
      message: '',
    }),
  };
  const waits = evicted.map(({ until }) => until - now);
  return { status, wakeMs: earliest(waits) };
}

interface DesiredPods {
  readonly expected: number;
  readonly desired: number;
}

function desiredPods(cluster: Cluster, budget: JsonObject, selected: readonly JsonObject[]): DesiredPods {
  const spec = object(budget, 'spec');
  const maximum = own(spec, 'maxUnavailable');
  const minimum = own(spec, 'minAvailable');
  if (maximum !== undefined) {
    const expected = expectedPods(cluster, selected);
    return { expected, desired: Math.max(0, expected - scaled(maximum, expected, Math.ceil)) };
  }
  if (typeof minimum === 'number') return { expected: selected.length, desired: minimum };
  const expected = expectedPods(cluster, selected);
  return { expected, desired: scaled(minimum, expected, Math.ceil) };
}

/** Returns the replicas of the controllers of pods. Pods without a known controller count by themselves. */
function expectedPods(cluster: Cluster, selected: readonly JsonObject[]): number {
  const scales = new Map<string, number>();
  for (const pod of selected) {
    const owner = topController(cluster, pod);
    if (owner !== undefined) scales.set(text(owner, 'metadata', 'uid'), number(owner, 1, 'spec', 'replicas'));
  }
  return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
}

function topController(cluster: Cluster, pod: JsonObject): JsonObject | undefined {
  const reference = controllerOf(pod);
  const key = keyOf(namespaceOf(pod), text(reference, 'name'));
  if (text(reference, 'kind') === statefulSets.kind) return cluster.get(statefulSets, key);
  if (text(reference, 'kind') !== replicaSets.kind) return undefined;
  const set = cluster.get(replicaSets, key);
  const parent = controllerOf(set);
  if (text(parent, 'kind') !== deployments.kind) return set;
  return cluster.get(deployments, keyOf(namespaceOf(pod), text(parent, 'name'))) ?? set;
}
