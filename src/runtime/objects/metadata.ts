import type { KubernetesObject, ObjectMeta } from '../meta.ts';

/** Returns a copy of the object with these metadata fields. All other parts are shared with the original. */
export function withMetadata<T extends KubernetesObject>(object: T, fields: Partial<ObjectMeta>): T {
  return { ...object, metadata: { ...object.metadata, ...fields } };
}
