/** Predicates: which changes of an object cause a run. */

import type { KubernetesObject, Stored } from '@kgen/runtime';

/** A change of an object in an informer's cache. */
export type ObjectChange<T> =
  | { readonly type: 'add'; readonly object: Stored<T>; readonly isInitial: boolean }
  | { readonly type: 'update'; readonly object: Stored<T>; readonly old: Stored<T> }
  | { readonly type: 'delete'; readonly object: Stored<T>; readonly missed: boolean };

/**
 * Returns whether a change causes a run. A predicate that throws is reported, and the change causes a run.
 */
export type Predicate<T> = (change: ObjectChange<T>) => boolean;

/**
 * Returns whether the desired state of an object has changed; the default predicate of `for`. Accepts each
 * change except updates that leave generation, labels, annotations, deletion time and finalizers as they
 * were. Those are changes of the status, and of the records of the server. Objects without a generation, such
 * as ConfigMaps, are compared by their version. Resyncs are accepted.
 */
export function desiredStateChanged(change: ObjectChange<KubernetesObject>): boolean {
  if (change.type !== 'update') return true;
  const { object, old } = change;
  const now = object.metadata;
  const before = old.metadata;
  if (now === undefined || before === undefined) return true;
  if (now.resourceVersion === before.resourceVersion) return true;
  if (now.generation === undefined || before.generation === undefined) return true;
  return (
    now.generation !== before.generation ||
    now.deletionTimestamp !== before.deletionTimestamp ||
    now.uid !== before.uid ||
    !areEqualMaps(now.labels, before.labels) ||
    !areEqualMaps(now.annotations, before.annotations) ||
    !areEqualLists(now.finalizers, before.finalizers)
  );
}

/** Accepts each change. Default of `owns` and `watches`. */
export function anyChange(): boolean {
  return true;
}

type StringMap = Readonly<Record<string, string | undefined>> | null | undefined;

function areEqualMaps(a: StringMap, b: StringMap): boolean {
  if (a === b) return true;
  const left = a ?? {};
  const right = b ?? {};
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && left[name] === right[name])
  );
}

function areEqualLists(a: readonly string[] | null | undefined, b: typeof a): boolean {
  const left = a ?? [];
  const right = b ?? [];
  return left.length === right.length && left.every((value, index) => value === right[index]);
}
