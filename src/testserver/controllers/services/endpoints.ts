import {
  array,
  compact,
  equal,
  fromEntries,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  text,
} from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { isDeleting, isReady, nameOf, namespaceOf } from '../../store/object-facts.ts';
import { type Cluster, controllerReference, keyOf, type ResourcePath, storageOf } from '../cluster.ts';
import type { Controller } from '../controller.ts';
import { endpointSlices, endpoints, pods, services } from '../workloads/paths.ts';
import { isFinished, isSelectedBy } from '../workloads/values.ts';
import { managedByLabel, managedSlices, serviceLabel, sliceKeys, sliceName, triggerKey } from './slices.ts';

const headlessLabel = 'service.kubernetes.io/headless';
const manager = 'endpointslice-controller.k8s.io';

/** Maximum number of endpoints of one slice. */
const sliceSize = 100;

/** Keeps Endpoints and EndpointSlices of services with a selector up to date. */
export const endpointsController: Controller = {
  name: 'endpoints',
  keys: (change, cluster) => {
    if (change.resource === storageOf(services)) return [change.key];
    if (change.resource === storageOf(endpoints)) return change.type === 'DELETED' ? [change.key] : [];
    if (change.resource !== storageOf(pods)) return sliceKeys(change, manager);
    const states = [change.object, change.previous].filter((pod) => pod !== undefined);
    return cluster
      .list(services, namespaceOf(change.object))
      .filter((service) => states.some((pod) => isSelectedBy(selectorOf(service), pod)))
      .map((service) => keyOf(namespaceOf(service), nameOf(service)));
  },
  *reconcile(key, cluster) {
    const service = cluster.get(services, key);
    const [namespace = '', name = ''] = key.split('/');
    if (service === undefined) {
      const old = cluster.get(endpoints, key);
      if (old !== undefined) yield* cluster.remove(endpoints, old);
      for (const slice of managedSlices(cluster, namespace, name, manager))
        yield* cluster.remove(endpointSlices, slice);
      return;
    }
    if (isDeleting(service) || selectorOf(service) === undefined) return;
    const selected = cluster
      .list(pods, namespace)
      .filter((pod) => isSelectedBy(selectorOf(service), pod) && addressOf(pod) !== '' && !isFinished(pod));
    yield* syncEndpoints(cluster, service, selected);
    if (text(service, 'spec', 'type') !== 'ExternalName') yield* syncSlices(cluster, service, selected);
  },
};

function selectorOf(service: JsonObject): Json | undefined {
  const selector = object(service, 'spec', 'selector');
  return Object.keys(selector).length === 0 ? undefined : { matchLabels: selector };
}

function addressOf(pod: JsonObject): string {
  return text(pod, 'status', 'podIP');
}

/** A port of a service with the number that a pod uses for it. */
interface TargetPort {
  readonly name: string;
  readonly port: number;
  readonly protocol: string;
  readonly appProtocol: string | undefined;
}

function* syncEndpoints(cluster: Cluster, service: JsonObject, selected: readonly JsonObject[]): Verb<void> {
  const alive = selected.filter((pod) => !isDeleting(pod) || publishesUnready(service));
  const subsets = byPorts(service, alive)
    .filter(({ ports }) => ports.length > 0 || isHeadless(service))
    .map(({ ports, pods: group }) => subsetOf(service, ports, group));
  const labels = {
    ...object(service, 'metadata', 'labels'),
    'endpoints.kubernetes.io/managed-by': 'endpoint-controller',
    ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
  };
  const key = keyOf(namespaceOf(service), nameOf(service));
  const metadata = { name: nameOf(service), namespace: namespaceOf(service), labels };
  yield* write(
    cluster,
    endpoints,
    cluster.get(endpoints, key),
    compact({ metadata, subsets: subsets.length === 0 ? undefined : subsets }),
  );
}

function publishesUnready(service: JsonObject): boolean {
  return own(object(service, 'spec'), 'publishNotReadyAddresses') === true;
}

/** Returns pods in groups with equal ports. */
function byPorts(
  service: JsonObject,
  found: readonly JsonObject[],
): readonly { readonly ports: readonly TargetPort[]; readonly pods: readonly JsonObject[] }[] {
  const groups = new Map<string, { readonly ports: readonly TargetPort[]; readonly pods: JsonObject[] }>();
  for (const pod of found) {
    const ports = portsOf(service, pod);
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, pods: [] };
    groups.set(key, group);
    group.pods.push(pod);
  }
  return [...groups.values()];
}

function portsOf(service: JsonObject, pod: JsonObject): readonly TargetPort[] {
  return array(service, 'spec', 'ports').flatMap((port) => {
    const number = targetOf(port, pod);
    if (number === undefined) return [];
    return {
      name: text(port, 'name'),
      port: number,
      protocol: text(port, 'protocol') || 'TCP',
      appProtocol: text(port, 'appProtocol') || undefined,
    };
  });
}

/** Returns the number of a target port, which may be the name of a port of a container. */
function targetOf(port: Json, pod: JsonObject): number | undefined {
  const target = own(port, 'targetPort') ?? own(port, 'port');
  if (typeof target === 'number') return target;
  const protocol = text(port, 'protocol') || 'TCP';
  const found = array(pod, 'spec', 'containers')
    .flatMap((container) => array(container, 'ports'))
    .find((each) => text(each, 'name') === target && (text(each, 'protocol') || 'TCP') === protocol);
  const number = own(found, 'containerPort');
  return typeof number === 'number' ? number : undefined;
}

