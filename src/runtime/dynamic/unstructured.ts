/** Objects of unknown type. */
import type { KubernetesList, ObjectMeta } from '../api/meta.ts';
import type { Stored } from '../api/types.ts';

/**
 * Any object: the common members are typed, other members are `unknown`; see `nestedField`.
 *
 * Numbers are JavaScript numbers. An integer beyond `Number.MAX_SAFE_INTEGER` (2^53 - 1) becomes the nearest
 * number, and an `update` with the object writes the integer that was read; see `int64` for details.
 */
export interface Unstructured {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}

/** A list of any objects. Each item has apiVersion and kind, even if the server omits them. */
export interface UnstructuredList extends KubernetesList<Stored<Unstructured>> {}

/**
 * The body of a subresource: of the object's own kind (`status`), or of another kind (`scale`, `eviction`,
 * …).
 */
export interface SubresourceBody {
  apiVersion?: string;
  kind?: string;
  metadata?: ObjectMeta;
  [field: string]: unknown;
}

/**
 * Returns a member by its path: `nestedField(object, 'spec', 'template', 'metadata')`,
 * `nestedField(object, 'items', 0)`. Returns `undefined` if a part of the path is missing, or is not an
 * object or a list.
 */
export function nestedField(object: object, ...path: readonly (string | number)[]): unknown {
  let value: unknown = object;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}
