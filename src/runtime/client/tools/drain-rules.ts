/**
 * Decision which pods of a node are evicted, as kubectl makes it.
 * @see https://github.com/kubernetes/kubectl/blob/master/pkg/drain/filters.go
 */
import type { KubernetesObject, OwnerReference } from '../../api/meta.ts';
import { isFields, listAt, memberAt } from '../../common/fields.ts';
import { controllerOf } from '../../objects/owners.ts';

/**
 * Pods without a replacement elsewhere that a drain may evict, although their data or they themselves are
 * lost.
 */
export interface DrainRules {
  /** Leaves pods of DaemonSets, which ignore that a node is unschedulable. Default: false, an error. */
  readonly ignoreDaemonSets?: boolean | undefined;
  /** Evicts pods with `emptyDir` volumes, whose data is lost. Default: false, an error. */
  readonly deleteEmptyDirData?: boolean | undefined;
  /** Evicts pods without a controller, which are not created again. Default: false, an error. */
  readonly force?: boolean | undefined;
}

/** Decision about one pod. */
export type DrainDecision =
  | { readonly action: 'evict'; readonly warning?: string }
  | { readonly action: 'skip'; readonly warning?: string }
  | { readonly action: 'refuse'; readonly reason: string };

const mirrorAnnotation = 'kubernetes.io/config.mirror';

/**
 * Decides about a pod.
 * @param daemonSetExists whether the DaemonSet exists that controls the pod, if one does
 */
export function drainDecision(pod: unknown, rules: DrainRules, daemonSetExists: boolean): DrainDecision {
  const phase = memberAt(pod, 'status', 'phase');
  const isOver = phase === 'Succeeded' || phase === 'Failed';
  const controller = controllerOfPod(pod);
  const warnings: string[] = [];
  if (memberAt(controller, 'kind') === 'DaemonSet' && !isOver) {
    if (daemonSetExists) {
      if (rules.ignoreDaemonSets) return { action: 'skip', warning: 'ignoring a pod of a DaemonSet' };
      return { action: 'refuse', reason: 'belongs to a DaemonSet (set ignoreDaemonSets to leave it)' };
    }
    if (!rules.force)
      return { action: 'refuse', reason: 'belongs to a DaemonSet that does not exist (set force)' };
    warnings.push('its DaemonSet does not exist');
  }
  if (memberAt(pod, 'metadata', 'annotations', mirrorAnnotation) !== undefined) return { action: 'skip' };
  if (listAt(pod, 'spec', 'volumes').some((one) => memberAt(one, 'emptyDir') !== undefined) && !isOver) {
    if (!rules.deleteEmptyDirData) {
      return { action: 'refuse', reason: 'has local storage (set deleteEmptyDirData to delete it)' };
    }
    warnings.push('its local storage is deleted');
  }
  if (controller === undefined && !isOver) {
    if (!rules.force) return { action: 'refuse', reason: 'has no controller (set force to delete it)' };
    warnings.push('it has no controller');
  }
  return { action: 'evict', ...(warnings.length > 0 && { warning: warnings.join(', ') }) };
}

/** Returns the owner that controls a pod of a response. */
export function controllerOfPod(pod: unknown): OwnerReference | undefined {
  // seam: `controllerOf` reads metadata of any form
  return isFields(pod) ? controllerOf(pod as KubernetesObject) : undefined;
}
