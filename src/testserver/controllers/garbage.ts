/** Garbage collector: foreground deletion, orphans, and dependents without owners. */
import {
  array,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  putAt,
  strings,
  text,
} from '@kgen/schema/values/json';
import type { Verb } from '../call/verb.ts';
import { servedTypes } from '../resources/catalog.ts';
import { type ResourceType, storageKey } from '../resources/type.ts';
import type { Change } from '../store/store.ts';
import { withFinalizers } from '../verbs/deletion.ts';
import type { Cluster } from './cluster.ts';
import type { Controller, Requeue } from './controller.ts';

/** An object with its location in the store. */
interface Node {
  readonly type: ResourceType;
  readonly key: string;
  readonly value: JsonObject;
}

/**
 * Time for which an owner outlives the references of its orphans, in milliseconds: as in a cluster, operators
 * see the orphans while their owner still exists.
 */
const orphaningMs = 20;

/** Times at which owners are released whose orphans have no reference any more, by uid. */
const releases = new WeakMap<Cluster, Map<string, number>>();

/**
 * The garbage collector of a cluster: deletes dependents of an owner in foreground deletion first, removes
 * the references of orphans and then releases their owner, and deletes objects whose owners no longer exist.
 * Owners of kinds that this server does not serve count as existing.
 */
export const garbageCollector: Controller = {
  name: 'garbageCollection',
  keys: (change, cluster) => {
    const { resource, key, object: value, type } = change;
    const isRelated = references(value).length > 0 || isWaiting(value);
    return [
      ...(type !== 'DELETED' && isRelated ? [idOf(resource, key)] : []),
      ...(type === 'DELETED'
        ? cluster.dependents(text(value, 'metadata', 'uid')).map(([a, b]) => idOf(a, b))
        : []),
      ...releasedOwners(change, cluster),
    ];
  },
  *reconcile(id, cluster, requeue) {
    const node = nodeOf(cluster, id);
    if (node === undefined) return;
    if (isDeletingWith(node, 'foregroundDeletion')) yield* deleteInForeground(cluster, node);
    else if (isDeletingWith(node, 'orphan')) yield* orphan(cluster, node, requeue);
    else yield* deleteIfAbandoned(cluster, node);
  },
};

function idOf(resource: string, key: string): string {
  return `${resource} ${key}`;
}

function isWaiting(value: JsonObject): boolean {
  return ['foregroundDeletion', 'orphan'].some((name) =>
    strings(value, 'metadata', 'finalizers').includes(name),
  );
}

/** Returns the owners of an object that it blocks no longer. */
function releasedOwners({ type, object: value, previous }: Change, cluster: Cluster): readonly string[] {
  const before = references(previous ?? {});
  const lost =
    type === 'DELETED'
      ? before
      : before.filter((owner) => !references(value).some((item) => isSameBlock(item, owner)));
  return lost.flatMap((owner) => {
    const found = findOwner(cluster, text(previous, 'metadata', 'namespace'), owner);
    return found === undefined || found === 'unknown' || !isWaiting(found.value)
      ? []
      : [idOf(found.type.storage, found.key)];
  });
}

function isSameBlock(a: Json, b: Json): boolean {
  return text(a, 'uid') === text(b, 'uid') && own(a, 'blockOwnerDeletion') === own(b, 'blockOwnerDeletion');
}

function nodeOf(cluster: Cluster, id: string): Node | undefined {
  const [resource = '', key = ''] = id.split(' ');
  const { store } = cluster.state;
  const value = store.get(resource, key);
  const type = servedTypes(store).find((each) => each.storage === resource);
  return value === undefined || type === undefined ? undefined : { type, key, value };
}

function references(value: JsonObject): readonly Json[] {
  return array(value, 'metadata', 'ownerReferences');
}

function isDeletingWith({ value }: Node, finalizer: string): boolean {
  const metadata = object(value, 'metadata');
  return text(metadata, 'deletionTimestamp') !== '' && strings(metadata, 'finalizers').includes(finalizer);
}

function* deleteInForeground(cluster: Cluster, owner: Node): Verb<void> {
  const uid = text(owner.value, 'metadata', 'uid');
  const dependents = dependentsOf(cluster, owner);
  const blocking = dependents.filter(({ value }) =>
    references(value).some((item) => text(item, 'uid') === uid && own(item, 'blockOwnerDeletion') === true),
  );
  if (blocking.length === 0) {
    dropFinalizer(cluster, owner, 'foregroundDeletion');
    return;
  }
  for (const node of dependents) yield* deleteIfAbandoned(cluster, node);
}

