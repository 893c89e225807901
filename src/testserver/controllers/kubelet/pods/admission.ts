/** Pods that a kubelet rejects. */

import { array, type JsonObject, object, text } from '@kgen/schema/values/json';

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

/** Returns the status of a pod that its kubelet rejects, or `undefined`. */
export function rejectedStatus(pod: JsonObject): JsonObject | undefined {
  const names = array(pod, 'spec', 'securityContext', 'sysctls').map((each) =>
    text(each, 'name').replaceAll('/', '.'),
  );
  const unsafe = names.find((name) => !safe.has(name));
  if (unsafe === undefined) return undefined;
  const message = `Pod was rejected: forbidden sysctl: "${unsafe}" not allowlisted`;
  return { ...object(pod, 'status'), phase: 'Failed', reason: 'SysctlForbidden', message };
}
