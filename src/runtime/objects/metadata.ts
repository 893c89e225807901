import type { KubernetesObject, ObjectMeta } from '../meta.ts';

/** A copy of the object with these fields of its metadata; everything else is shared with the original. */
export function withMetadata<T extends KubernetesObject>(object: T, fields: Partial<ObjectMeta>): T {
  return { ...object, metadata: { ...object.metadata, ...fields } };
}
