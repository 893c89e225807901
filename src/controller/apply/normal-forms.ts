/** Normal forms that the API server stores for values of built-in kinds. */
import { formatQuantity } from '@kgen/runtime/quantity';
import { isObject } from '../members.ts';
import { canonicalMember, memberNames } from './canonical.ts';

/** Place of a value in an object of a built-in kind: its kind, names of fields and keys, `''` for items. */
export type FieldNames = readonly string[];

/**
 * Returns whether the server stores the first value as the second one. In doubt the result is `false`: the
 * request is sent once, and then compared with its response.
 */
export function isStoredAs(
  intent: object,
  live: object,
  key: string,
  place: FieldNames,
  liveKey: string = key,
): boolean {
  const desired: unknown = valueAt(intent, key);
  const found: unknown = valueAt(live, liveKey);
  if (isDropped(desired, place)) return isDropped(found, place);
  if (found === undefined) return false;
  if (canonicalMember(intent, key) === canonicalMember(live, liveKey)) return true;
  if (isQuantityPlace(place)) return isStoredQuantity(desired, found);
  if (Array.isArray(desired) && Array.isArray(found)) return isStoredList(desired, found, place);
  if (!isObject(desired) || !isObject(found)) return false;
  const names = new Set([...memberNames(desired), ...memberNames(found)]);
  return [...names].every((name) => isStoredAs(desired, found, name, [...place, name]));
}

/**
 * Returns whether the server omits a value: null, an empty list, or an empty map of a field that is a map.
 */
function isDropped(value: unknown, place: FieldNames): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (!isObject(value) || memberNames(value).length > 0) return false;
  return isStringMap(place) || isAmong(quantityMaps, place);
}

/**
 * Returns whether the kind is compiled into the API server. Only then are the types of its fields known: an
 * empty list is omitted, and resource amounts are quantities.
 */
export function isBuiltIn(apiVersion: string, kind: string): boolean {
  const parts = apiVersion.split('/');
  return groups.has(parts.length === 1 ? '' : (parts[0] ?? '')) && kind !== 'ControllerRevision';
}

/** Without the groups that store values of any form. */
const groups: ReadonlySet<string> = new Set([
  '',
  'apps',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
]);

/** Pods of the kinds that contain them. */
const podPlaces: Readonly<Record<string, string>> = {
  Pod: '',
  PodTemplate: 'template.',
  CronJob: 'spec.jobTemplate.spec.template.',
  ...Object.fromEntries(
    ['DaemonSet', 'Deployment', 'Job', 'ReplicaSet', 'ReplicationController', 'StatefulSet'].map((kind) => [
      kind,
      'spec.template.',
    ]),
  ),
};

const containers = ['containers', 'initContainers', 'ephemeralContainers'];
const claim = 'spec.resources';

/** Maps of quantities, by kind. `[]` is any item of a list. */
const quantityMaps: Readonly<Record<string, readonly string[]>> = {
  Pod: [
    ...containers.map((list) => `spec.${list}[].resources`).flatMap(amounts),
    ...amounts('spec.resources'),
    ...amounts(`spec.volumes[].ephemeral.volumeClaimTemplate.${claim}`),
    'spec.overhead',
  ],
  PersistentVolumeClaim: [...amounts(claim), 'status.capacity'],
  StatefulSet: amounts(`spec.volumeClaimTemplates[].${claim}`),
  PersistentVolume: ['spec.capacity'],
  ResourceQuota: ['spec.hard', 'status.hard', 'status.used'],
  Node: ['status.capacity', 'status.allocatable'],
};

/** Single quantities, by kind. */
const quantities: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec.volumes[].emptyDir.sizeLimit'],
};

/** Maps of strings, by kind. An empty message, such as a selector, is not omitted. */
const stringMaps: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec.nodeSelector', ...metadataMaps('')],
  ConfigMap: ['data', 'binaryData'],
  Secret: ['data'],
};

/** Maps of strings of every kind. */
const commonMaps: readonly string[] = [
  ...metadataMaps(''),
  ...metadataMaps('spec.jobTemplate.'),
  'spec.selector.matchLabels',
];

function amounts(resources: string): readonly string[] {
  return [`${resources}.limits`, `${resources}.requests`];
}

function metadataMaps(holder: string): readonly string[] {
  return [`${holder}metadata.labels`, `${holder}metadata.annotations`];
}

function isAmong(table: Readonly<Record<string, readonly string[]>>, place: FieldNames): boolean {
  const [kind = '', ...names] = place;
  return placesOf(table, kind).includes(placeText(names));
}

function isStringMap(place: FieldNames): boolean {
  return commonMaps.includes(placeText(place.slice(1))) || isAmong(stringMaps, place);
}

/** Returns the places of a table that a kind has, as strings of `placeText`. */
function placesOf(table: Readonly<Record<string, readonly string[]>>, kind: string): readonly string[] {
  const pod = podPlaces[kind];
  const inPod = pod === undefined ? [] : (table['Pod'] ?? []).map((place) => `${pod}${place}`);
  return [...inPod, ...(kind === 'Pod' ? [] : (table[kind] ?? []))];
}

/** Text of a place. Keys of maps may contain any character, and are not part of the tables. */
function placeText(names: FieldNames): string {
  return names.map((name, index) => (name === '' ? '[]' : `${index === 0 ? '' : '.'}${name}`)).join('');
}

function valueAt(holder: object, key: string): unknown {
  return Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined;
}

function isQuantityPlace(place: FieldNames): boolean {
  return isAmong(quantities, place) || isAmong(quantityMaps, place.slice(0, -1));
}

/** Compares with the form that the server stores, not with the amount: the form may have been changed. */
function isStoredQuantity(desired: unknown, found: unknown): boolean {
  if (typeof desired !== 'string' && typeof desired !== 'number') return false;
  try {
    return formatQuantity(desired) === found;
  } catch {
    // Not a quantity: the server rejects the request.
    return false;
  }
}

function isStoredList(desired: readonly unknown[], found: readonly unknown[], place: FieldNames): boolean {
  if (desired.length !== found.length) return false;
  return desired.every((_, index) => isStoredAs(desired, found, String(index), [...place, '']));
}
