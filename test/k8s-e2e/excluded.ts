/**
 * Specs that cannot run on a server in memory: they need programs, networks, disks or clocks of real nodes,
 * or programs of a cluster that are not part of its API. The first rule that matches a name counts.
 */

/** One reason, with the names that it concerns. */
export interface Exclusion {
  readonly names: RegExp;
  readonly reason: string;
}

export const exclusions: readonly Exclusion[] = [
  { names: /\[Feature:Windows|\[sig-windows\]/, reason: 'needs nodes with Windows' },
  { names: /^\[sig-autoscaling\]/, reason: 'needs the metrics of programs that use processors' },
  { names: /\[Driver:|In-tree Volumes|CSI Volumes|CSI Mock/, reason: 'needs drivers of volumes on nodes' },
  { names: /\bDRA\b|DynamicResourceAllocation/, reason: 'needs drivers of devices on nodes' },
  { names: /\[sig-node\] PreStop/, reason: 'needs the proxies of pods and of the API of kubelets' },
  {
    names: /Pods Extended.*(Delete Grace Period|evicted pods should be terminal)/,
    reason: 'needs the API or the disks of kubelets',
  },
  { names: /NodeLease|NodeProblemDetector/, reason: 'needs the heartbeats of kubelets' },
  {
    names: /(logs from the container|command execution) over websockets/,
    reason: 'the server has neither logs over WebSockets nor the first version of the protocol of exec',
  },
  {
    names: /private registry|Pods? InPlace Resize|PLR Pod/,
    reason: 'needs registries or control groups of nodes',
  },
  {
    names: /SELinux|SupplementalGroups|HostUsers|UserNamespaces|AppArmor|user namespace/,
    reason: 'needs a kernel',
  },
  { names: /RuntimeClass.*(handler|RuntimeHandler)/, reason: 'needs the handlers of a container runtime' },
  {
    names: /memory backed volumes of specified size|hugepages|HugePages/,
    reason: 'needs file systems of a kernel',
  },
  { names: /non-local redirect http liveness probe/, reason: 'needs the body of a redirect' },
];

/** Returns why a spec cannot run, or undefined if it can. */
export function exclusionOf(name: string): string | undefined {
  return exclusions.find(({ names }) => names.test(name))?.reason;
}
