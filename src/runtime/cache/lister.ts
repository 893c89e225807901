/**
 * Reads from an informer's copy, never from the server: as new as the last event, and empty before the first list.
 * The objects are the informer's own, shared by all its users: take them as read-only.
 */
import type { LabelSelectorInput } from '../options.ts';
import type { Stored } from '../types.ts';
import { select } from './lister-select.ts';
import type { IndexedReader } from './store.ts';

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
