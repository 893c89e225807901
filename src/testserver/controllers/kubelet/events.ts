/** Events that the scheduler and the kubelets record. */

import { type JsonObject, text } from '@kgen/schema/values/json';
import type { Cluster } from '../cluster.ts';
import { type ObjectEvent, writeEvent } from '../events.ts';
import { pods } from '../workloads/paths.ts';

/** An event of a pod. */
export interface PodEvent extends Omit<ObjectEvent, 'host' | 'fieldPath'> {
  /** Default: `kubelet`. */
  readonly component?: string;
  /** Container of the event. */
  readonly container?: string;
}

/** Records an event of a pod. */
export type RecordEvent = (cluster: Cluster, pod: JsonObject, event: PodEvent) => void;

/** Records no events. */
export const ignoreEvent: RecordEvent = () => undefined;

/** Records an event, or counts it if an equal one exists. */
export const recordEvent: RecordEvent = (cluster, pod, event) => {
  const { container, component = 'kubelet', ...rest } = event;
  writeEvent(cluster, pods, pod, {
    ...rest,
    component,
    ...(component === 'kubelet' ? { host: text(pod, 'spec', 'nodeName') } : {}),
    ...(container === undefined ? {} : { fieldPath: `spec.containers{${container}}` }),
  });
};
