import type { ObjectMeta } from '../api/meta.ts';

interface Placed {
  readonly metadata: ObjectMeta & { readonly name: string };
}

/** Returns the object's namespace, or an empty string for cluster-scoped objects. */
export function namespaceOf(object: Placed): string {
  return object.metadata.namespace ?? '';
}

/** Returns `namespace/name`, or `name` for cluster-scoped objects. Names cannot contain a slash. */
export function keyOf(object: Placed): string {
  const { namespace, name } = object.metadata;
  return namespace ? `${namespace}/${name}` : name;
}
