/** Finalizers of controllers: JSON patches with `test`, so that no other finalizer is lost. Pure. */

import { isApiError, type KubernetesObject, type Stored } from '@kgen/runtime';

/** The object is not in the state any more in which it was read: its finalizers were not patched. */
export class StaleObjectError extends Error {
  override readonly name = 'StaleObjectError';
}

/** Resource of the reconciled objects. */
export interface FinalizedResource {
  readonly group: string;
  readonly version: string;
  /** Plural. */
  readonly resource: string;
}

/**
 * Returns the patch that adds a finalizer, if there is one, and removes those of former versions; `undefined`
 * if the object needs no change. It fails if the object has changed since it was read.
 */
export function additionOf(
  { metadata }: Stored<KubernetesObject>,
  finalizer: string | undefined,
  former: readonly string[] = [],
): readonly object[] | undefined {
  const present = metadata.finalizers ?? [];
  const kept = present.filter((each) => !former.includes(each));
  const isMissing = finalizer !== undefined && !kept.includes(finalizer);
  if (!isMissing && kept.length === present.length) return undefined;
  return [
    { op: 'test', path: '/metadata/uid', value: metadata.uid },
    { op: 'test', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
    { op: 'add', path: '/metadata/finalizers', value: isMissing ? [...kept, finalizer] : kept },
  ];
}

/**
 * Returns the patch that removes a finalizer and those of former versions, or `undefined` if the object has
 * none of them. It fails if they are at other positions now, and is independent of all other changes.
 */
export function removalOf(
  { metadata }: Stored<KubernetesObject>,
  finalizer: string | undefined,
  former: readonly string[] = [],
): readonly object[] | undefined {
  const present = metadata.finalizers ?? [];
  const isOwn = (value: string): boolean => value === finalizer || former.includes(value);
  const found = present.flatMap((value, index) => (isOwn(value) ? [{ value, index }] : []));
  if (found.length === 0) return undefined;
  return [
    { op: 'test', path: '/metadata/uid', value: metadata.uid },
    ...found.map(({ value, index }) => ({ op: 'test', path: `/metadata/finalizers/${index}`, value })),
    // From the end, so that the positions of the others remain.
    ...found.toReversed().map(({ index }) => ({ op: 'remove', path: `/metadata/finalizers/${index}` })),
  ];
}

/** Name and namespace of an object. */
export interface ObjectPlace {
  readonly name: string;
  /** `undefined` if it is cluster-scoped. */
  readonly namespace?: string | undefined;
}

/** Returns the path of an object. */
export function objectPath(
  resource: FinalizedResource,
  { metadata }: { readonly metadata: ObjectPlace },
): string {
  return `${collectionPath(resource, metadata)}/${encodeURIComponent(metadata.name)}`;
}

/** Returns the path of the objects of a namespace, or of all cluster-scoped ones. */
export function collectionPath(
  { group, version, resource }: FinalizedResource,
  { namespace }: Pick<ObjectPlace, 'namespace'>,
): string {
  const root = group === '' ? '/api' : `/apis/${group}`;
  const place = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}/${version}${place}/${resource}`;
}

/**
 * Returns whether a patch of this module failed because one of its `test` operations did. Servers respond
 * with 422 and, unlike for objects that violate a rule, without causes.
 */
export function isFailedTest(error: unknown): boolean {
  if (!isApiError(error) || error.code !== 422) return false;
  return (error.details?.causes ?? []).length === 0;
}
