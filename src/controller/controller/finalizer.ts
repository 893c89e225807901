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
 * Returns the patch that adds a finalizer, or `undefined` if the object has it. It fails if the object has
 * changed since it was read.
 */
export function additionOf(
  { metadata }: Stored<KubernetesObject>,
  finalizer: string,
): readonly object[] | undefined {
  const present = metadata.finalizers ?? [];
  if (present.includes(finalizer)) return undefined;
  return [
    { op: 'test', path: '/metadata/uid', value: metadata.uid },
    { op: 'test', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
    { op: 'add', path: '/metadata/finalizers', value: [...present, finalizer] },
  ];
}

/**
 * Returns the patch that removes a finalizer, or `undefined` if the object does not have it. It fails if the
 * finalizer is at another position now, and is independent of all other changes.
 */
export function removalOf(
  { metadata }: Stored<KubernetesObject>,
  finalizer: string,
): readonly object[] | undefined {
  const index = (metadata.finalizers ?? []).indexOf(finalizer);
  if (index < 0) return undefined;
  return [
    { op: 'test', path: '/metadata/uid', value: metadata.uid },
    { op: 'test', path: `/metadata/finalizers/${index}`, value: finalizer },
    { op: 'remove', path: `/metadata/finalizers/${index}` },
  ];
}

/** Returns the path of an object. */
export function objectPath(
  { group, version, resource }: FinalizedResource,
  { metadata }: { readonly metadata: { readonly name: string; readonly namespace?: string | undefined } },
): string {
  const root = group === '' ? '/api' : `/apis/${group}`;
  const { namespace, name } = metadata;
  const place = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}/${version}${place}/${resource}/${encodeURIComponent(name)}`;
}

/**
 * Returns whether a patch of this module failed because one of its `test` operations did. Servers respond
 * with 422 and, unlike for objects that violate a rule, without causes.
 */
export function isFailedTest(error: unknown): boolean {
  if (!isApiError(error) || error.code !== 422) return false;
  return (error.details?.causes ?? []).length === 0;
}
