/**
 * Affinity of pods to each other, and their spread over topologies.
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/
 */

import {
  array,
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  strings,
  text,
} from '@kgen/schema/values/json';
import { isDeleting, namespaceOf } from '../../../store/object-facts.ts';
import type { Cluster } from '../../cluster.ts';
import { namespaces } from '../../workloads/paths.ts';
import { isSelectedBy, number } from '../../workloads/values.ts';
import { labelOf } from './load.ts';
import { hasAffinity, preferredTerms, requiredTerms, untolerated } from './node-affinity.ts';

/** A node with its pods. */
export interface PopulatedNode {
  readonly node: JsonObject;
  readonly pods: ReadonlyMap<string, JsonObject>;
}

/** Reasons of the scheduler. */
const reasons = {
  existing: "node(s) didn't satisfy existing pods anti-affinity rules",
  affinity: "node(s) didn't match pod affinity rules",
  antiAffinity: "node(s) didn't match pod anti-affinity rules",
  spread: "node(s) didn't match pod topology spread constraints",
} as const;

/** Returns why the affinity of pods excludes a node, if it does. */
export function affinityProblem(
  cluster: Cluster,
  pod: JsonObject,
  target: JsonObject,
  all: readonly PopulatedNode[],
  hasExclusive: boolean,
): string | undefined {
  const affinity = object(pod, 'spec', 'affinity');
  if (hasExclusive && isExcluded(cluster, pod, target, all)) return reasons.existing;
  const near = array(affinity, 'podAffinity', requiredTerms);
  const isNear = near.every(
    (term) => hasMatch(cluster, pod, term, target, all) || isFirst(cluster, pod, term, target, all),
  );
  if (!isNear) return reasons.affinity;
  const apart = array(affinity, 'podAntiAffinity', requiredTerms);
  return apart.some((term) => hasMatch(cluster, pod, term, target, all)) ? reasons.antiAffinity : undefined;
}

/** Returns whether a term selects a pod in the topology of a node. */
function hasMatch(
  cluster: Cluster,
  owner: JsonObject,
  term: Json,
  target: JsonObject,
  all: readonly PopulatedNode[],
): boolean {
  return near(term, target, all).some((each) => selects(cluster, owner, term, each));
}

/** The first pod of a group has affinity to itself. */
function isFirst(
  cluster: Cluster,
  pod: JsonObject,
  term: Json,
  target: JsonObject,
  all: readonly PopulatedNode[],
): boolean {
  if (labelOf(target, text(term, 'topologyKey')) === undefined || !selects(cluster, pod, term, pod))
    return false;
  return !all.some(({ pods }) => [...pods.values()].some((each) => selects(cluster, pod, term, each)));
}

/** Returns the pods in the topology of a node. */
function near(term: Json, target: JsonObject, all: readonly PopulatedNode[]): readonly JsonObject[] {
  const key = text(term, 'topologyKey');
  const value = labelOf(target, key);
  if (value === undefined) return [];
  return all.filter(({ node }) => labelOf(node, key) === value).flatMap(({ pods }) => [...pods.values()]);
}

function isExcluded(
  cluster: Cluster,
  pod: JsonObject,
  target: JsonObject,
  all: readonly PopulatedNode[],
): boolean {
  return all.some(({ node, pods }) =>
    [...pods.values()].some((each) =>
      array(each, 'spec', 'affinity', 'podAntiAffinity', requiredTerms).some((term) => {
        const key = text(term, 'topologyKey');
        const value = labelOf(node, key);
        return value !== undefined && labelOf(target, key) === value && selects(cluster, each, term, pod);
      }),
    ),
  );
}

/** Returns whether a term of `owner` selects a pod: by namespace and labels. */
function selects(cluster: Cluster, owner: JsonObject, term: Json, pod: JsonObject): boolean {
  const selector = own(object(term), 'labelSelector');
  if (!isObject(selector)) return false;
  return (
    isInNamespaces(cluster, owner, term, namespaceOf(pod)) &&
    isSelectedBy(withKeys(selector, term, owner), pod)
  );
}

