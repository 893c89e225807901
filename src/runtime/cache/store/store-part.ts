import type { StoredObject } from '../../api/types.ts';
import type { ObjectEvent } from '../../watch/machine/machine-types.ts';
import { keyOf, namespaceOf } from '../key.ts';
import { isNotNewer, isOlder, isOrdered } from '../versions.ts';
import type { NamedIndex } from './indexer.ts';
import { OwnWrites, type PendingDeletion } from './own-writes.ts';
import type { Change, OwnDeletion, Rebuild, StorePart } from './store.ts';
import { isSame, StateRebuild } from './store-rebuild.ts';
import { State } from './store-state.ts';

/**
 * Time for which a deletion is remembered if neither the version nor an event of the object is known, in
 * milliseconds.
 */
const unknownDeletionMs = 5000;

/** Part of a store, for one followed source. */
export class Part<O extends StoredObject> implements StorePart<O> {
  /** Present state, with a column for each index. */
  state: State<O> = new State<O>();
  readonly indices: readonly NamedIndex<O>[];
  readonly writes: OwnWrites<O> = new OwnWrites<O>();
  readonly #namespace: string | undefined;
  readonly #report: (error: unknown) => void;
  readonly #now: () => number;
  #version: string | undefined;
  /** Whether a whole new state has begun. */
  #renewing = false;

  constructor(
    namespace: string | undefined,
    indices: readonly NamedIndex<O>[],
    report: (error: unknown) => void,
    now: () => number,
  ) {
    this.#namespace = namespace;
    this.indices = indices;
    this.#report = report;
    this.#now = now;
    for (const index of indices) this.state.columns.push(index.columnOf([]));
  }

  apply({ type, object }: ObjectEvent<O>): readonly Change<O>[] {
    if (!this.owns(object)) return [];
    return type === 'DELETED' ? this.#deleted(object) : this.#put(object);
  }

  hides(event: ObjectEvent<O>): boolean {
    return this.writes.size > 0 && this.writes.hides(event);
  }

  progress(version: string, events: number): readonly Change<O>[] {
    this.#version = version;
    if (this.writes.size === 0) return [];
    const objects = this.writes.overdue(version, this.#now(), events);
    return objects.flatMap(({ namespace, name, object }) => {
      const known = this.state.get(namespace, name);
      const isWritten = known !== undefined && isSame(known, object);
      return isWritten ? [this.#remove(known, true)] : [];
    });
  }

  rebuild(): Rebuild<O> {
    this.#renewing = true;
    return new StateRebuild(this);
  }

  get unconfirmedWrites(): number {
    return this.writes.size;
  }

  get version(): string | undefined {
    return this.#version;
  }

  /** Replaces everything by the state of a version. */
  replace(state: State<O>, version: string): void {
    this.state = state;
    this.#version = version;
    this.#renewing = false;
  }

  awaits(object: O): boolean {
    const { resourceVersion } = object.metadata;
    if (!isOrdered(resourceVersion) || !this.#records || this.#hasSeen(resourceVersion)) return false;
    return !this.writes.supersedes(object, namespaceOf(object));
  }

  write(object: O): readonly Change<O>[] {
    const namespace = namespaceOf(object);
    const { name, uid, resourceVersion } = object.metadata;
    const before = this.writes.get(namespace, name);
    // The response of the deletion arrived before that of the write.
    if (before?.kind === 'deleted' && before.uid === uid) {
      return this.delete({ namespace, name, uid, resourceVersion });
    }
    this.writes.set({ kind: 'stored', namespace, name, object });
    // The first state contains the write, or is older and then replaced by it.
    return this.#version === undefined ? [] : this.#put(object);
  }

  delete(deletion: OwnDeletion): readonly Change<O>[] {
    if (!this.#records) return [];
    const { namespace, name } = deletion;
    const known = this.state.get(namespace, name);
    const pending = this.#pendingDeletion(deletion, known);
    if (pending === undefined) return [];
    this.writes.set(pending);
    if (known === undefined) return [];
    const { uid, resourceVersion } = known.metadata;
    // An object of the same name with an older version existed before the deleted one.
    const isGone = uid === pending.uid || isOlder(resourceVersion, pending.version ?? '');
    return isGone ? [this.#remove(known, true)] : [];
  }

  forgetWrites(): void {
    this.writes.clear();
    if (this.#version !== undefined) this.#version = '';
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

  /** Without a version the order of writes and events is unknown, but a whole new state has one. */
  get #records(): boolean {
    return this.#version !== '' || this.#renewing;
  }

  #hasSeen(version: string): boolean {
    return this.#version !== undefined && isNotNewer(version, this.#version);
  }

  /** Returns the entry of a deletion; `undefined` if it has been seen, or the deleted object is unknown. */
  #pendingDeletion(deletion: OwnDeletion, known: O | undefined): PendingDeletion | undefined {
    const { namespace, name, resourceVersion } = deletion;
    const before = this.writes.get(namespace, name);
    const uid = deletion.uid ?? uidUpTo(resourceVersion, known);
    if (uid === undefined) return undefined;
    const deleted = before?.kind === 'deleted' && before.uid === uid ? before : undefined;
    const isKnown = known?.metadata.uid === uid;
    const written =
      before?.kind === 'stored' && before.object.metadata.uid === uid ? before.object : undefined;
    const version = newestOf([
      resourceVersion,
      isKnown ? known.metadata.resourceVersion : undefined,
      written?.metadata.resourceVersion,
      deleted?.version,
    ]);
    // The order of two objects of one name is unknown without a version.
    if (version === undefined && before !== undefined && deleted === undefined) return undefined;
    if (!isKnown && version !== undefined) {
      if (this.#hasSeen(version)) return undefined;
      if (known !== undefined && isOlder(version, known.metadata.resourceVersion)) return undefined;
    }
    const announced = deleted?.announced ?? (isKnown && written === undefined);
    const until = this.#now() + unknownDeletionMs;
    return { kind: 'deleted', namespace, name, uid, version, announced, until };
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

  #deleted(object: O): readonly Change<O>[] {
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

/** Returns the uid of an object that certainly existed not later than `version`. */
function uidUpTo(version: string | undefined, object: StoredObject | undefined): string | undefined {
  if (version === undefined || object === undefined) return undefined;
  return isNotNewer(object.metadata.resourceVersion, version) ? object.metadata.uid : undefined;
}

function newestOf(versions: readonly (string | undefined)[]): string | undefined {
  let newest: string | undefined;
  for (const version of versions) {
    if (version === undefined || !isOrdered(version)) continue;
    if (newest === undefined || isOlder(newest, version)) newest = version;
  }
  return newest;
}
