/** IPAddresses of services, and the ranges of addresses from which they are allocated. */

import { BlockList, isIP } from 'node:net';
import { array, type Json, type JsonObject, object, omit, strings, text } from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { conditionOf, isDeleting, nameOf, namespaceOf } from '../../store/object-facts.ts';
import { withFinalizers } from '../../verbs/deletion.ts';
import { type Cluster, storageOf } from '../cluster.ts';
import type { Controller, Requeue } from '../controller.ts';
import { withoutFinalizer } from '../workloads/ownership.ts';
import { ipAddresses, serviceCidrs, services } from '../workloads/paths.ts';

const finalizer = 'networking.k8s.io/service-cidr-finalizer';
const familyLabel = 'ipaddress.kubernetes.io/ip-family';
const managedByLabel = 'ipaddress.kubernetes.io/managed-by';
const manager = 'ipallocator.k8s.io';

/** Time after the deletion of a range in which no address may be allocated from it any more. */
const deletionGraceMs = 10_000;

/** Key of all addresses. Ranges are reconciled by their name. */
const addressesKey = '/addresses';

/** Keeps an IPAddress for each cluster IP, and ServiceCIDRs as long as addresses of them exist. */
export const serviceAddressesController: Controller = {
  name: 'serviceAddresses',
  keys: (change, cluster) => {
    const ranges = (): readonly string[] => cluster.list(serviceCidrs).map(nameOf);
    if (change.resource === storageOf(serviceCidrs)) return [change.key, ...ranges()];
    if (change.resource === storageOf(services)) return [addressesKey];
    return change.resource === storageOf(ipAddresses) ? [addressesKey, ...ranges()] : [];
  },
  *reconcile(key, cluster, requeue) {
    if (key === addressesKey) {
      yield* syncAddresses(cluster);
      return;
    }
    const range = cluster.get(serviceCidrs, key);
    if (range !== undefined) yield* syncRange(cluster, range, requeue);
  },
};

function* syncAddresses(cluster: Cluster): Verb<void> {
  const expected = new Map(
    cluster
      .list(services)
      .filter((service) => text(service, 'spec', 'type') !== 'ExternalName')
      .flatMap((service) => strings(service, 'spec', 'clusterIPs').map((ip) => [ip, service] as const))
      .filter(([ip]) => isIP(ip) > 0),
  );
  for (const address of cluster.list(ipAddresses)) {
    const isOwn = text(address, 'metadata', 'labels', managedByLabel) === manager;
    if (isOwn && !expected.has(nameOf(address))) yield* cluster.remove(ipAddresses, address);
  }
  for (const [name, service] of expected) {
    if (cluster.get(ipAddresses, name) === undefined)
      cluster.createComplete(ipAddresses, addressOf(name, service));
  }
}

function addressOf(name: string, service: JsonObject): JsonObject {
  const labels = { [familyLabel]: familyOf(name), [managedByLabel]: manager };
  const parentRef = { resource: services.plural, namespace: namespaceOf(service), name: nameOf(service) };
  return { metadata: { name, labels }, spec: { parentRef } };
}

function familyOf(address: string): 'IPv4' | 'IPv6' {
  return isIP(address) === 4 ? 'IPv4' : 'IPv6';
}

function* syncRange(cluster: Cluster, range: JsonObject, requeue: Requeue): Verb<void> {
  const finalizers = strings(range, 'metadata', 'finalizers');
  if (!isDeleting(range)) {
    const kept = finalizers.includes(finalizer)
      ? range
      : yield* cluster.update(serviceCidrs, withFinalizers(range, [...finalizers, finalizer]));
    yield* setReady(cluster, kept, 'True', '', 'Kubernetes Service CIDR is ready');
    return;
  }
  if (!finalizers.includes(finalizer)) return;
  if (isNeeded(cluster, range)) {
    const message =
      'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR';
    yield* setReady(cluster, range, 'False', 'Terminating', message);
    return;
  }
  const left = Date.parse(text(range, 'metadata', 'deletionTimestamp')) + deletionGraceMs - cluster.now();
  if (left > 0) requeue(left);
  else yield* cluster.update(serviceCidrs, withoutFinalizer(range, finalizer));
}

function* setReady(
  cluster: Cluster,
  range: JsonObject,
  status: string,
  reason: string,
  message: string,
): Verb<void> {
  const before = conditionOf(range, 'Ready');
  if (text(before, 'status') === status && text(before, 'reason') === reason) return;
  const ready: Json = { type: 'Ready', status, reason, message, lastTransitionTime: cluster.timestamp() };
  const others = array(range, 'status', 'conditions').filter((each) => text(each, 'type') !== 'Ready');
  yield* cluster.updateStatus(serviceCidrs, range, {
    ...omit(object(range, 'status'), 'conditions'),
    conditions: [...others, ready],
  });
}

/** Returns whether an address of a service is in no other range. */
function isNeeded(cluster: Cluster, range: JsonObject): boolean {
  const contains = (each: JsonObject): ((address: string) => boolean) => {
    const list = new BlockList();
    for (const cidr of strings(each, 'spec', 'cidrs')) {
      const [base = '', length = ''] = cidr.split('/');
      if (isIP(base) > 0 && !base.includes('%') && /^\d{1,3}$/.test(length))
        addSubnet(list, base, Number(length));
    }
    return (address) => list.check(address, familyOf(address) === 'IPv4' ? 'ipv4' : 'ipv6');
  };
  const others = cluster
    .list(serviceCidrs)
    .filter((each) => nameOf(each) !== nameOf(range) && !isDeleting(each))
    .map(contains);
  const isOwn = contains(range);
  return cluster
    .list(ipAddresses)
    .filter((address) => text(address, 'metadata', 'labels', managedByLabel) === manager)
    .map(nameOf)
    .some((address) => isOwn(address) && !others.some((isIn) => isIn(address)));
}

function addSubnet(list: BlockList, base: string, length: number): void {
  const longest = familyOf(base) === 'IPv4' ? 32 : 128;
  if (length <= longest) list.addSubnet(base, length, longest === 32 ? 'ipv4' : 'ipv6');
}
