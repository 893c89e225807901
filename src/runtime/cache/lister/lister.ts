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

/** Reads cluster-scoped objects from the cache of an informer. */
export interface ClusterLister<T> {
  /** Returns the object, or `undefined` if it is not in the cache. */
  get(name: string): Stored<T> | undefined;
  /**
   * Returns the selected objects: a new array, in no particular order.
   * @throws {TypeError} if the label selector is invalid
   */
  list(options?: ListerOptions): readonly Stored<T>[];
}

/** A read of a lister: of one object, with its name, or of a list. */
export interface ListerRead<T> {
  /** Namespace that was read; `''` for a cluster-scoped object, `undefined` for all. */
  readonly namespace: string | undefined;
  /** Name of the object; `undefined` for a list. */
  readonly name: string | undefined;
  /** The objects that were found. */
  readonly objects: readonly Stored<T>[];
}

/** Receives the reads of listers, while `onRead` is set. */
export interface ReadObserver<T> {
  readonly onRead: ((read: ListerRead<T>) => void) | undefined;
}

const unobserved = { onRead: undefined };

export function namespacedLister<T>(
  store: IndexedReader<Stored<T>>,
  observer: ReadObserver<T> = unobserved,
): NamespacedLister<T> {
  const { reader } = store;
  return {
    get: (namespace, name) => observed(observer, namespace, name, reader.get(namespace, name)),
    list: ({ namespace, labelSelector } = {}) => {
      const objects = select(store, namespace, labelSelector);
      observer.onRead?.({ namespace, name: undefined, objects });
      return objects;
    },
  };
}

export function clusterLister<T>(
  store: IndexedReader<Stored<T>>,
  observer: ReadObserver<T> = unobserved,
): ClusterLister<T> {
  const { reader } = store;
  return {
    get: (name) => observed(observer, '', name, reader.get('', name)),
    list: ({ labelSelector } = {}) => {
      const objects = select(store, undefined, labelSelector);
      observer.onRead?.({ namespace: undefined, name: undefined, objects });
      return objects;
    },
  };
}

function observed<T>(
  observer: ReadObserver<T>,
  namespace: string,
  name: string,
  object: Stored<T> | undefined,
): Stored<T> | undefined {
  observer.onRead?.({ namespace, name, objects: object === undefined ? [] : [object] });
  return object;
}
