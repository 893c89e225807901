/** Ownership of dependents by labels: owners adopt the objects that they select, and release the others. */
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
import type { Verb } from '../../call/verb.ts';
import { controllerOf, isDeleting, nameOf, namespaceOf } from '../../store/object-facts.ts';
import { withFinalizers } from '../../verbs/deletion.ts';
import { type Cluster, controllerReference, keyOf, type ResourcePath } from '../cluster.ts';
import { isSelectedBy } from './values.ts';

/** Dependents of an owner. */
export interface Claim {
  readonly path: ResourcePath;
  /** The label selector. Default: that of the owner. */
  readonly selector?: Json;
  /** Whether a dependent may belong to the owner. Default: every one that it selects. */
  readonly isMember?: (dependent: JsonObject) => boolean;
  /** A finalizer that dependents have as long as they belong to the owner. */
  readonly finalizer?: string;
}

/** Returns the keys of the objects whose selector selects a dependent without a controller. */
export function selectingKeys(
  path: ResourcePath,
  dependent: JsonObject | undefined,
  cluster: Cluster,
): readonly string[] {
  if (dependent === undefined || controllerOf(dependent) !== undefined || isDeleting(dependent)) return [];
  return cluster
    .list(path, namespaceOf(dependent))
    .filter((owner) => isSelectedBy(selectorOf(owner), dependent))
    .map((owner) => keyOf(namespaceOf(owner), nameOf(owner)));
}

/** Returns the label selector of a workload: that of a ReplicationController has only labels. */
export function selectorOf(owner: JsonObject): Json | undefined {
  const selector = own(object(owner, 'spec'), 'selector');
  return text(owner, 'kind') === 'ReplicationController' ? { matchLabels: object(selector) } : selector;
}

/**
 * Makes an owner the controller of the objects without one that it selects, removes it from those that it
 * does not select any more, and returns its dependents. An owner that is being deleted changes none.
 */
export function* claim(
  cluster: Cluster,
  path: ResourcePath,
  owner: JsonObject,
  { path: dependents, selector = selectorOf(owner), isMember = () => true, finalizer }: Claim,
): Verb<readonly JsonObject[]> {
  const isSelected = (value: JsonObject): boolean => isSelectedBy(selector, value) && isMember(value);
  const kept: JsonObject[] = [];
  for (const value of cluster.controlled(dependents, owner)) {
    if (isSelected(value)) kept.push(value);
    else if (!isDeleting(owner)) yield* cluster.update(dependents, released(value, owner, finalizer));
  }
  if (isDeleting(owner)) return kept;
  for (const value of cluster.orphans(dependents, namespaceOf(owner))) {
    if (isDeleting(value) || !isSelected(value)) continue;
    kept.push(yield* cluster.update(dependents, adopted(value, path, owner, finalizer)));
  }
  return kept;
}

function adopted(
  value: JsonObject,
  path: ResourcePath,
  owner: JsonObject,
  finalizer: string | undefined,
): JsonObject {
  const references = array(value, 'metadata', 'ownerReferences');
  const owned = putAt(
    value,
    ['metadata', 'ownerReferences'],
    [...references, controllerReference(path, owner)],
  );
  const finalizers = strings(value, 'metadata', 'finalizers');
  return finalizer === undefined || finalizers.includes(finalizer)
    ? owned
    : withFinalizers(owned, [...finalizers, finalizer]);
}

function released(value: JsonObject, owner: JsonObject, finalizer: string | undefined): JsonObject {
  const uid = text(owner, 'metadata', 'uid');
  const rest = array(value, 'metadata', 'ownerReferences').filter((each) => text(each, 'uid') !== uid);
  const metadata = omit(object(value, 'metadata'), 'ownerReferences');
  const free = { ...value, metadata: rest.length === 0 ? metadata : { ...metadata, ownerReferences: rest } };
  return finalizer === undefined ? free : withoutFinalizer(free, finalizer);
}

/** Returns an object without a finalizer. */
export function withoutFinalizer(value: JsonObject, finalizer: string): JsonObject {
  const rest = strings(value, 'metadata', 'finalizers').filter((name) => name !== finalizer);
  return withFinalizers(value, rest);
}
