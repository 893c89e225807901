/** Events that controllers record. */
import { compact, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { apiVersionOf } from '../resources/type.ts';
import { nameOf, namespaceOf } from '../store/object-facts.ts';
import { type Cluster, keyOf, type ResourcePath, storageOf } from './cluster.ts';
import { hashOf, number } from './workloads/values.ts';

/** An event of an object. */
export interface ObjectEvent {
  readonly reason: string;
  readonly message: string;
  /** Default: `Normal`. */
  readonly type?: 'Warning';
  /** Default: the controller of the kind. */
  readonly component?: string;
  /** Node of the component. */
  readonly host?: string;
  /** Part of the object. */
  readonly fieldPath?: string;
}

const events: ResourcePath = { group: '', version: 'v1', kind: 'Event', plural: 'events' };

/** Names of the controllers that record events, by the resource of these. */
const components: Readonly<Record<string, string>> = {
  'deployments.apps': 'deployment-controller',
  'replicasets.apps': 'replicaset-controller',
  replicationcontrollers: 'replication-controller',
  'statefulsets.apps': 'statefulset-controller',
  'daemonsets.apps': 'daemonset-controller',
  'jobs.batch': 'job-controller',
  'cronjobs.batch': 'cronjob-controller',
  persistentvolumeclaims: 'persistentvolume-controller',
};

/** Records an event of an object, if the controllers of the server record events. */
export function recordEvent(
  cluster: Cluster,
  path: ResourcePath,
  value: JsonObject,
  event: ObjectEvent,
): void {
  if (cluster.recordsEvents) writeEvent(cluster, path, value, event);
}

/**
 * Writes an event, or counts it if an equal one exists: their names are hashes of their content. Many events
 * that differ only in their messages are combined in one.
 */
export function writeEvent(
  cluster: Cluster,
  path: ResourcePath,
  value: JsonObject,
  event: ObjectEvent,
): void {
  const { reason, message, fieldPath = '' } = event;
  const uid = text(value, 'metadata', 'uid');
  // Events of objects without a namespace are in the default one.
  const namespace = namespaceOf(value) || 'default';
  const nameFor = (part: string): string => `${nameOf(value)}.${hashOf([uid, reason, part, fieldPath], 0)}`;
  const write = (name: string, next: ObjectEvent): void => {
    const known = cluster.get(events, keyOf(namespace, name));
    const lastTimestamp = cluster.timestamp();
    if (known === undefined)
      cluster.createComplete(events, eventOf(path, value, next, { name, namespace }, lastTimestamp));
    else {
      const count = number(known, 1, 'count') + 1;
      cluster.report(events, { ...known, message: next.message, count, lastTimestamp });
    }
  };
  const isKnown = cluster.get(events, keyOf(namespace, nameFor(message))) !== undefined;
  if (isKnown || similarCount(cluster, value, namespace, event) < mostSimilar) write(nameFor(message), event);
  else write(nameFor(combined), { ...event, message: combined + message });
}

/** Number of events of an object and a reason that are not combined. */
const mostSimilar = 9;
const combined = '(combined from similar events): ';

function similarCount(
  cluster: Cluster,
  value: JsonObject,
  namespace: string,
  { reason, type }: ObjectEvent,
): number {
  const prefix = keyOf(namespace, `${nameOf(value)}.`);
  const uid = text(value, 'metadata', 'uid');
  return cluster.state.store
    .list(storageOf(events), prefix)
    .filter(
      ([, each]) =>
        text(each, 'involvedObject', 'uid') === uid &&
        text(each, 'reason') === reason &&
        text(each, 'type') === (type ?? 'Normal'),
    ).length;
}

function eventOf(
  path: ResourcePath,
  value: JsonObject,
  event: ObjectEvent,
  metadata: JsonObject,
  time: string,
): JsonObject {
  const { reason, message, type = 'Normal', host, fieldPath } = event;
  const component = event.component ?? components[storageOf(path)] ?? '';
  const involved = object(value, 'metadata');
  return {
    metadata,
    involvedObject: compact({
      kind: path.kind,
      namespace: own(involved, 'namespace'),
      name: nameOf(value),
      uid: own(involved, 'uid'),
      apiVersion: apiVersionOf(path.group, path.version),
      resourceVersion: own(involved, 'resourceVersion'),
      fieldPath,
    }),
    reason,
    message,
    source: compact({ component, host }),
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    type,
    eventTime: null,
    reportingComponent: component,
    reportingInstance: host ?? '',
  };
}
