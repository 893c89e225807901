import type { StoredObject } from '../types.ts';
import type { ObjectEvent } from '../watch/machine.ts';
import type { NamedIndex } from './indexer.ts';
import { keyOf, namespaceOf } from './key.ts';
import type { Change, Rebuild, StorePart } from './store.ts';
import { StateRebuild } from './store-rebuild.ts';
import { State } from './store-state.ts';
import { isOlder } from './versions.ts';

/** The part of a store that one followed source writes to. */
export class Part<O extends StoredObject> implements StorePart<O> {
  /** What is there now, with a column for each index. */
  state: State<O> = new State<O>();
  readonly indices: readonly NamedIndex<O>[];
  readonly #namespace: string | undefined;
  readonly #report: (error: unknown) => void;

  constructor(
    namespace: string | undefined,
    indices: readonly NamedIndex<O>[],
    report: (error: unknown) => void,
  ) {
    this.#namespace = namespace;
    this.indices = indices;
    this.#report = report;
    for (const index of indices) this.state.columns.push(index.columnOf([]));
  }

  apply({ type, object }: ObjectEvent<O>): readonly Change<O>[] {
    if (!this.owns(object)) return [];
    return type === 'DELETED' ? this.#delete(object) : this.#put(object);
  }

  rebuild(): Rebuild<O> {
    return new StateRebuild(this);
  }

  /** False, and reported, for what no server gives to a request for one namespace: another part has that namespace. */
  owns(object: O): boolean {
    if (this.#namespace === undefined || namespaceOf(object) === this.#namespace) return true;
    const place = `${keyOf(object)} came in answer to a request for namespace ${this.#namespace}`;
    this.#report(new Error(`${place}: it is left out; the server, or what stands before it, is at fault`));
    return false;
  }

  #put(object: O): readonly Change<O>[] {
    const slot = this.state.slot(namespaceOf(object), object.metadata.name);
    const old = slot === undefined ? undefined : this.state.objects[slot];
    if (slot === undefined || old === undefined) return this.#add(object);
    if (isBefore(object, old)) return [];
    // Another object under the same name: the old one went while nobody was told.
    if (old.metadata.uid !== object.metadata.uid) return [this.#remove(old, true), ...this.#add(object)];
    if (old.metadata.resourceVersion === object.metadata.resourceVersion) return [];
    this.state.objects[slot] = object;
    this.#file(slot, object);
    return [{ type: 'update', object, old }];
  }

  #delete(object: O): readonly Change<O>[] {
    const old = this.state.get(namespaceOf(object), object.metadata.name);
    if (old === undefined || isBefore(object, old)) return [];
    // The object that the event names never was here; the one that is here must have gone before it.
    const missed = old.metadata.uid !== object.metadata.uid;
    return [this.#remove(missed ? old : object, missed)];
  }

  #add(object: O): readonly Change<O>[] {
    this.#file(this.state.insert(object), object);
    return [{ type: 'add', object }];
  }

  /** Forgets what is there under the object's name; `last` is its last state. */
  #remove(last: O, missed: boolean): Change<O> {
    this.state.remove(namespaceOf(last), last.metadata.name);
    return { type: 'delete', object: last, missed };
  }

  #file(slot: number, object: O): void {
    const { columns } = this.state;
    for (const [position, index] of this.indices.entries()) {
      columns[position]?.file(slot, index.valuesOf(object));
    }
  }
}

/** Where a stream repeats everything in no order, an old state may come after a newer one. */
function isBefore(a: StoredObject, b: StoredObject): boolean {
  return isOlder(a.metadata.resourceVersion, b.metadata.resourceVersion);
}
