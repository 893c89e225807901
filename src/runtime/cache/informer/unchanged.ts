/** Comparison of two states of a selected object. */
import type { StoredObject } from '../../api/types.ts';
import { recordOf } from '../../codec/integers/digits.ts';
import { isFields } from '../../common/fields.ts';
import { isEqual } from '../../patch/json.ts';

/**
 * Returns whether two states of an object are equal, except for their versions. Members that are `undefined`
 * count as members, which only a transform can cause.
 */
export function isUnchanged(old: StoredObject, object: StoredObject): boolean {
  return hasSameMembers(old, object, 'metadata') && hasSameMembers(old.metadata, object.metadata, version);
}

/** Replaces the parts of a state by those of an equal one, so that one of them is not kept in memory. */
export function adoptParts(object: StoredObject, old: StoredObject): void {
  adopt(object, old, 'metadata');
  adopt(object.metadata, old.metadata, version);
}

function adopt(to: object, from: object, except: string): void {
  for (const key of Object.keys(to)) if (key !== except) Reflect.set(to, key, Reflect.get(from, key));
}

const version = 'resourceVersion';

/** Compares the members except one. Called for each event, so that it has to be fast. */
function hasSameMembers(a: object, b: object, except?: string): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    if (key === except) continue;
    if (!Object.hasOwn(b, key) || !isSame(Reflect.get(a, key), Reflect.get(b, key))) return false;
  }
  return true;
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const areLists = Array.isArray(a) && Array.isArray(b);
  if (!areLists && !(isFields(a) && isFields(b))) return false;
  const records = [recordOf(a), recordOf(b)].filter((record) => record !== undefined);
  if (records.length === 0) return hasSameMembers(a, b);
  // Rounded integers may be equal although their digits differ; one without digits equals any of these.
  return records.length === 2 && isEqual(a, b) && isEqual(b, a);
}
