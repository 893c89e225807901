/** Objects whose type is not known when the program is written. */
import type { KubernetesList, ObjectMeta } from '../meta.ts';
import type { Stored } from '../types.ts';

/**
 * Any object: what every object has is typed, the rest is `unknown` until it is looked at; see `nestedField`.
 *
 * Numbers are those of JavaScript. An integer beyond `Number.MAX_SAFE_INTEGER` (2^53 - 1) becomes the nearest number, and
 * an `update` with the object writes the integer that was read; `int64` returns it, and says when it is lost.
 */
export interface Unstructured {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}

/** A list of any objects. Each item says its apiVersion and kind, also where the server leaves them out. */
export interface UnstructuredList extends KubernetesList<Stored<Unstructured>> {}

/** The body of a subresource: of the object's own kind (`status`), or of another one (`scale`, `eviction`, …). */
export interface SubresourceBody {
  apiVersion?: string;
  kind?: string;
  metadata?: ObjectMeta;
  [field: string]: unknown;
}

/**
 * A field by its path: `nestedField(object, 'spec', 'template', 'metadata')`, `nestedField(object, 'items', 0)`.
 * `undefined` where any part of the way is missing, or is no object or list.
 */
export function nestedField(object: object, ...path: readonly (string | number)[]): unknown {
  let value: unknown = object;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}
