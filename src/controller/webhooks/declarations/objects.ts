/** Types of the objects in reviews. */

import type { Scale, Stored } from '@kgen/runtime';
import type { Operation } from './context.ts';

/** Subresources whose bodies have a type; `''` is the object itself. */
export type Subresource = '' | 'status' | keyof SubresourceBodies;

/** Bodies of subresources of another kind than the object. */
export interface SubresourceBodies {
  readonly scale: Scale;
  /** policy/v1 Eviction. */
  readonly eviction: { metadata?: { name?: string; namespace?: string }; deleteOptions?: object };
  /** PodExecOptions: the options of a connect. */
  readonly exec: {
    stdin?: boolean;
    stdout?: boolean;
    stderr?: boolean;
    tty?: boolean;
    container?: string;
    command?: string[];
  };
}

/** Type of the bodies of a subresource of objects `T`. */
export type ObjectIn<T, S extends Subresource> = S extends keyof SubresourceBodies ? SubresourceBodies[S] : T;

/** Members that every object in a review has. */
export interface Reviewed {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Object of a review. A validation of an update, and deletions, have a stored object. Before its creation, an
 * object has no resource version, and before its defaults, a generated name and the uid are absent, too.
 */
export type ObjectOfReview<
  Type extends 'defaults' | 'validates',
  T,
  O extends Operation,
  S extends Subresource,
> = S extends '' | 'status'
  ? O extends 'DELETE'
    ? Stored<T>
    : [Type, O] extends ['validates', 'UPDATE']
      ? Stored<T>
      : T & Reviewed
  : ObjectIn<T, S> & Reviewed;

/** The whole object, or the members that change. */
export type PartialObject<T> = {
  [K in keyof T]?: K extends 'metadata' ? Partial<T[K]> | undefined : T[K] | undefined;
};
