import type { KubernetesObject, ObjectMeta } from '../meta.ts';

/** A list of an object, which may be of any type where the server does not validate it: then it is as if absent. */
export function listOr<T>(value: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(value) ? value : [];
}

/** A copy of the object with these fields of its metadata; everything else is shared with the original. */
export function withMetadata<T extends KubernetesObject>(object: T, fields: Partial<ObjectMeta>): T {
  return { ...object, metadata: { ...object.metadata, ...fields } };
}
