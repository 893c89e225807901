/**
 * Reads from an informer's copy, never from the server: as new as the last event, and empty before the first list.
 * The objects are the informer's own, shared by all its users: take them as read-only.
 */

import type { ObjectMeta } from '../meta.ts';
import type { LabelSelectorInput } from '../options.ts';
import { labelRequirements, matchLabels } from '../selectors/match-labels.ts';
import type { LabelRequirement } from '../selectors/parse-labels.ts';
import type { Stored, StoredObject } from '../types.ts';
import type { Indexer } from './indexer.ts';
import { labelIndex } from './indices.ts';
import { namespaceOf } from './key.ts';
import type { StoreReader } from './store.ts';

/** Which objects of an informer's copy are meant. */
export interface ListerOptions {
  /** Only objects with such labels. Default: all. */
  readonly labelSelector?: LabelSelectorInput | undefined;
}

/** The same for objects that live in namespaces. */
export interface NamespacedListerOptions extends ListerOptions {
  /** Only objects of this namespace. Default: all that the informer follows. */
  readonly namespace?: string | undefined;
}

/** Reads objects that live in namespaces. */
export interface NamespacedLister<T> {
  /** The object, or `undefined` where the informer has none. */
  get(namespace: string, name: string): Stored<T> | undefined;
  /**
   * A new array, in no particular order.
   * @throws {TypeError} for what is no label selector
   */
  list(options?: NamespacedListerOptions): readonly Stored<T>[];
}

/** Reads objects that belong to the whole cluster. */
export interface ClusterLister<T> {
  /** The object, or `undefined` where the informer has none. */
  get(name: string): Stored<T> | undefined;
  /**
   * A new array, in no particular order.
   * @throws {TypeError} for what is no label selector
   */
  list(options?: ListerOptions): readonly Stored<T>[];
}

export function namespacedLister<T>(
  store: StoreReader<Stored<T>>,
  indexer: Indexer<Stored<T>>,
): NamespacedLister<T> {
  return {
    get: (namespace, name) => store.get(namespace, name),
    list: ({ namespace, labelSelector } = {}) => select(store, indexer, namespace, labelSelector),
  };
}

export function clusterLister<T>(
  store: StoreReader<Stored<T>>,
  indexer: Indexer<Stored<T>>,
): ClusterLister<T> {
  return {
    get: (name) => store.get('', name),
    list: ({ labelSelector } = {}) => select(store, indexer, undefined, labelSelector),
  };
}

function select<O extends StoredObject>(
  store: StoreReader<O>,
  indexer: Indexer<O>,
  namespace: string | undefined,
  selector: LabelSelectorInput | undefined,
): readonly O[] {
  const requirements = labelRequirements(selector);
  const indexed = fromIndex(indexer, requirements);
  if (indexed === undefined) {
    const objects = [...store.values(namespace)];
    return requirements.length === 0 ? objects : objects.filter((object) => matches(object, requirements));
  }
  return indexed.filter(
    (object) =>
      matches(object, requirements) && (namespace === undefined || namespaceOf(object) === namespace),
  );
}

/** Candidates from the first requirement that an index answers. */
function fromIndex<O extends StoredObject>(
  indexer: Indexer<O>,
  requirements: readonly LabelRequirement[],
): readonly O[] | undefined {
  for (const { key, operator, values } of requirements) {
    const index = operator === 'in' ? labelIndex(indexer, key) : undefined;
    if (index !== undefined) return [...new Set(values)].flatMap((value) => index.get(value));
  }
  return undefined;
}

function matches(object: StoredObject, requirements: readonly LabelRequirement[]): boolean {
  const metadata: ObjectMeta = object.metadata;
  return matchLabels(metadata.labels, requirements);
}
