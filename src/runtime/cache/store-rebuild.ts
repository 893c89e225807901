import type { StoredObject } from '../types.ts';
import type { NamedIndex } from './indexer.ts';
import { IndexColumn } from './indexer-column.ts';
import { namespaceOf } from './key.ts';
import type { Change, Rebuild } from './store.ts';
import { State } from './store-state.ts';
import { isNotNewer, isOlder } from './versions.ts';

/** So many objects are looked at in one step. */
const stride = 100;

/** The part that a new state is for. */
interface Owner<O extends StoredObject> {
  state: State<O>;
  readonly indices: readonly NamedIndex<O>[];
  owns(object: O): boolean;
}

/** A deletion that the new state has told. */
interface Deletion<O> {
  readonly resourceVersion: string;
  /** The last state of the object that the part has, where it is the one that went. */
  readonly last: O | undefined;
}

/** A whole state in the making, beside the present one. */
export class StateRebuild<O extends StoredObject> implements Rebuild<O> {
  readonly #part: Owner<O>;
  readonly #next: State<O> = new State<O>();
  /** By namespace and name: what could not be read. */
  readonly #unread = new Map<string, readonly [namespace: string, name: string]>();
  /** By namespace and name: what went while the state was told. */
  readonly #gone = new Map<string, Deletion<O>>();

  constructor(part: Owner<O>) {
    this.#part = part;
  }

  put(object: O): void {
    if (!this.#part.owns(object)) return;
    const { name, resourceVersion } = object.metadata;
    const namespace = namespaceOf(object);
    const slot = this.#next.slot(namespace, name);
    const told = this.#toldAt(namespace, name, slot);
    if (told !== undefined && isNotNewer(resourceVersion, told)) return;
    const known = this.#part.state.get(namespace, name);
    // What is known already is kept at once, so that a state that has not changed is never in memory twice.
    const kept = known !== undefined && isSame(known, object) ? known : object;
    if (slot === undefined) this.#next.insert(kept);
    else this.#next.objects[slot] = kept;
  }

  remove(object: O, last?: O): void {
    const { name, resourceVersion, uid } = object.metadata;
    const namespace = namespaceOf(object);
    const told = this.#toldAt(namespace, name, this.#next.slot(namespace, name));
    // There are servers that tell a deletion with the version that the object had.
    if (told !== undefined && isOlder(resourceVersion, told)) return;
    this.#next.remove(namespace, name);
    const key = `${namespace}/${name}`;
    this.#unread.delete(key);
    const known = this.#part.state.get(namespace, name);
    const went = known?.metadata.uid === uid ? (last ?? known) : this.#gone.get(key)?.last;
    this.#gone.set(key, { resourceVersion, last: went });
  }

  keep(namespace: string, name: string): void {
    this.#unread.set(`${namespace}/${name}`, [namespace, name]);
  }

  *finish(): Generator<undefined, readonly Change<O>[], undefined> {
    yield* this.#keepUnread();
    const changes: Change<O>[] = [];
    yield* this.#deletions(changes);
    const origins = yield* this.#arrivals(changes);
    // An index that is added while this runs is at the end of the same list.
    for (const [position, index] of this.#part.indices.entries()) {
      this.#next.columns.push(yield* this.#column(position, index, origins));
    }
    this.#part.state = this.#next;
    return changes;
  }

  /** The version at which something was told of the name. Whatever is not newer is told twice. */
  #toldAt(namespace: string, name: string, slot: number | undefined): string | undefined {
    if (slot !== undefined) return this.#next.objects[slot]?.metadata.resourceVersion;
    return this.#gone.size === 0 ? undefined : this.#gone.get(`${namespace}/${name}`)?.resourceVersion;
  }

  /** The last state of an object that the part has, where its deletion was told. */
  #lastOf(known: O): O | undefined {
    const last = this.#gone.get(`${namespaceOf(known)}/${known.metadata.name}`)?.last;
    return last?.metadata.uid === known.metadata.uid ? last : undefined;
  }

  *#keepUnread(): Generator<undefined, void, undefined> {
    let looked = 0;
    for (const [namespace, name] of this.#unread.values()) {
      if (looked % stride === 0) yield;
      looked += 1;
      const known = this.#part.state.get(namespace, name);
      if (known === undefined || this.#lastOf(known) !== undefined) continue;
      if (this.#next.slot(namespace, name) === undefined) this.#next.insert(known);
    }
  }

  *#deletions(changes: Change<O>[]): Generator<undefined, void, undefined> {
    for (const [slot, known] of this.#part.state.objects.entries()) {
      if (slot % stride === 0) yield;
      if (known === undefined) continue;
      const object = this.#next.get(namespaceOf(known), known.metadata.name);
      if (object !== undefined && object.metadata.uid === known.metadata.uid) continue;
      const last = this.#lastOf(known);
      changes.push({ type: 'delete', object: last ?? known, missed: last === undefined });
    }
  }

  /** Gives the present slot of each object that has not changed, by its slot in the new state. */
  *#arrivals(changes: Change<O>[]): Generator<undefined, (number | undefined)[], undefined> {
    const { state } = this.#part;
    const origins: (number | undefined)[] = [];
    for (const [slot, object] of this.#next.objects.entries()) {
      if (slot % stride === 0) yield;
      if (object === undefined) {
        origins.push(undefined);
        continue;
      }
      const presentSlot = state.slot(namespaceOf(object), object.metadata.name);
      const known = presentSlot === undefined ? undefined : state.objects[presentSlot];
      const same = known !== undefined && isSame(known, object);
      origins.push(same ? presentSlot : undefined);
      if (same) this.#next.objects[slot] = known;
      else if (known !== undefined && known.metadata.uid === object.metadata.uid)
        changes.push({ type: 'update', object, old: known });
      else changes.push({ type: 'add', object });
    }
    return origins;
  }

  /** What has not changed is filed as it was: the function is called once for each version of an object. */
  *#column(
    position: number,
    index: NamedIndex<O>,
    origins: readonly (number | undefined)[],
  ): Generator<undefined, IndexColumn, undefined> {
    const column = new IndexColumn();
    for (const [slot, object] of this.#next.objects.entries()) {
      if (slot % stride === 0) yield;
      if (object === undefined) continue;
      const origin = origins[slot];
      const present = origin === undefined ? undefined : this.#part.state.columns[position];
      const values =
        origin === undefined || present === undefined ? index.valuesOf(object) : present.valuesAt(origin);
      column.file(slot, values);
    }
    return column;
  }
}

function isSame(a: StoredObject, b: StoredObject): boolean {
  if (a === b) return true;
  const { uid, resourceVersion } = a.metadata;
  return uid === b.metadata.uid && resourceVersion === b.metadata.resourceVersion;
}
