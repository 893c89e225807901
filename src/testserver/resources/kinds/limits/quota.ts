/** The admission plugin ResourceQuota: counts of objects, and requests and limits of pods in a namespace. */

import { array, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { forbidden } from '../../../errors/failures.ts';
import type { Store } from '../../../store/store.ts';
import { quantityNanos, quantityOf } from '../../builtin/quantity.ts';
import type { ResourceType } from '../../type.ts';
import { classOfClaim } from '../claims.ts';
import type { Cluster } from '../support/rules.ts';
import { isInClaimScopes, isInScopes, isScoped } from './scopes.ts';

/** Amounts in nano-units by the names of resources in quotas. */
type Usage = ReadonlyMap<string, bigint>;

const one = 1_000_000_000n;

/**
 * Checks a new object, or the growth of one, against the quotas of its namespace.
 * @throws {Failure} 403 if it exceeds one
 */
export function checkQuotas(
  value: JsonObject,
  old: JsonObject | undefined,
  type: ResourceType,
  cluster: Cluster,
): void {
  const namespace = text(value, 'metadata', 'namespace');
  if (namespace === '') return;
  const quotas = cluster.store.list('resourcequotas', `${namespace}/`);
  if (quotas.length === 0) return;
  const usage = usageOf(value, type);
  for (const [, quota] of quotas) {
    if (!counts(quota, value, type)) continue;
    const isCounted = old !== undefined && counts(quota, old, type);
    const added = isCounted ? difference(usage, usageOf(old, type)) : usage;
    checkQuota(value, type, quota, added, usedOf(quota, type, cluster.store));
  }
}

/** Returns whether a quota counts an object. */
function counts(quota: JsonObject, value: JsonObject, { storage }: Counted): boolean {
  if (!isScoped(quota)) return true;
  if (storage === 'persistentvolumeclaims') return isInClaimScopes(quota, value);
  return storage === 'pods' && isInScopes(quota, value);
}

/** Returns the usage of the objects of a kind that a quota counts. */
function usedOf(quota: JsonObject, type: Counted, store: Store): Usage {
  return store
    .list(type.storage, `${text(quota, 'metadata', 'namespace')}/`)
    .filter(([, item]) => counts(quota, item, type))
    .map(([, item]) => usageOf(item, type))
    .reduce(sum, new Map());
}

/** Returns the usage of all objects that a quota counts, as its status has it. */
export function usageOfQuota(quota: JsonObject, store: Store): JsonObject {
  const hard = object(quota, 'spec', 'hard');
  return Object.fromEntries(
    Object.keys(hard).map((name) => {
      const used = usedOf(quota, countedBy(name), store).get(name) ?? 0n;
      return [name, quantityOf(used, String(own(hard, name)))];
    }),
  );
}

/** Returns the kind whose objects a resource of quotas counts. */
function countedBy(name: string): Counted {
  const [, counted] = /^count\/(.+)$/.exec(name) ?? [];
  if (counted !== undefined) {
    const dot = counted.indexOf('.');
    const [plural, group] = dot < 0 ? [counted, ''] : [counted.slice(0, dot), counted.slice(dot + 1)];
    return { group, plural, storage: counted };
  }
  if (name.endsWith(devices)) {
    return { group: 'resource.k8s.io', plural: 'resourceclaims', storage: 'resourceclaims.resource.k8s.io' };
  }
  const plural = name.startsWith('services.')
    ? 'services'
    : name === 'requests.storage' || name.includes(ofStorageClass)
      ? 'persistentvolumeclaims'
      : objects.has(name)
        ? name
        : 'pods';
  return { group: '', plural, storage: plural };
}

/** Parts of the names of resources that belong to one class. */
const devices = '.deviceclass.resource.k8s.io/devices';
const ofStorageClass = '.storageclass.storage.k8s.io/';

/** Kinds that quotas count by their own name. */
const objects: ReadonlySet<string> = new Set([
  'configmaps',
  'persistentvolumeclaims',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
]);

type Counted = Pick<ResourceType, 'group' | 'plural' | 'storage'>;

function checkQuota(
  value: JsonObject,
  type: ResourceType,
  quota: JsonObject,
  added: Usage,
  used: Usage,
): void {
  const hard = object(quota, 'spec', 'hard');
  const names = Object.keys(hard).sort();
  const name = text(quota, 'metadata', 'name');
  if (type.storage === 'pods' && added.has('pods')) {
    const missing = names.filter((key) => computed.test(key) && !added.has(key));
    const list = missing.map((key) => `${key} for: ${namesOf(value).join(',')}`).join('; ');
    if (missing.length > 0)
      throw forbidden(type, text(value, 'metadata', 'name'), `failed quota: ${name}: must specify ${list}`);
  }
  const exceeded = names.filter(
    (key) =>
      (added.get(key) ?? 0n) > 0n && (added.get(key) ?? 0n) + (used.get(key) ?? 0n) > nanos(own(hard, key)),
  );
  if (exceeded.length === 0) return;
  const print = (usage: Usage): string =>
    exceeded.map((key) => `${key}=${quantityOf(usage.get(key) ?? 0n, String(own(hard, key)))}`).join(',');
  const limits = exceeded.map((key) => `${key}=${String(own(hard, key))}`).join(',');
  const why = `exceeded quota: ${name}, requested: ${print(added)}, used: ${print(used)}, limited: ${limits}`;
  throw forbidden(type, text(value, 'metadata', 'name'), why);
}

/** Resources of containers, which a pod must specify if a quota limits them. */
const computed = /^((requests|limits)\.)?(cpu|memory|ephemeral-storage)$/;

function namesOf(value: JsonObject): readonly string[] {
  return array(value, 'spec', 'containers').map((item) => text(item, 'name'));
}

function nanos(value: Json | undefined): bigint {
  return quantityNanos(String(value ?? '0')) ?? 0n;
}

/** Returns the amounts by which a usage is higher than another one. */
function difference(a: Usage, b: Usage): Usage {
  return new Map(
    [...a].flatMap(([name, amount]) => {
      const more = amount - (b.get(name) ?? 0n);
      return more > 0n ? [[name, more] as const] : [];
    }),
  );
}

function sum(a: Usage, b: Usage): Usage {
  const total = new Map(a);
  for (const [name, amount] of b) total.set(name, (total.get(name) ?? 0n) + amount);
  return total;
}

function usageOf(value: JsonObject, type: Counted): Usage {
  const counted = type.group === '' ? type.plural : `${type.plural}.${type.group}`;
  const usage = new Map([[`count/${counted}`, one]]);
  if (type.group === '') usage.set(type.plural, one);
  if (type.storage === 'pods') return podUsage(value, usage);
  if (type.storage === 'persistentvolumeclaims') addClaim(value, usage);
  if (type.storage === 'resourceclaims.resource.k8s.io') addDevices(value, usage);
  if (type.storage === 'services') addService(value, usage);
  return usage;
}

/** A claim counts for itself and for its class. An expansion may have allocated more than is requested. */
function addClaim(value: JsonObject, usage: Map<string, bigint>): void {
  const requested = nanos(own(object(value, 'spec', 'resources', 'requests'), 'storage'));
  const allocated = nanos(own(object(value, 'status', 'allocatedResources'), 'storage'));
  const size = allocated > requested ? allocated : requested;
  const className = classOfClaim(value);
  usage.set('requests.storage', size);
  if (className === '') return;
  usage.set(`${className}${ofStorageClass}persistentvolumeclaims`, one);
  usage.set(`${className}${ofStorageClass}requests.storage`, size);
}

/** Highest number of devices of one claim. */
const mostDevices = 32;

/** A request of alternatives counts the highest number of each class. */
function addDevices(value: JsonObject, usage: Map<string, bigint>): void {
  for (const request of array(value, 'spec', 'devices', 'requests')) {
    const highest = new Map<string, bigint>();
    for (const each of [...array(request, 'firstAvailable'), object(request, 'exactly')]) {
      const className = text(each, 'deviceClassName');
      const count = BigInt(deviceCount(each)) * one;
      if (className !== '' && count > (highest.get(className) ?? 0n)) highest.set(className, count);
    }
    for (const [className, count] of highest) {
      const name = `${className}${devices}`;
      usage.set(name, (usage.get(name) ?? 0n) + count);
    }
  }
}

function deviceCount(request: Json): number {
  if (text(request, 'allocationMode') === 'All') return mostDevices;
  const count = own(request, 'count');
  return text(request, 'allocationMode') === 'ExactCount' && typeof count === 'number' ? count : 0;
}

function addService(value: JsonObject, usage: Map<string, bigint>): void {
  const kind = text(value, 'spec', 'type');
  const ports = array(value, 'spec', 'ports').length;
  if (kind === 'LoadBalancer') usage.set('services.loadbalancers', one);
  if (kind === 'NodePort' || kind === 'LoadBalancer') usage.set('services.nodeports', BigInt(ports) * one);
}

/** Pods that have ended use nothing but their object. */
function podUsage(value: JsonObject, usage: Map<string, bigint>): Usage {
  if (['Succeeded', 'Failed'].includes(text(value, 'status', 'phase'))) {
    usage.delete('pods');
    return usage;
  }
  for (const list of ['requests', 'limits']) {
    for (const item of array(value, 'spec', 'containers')) {
      for (const [name, amount] of Object.entries(object(item, 'resources', list))) {
        const keys = list === 'requests' ? [`requests.${name}`, name] : [`limits.${name}`];
        for (const key of keys) usage.set(key, (usage.get(key) ?? 0n) + nanos(amount));
      }
    }
  }
  return usage;
}