function isInNamespaces(cluster: Cluster, owner: JsonObject, term: Json, namespace: string): boolean {
  const listed = strings(term, 'namespaces');
  const selector = own(object(term), 'namespaceSelector');
  if (listed.length === 0 && selector === undefined) return namespace === namespaceOf(owner);
  if (listed.includes(namespace)) return true;
  const found = cluster.get(namespaces, namespace);
  return found !== undefined && isSelectedBy(selector, found);
}

/** Returns a selector with the values that the keys in `matchLabelKeys` have in the pod. */
function withKeys(selector: JsonObject, term: Json, pod: JsonObject): JsonObject {
  const labels = object(pod, 'metadata', 'labels');
  const more = strings(term, 'matchLabelKeys').flatMap((key) =>
    own(labels, key) === undefined ? [] : [{ key, operator: 'In', values: [text(labels, key)] }],
  );
  if (more.length === 0) return selector;
  return { ...selector, matchExpressions: [...array(selector, 'matchExpressions'), ...more] };
}

/** Returns the weights of preferred affinity for a node. */
export function affinityScore(
  cluster: Cluster,
  pod: JsonObject,
  target: JsonObject,
  all: readonly PopulatedNode[],
): number {
  const affinity = object(pod, 'spec', 'affinity');
  const sum = (list: string): number =>
    array(affinity, list, preferredTerms).reduce<number>((total, each) => {
      const term = object(each, 'podAffinityTerm');
      const count = near(term, target, all).filter((other) => selects(cluster, pod, term, other)).length;
      return total + count * number(each, 0, 'weight');
    }, 0);
  return sum('podAffinity') - sum('podAntiAffinity');
}

/** Returns why the spread of pods over topologies excludes a node, if it does. */
export function spreadProblem(
  cluster: Cluster,
  pod: JsonObject,
  target: JsonObject,
  all: readonly PopulatedNode[],
): string | undefined {
  const constraints = array(pod, 'spec', 'topologySpreadConstraints').filter(
    (each) => (text(each, 'whenUnsatisfiable') || 'DoNotSchedule') === 'DoNotSchedule',
  );
  const isSpread = constraints.every((each) => {
    const key = text(each, 'topologyKey');
    const value = labelOf(target, key);
    if (value === undefined) return false;
    const counts = domains(cluster, pod, each, all);
    const domainCount = counts.size < number(each, 1, 'minDomains') ? 0 : lowest([...counts.values()]);
    const self = selects(cluster, pod, each, pod) ? 1 : 0;
    return (counts.get(value) ?? 0) + self - domainCount <= number(each, 1, 'maxSkew');
  });
  return isSpread ? undefined : reasons.spread;
}

function lowest(counts: readonly number[]): number {
  return counts.reduce((low, each) => Math.min(low, each), Number.POSITIVE_INFINITY);
}

/** Returns how many pods a constraint selects in each topology. */
function domains(
  cluster: Cluster,
  pod: JsonObject,
  constraint: Json,
  all: readonly PopulatedNode[],
): ReadonlyMap<string, number> {
  const key = text(constraint, 'topologyKey');
  const isAffine = (text(constraint, 'nodeAffinityPolicy') || 'Honor') === 'Honor';
  const isTolerant = text(constraint, 'nodeTaintsPolicy') === 'Honor';
  const counts = new Map<string, number>();
  for (const { node, pods } of all) {
    const value = labelOf(node, key);
    if (value === undefined || (isAffine && !hasAffinity(pod, node))) continue;
    if (isTolerant && untolerated(pod, node, ['NoSchedule', 'NoExecute']).length > 0) continue;
    const found = [...pods.values()].filter(
      (each) => !isDeleting(each) && selects(cluster, pod, constraint, each),
    );
    counts.set(value, (counts.get(value) ?? 0) + found.length);
  }
  return counts;
}

/** Returns how many pods the constraints that need not hold select in the topology of a node. */
export function spreadScore(
  cluster: Cluster,
  pod: JsonObject,
  target: JsonObject,
  all: readonly PopulatedNode[],
): number {
  return array(pod, 'spec', 'topologySpreadConstraints')
    .filter((each) => text(each, 'whenUnsatisfiable') === 'ScheduleAnyway')
    .reduce<number>((sum, each) => {
      const value = labelOf(target, text(each, 'topologyKey'));
      return sum - (value === undefined ? 0 : (domains(cluster, pod, each, all).get(value) ?? 0));
    }, 0);
}