function dependentsOf(cluster: Cluster, { value }: Node): readonly Node[] {
  return cluster
    .dependents(text(value, 'metadata', 'uid'))
    .map(([resource, key]) => nodeOf(cluster, idOf(resource, key)))
    .filter((node) => node !== undefined);
}

function* orphan(cluster: Cluster, owner: Node, requeue: Requeue): Verb<void> {
  const uid = text(owner.value, 'metadata', 'uid');
  const times = releases.get(cluster) ?? new Map<string, number>();
  releases.set(cluster, times);
  const due = times.get(uid);
  if (due === undefined) {
    const dependents = dependentsOf(cluster, owner);
    for (const { type, value } of dependents) {
      const rest = references(value).filter((item) => text(item, 'uid') !== uid);
      yield* cluster.update(type, withReferences(value, rest));
    }
    if (dependents.length > 0) {
      times.set(uid, cluster.now() + orphaningMs);
      return requeue(orphaningMs);
    }
  } else if (cluster.now() < due) return requeue(due - cluster.now());
  times.delete(uid);
  // Whether or not an object has received a reference meanwhile: such an object is deleted after its owner.
  dropFinalizer(cluster, owner, 'orphan');
}

function withReferences(value: JsonObject, ownerReferences: readonly Json[]): JsonObject {
  const metadata = object(value, 'metadata');
  const next =
    ownerReferences.length === 0 ? omit(metadata, 'ownerReferences') : { ...metadata, ownerReferences };
  return putAt(value, ['metadata'], next);
}

function dropFinalizer({ state: { store } }: Cluster, { type, key, value }: Node, finalizer: string): void {
  const rest = strings(value, 'metadata', 'finalizers').filter((name) => name !== finalizer);
  if (rest.length === 0) store.remove(type.storage, key);
  else store.put(type.storage, key, withFinalizers(value, rest));
}

/** Deletes an object whose owners are gone or wait for it, or removes the references to such owners. */
function* deleteIfAbandoned(cluster: Cluster, node: Node): Verb<void> {
  const { type, value } = node;
  const owners = references(value);
  if (owners.length === 0 || text(value, 'metadata', 'deletionTimestamp') !== '') return;
  const namespace = text(value, 'metadata', 'namespace');
  const states = owners.map((reference) => ({ reference, owner: findOwner(cluster, namespace, reference) }));
  const waiting = states.filter(({ owner }) => isWaitingForDependents(owner));
  const solid = states.filter(({ owner }) => owner !== undefined && !isWaitingForDependents(owner));
  if (solid.length > 0) {
    const rest = solid.map(({ reference }) => reference);
    if (rest.length < owners.length) yield* cluster.update(type, withReferences(value, rest));
    return;
  }
  const dependents = waiting.length === 0 ? [] : dependentsOf(cluster, node);
  const isInCycle = dependents.some(isWaitingForDependents);
  // In a cycle, each owner would wait for the next one.
  const unblocked = isInCycle
    ? yield* cluster.update(type, withReferences(value, owners.map(withoutBlock)))
    : value;
  const propagationPolicy = dependents.length > 0 ? 'Foreground' : policyOf(value);
  yield* cluster.remove(type, unblocked, { propagationPolicy });
}

/** A finalizer for the dependents of an object states how it is to be deleted. */
function policyOf(value: JsonObject): string {
  const finalizers = strings(value, 'metadata', 'finalizers');
  if (finalizers.includes('orphan')) return 'Orphan';
  return finalizers.includes('foregroundDeletion') ? 'Foreground' : 'Background';
}

function isWaitingForDependents(owner: Node | 'unknown' | undefined): boolean {
  return owner !== undefined && owner !== 'unknown' && isDeletingWith(owner, 'foregroundDeletion');
}

function withoutBlock(reference: Json): Json {
  return { ...object(reference), blockOwnerDeletion: false };
}

/**
 * Returns the owner that a reference names: by UID and, for a namespaced owner, in the same namespace.
 * `unknown` for a kind that is not served.
 */
function findOwner(cluster: Cluster, namespace: string, reference: Json): Node | 'unknown' | undefined {
  const { store } = cluster.state;
  const [apiVersion, kind] = [text(reference, 'apiVersion'), text(reference, 'kind')];
  const type = servedTypes(store).find((each) => each.apiVersion === apiVersion && each.kind === kind);
  if (type === undefined) return 'unknown';
  const key = storageKey(type, namespace, text(reference, 'name'));
  const value = store.get(type.storage, key);
  if (value === undefined || text(value, 'metadata', 'uid') !== text(reference, 'uid')) return undefined;
  return { type, key, value };
}
