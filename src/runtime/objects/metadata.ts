import type { KubernetesObject, ObjectMeta } from '../api/meta.ts';

/**
 * Returns a list of an object, or an empty list if the value, which the server may not have validated, is not
 * a list.
 */
export function listOr<T>(value: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a copy of the object with these metadata fields. All other parts are shared with the original. */
export function withMetadata<T extends KubernetesObject>(object: T, fields: Partial<ObjectMeta>): T {
  return { ...object, metadata: { ...object.metadata, ...fields } };
}
