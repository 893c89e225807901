/**
 * What an informer knows, as a writer half that takes in the server's words and a reader half that everybody may have.
 * Each call of the writer happens at once: no reader ever sees half of a new state.
 */
import type { StoredObject } from '../types.ts';
import type { ObjectEvent } from '../watch/machine.ts';
import { namespaceOf } from './key.ts';

/** One step in the history of a store. Per uid: one `add`, any number of `update`s, one `delete`. */
export type Change<O> =
  | { readonly type: 'add'; readonly object: O }
  /** `old` is what the store had. */
  | { readonly type: 'update'; readonly object: O; readonly old: O }
  /** `object` is the last state and `old` what the store had; the same where nobody told when it went (`missed`). */
  | { readonly type: 'delete'; readonly object: O; readonly old: O; readonly missed: boolean };

export interface StoreReader<O> {
  readonly size: number;
  get(namespace: string, name: string): O | undefined;
  /** All objects, or those of one namespace. */
  values(namespace?: string): Iterable<O>;
}

export interface StoreWriter<O> {
  /** Takes in one event; gives what it changed, which may be nothing. */
  apply(event: ObjectEvent<O>): readonly Change<O>[];
  /** Takes in the whole state, or that of one namespace; gives what is different, deletions first. */
  replace(items: readonly O[], namespace?: string): readonly Change<O>[];
}

/** Makes an empty store. Cluster-scoped objects are in the namespace `''`. */
export function createStore<O extends StoredObject>(): {
  readonly reader: StoreReader<O>;
  readonly writer: StoreWriter<O>;
} {
  const store = new Store<O>();
  return { reader: store, writer: store };
}

class Store<O extends StoredObject> implements StoreReader<O>, StoreWriter<O> {
  readonly #namespaces = new Map<string, Map<string, O>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(namespace: string, name: string): O | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  *values(namespace?: string): Generator<O, void, undefined> {
    if (namespace !== undefined) {
      yield* this.#namespaces.get(namespace)?.values() ?? [];
      return;
    }
    for (const objects of this.#namespaces.values()) yield* objects.values();
  }

  apply({ type, object }: ObjectEvent<O>): readonly Change<O>[] {
    return type === 'DELETED' ? this.#delete(object) : this.#put(object);
  }

  replace(items: readonly O[], namespace?: string): readonly Change<O>[] {
    const stay = new Set<O>();
    for (const item of items) {
      const known = this.get(namespaceOf(item), item.metadata.name);
      if (known !== undefined) stay.add(known);
    }
    const changes: Change<O>[] = [];
    for (const object of [...this.values(namespace)]) {
      if (!stay.has(object)) changes.push(this.#remove(object, object, true));
    }
    for (const item of items) changes.push(...this.#put(item));
    return changes;
  }

  #put(object: O): readonly Change<O>[] {
    const old = this.get(namespaceOf(object), object.metadata.name);
    if (old === undefined) {
      this.#set(object);
      this.#size += 1;
      return [{ type: 'add', object }];
    }
    if (old.metadata.uid !== object.metadata.uid) {
      // Another object under the same name: the old one went while nobody was told.
      const gone = this.#remove(old, old, true);
      return [gone, ...this.#put(object)];
    }
    if (old.metadata.resourceVersion === object.metadata.resourceVersion) return [];
    this.#set(object);
    return [{ type: 'update', object, old }];
  }

  #delete(object: O): readonly Change<O>[] {
    const old = this.get(namespaceOf(object), object.metadata.name);
    if (old === undefined) return [];
    // The object that the event names never was here; the one that is here must have gone before it.
    const missed = old.metadata.uid !== object.metadata.uid;
    return [this.#remove(old, missed ? old : object, missed)];
  }

  #set(object: O): void {
    const namespace = namespaceOf(object);
    const objects = this.#namespaces.get(namespace) ?? new Map<string, O>();
    objects.set(object.metadata.name, object);
    this.#namespaces.set(namespace, objects);
  }

  /** Forgets `old`; `last` is its last state. */
  #remove(old: O, last: O, missed: boolean): Change<O> {
    const namespace = namespaceOf(old);
    const objects = this.#namespaces.get(namespace);
    objects?.delete(old.metadata.name);
    if (objects?.size === 0) this.#namespaces.delete(namespace);
    this.#size -= 1;
    return { type: 'delete', object: last, old, missed };
  }
}
