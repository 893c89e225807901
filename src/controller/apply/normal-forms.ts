/** Normal forms that the API server stores for values of built-in kinds. */
import { formatQuantity } from '@kgen/runtime/quantity';
import { isObject } from '../members.ts';
import { canonicalMember, memberNames } from './canonical.ts';

/** Place of a value in an object: names of fields and map keys, `''` for items of lists. */
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
  const wanted: unknown = valueAt(intent, key);
  const found: unknown = valueAt(live, liveKey);
  if (isDropped(wanted, place)) return isDropped(found, place);
  if (found === undefined) return false;
  if (canonicalMember(intent, key) === canonicalMember(live, liveKey)) return true;
  if (isQuantityPlace(place)) return isStoredQuantity(wanted, found);
  if (Array.isArray(wanted) && Array.isArray(found)) return isStoredList(wanted, found, place);
  if (!isObject(wanted) || !isObject(found)) return false;
  const names = new Set([...memberNames(wanted), ...memberNames(found)]);
  return [...names].every((name) => isStoredAs(wanted, found, name, [...place, name]));
}

/**
 * Returns whether the server omits a value: null, an empty list, or an empty map of a field that is a map.
 */
export function isDropped(value: unknown, place: FieldNames): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && memberNames(value).length === 0 && maps.has(place.at(-1) ?? '');
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

/** Fields that are maps of strings or quantities. An empty message, such as a selector, is not omitted. */
const maps: ReadonlySet<string> = new Set([
  'annotations',
  'binaryData',
  'data',
  'labels',
  'limits',
  'matchLabels',
  'nodeSelector',
  'requests',
]);

/** Fields that are maps of quantities. */
const quantityMaps: ReadonlySet<string> = new Set([
  'allocatable',
  'capacity',
  'hard',
  'limits',
  'overhead',
  'requests',
  'used',
]);

function valueAt(holder: object, key: string): unknown {
  return Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined;
}

function isQuantityPlace(place: FieldNames): boolean {
  return place.at(-1) === 'sizeLimit' || quantityMaps.has(place.at(-2) ?? '');
}

/** Compares with the form that the server stores, not with the amount: the form may have been changed. */
function isStoredQuantity(wanted: unknown, found: unknown): boolean {
  if (typeof wanted !== 'string' && typeof wanted !== 'number') return false;
  try {
    return formatQuantity(wanted) === found;
  } catch {
    // Not a quantity: the server rejects the request.
    return false;
  }
}

function isStoredList(wanted: readonly unknown[], found: readonly unknown[], place: FieldNames): boolean {
  if (wanted.length !== found.length) return false;
  return wanted.every((_, index) => isStoredAs(wanted, found, String(index), [...place, '']));
}
