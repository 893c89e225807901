/** Comparison of an apply with the fields that its manager owns already. */

import { isObject, type JsonObject, member } from '../members.ts';
import { canonical, canonicalMember, memberNames } from './canonical.ts';
import { type ApplyManager, type FieldTree, keysOfStep, ownedFieldsOf } from './field-tree.ts';
import { type FieldNames, isBuiltIn, isStoredAs } from './normal-forms.ts';

/**
 * Returns whether an apply would change neither values nor the owned fields of its manager, by the object's
 * `metadata.managedFields`. In doubt the result is `false`. Normal forms of the server (quantities, omitted
 * empty lists) count as equal in built-in kinds, whose fields are known.
 */
export function ownedFieldsMatch(intent: JsonObject, live: JsonObject, owner: ApplyManager): boolean {
  const owned = ownedFieldsOf(live, owner);
  const apiVersion = member(intent, 'apiVersion') ?? member(live, 'apiVersion');
  if (owned === undefined || owned.apiVersion !== apiVersion) return false;
  const kind = String(member(intent, 'kind') ?? member(live, 'kind') ?? '');
  const desired = intentOf(intent);
  // The server stores it in `data`, which this manager then does not own.
  if (member(desired, 'stringData') !== undefined) return false;
  const isSame = isBuiltIn(owned.apiVersion, kind) ? isStoredAs : isEqualMember;
  return matchObject(isSame, desired, live, owned.fields, [kind]);
}

/** Returns an object without the fields that identify it, and those that only the server sets. */
function intentOf(body: JsonObject): JsonObject {
  const { apiVersion: _, kind: __, metadata, ...rest } = body;
  if (!isObject(metadata)) return rest;
  const kept = Object.entries(metadata).filter(([key]) => !identifying.has(key));
  return kept.length === 0 ? rest : { ...rest, metadata: Object.fromEntries(kept) };
}

const identifying: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'managedFields',
  'name',
  'namespace',
  'resourceVersion',
  'selfLink',
  'uid',
]);

/** Compares a value of the intent with a stored value. */
type IsSame = typeof isStoredAs;

function isEqualMember(
  intent: object,
  live: object,
  key: string,
  _place: FieldNames,
  liveKey: string = key,
): boolean {
  if (!Object.hasOwn(intent, key) || !Object.hasOwn(live, liveKey)) return false;
  return canonicalMember(intent, key) === canonicalMember(live, liveKey);
}

/** Returns whether the intent has exactly the owned fields, with the stored values. */
function matchObject(
  isSame: IsSame,
  intent: JsonObject,
  live: JsonObject,
  fields: FieldTree,
  place: FieldNames,
): boolean {
  const names = memberNames(intent);
  const owned = [...fields.keys()].map((step) => step.slice(2));
  return (
    owned.every((name) => names.includes(name)) &&
    names.every((name) => {
      const below = fields.get(`f:${name}`);
      if (below !== undefined) return matchMember(isSame, intent, live, name, below, [...place, name]);
      // An empty list or map would be owned.
      return isSame === isStoredAs && isAbsent(intent[name]) && isAbsent(member(live, name));
    })
  );
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function matchMember(
  isSame: IsSame,
  intent: object,
  live: object,
  key: string,
  fields: FieldTree,
  place: FieldNames,
  liveKey: string = key,
): boolean {
  const [desired, found]: unknown[] = [Reflect.get(intent, key), Reflect.get(live, liveKey)];
  // An atomic value, or an empty one that has got members meanwhile: then an apply would own these.
  if (fields.size === 0) return isLeaf(desired) && isSame(intent, live, key, place, liveKey);
  if (Array.isArray(desired)) {
    return Array.isArray(found) && matchList(isSame, desired, found, fields, place);
  }
  const areFields = [...fields.keys()].every((step) => step.startsWith('f:'));
  return (
    areFields && isObject(desired) && isObject(found) && matchObject(isSame, desired, found, fields, place)
  );
}

/** Returns whether an apply of the value owns it as a whole in every schema. */
function isLeaf(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

/** Returns whether the intent has exactly the owned items, in the order in which they are stored. */
function matchList(
  isSame: IsSame,
  intent: readonly unknown[],
  live: readonly unknown[],
  fields: FieldTree,
  place: FieldNames,
): boolean {
  if (intent.length !== fields.size) return false;
  let last = -1;
  return intent.every((_, index) => {
    const steps = [...fields].filter(([step]) => isItemOf(intent, index, step, 'defaulted'));
    const [step, below] = steps[0] ?? [];
    const places = live.flatMap((_item, at) => (step && isItemOf(live, at, step) ? [at] : []));
    const [at] = places;
    if (steps.length !== 1 || places.length !== 1 || below === undefined || at === undefined) return false;
    if (at <= last) return false;
    last = at;
    if (below.size === 0 && step?.startsWith('v:')) return true;
    return matchMember(isSame, intent, live, String(index), below, [...place, ''], String(at));
  });
}

/**
 * Returns whether an item of a list is the one of a step: `k:{"name":"web"}` or `v:"web"`. An intent may omit
 * keys that have a default: such a key is not among the owned fields of the item.
 */
function isItemOf(
  items: readonly unknown[],
  index: number,
  step: string,
  keysAre: 'complete' | 'defaulted' = 'complete',
): boolean {
  const item = items[index];
  if (step.startsWith('v:')) {
    return canonicalMember(items, String(index)) === canonical(JSON.parse(step.slice(2)));
  }
  const keys = keysOfStep(step);
  if (!isObject(item)) return false;
  return Object.keys(keys).every((key) => {
    if (member(item, key) === undefined) return keysAre === 'defaulted';
    return canonicalMember(item, key) === canonicalMember(keys, key);
  });
}
