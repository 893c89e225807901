/** Events that the scheduler and the kubelets record. */

import { compact, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { nameOf, namespaceOf } from '../../store/object-facts.ts';
import { type Cluster, keyOf, type ResourcePath } from '../cluster.ts';
import { hashOf, number } from '../workloads/values.ts';

/** An event of a pod. */
export interface PodEvent {
  readonly reason: string;
  readonly message: string;
  /** Default: `Normal`. */
  readonly type?: 'Warning';
  /** Default: `kubelet`. */
  readonly component?: string;
  /** Container of the event. */
  readonly container?: string;
}

/** Records an event of a pod. */
export type RecordEvent = (cluster: Cluster, pod: JsonObject, event: PodEvent) => void;

const events: ResourcePath = { group: '', version: 'v1', kind: 'Event', plural: 'events' };

/** Records no events. */
export const ignoreEvent: RecordEvent = () => undefined;

/** Records an event, or counts it if an equal one exists: their names are hashes of their content. */
export const recordEvent: RecordEvent = (cluster, pod, event) => {
  const { reason, message, container = '' } = event;
  const name = `${nameOf(pod)}.${hashOf([text(pod, 'metadata', 'uid'), reason, message, container], 0)}`;
  const namespace = namespaceOf(pod);
  const known = cluster.get(events, keyOf(namespace, name));
  const lastTimestamp = cluster.timestamp();
  if (known === undefined)
    cluster.createComplete(events, eventOf(pod, event, { name, namespace }, lastTimestamp));
  else cluster.report(events, { ...known, count: number(known, 1, 'count') + 1, lastTimestamp });
};

function eventOf(pod: JsonObject, event: PodEvent, metadata: JsonObject, time: string): JsonObject {
  const { reason, message, type = 'Normal', component = 'kubelet', container } = event;
  const metadataOf = object(pod, 'metadata');
  return {
    metadata,
    involvedObject: compact({
      kind: 'Pod',
      namespace: namespaceOf(pod),
      name: nameOf(pod),
      uid: own(metadataOf, 'uid'),
      apiVersion: 'v1',
      resourceVersion: own(metadataOf, 'resourceVersion'),
      fieldPath: container === undefined ? undefined : `spec.containers{${container}}`,
    }),
    reason,
    message,
    source: compact({ component, host: component === 'kubelet' ? text(pod, 'spec', 'nodeName') : undefined }),
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    type,
    eventTime: null,
    reportingComponent: component,
    reportingInstance: component === 'kubelet' ? text(pod, 'spec', 'nodeName') : '',
  };
}
