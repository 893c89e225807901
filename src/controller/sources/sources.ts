/** Connects informers to the queue of a controller: changes become keys. */

import type { Informer, InformerHandlers, KubernetesObject, Stored } from '@kgen/runtime';
import { controllerOf } from '@kgen/runtime/objects';
import type { Cause } from '../runs/causes.ts';
import { checkedKey, idOf, keyText, type ReconcileKey } from '../runs/key.ts';
import type { ObjectChange, Predicate } from './predicates.ts';

/** Priority of objects that existed at the start, and of resyncs: below changes, which have 0. */
export const lowPriority = -100;

/** A key that a change puts in the queue. */
export interface Enqueued {
  readonly key: ReconcileKey;
  readonly priority: number;
  readonly cause: Cause;
}

/** A source of a controller, independent of its kind: `for`, `owns` or `watches`. */
export interface Source {
  /** Whether the objects themselves are reconciled: the source is `for`. */
  readonly isReconciled: boolean;
  readonly informer: Informer<KubernetesObject>;
  readonly predicate: Predicate<KubernetesObject>;
  /** Keys for one state of an object. */
  readonly keysOf: (object: Stored<KubernetesObject>) => readonly ReconcileKey[];
  /** Returns why a key of a user's function cannot be that of an object; `undefined` if it can. */
  readonly problemOf?: ((key: ReconcileKey) => string | undefined) | undefined;
}

/** The kind whose objects own others. */
export interface OwnerKind {
  readonly group: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
  readonly cluster?: string | undefined;
}

/** Keys of a change that are compared with later ones: a larger set grows in one long step. */
const maxKnown = 1000;

/**
 * Yields the keys that a change puts in the queue; `undefined` for each duplicate of the first 1,000 keys
 * (the queue merges others) and for each key that no object can have, because mappings may return thousands,
 * and callers pause between two steps. A function of the user that throws is reported: a predicate then
 * counts as accepting the change, a mapping as returning nothing. A key that no object can have is reported.
 */
export function* enqueuedBy(
  source: Source,
  change: ObjectChange<KubernetesObject>,
  report: (error: unknown, place: 'predicate' | 'map') => void,
): Generator<Enqueued | undefined, undefined, undefined> {
  if (!isAccepted(source, change, report)) return;
  const isResync = isResyncOf(change);
  const isInitial = change.type === 'add' && change.isInitial;
  const priority = isResync || isInitial ? lowPriority : 0;
  const cause: Cause = {
    type: isResync ? 'resync' : change.type,
    informer: source.informer.name,
    object: placeText(change.object),
  };
  const states = change.type === 'update' && !isResync ? [change.object, change.old] : [change.object];
  const known = new Set<string>();
  for (const state of states) {
    for (const given of keysOf(source, state, report)) {
      const key = validKey(source, given, report);
      const isNew = key !== undefined && !known.has(idOf(key));
      if (isNew && known.size < maxKnown) known.add(idOf(key));
      yield isNew ? { key, priority, cause } : undefined;
    }
  }
}

function isAccepted(
  { predicate }: Source,
  change: ObjectChange<KubernetesObject>,
  report: (error: unknown, place: 'predicate') => void,
): boolean {
  try {
    return predicate(change);
  } catch (error) {
    report(error, 'predicate');
    return true;
  }
}

function keysOf(
  source: Source,
  object: Stored<KubernetesObject>,
  report: (error: unknown, place: 'map') => void,
): readonly unknown[] {
  try {
    const keys: unknown = source.keysOf(object);
    if (!Array.isArray(keys)) throw new TypeError('map must return an array of keys');
    return keys;
  } catch (error) {
    report(error, 'map');
    return [];
  }
}

function validKey(
  source: Source,
  given: unknown,
  report: (error: unknown, place: 'map') => void,
): ReconcileKey | undefined {
  try {
    const key = checkedKey(given);
    const problem = source.problemOf?.(key);
    if (problem === undefined) return key;
    report(new TypeError(problem), 'map');
  } catch (error) {
    report(error, 'map');
  }
  return undefined;
}

/**
 * Returns handlers that pass changes on, and wait for the promise that `enqueue` returns. Nothing they do is
 * repeated if it throws.
 */
export function handlersOf(
  enqueue: (change: ObjectChange<KubernetesObject>) => Promise<void> | undefined,
): InformerHandlers<KubernetesObject> {
  return {
    add: (object, { isInitial }) => enqueue({ type: 'add', object, isInitial }),
    update: (object, old) => enqueue({ type: 'update', object, old }),
    delete: (object, { missed }) => enqueue({ type: 'delete', object, missed }),
  };
}

/** Returns the key of an object. */
export function ownKey(object: Stored<KubernetesObject>, cluster: string | undefined): ReconcileKey {
  const { namespace = '', name } = object.metadata;
  return cluster === undefined ? { namespace, name } : { cluster, namespace, name };
}

/** Returns the key of the managing controller of an object, if it is of the kind. Versions do not count. */
export function ownerKeys(object: Stored<KubernetesObject>, owner: OwnerKind): readonly ReconcileKey[] {
  const reference = controllerOf(object);
  if (reference === undefined || reference.kind !== owner.kind) return [];
  if (groupOf(reference.apiVersion) !== owner.group || typeof reference.name !== 'string') return [];
  const namespace = owner.isNamespaced ? (object.metadata.namespace ?? '') : '';
  const { name } = reference;
  return [owner.cluster === undefined ? { namespace, name } : { cluster: owner.cluster, namespace, name }];
}

function isResyncOf(change: ObjectChange<KubernetesObject>): boolean {
  if (change.type !== 'update') return false;
  return change.object.metadata.resourceVersion === change.old.metadata.resourceVersion;
}

function placeText(object: Stored<KubernetesObject>): string {
  return keyText(ownKey(object, undefined));
}

/** Returns the group of an `apiVersion`, which may have any form; `undefined` if it is not a string. */
export function groupOf(apiVersion: unknown): string | undefined {
  if (typeof apiVersion !== 'string') return undefined;
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
