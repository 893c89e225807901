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
];

/** Returns why a spec cannot run, or undefined if it can. */
export function exclusionOf(name: string): string | undefined {
  return exclusions.find(({ names }) => names.test(name))?.reason;
}
