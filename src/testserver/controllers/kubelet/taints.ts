/**
 * Eviction of pods by taints of their nodes.
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/
 */

import { array, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { earliest } from '../workloads/values.ts';
import { tolerationsOf } from './scheduler/node-affinity.ts';

/** Returns when a pod has to leave its node: at the end of the shortest toleration. `undefined`: never. */
export function evictionAt(
  pod: JsonObject,
  node: JsonObject,
  taintedAt: (taint: Json) => number,
): number | undefined {
  const taints = array(node, 'spec', 'taints').filter((taint) => text(taint, 'effect') === 'NoExecute');
  const times = taints.flatMap((taint) => {
    const tolerations = tolerationsOf(pod, taint);
    if (tolerations.length === 0) return [taintedAt(taint)];
    const seconds = tolerations
      .map((each) => own(object(each), 'tolerationSeconds'))
      .filter((each) => typeof each === 'number');
    const shortest = earliest(seconds);
    return shortest === undefined ? [] : [taintedAt(taint) + Math.max(shortest, 0) * 1_000];
  });
  return earliest(times);
}