function isHeadless(service: JsonObject): boolean {
  return text(service, 'spec', 'clusterIP') === 'None';
}

function subsetOf(
  service: JsonObject,
  ports: readonly TargetPort[],
  group: readonly JsonObject[],
): JsonObject {
  const address = (pod: JsonObject): JsonObject =>
    compact({
      ip: addressOf(pod),
      nodeName: text(pod, 'spec', 'nodeName') || undefined,
      hostname: hostnameIn(service, pod),
      targetRef: targetReference(pod),
    });
  const sorted = group.toSorted((a, b) => (addressOf(a) < addressOf(b) ? -1 : 1));
  const isServing = (pod: JsonObject): boolean => isReady(pod) || publishesUnready(service);
  const [ready, notReady] = [sorted.filter(isServing), sorted.filter((pod) => !isServing(pod))];
  return compact({
    addresses: ready.length === 0 ? undefined : ready.map(address),
    notReadyAddresses: notReady.length === 0 ? undefined : notReady.map(address),
    ports: ports.length === 0 ? undefined : ports.map(endpointPort),
  });
}

function targetReference(pod: JsonObject): JsonObject {
  return {
    kind: 'Pod',
    namespace: namespaceOf(pod),
    name: nameOf(pod),
    uid: text(pod, 'metadata', 'uid'),
  };
}

function hostnameIn(service: JsonObject, pod: JsonObject): string | undefined {
  const hostname = text(pod, 'spec', 'hostname');
  return hostname !== '' && text(pod, 'spec', 'subdomain') === nameOf(service) ? hostname : undefined;
}

function endpointPort({ name, port, protocol, appProtocol }: TargetPort): JsonObject {
  return compact({ name: name === '' ? undefined : name, port, protocol, appProtocol });
}

function* syncSlices(cluster: Cluster, service: JsonObject, selected: readonly JsonObject[]): Verb<void> {
  const namespace = namespaceOf(service);
  const before = managedSlices(cluster, namespace, nameOf(service), manager);
  const desired = byPorts(service, selected).flatMap(({ ports, pods: group }) =>
    chunks(service, ports, group),
  );
  // Services without pods have one empty slice.
  const slices = desired.length === 0 ? [sliceOf(service, [], [])] : desired;
  for (const [index, slice] of slices.entries()) {
    const existing = before[index];
    const seed = `${text(service, 'metadata', 'uid')}/${index}`;
    const name =
      existing === undefined ? sliceName(cluster, namespace, nameOf(service), seed) : nameOf(existing);
    const metadata = { ...object(slice, 'metadata'), name };
    yield* write(cluster, endpointSlices, existing, { ...slice, metadata });
  }
  for (const slice of before.slice(slices.length)) yield* cluster.remove(endpointSlices, slice);
}

function chunks(
  service: JsonObject,
  ports: readonly TargetPort[],
  group: readonly JsonObject[],
): readonly JsonObject[] {
  const count = Math.ceil(group.length / sliceSize);
  return Array.from({ length: count }, (_, index) =>
    sliceOf(service, ports, group.slice(index * sliceSize, (index + 1) * sliceSize)),
  );
}

function sliceOf(
  service: JsonObject,
  ports: readonly TargetPort[],
  group: readonly JsonObject[],
): JsonObject {
  const isIpv6 = text(service, 'spec', 'clusterIP').includes(':');
  return {
    metadata: {
      namespace: namespaceOf(service),
      generateName: `${nameOf(service)}-`,
      labels: {
        ...object(service, 'metadata', 'labels'),
        [managedByLabel]: manager,
        [serviceLabel]: nameOf(service),
        ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
      },
      ownerReferences: [controllerReference(services, service)],
    },
    addressType: isIpv6 ? 'IPv6' : 'IPv4',
    endpoints: group.map((pod) => endpointOf(service, pod)),
    ports: ports.map(({ name, port, protocol, appProtocol }) =>
      compact({ name, port, protocol, appProtocol }),
    ),
  };
}

function endpointOf(service: JsonObject, pod: JsonObject): JsonObject {
  const serving = isReady(pod);
  const terminating = isDeleting(pod);
  return compact({
    addresses: [addressOf(pod)],
    conditions: {
      ready: publishesUnready(service) || (serving && !terminating),
      serving,
      terminating,
    },
    hostname: hostnameIn(service, pod),
    nodeName: text(pod, 'spec', 'nodeName') || undefined,
    targetRef: targetReference(pod),
  });
}

/** Creates or replaces an object if its content differs. */
function* write(
  cluster: Cluster,
  path: ResourcePath,
  before: JsonObject | undefined,
  value: JsonObject,
): Verb<void> {
  const annotations = { [triggerKey]: cluster.timestamp() };
  if (before === undefined) {
    yield* cluster.create(path, { ...value, metadata: { ...object(value, 'metadata'), annotations } });
    return;
  }
  const content = (each: JsonObject): JsonObject => omit(each, 'metadata', 'apiVersion', 'kind');
  const labels = object(value, 'metadata', 'labels');
  const isSame =
    equal(normal(content(before)), normal(content(value))) &&
    equal(object(before, 'metadata', 'labels'), labels);
  if (isSame) return;
  const metadata = { ...object(before, 'metadata'), labels, annotations };
  yield* cluster.update(path, { ...value, metadata });
}

/** Absent and empty lists are the same. */
function normal(value: JsonObject): JsonObject {
  return fromEntries(
    Object.entries(value).filter(([, item]) => item !== null && (!Array.isArray(item) || item.length > 0)),
  );
}
