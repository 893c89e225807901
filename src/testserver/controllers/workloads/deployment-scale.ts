/** Distribution of replicas over ReplicaSets, as kube-controller-manager rounds it. */
import type { JsonObject } from '@kgen/schema/values/json';
import { text } from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import type { Cluster } from '../cluster.ts';
import {
  allSets,
  counted,
  limitsOf,
  recordedSize,
  replicasOf,
  requested,
  type Sets,
  scaleSet,
} from './deployment-sets.ts';
import { byCreation } from './values.ts';

/**
 * Scales a Deployment outside of a rollout: one active ReplicaSet takes all replicas, several ones share them
 * in proportion to their size, so that a failed rollout does not grow.
 */
export function* proportionalScale(cluster: Cluster, sets: Sets): Verb<void> {
  const { deployment, current, old } = sets;
  const only = activeOrLatest(sets);
  if (only !== undefined) {
    yield* scaleSet(cluster, deployment, only, replicasOf(deployment));
    return;
  }
  if (current !== undefined && isSaturated(deployment, current)) {
    for (const set of old.filter((each) => replicasOf(each) > 0))
      yield* scaleSet(cluster, deployment, set, 0);
    return;
  }
  if (text(deployment, 'spec', 'strategy', 'type') === 'Recreate') return;
  for (const [set, replicas] of shares(sets)) yield* scaleSet(cluster, deployment, set, replicas, true);
}

/** Returns the only active ReplicaSet, or the newest if none is active. */
function activeOrLatest({ current, old }: Sets): JsonObject | undefined {
  const all = [...(current === undefined ? [] : [current]), ...old.toSorted(byCreation).toReversed()];
  const active = all.filter((set) => replicasOf(set) > 0);
  if (active.length > 1) return undefined;
  return active[0] ?? all[0];
}

function isSaturated(deployment: JsonObject, set: JsonObject): boolean {
  const replicas = replicasOf(deployment);
  return (
    replicasOf(set) === replicas &&
    recordedSize(set).desired === replicas &&
    counted([set], 'availableReplicas') === replicas
  );
}

function shares(sets: Sets): readonly (readonly [JsonObject, number])[] {
  const { deployment } = sets;
  const active = allSets(sets).filter((set) => replicasOf(set) > 0);
  const replicas = replicasOf(deployment);
  const allowed = replicas > 0 ? replicas + limitsOf(deployment).surge : 0;
  const missing = allowed - requested(active);
  const ordered = active.toSorted((a, b) => {
    if (replicasOf(a) !== replicasOf(b)) return replicasOf(b) - replicasOf(a);
    return missing > 0 ? -byCreation(a, b) : byCreation(a, b);
  });
  let added = 0;
  const sizes = ordered.map((set) => {
    const share = shareOf(deployment, set, missing, missing - added);
    added += share;
    return replicasOf(set) + share;
  });
  return ordered.map((set, index) => {
    const size = (sizes[index] ?? 0) + (index === 0 ? missing - added : 0);
    return [set, Math.max(0, size)] as const;
  });
}

function shareOf(deployment: JsonObject, set: JsonObject, missing: number, allowed: number): number {
  if (missing === 0 || allowed === 0) return 0;
  const fraction = fractionOf(deployment, set);
  return missing > 0 ? Math.min(fraction, allowed) : Math.max(fraction, allowed);
}

function fractionOf(deployment: JsonObject, set: JsonObject): number {
  const size = replicasOf(set);
  if (replicasOf(deployment) === 0) return -size;
  const before = recordedSize(set).maximum || counted([deployment], 'replicas');
  if (before === 0) return 0;
  return Math.round((size * (replicasOf(deployment) + limitsOf(deployment).surge)) / before) - size;
}
