import type { StoredObject } from '../../api/types.ts';
import { namespaceOf } from '../key.ts';
import { isNotNewer, isOlder, isOrdered } from '../versions.ts';
import type { NamedIndex } from './indexer.ts';
import { IndexColumn } from './indexer-column.ts';
import type { OwnWrites } from './own-writes.ts';
import type { Change, Rebuild } from './store.ts';
import { State } from './store-state.ts';

/** Number of objects that are processed in one step. */
const stride = 100;

/** Part of the store to which a new state belongs. */
interface Owner<O extends StoredObject> {
  readonly state: State<O>;
  /** Version of that state: empty if it is unknown, `undefined` before the first one. */
  readonly version: string | undefined;
  readonly indices: readonly NamedIndex<O>[];
  readonly writes: OwnWrites<O>;
  owns(object: O): boolean;
  replace(state: State<O>, version: string): void;
}

/** Deletion during the new state. */
interface Deletion<O> {
  readonly resourceVersion: string;
  /** Last state of the object, if the part contains the deleted one. */
  readonly last: O | undefined;
}

/** Whole state under construction, separate from the present one. */
export class StateRebuild<O extends StoredObject> implements Rebuild<O> {
  readonly #part: Owner<O>;
  readonly #next: State<O> = new State<O>();
  /** Objects that could not be decoded, by namespace and name. */
  readonly #unread = new Map<string, readonly [namespace: string, name: string]>();
  /** Objects that were deleted during the new state, by namespace and name. */
  readonly #gone = new Map<string, Deletion<O>>();

  constructor(part: Owner<O>) {
    this.#part = part;
  }

  put(object: O): void {
    if (!this.#part.owns(object)) return;
    const { name, resourceVersion } = object.metadata;
    const namespace = namespaceOf(object);
    const slot = this.#next.slot(namespace, name);
    const version = this.#versionOf(namespace, name, slot);
    if (version !== undefined && isNotNewer(resourceVersion, version)) return;
    const known = this.#part.state.get(namespace, name);
    // An unchanged object is replaced by the present one at once, so that an unchanged state is never in
    // memory twice.
    const kept = known !== undefined && isSame(known, object) ? known : object;
    if (slot === undefined) this.#next.insert(kept);
    else this.#next.objects[slot] = kept;
  }

  remove(object: O, last?: O): void {
    const { name, resourceVersion, uid } = object.metadata;
    const namespace = namespaceOf(object);
    const version = this.#versionOf(namespace, name, this.#next.slot(namespace, name));
    // Some servers send a deletion with the last version of the object.
    if (version !== undefined && isOlder(resourceVersion, version)) return;
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

  *finish(
    version = '',
    omits: (change: Change<O>) => boolean = () => false,
  ): Generator<undefined, readonly Change<O>[], undefined> {
    yield* this.#keepUnread();
    const changes: Change<O>[] = [];
    yield* this.#deletions(changes);
    const origins = yield* this.#arrivals(changes, omits);
    // An index that is added meanwhile is at the end of the same list.
    for (const [position, index] of this.#part.indices.entries()) {
      this.#next.columns.push(yield* this.#column(position, index, origins));
    }
    const all = this.#withWrites(changes, version, omits);
    this.#part.replace(this.#next, version);
    return all;
  }

  /**
   * Joins the unconfirmed writes to the new state, also those of the steps before, and returns the changes of
   * all objects. A state without a version, or one that is older than the present state because the server
   * was restored from a backup, ends all writes.
   */
  #withWrites(
    changes: readonly Change<O>[],
    version: string,
    omits: (change: Change<O>) => boolean,
  ): readonly Change<O>[] {
    const { writes, state } = this.#part;
    if (writes.size === 0) return changes;
    const entries = writes.all();
    if (!isOrdered(version) || isOlder(version, this.#part.version ?? '')) writes.clear();
    const names = new Set(entries.map(({ name }) => name));
    const written = new Set(entries.map(({ namespace, name }) => `${namespace}/${name}`));
    const isWritten = ({ object }: Change<O>): boolean =>
      names.has(object.metadata.name) && written.has(`${namespaceOf(object)}/${object.metadata.name}`);
    const joined = entries.flatMap((entry) => {
      const { namespace, name } = entry;
      const listed = this.#next.get(namespace, name);
      const known = state.get(namespace, name);
      const expected = writes.size === 0 ? listed : writes.afterList(entry, listed, version);
      return this.#join(entry, known, expected).filter((change) => !omits(change));
    });
    const all = [...changes.filter((change) => !isWritten(change)), ...joined];
    return [...all.filter(({ type }) => type === 'delete'), ...all.filter(({ type }) => type !== 'delete')];
  }

  /** Gives the name of a write its final object. Returns the changes since the present state. */
  #join(
    { namespace, name }: { readonly namespace: string; readonly name: string },
    known: O | undefined,
    expected: O | undefined,
  ): readonly Change<O>[] {
    const isUnchanged = known !== undefined && expected !== undefined && isSame(known, expected);
    const object = isUnchanged ? known : expected;
    if (object === undefined) this.#next.remove(namespace, name);
    else this.#file(object, this.#next.slot(namespace, name) ?? this.#next.insert(object));
    if (isUnchanged || (known === undefined && expected === undefined)) return [];
    if (known !== undefined && expected !== undefined && known.metadata.uid === expected.metadata.uid) {
      return [{ type: 'update', object: expected, old: known }];
    }
    const last = known && this.#lastOf(known);
    const changes: Change<O>[] = [];
    if (known !== undefined)
      changes.push({ type: 'delete', object: last ?? known, missed: last === undefined });
    if (expected !== undefined) changes.push({ type: 'add', object: expected });
    return changes;
  }

  #file(object: O, slot: number): void {
    this.#next.objects[slot] = object;
    for (const [position, index] of this.#part.indices.entries()) {
      this.#next.columns[position]?.file(slot, index.valuesOf(object));
    }
  }

  /** Returns the version of the last event for the name. Events that are not newer are duplicates. */
  #versionOf(namespace: string, name: string, slot: number | undefined): string | undefined {
    if (slot !== undefined) return this.#next.objects[slot]?.metadata.resourceVersion;
    return this.#gone.size === 0 ? undefined : this.#gone.get(`${namespace}/${name}`)?.resourceVersion;
  }

  /** Returns the last state of an object of the part that was deleted. */
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

  /** Returns the present slots of unchanged objects, by their slots in the new state. */
  *#arrivals(
    changes: Change<O>[],
    omits: (change: Change<O>) => boolean,
  ): Generator<undefined, (number | undefined)[], undefined> {
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
      else if (known !== undefined && known.metadata.uid === object.metadata.uid) {
        const change: Change<O> = { type: 'update', object, old: known };
        if (!omits(change)) changes.push(change);
      } else changes.push({ type: 'add', object });
    }
    return origins;
  }

  /**
   * Copies the values of unchanged objects: the index function is called once for each version of an object.
   */
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
      const present = this.#part.state.columns[position];
      const values =
        origin === undefined || present === undefined ? index.valuesOf(object) : present.valuesAt(origin);
      column.file(slot, values);
    }
    return column;
  }
}

/** Returns whether two states have the same uid and version. */
export function isSame(a: StoredObject, b: StoredObject): boolean {
  if (a === b) return true;
  const { uid, resourceVersion } = a.metadata;
  return uid === b.metadata.uid && resourceVersion === b.metadata.resourceVersion;
}
