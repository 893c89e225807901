/** EndpointSlices of Endpoints that clients write, for services without a selector. */

import { isIP } from 'node:net';
import {
  array,
  compact,
  equal,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  text,
} from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { nameOf, namespaceOf } from '../../store/object-facts.ts';
import { type Cluster, controllerReference, storageOf } from '../cluster.ts';
import type { Controller } from '../controller.ts';
import { endpointSlices, endpoints, services } from '../workloads/paths.ts';
import {
  lastAppliedKey,
  managedByLabel,
  managedSlices,
  serviceLabel,
  sliceKeys,
  sliceName,
  triggerKey,
} from './slices.ts';

const manager = 'endpointslicemirroring-controller.k8s.io';

/** Addresses of a subset that are mirrored at most. */
const mostAddresses = 1_000;

/** Mirrors Endpoints into EndpointSlices. */
export const endpointMirrorsController: Controller = {
  name: 'endpointMirrors',
  keys: (change) =>
    [storageOf(services), storageOf(endpoints)].includes(change.resource)
      ? [change.key]
      : sliceKeys(change, manager),
  *reconcile(key, cluster) {
    const [namespace = '', name = ''] = key.split('/');
    const source = cluster.get(endpoints, key);
    const service = cluster.get(services, key);
    const existing = managedSlices(cluster, namespace, name, manager);
    const hasSelector = own(object(service, 'spec'), 'selector') !== undefined;
    const isMirrored = source !== undefined && service !== undefined && !hasSelector && !isSkipped(source);
    const expected = isMirrored ? slicesOf(source) : [];
    const kept = new Set<JsonObject>();
    for (const slice of expected) {
      const before = existing.find((each) => !kept.has(each) && hasSameKey(each, slice));
      if (before === undefined) yield* createSlice(cluster, slice, name);
      else {
        kept.add(before);
        yield* updateSlice(cluster, before, slice);
      }
    }
    for (const slice of existing) if (!kept.has(slice)) yield* cluster.remove(endpointSlices, slice);
  },
};

function isSkipped(source: JsonObject): boolean {
  const metadata = object(source, 'metadata');
  return (
    text(metadata, 'labels', 'endpointslice.kubernetes.io/skip-mirror') === 'true' ||
    own(object(metadata, 'annotations'), 'control-plane.alpha.kubernetes.io/leader') !== undefined
  );
}

/** Returns a slice for each family of addresses of each set of ports. */
function slicesOf(source: JsonObject): readonly JsonObject[] {
  const found = new Map<string, { readonly slice: JsonObject; readonly items: JsonObject[] }>();
  for (const subset of array(source, 'subsets')) {
    const ports = portsOf(subset);
    for (const { address, ready } of addressesOf(subset)) {
      const addressType = isIP(text(address, 'ip')) === 4 ? 'IPv4' : 'IPv6';
      const key = `${addressType} ${JSON.stringify(ports)}`;
      const entry = found.get(key) ?? { slice: { addressType, ports }, items: [] };
      found.set(key, entry);
      entry.items.push(endpointOf(address, ready));
    }
  }
  const metadata = metadataOf(source);
  return [...found.values()].map(({ slice, items }) => ({ metadata, ...slice, endpoints: items }));
}

function portsOf(subset: Json): readonly JsonObject[] {
  return array(subset, 'ports').map((port) =>
    compact({
      name: text(port, 'name'),
      port: own(port, 'port'),
      protocol: text(port, 'protocol') || 'TCP',
      appProtocol: own(port, 'appProtocol'),
    }),
  );
}

function addressesOf(subset: Json): readonly { readonly address: Json; readonly ready: boolean }[] {
  return [
    ...array(subset, 'addresses').map((address) => ({ address, ready: true })),
    ...array(subset, 'notReadyAddresses').map((address) => ({ address, ready: false })),
  ]
    .filter(({ address }) => isIP(text(address, 'ip')) > 0)
    .slice(0, mostAddresses);
}

function endpointOf(address: Json, ready: boolean): JsonObject {
  return compact({
    addresses: [text(address, 'ip')],
    conditions: { ready },
    targetRef: own(address, 'targetRef'),
    nodeName: own(address, 'nodeName'),
    hostname: text(address, 'hostname') || undefined,
  });
}

function metadataOf(source: JsonObject): JsonObject {
  const { labels, annotations } = { labels: {}, annotations: {}, ...object(source, 'metadata') };
  return {
    namespace: namespaceOf(source),
    labels: { ...object(labels), [serviceLabel]: nameOf(source), [managedByLabel]: manager },
    annotations: omit(object(annotations), triggerKey, lastAppliedKey),
    ownerReferences: [controllerReference(endpoints, source)],
  };
}

function hasSameKey(a: JsonObject, b: JsonObject): boolean {
  return text(a, 'addressType') === text(b, 'addressType') && equal(array(a, 'ports'), array(b, 'ports'));
}

function* createSlice(cluster: Cluster, slice: JsonObject, service: string): Verb<void> {
  const metadata = object(slice, 'metadata');
  const [owner] = array(metadata, 'ownerReferences');
  const seed = `${text(owner, 'uid')}/${text(slice, 'addressType')}`;
  const name = sliceName(cluster, namespaceOf(slice), service, seed);
  const generateName = `${service}-`;
  yield* cluster.create(endpointSlices, { ...slice, metadata: { ...metadata, name, generateName } });
}

function* updateSlice(cluster: Cluster, before: JsonObject, slice: JsonObject): Verb<void> {
  const parts = (value: JsonObject): Json => [
    array(value, 'endpoints'),
    object(value, 'metadata', 'labels'),
    object(value, 'metadata', 'annotations'),
  ];
  if (equal(parts(before), parts(slice))) return;
  const { labels = {}, annotations = {} } = object(slice, 'metadata');
  // An update has the name alone, as on a real cluster.
  const metadata = { ...omit(object(before, 'metadata'), 'generateName'), labels, annotations };
  yield* cluster.update(endpointSlices, { ...before, endpoints: array(slice, 'endpoints'), metadata });
}
