/**
 * Reads of an informer's cache, never of the server. The cache is as new as the last event, and empty before
 * the first list. Objects are shared by all users of the informer, and must be treated as read-only.
 */

import type { Stored } from '../../api/types.ts';
import type { LabelSelectorInput } from '../../selectors/labels.ts';
import type { IndexedReader } from '../store/store.ts';
import { select } from './lister-select.ts';

/** Options that select objects of an informer's cache. */
export interface ListerOptions {
  /** Selects objects by their labels. Default: all. */
  readonly labelSelector?: LabelSelectorInput | undefined;
}

/** Options that select namespaced objects of an informer's cache. */
export interface NamespacedListerOptions extends ListerOptions {
  /** Namespace of the objects. Default: all that the informer follows. */
  readonly namespace?: string | undefined;
}

/**
 * Reads namespaced objects.
 * @example
 * ```ts
 * import { InformerFactory } from '@kgen/runtime';
 * import { pods } from '@kgen/kubernetes/core/v1';
 *
 * const { lister } = new InformerFactory(clientset).of(pods);
 * console.log(lister.get('shop', 'web-0')?.metadata.uid);
 * console.log(lister.list({ namespace: 'shop', labelSelector: 'app=web' }).length);
 * ```
 */
export interface NamespacedLister<T> {
  /** Returns the object, or `undefined` if it is not in the cache. */
  get(namespace: string, name: string): Stored<T> | undefined;
  /**
   * Returns the selected objects: a new array, in no particular order.
   * @throws {TypeError} if the label selector is invalid
   */
  list(options?: NamespacedListerOptions): readonly Stored<T>[];
}

/** Reads cluster-scoped objects. */
export interface ClusterLister<T> {
  /** Returns the object, or `undefined` if it is not in the cache. */
  get(name: string): Stored<T> | undefined;
  /**
   * Returns the selected objects: a new array, in no particular order.
   * @throws {TypeError} if the label selector is invalid
   */
  list(options?: ListerOptions): readonly Stored<T>[];
}

export function namespacedLister<T>(store: IndexedReader<Stored<T>>): NamespacedLister<T> {
  const { reader } = store;
  return {
    get: (namespace, name) => reader.get(namespace, name),
    list: ({ namespace, labelSelector } = {}) => select(store, namespace, labelSelector),
  };
}

export function clusterLister<T>(store: IndexedReader<Stored<T>>): ClusterLister<T> {
  const { reader } = store;
  return {
    get: (name) => reader.get('', name),
    list: ({ labelSelector } = {}) => select(store, undefined, labelSelector),
  };
}
