/** Filters and scores of nodes, in the order of the scheduler of Kubernetes. */

import { array, type Json, type JsonObject, text } from '@kgen/schema/values/json';
import { nameOf } from '../../../store/object-facts.ts';
import type { Cluster } from '../../cluster.ts';
import { number } from '../../workloads/values.ts';
import { volumeProblem } from './claims.ts';
import { changedLoad, isRelated, type NodeLoad, type PodPlaces } from './load.ts';
import {
  affinityReason,
  hasAffinity,
  isNamed,
  isSchedulable,
  preferenceOf,
  untolerated,
} from './node-affinity.ts';
import {
  affinityProblem,
  affinityScore,
  type PopulatedNode,
  spreadProblem,
  spreadScore,
} from './pod-affinity.ts';
import { requestsOf, shortages } from './resources.ts';

/** Why a pod cannot run on a node. */
export interface Rejection {
  readonly reasons: readonly string[];
  /** Whether the deletion of other pods may help. */
  readonly isResolvable: boolean;
}

/** The nodes of a cluster with their pods. */
export interface Nodes {
  readonly cluster: Cluster;
  readonly nodes: readonly JsonObject[];
  readonly places: PodPlaces;
}

/** Returns why a pod cannot run on a node without some of its pods, or `undefined` if it can. */
export function rejection(
  { cluster, nodes, places }: Nodes,
  pod: JsonObject,
  node: JsonObject,
  without: readonly JsonObject[] = [],
): Rejection | undefined {
  const fixed = fixedReason(pod, node);
  if (fixed !== undefined) return { reasons: [fixed], isResolvable: false };
  const name = nameOf(node);
  const load = changedLoad(places.of(name), without, places.nominated(name, pod));
  if (hasPortConflict(pod, () => load)) return { reasons: [portReason], isResolvable: true };
  const lacking = shortages(node, load, requestsOf(pod));
  if (lacking.length > 0) return { reasons: lacking, isResolvable: true };
  const volume = volumeProblem(cluster, pod, node);
  if (volume !== undefined) return { reasons: [volume], isResolvable: false };
  if (!isRelated(pod) && !places.hasExclusive) return undefined;
  const all = populated(nodes, places, name, load);
  const reason =
    spreadProblem(cluster, pod, node, all) ?? affinityProblem(cluster, pod, node, all, places.hasExclusive);
  return reason === undefined ? undefined : { reasons: [reason], isResolvable: true };
}

/** Reason of a node that has no free port. */
export const portReason = "node(s) didn't have free ports for the requested pod ports";

function fixedReason(pod: JsonObject, node: JsonObject): string | undefined {
  if (!isSchedulable(pod, node)) return 'node(s) were unschedulable';
  if (!isNamed(pod, node)) return "node(s) didn't match the requested node name";
  if (untolerated(pod, node, ['NoSchedule', 'NoExecute']).length > 0)
    return 'node(s) had untolerated taint(s)';
  return hasAffinity(pod, node) ? undefined : affinityReason;
}

function populated(
  nodes: readonly JsonObject[],
  places: PodPlaces,
  changed: string,
  load: NodeLoad,
): readonly PopulatedNode[] {
  return nodes.map((node) => {
    const name = nameOf(node);
    return { node, pods: name === changed ? load.pods : places.of(name).pods };
  });
}

/** Returns whether a pod needs a port of its node that another pod has. */
export function hasPortConflict(pod: JsonObject, load: () => NodeLoad): boolean {
  const needed = portsOf(pod);
  if (needed.length === 0) return false;
  const used = [...load().pods.values()].flatMap(portsOf);
  return needed.some((a) =>
    used.some(
      (b) =>
        a.port === b.port &&
        a.protocol === b.protocol &&
        (a.ip === b.ip || a.ip === anyAddress || b.ip === anyAddress),
    ),
  );
}

interface HostPort {
  readonly port: number;
  readonly ip: string;
  readonly protocol: string;
}

function portsOf(pod: JsonObject): readonly HostPort[] {
  const init = array(pod, 'spec', 'initContainers').filter(
    (each) => text(each, 'restartPolicy') === 'Always',
  );
  return [...init, ...array(pod, 'spec', 'containers')].flatMap((container) =>
    array(container, 'ports').flatMap((each: Json) => {
      const port = number(each, 0, 'hostPort');
      const [ip, protocol] = [text(each, 'hostIP') || anyAddress, text(each, 'protocol') || 'TCP'];
      return port > 0 ? [{ port, ip, protocol }] : [];
    }),
  );
}

const anyAddress = '0.0.0.0';

/** Returns the best node for a pod: by its preferences, then the one with the fewest pods. */
export function best(
  { cluster, nodes, places }: Nodes,
  pod: JsonObject,
  candidates: readonly JsonObject[],
): JsonObject | undefined {
  if (candidates.length < 2) return candidates[0];
  const all = isRelated(pod) ? populated(nodes, places, '', places.of('')) : [];
  const scored = candidates.map((node) => ({
    node,
    score:
      preferenceOf(pod, node) +
      affinityScore(cluster, pod, node, all) +
      100 * spreadScore(cluster, pod, node, all) -
      100 * untolerated(pod, node, ['PreferNoSchedule']).length,
    count: places.of(nameOf(node)).count,
  }));
  return scored.reduce((found, each) =>
    each.score > found.score || (each.score === found.score && each.count < found.count) ? each : found,
  ).node;
}
