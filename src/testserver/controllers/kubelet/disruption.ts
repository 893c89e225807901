/** The condition of pods that the cluster ends. */

import { array, compact, type JsonObject, object, own } from '@kgen/schema/values/json';
import { isConditionTrue } from '../../store/object-facts.ts';
import { type Cluster, formatTime } from '../cluster.ts';
import { pods } from '../workloads/paths.ts';
import { withCondition } from '../workloads/values.ts';

/** Marks a pod with the condition `DisruptionTarget`, and returns it. */
export function disrupted(
  cluster: Cluster,
  pod: JsonObject,
  reason: string,
  message: string,
  more: JsonObject = {},
): JsonObject {
  if (isConditionTrue(pod, 'DisruptionTarget')) return pod;
  const condition = compact({
    observedGeneration: own(object(pod, 'metadata'), 'generation'),
    type: 'DisruptionTarget',
    status: 'True',
    reason,
    message,
    lastTransitionTime: formatTime(cluster.now()),
    lastProbeTime: null,
  });
  const conditions = withCondition(array(pod, 'status', 'conditions'), condition);
  return cluster.report(pods, { ...pod, status: { ...object(pod, 'status'), ...more, conditions } });
}
