/** Comparison of two states of a selected object. */
import type { StoredObject } from '../../api/types.ts';
import { isEqual } from '../../patch/json.ts';

/** Returns whether two states of an object are equal, except for their versions. */
export function isUnchanged(old: StoredObject, object: StoredObject): boolean {
  const { metadata: before, ...oldRest } = old;
  const { metadata: after, ...rest } = object;
  return isEqual(withoutVersion(before), withoutVersion(after)) && isEqual(oldRest, rest);
}

function withoutVersion({ resourceVersion: _, ...metadata }: StoredObject['metadata']): object {
  return metadata;
}
