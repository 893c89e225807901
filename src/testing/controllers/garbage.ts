import { servedTypes } from '../resources/catalog.ts';
import type { ResourceType } from '../resources/type.ts';
import type { Store } from '../store/store.ts';
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
} from '../values/json.ts';
import { deleteObject, withFinalizers } from '../verbs/deletion.ts';

/** An object with its location in the store. */
interface Node {
  readonly type: ResourceType;
  readonly key: string;
  readonly value: JsonObject;
}

/**
 * Implements the garbage collector of a cluster: deletes dependents of an owner in foreground deletion first,
 * removes the references of orphans, and deletes objects whose owners no longer exist. Owners of kinds that
 * this server does not serve count as existing.
 */
export function collectGarbage(store: Store): boolean {
  const before = store.revision;
  const served = servedTypes(store);
  const nodes = allNodes(store, served);
  if (!nodes.some((node) => isOwner(node) || references(node).length > 0)) return false;
  const dependents = groupByOwner(nodes);
  for (const node of nodes) {
    const own = dependents.get(text(node.value, 'metadata', 'uid')) ?? [];
    if (isDeletingWith(node, 'foregroundDeletion')) deleteInForeground(store, node, own, dependents);
    else if (isDeletingWith(node, 'orphan')) orphan(store, node, own);
    else deleteIfAbandoned(store, node, nodes, served);
    // The store may have changed completely, so the next round starts over.
    if (store.revision !== before) return true;
  }
  return false;
}

function allNodes(store: Store, served: readonly ResourceType[]): readonly Node[] {
  const types = new Map(served.map((type) => [type.storage, type]));
  return [...types.values()].flatMap((type) =>
    store.list(type.storage).map(([key, value]) => ({ type, key, value })),
  );
}

function references(node: Node): readonly Json[] {
  return array(node.value, 'metadata', 'ownerReferences');
}

function isOwner(node: Node): boolean {
  return isDeletingWith(node, 'foregroundDeletion') || isDeletingWith(node, 'orphan');
}

function isDeletingWith(node: Node, finalizer: string): boolean {
  const metadata = object(node.value, 'metadata');
  return text(metadata, 'deletionTimestamp') !== '' && strings(metadata, 'finalizers').includes(finalizer);
}

function groupByOwner(nodes: readonly Node[]): ReadonlyMap<string, readonly Node[]> {
  const groups = new Map<string, Node[]>();
  for (const node of nodes) {
    for (const reference of references(node)) {
      const uid = text(reference, 'uid');
      groups.set(uid, [...(groups.get(uid) ?? []), node]);
    }
  }
  return groups;
}

function deleteInForeground(
  store: Store,
  owner: Node,
  dependents: readonly Node[],
  all: ReadonlyMap<string, readonly Node[]>,
): void {
  const uid = text(owner.value, 'metadata', 'uid');
  const blocking = dependents.filter((node) =>
    references(node).some((item) => text(item, 'uid') === uid && own(item, 'blockOwnerDeletion') === true),
  );
  if (blocking.length === 0) {
    dropFinalizer(store, owner, 'foregroundDeletion');
    return;
  }
  for (const node of dependents) {
    if (text(node.value, 'metadata', 'deletionTimestamp') !== '') continue;
    const isParent = (all.get(text(node.value, 'metadata', 'uid')) ?? []).length > 0;
    const propagation = isParent ? 'Foreground' : 'Background';
    deleteObject(store, node.type, node.key, node.value, { propagation, dryRun: false });
  }
}

function orphan(store: Store, owner: Node, dependents: readonly Node[]): void {
  const uid = text(owner.value, 'metadata', 'uid');
  for (const node of dependents) {
    const rest = references(node).filter((item) => text(item, 'uid') !== uid);
    store.put(node.type.storage, node.key, withReferences(node.value, rest));
  }
  dropFinalizer(store, owner, 'orphan');
}

function withReferences(value: JsonObject, ownerReferences: readonly Json[]): JsonObject {
  const metadata = object(value, 'metadata');
  const next =
    ownerReferences.length === 0 ? omit(metadata, 'ownerReferences') : { ...metadata, ownerReferences };
  return putAt(value, ['metadata'], next);
}

function dropFinalizer(store: Store, node: Node, finalizer: string): void {
  const rest = strings(node.value, 'metadata', 'finalizers').filter((name) => name !== finalizer);
  if (rest.length === 0) store.remove(node.type.storage, node.key);
  else store.put(node.type.storage, node.key, withFinalizers(node.value, rest));
}

function deleteIfAbandoned(
  store: Store,
  node: Node,
  nodes: readonly Node[],
  served: readonly ResourceType[],
): void {
  const owners = references(node);
  if (owners.length === 0 || text(node.value, 'metadata', 'deletionTimestamp') !== '') return;
  const gone = owners.filter((reference) => isGone(node, reference, nodes, served));
  if (gone.length === owners.length) {
    deleteObject(store, node.type, node.key, node.value, { propagation: 'Background', dryRun: false });
  } else if (gone.length > 0) {
    const rest = owners.filter((reference) => !gone.includes(reference));
    store.put(node.type.storage, node.key, withReferences(node.value, rest));
  }
}

/**
 * Returns whether an owner of a served kind does not exist: by its UID and, for a namespaced owner, in the
 * same namespace.
 */
function isGone(
  node: Node,
  reference: Json,
  nodes: readonly Node[],
  served: readonly ResourceType[],
): boolean {
  const [apiVersion, kind] = [text(reference, 'apiVersion'), text(reference, 'kind')];
  const type = served.find((candidate) => candidate.apiVersion === apiVersion && candidate.kind === kind);
  if (type === undefined) return false;
  const namespace = text(node.value, 'metadata', 'namespace');
  return !nodes.some(
    (owner) =>
      owner.type.storage === type.storage &&
      text(owner.value, 'metadata', 'uid') === text(reference, 'uid') &&
      (!type.namespaced || text(owner.value, 'metadata', 'namespace') === namespace),
  );
}
