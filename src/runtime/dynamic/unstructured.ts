/** Objects of unknown type. */
import type { KubernetesList, KubernetesObject, ObjectMeta } from '../api/meta.ts';
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

/** A list of objects of any kind. Each item has apiVersion and kind, even if the server omits them. */
export interface UnstructuredList<T extends KubernetesObject = Unstructured>
  extends KubernetesList<Stored<T>> {}

/**
 * The body of a subresource: of the object's own kind (`status`), or of another kind (`scale`, `eviction`,
 * …).
 */
export interface SubresourceBody {
  apiVersion?: string | undefined;
  kind?: string | undefined;
  metadata?: ObjectMeta | undefined;
  [field: string]: unknown;
}
