import type { ObjectMeta } from '../meta.ts';

interface Placed {
  readonly metadata: ObjectMeta & { readonly name: string };
}

/** The object's namespace, empty for cluster-scoped objects. */
export function namespaceOf(object: Placed): string {
  return object.metadata.namespace ?? '';
}

/** `namespace/name`, or `name` for cluster-scoped objects. Names cannot contain a slash. */
export function keyOf(object: Placed): string {
  const { namespace, name } = object.metadata;
  return namespace ? `${namespace}/${name}` : name;
}
