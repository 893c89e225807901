/** Pods that a kubelet rejects. */

import { array, compact, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { nameOf } from '../../../store/object-facts.ts';
import { type Cluster, formatTime } from '../../cluster.ts';
import { nodes } from '../../workloads/paths.ts';
import { hasPortConflict, portReason } from '../scheduler/filters.ts';
import { changedLoad, labelOf, type NodeLoad, type PodPlaces } from '../scheduler/load.ts';
import { affinityReason, hasAffinity } from '../scheduler/node-affinity.ts';
import { amountsOf, requestsOf } from '../scheduler/resources.ts';

/**
 * Kernel parameters that pods may set on every node.
 * @see https://kubernetes.io/docs/tasks/administer-cluster/sysctl-cluster/
 */
const safe: ReadonlySet<string> = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ping_group_range',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.tcp_wmem',
]);

/** Why a kubelet rejects a pod. */
export interface PodRejection {
  readonly reason: string;
  readonly message: string;
}

/** Returns why a kubelet rejects a pod that it has not admitted before, or `undefined`. */
export function podRejection(cluster: Cluster, pod: JsonObject, places: PodPlaces): PodRejection | undefined {
  if (isAdmitted(pod)) return undefined;
  const node = cluster.get(nodes, text(pod, 'spec', 'nodeName'));
  return sysctlProblem(pod) ?? (node && (systemProblem(pod, node) ?? placeProblem(pod, node, places)));
}

/** A kubelet writes the time at which it admits a pod. */
function isAdmitted(pod: JsonObject): boolean {
  return text(pod, 'status', 'startTime') !== '';
}

/** Returns the status of a rejected pod: without the conditions of a kubelet. */
export function rejectedStatus(
  cluster: Cluster,
  pod: JsonObject,
  { reason, message }: PodRejection,
): JsonObject {
  const status = object(pod, 'status');
  const conditions = array(status, 'conditions').filter((each) => text(each, 'type') !== 'PodScheduled');
  return compact({
    ...status,
    observedGeneration: own(object(pod, 'metadata'), 'generation'),
    phase: 'Failed',
    reason,
    message: `Pod was rejected: ${message}`,
    conditions: conditions.length === 0 ? undefined : conditions,
    startTime: formatTime(cluster.now()),
  });
}

function sysctlProblem(pod: JsonObject): PodRejection | undefined {
  const names = array(pod, 'spec', 'securityContext', 'sysctls').map((each) =>
    text(each, 'name').replaceAll('/', '.'),
  );
  const unsafe = names.find((name) => !safe.has(name));
  if (unsafe === undefined) return undefined;
  return { reason: 'SysctlForbidden', message: `forbidden sysctl: "${unsafe}" not allowlisted` };
}

const systemLabel = 'kubernetes.io/os';

function systemProblem(pod: JsonObject, node: JsonObject): PodRejection | undefined {
  const system = labelOf(node, systemLabel) ?? 'linux';
  const label = text(pod, 'metadata', 'labels', systemLabel);
  if (label !== '' && label !== system) {
    const message = `Failed to admit pod as the \`${systemLabel}\` label doesn't match node label`;
    return { reason: 'PodOSSelectorNodeLabelDoesNotMatch', message };
  }
  const needed = text(pod, 'spec', 'os', 'name');
  if (needed === '' || needed === system) return undefined;
  const message = "Failed to admit pod as the OS field doesn't match node OS";
  return { reason: 'PodOSNotSupported', message };
}

/** Returns why a node has no place for a pod beside those that its kubelet has admitted. */
function placeProblem(pod: JsonObject, node: JsonObject, places: PodPlaces): PodRejection | undefined {
  const allocatable = amountsOf(object(node, 'status', 'allocatable'));
  const all = places.of(nameOf(node));
  const others = (): NodeLoad =>
    changedLoad(
      all,
      [...all.pods.values()].filter(
        (each) =>
          !isAdmitted(each) || own(object(each, 'metadata'), 'uid') === own(object(pod, 'metadata'), 'uid'),
      ),
    );
  const lacking = allocatable.size === 0 ? undefined : shortage(pod, allocatable, others());
  if (lacking !== undefined) return lacking;
  if (!hasAffinity(pod, node)) return predicate('NodeAffinity', affinityReason);
  return hasPortConflict(pod, others) ? predicate('NodePorts', portReason) : undefined;
}

function predicate(reason: string, message: string): PodRejection {
  return { reason, message: `Predicate ${reason} failed: ${message}` };
}

const one = 1_000_000_000n;

function shortage(
  pod: JsonObject,
  allocatable: ReadonlyMap<string, bigint>,
  { count, requested }: NodeLoad,
): PodRejection | undefined {
  const needs = [['pods', one] as const, ...requestsOf(pod)];
  for (const [name, need] of needs) {
    const capacity = allocatable.get(name);
    const used = name === 'pods' ? BigInt(count) * one : (requested.get(name) ?? 0n);
    if (capacity === undefined || need === 0n || used + need <= capacity) continue;
    const unit = name === 'cpu' ? one / 1_000n : one;
    const message = `requested: ${need / unit}, used: ${used / unit}, capacity: ${capacity / unit}`;
    return { reason: `OutOf${name}`, message: `Node didn't have enough resource: ${name}, ${message}` };
  }
  return undefined;
}
