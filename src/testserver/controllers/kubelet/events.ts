/** Events that the scheduler and the kubelets record. */

import { compact, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { randomUid } from '../../environment/environment.ts';
import { nameOf, namespaceOf } from '../../store/object-facts.ts';
import { type Cluster, keyOf, type ResourcePath } from '../cluster.ts';
import { number } from '../workloads/values.ts';

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

/** Returns a recorder that counts equal events. */
export function eventRecorder(): RecordEvent {
  const names = new Map<string, string>();
  return (cluster, pod, event) => {
    const id = [text(pod, 'metadata', 'uid'), event.reason, event.message, event.container].join(' ');
    const namespace = namespaceOf(pod);
    const known = cluster.get(events, keyOf(namespace, names.get(id) ?? ''));
    const lastTimestamp = cluster.timestamp();
    if (known !== undefined) {
      cluster.report(events, { ...known, count: number(known, 1, 'count') + 1, lastTimestamp });
      return;
    }
    const suffix = randomUid(cluster.state.environment).replaceAll('-', '').slice(0, 16);
    const name = `${nameOf(pod)}.${suffix}`;
    names.set(id, name);
    cluster.createComplete(events, eventOf(pod, event, { name, namespace }, lastTimestamp));
  };
}

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
