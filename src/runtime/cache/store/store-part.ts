import type { StoredObject } from '../../api/types.ts';
import type { ObjectEvent } from '../../watch/machine/machine-types.ts';
import { keyOf, namespaceOf } from '../key.ts';
import { isOlder } from '../versions.ts';
import type { NamedIndex } from './indexer.ts';
import type { Change, Rebuild, StorePart } from './store.ts';
import { StateRebuild } from './store-rebuild.ts';
import { State } from './store-state.ts';

/** Part of a store, for one followed source. */
export class Part<O extends StoredObject> implements StorePart<O> {
  /** Present state, with a column for each index. */
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

  /**
   * Returns false, and reports the object, if it is of another namespace than requested, and so belongs to
   * another part. Only a faulty server sends such objects.
   */
  owns(object: O): boolean {
    if (this.#namespace === undefined || namespaceOf(object) === this.#namespace) return true;
    const place = `${keyOf(object)} was sent for a request for namespace ${this.#namespace}`;
    this.#report(new Error(`${place}: it is ignored; the server or a proxy is faulty`));
    return false;
  }

  #put(object: O): readonly Change<O>[] {
    const slot = this.state.slot(namespaceOf(object), object.metadata.name);
    const old = slot === undefined ? undefined : this.state.objects[slot];
    if (slot === undefined || old === undefined) return this.#add(object);
    if (isBefore(object, old)) return [];
    // A new object under the same name: the deletion of the previous one was missed.
    if (old.metadata.uid !== object.metadata.uid) return [this.#remove(old, true), ...this.#add(object)];
    if (old.metadata.resourceVersion === object.metadata.resourceVersion) return [];
    this.state.objects[slot] = object;
    this.#file(slot, object);
    return [{ type: 'update', object, old }];
  }

  #delete(object: O): readonly Change<O>[] {
    const old = this.state.get(namespaceOf(object), object.metadata.name);
    if (old === undefined || isBefore(object, old)) return [];
    // The deleted object was never stored; the stored one must have been deleted before it.
    const missed = old.metadata.uid !== object.metadata.uid;
    return [this.#remove(missed ? old : object, missed)];
  }

  #add(object: O): readonly Change<O>[] {
    this.#file(this.state.insert(object), object);
    return [{ type: 'add', object }];
  }

  /** Removes the stored object of the same name; `last` is its last state. */
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

/** If a stream repeats everything in no particular order, an old state may follow a newer one. */
function isBefore(a: StoredObject, b: StoredObject): boolean {
  return isOlder(a.metadata.resourceVersion, b.metadata.resourceVersion);
}
