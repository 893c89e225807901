/** Objects of a server in memory, with one revision for all kinds, as in etcd. */
import { type JsonObject, object, putAt } from '@kgen/schema/values/json';
import { Collection } from './collection.ts';

/** One change. `object` is the new state; for DELETED the last one, with the revision of the deletion. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** Storage key of the kind: `plural.group`, equal for all versions. */
  readonly resource: string;
  /** `namespace/name`, or the name. */
  readonly key: string;
  readonly revision: number;
  readonly object: JsonObject;
  /** The state before. Absent for ADDED. */
  readonly previous?: JsonObject;
}

/** Objects of one kind by key, in the order of their keys. Equal arrays have equal content. */
export type Snapshot = readonly (readonly [key: string, object: JsonObject])[];

/** All objects of a store, by kind. */
export type StoreContent = ReadonlyMap<string, Snapshot>;

const nothing: Snapshot = [];

/** Interval of the compaction of old states, as on a real server. */
const compactionMs = 5 * 60_000;

/** The first change of an interval. */
interface IntervalStart {
  readonly interval: number;
  /** Revision before the change. */
  readonly revision: number;
}

/**
 * All objects and their recent history under one counter: every change uses the next revision, which becomes
 * the object's `metadata.resourceVersion`. Synchronous, so that a read followed by a write is atomic. Objects
 * are immutable values.
 */
export class Store {
  #collections = new Map<string, Collection>();
  readonly #listeners = new Set<(change: Change) => void>();
  #revision = 1;
  #compacted = 0;
  #firstWatchable = 0;
  readonly #now: () => number;
  readonly #startMs: number;
  /** First changes of the present and the previous interval. */
  #starts: readonly IntervalStart[] = [];

  /** @param now time in milliseconds, by which states become too old. Default: they do not */
  constructor(now: () => number = () => 0) {
    this.#now = now;
    this.#startMs = now();
  }

  /** The revision of the latest change. */
  get revision(): number {
    return this.#revision;
  }

  /** Changes up to and including this revision are compacted. */
  get compacted(): number {
    return this.#compacted;
  }

  get(resource: string, key: string): JsonObject | undefined {
    return this.#collections.get(resource)?.get(key);
  }

  /** Returns all objects of a kind whose keys start with `prefix`, in the order of their keys. */
  list(resource: string, prefix = ''): Snapshot {
    return this.#collections.get(resource)?.list(prefix) ?? nothing;
  }

  /** Returns the state at an older revision, or `undefined` if it is compacted or too old. */
  listAt(resource: string, prefix: string, revision: number): Snapshot | undefined {
    if (revision < this.#compacted || revision < this.#oldestState()) return undefined;
    const collection = this.#collections.get(resource);
    return collection === undefined ? nothing : collection.listAt(prefix, revision);
  }

  /** At the end of each interval, a server forgets the states before the previous end. */
  #oldestState(): number {
    const present = this.#interval();
    if (present === 0) return 0;
    const later = this.#starts.find(({ interval }) => interval >= present - 1);
    return later?.revision ?? this.#revision;
  }

  #interval(): number {
    return Math.floor((this.#now() - this.#startMs) / compactionMs);
  }

  /** Returns every kind that has objects. */
  resources(): readonly string[] {
    return [...this.#collections].filter(([, { size }]) => size > 0).map(([resource]) => resource);
  }

  /** Creates or replaces an object, and returns it with its resourceVersion. */
  put(resource: string, key: string, value: JsonObject): JsonObject {
    const previous = this.get(resource, key);
    const revision = this.#revision + 1;
    const stored = withRevision(value, revision);
    const base = { resource, key, revision, object: stored };
    this.#record(
      previous === undefined ? { type: 'ADDED', ...base } : { type: 'MODIFIED', ...base, previous },
    );
    return stored;
  }

  /** Removes an object and returns its last state, with the revision of the deletion. */
  remove(resource: string, key: string): JsonObject | undefined {
    const previous = this.get(resource, key);
    if (previous === undefined) return undefined;
    const revision = this.#revision + 1;
    const last = withRevision(previous, revision);
    this.#record({ type: 'DELETED', resource, key, revision, object: last, previous });
    return last;
  }

  /**
   * Returns the changes of a kind after `revision`, oldest first, or `undefined` if some of them are
   * compacted.
   */
  since(resource: string, revision: number): readonly Change[] | undefined {
    if (revision < this.#compacted) return undefined;
    const collection = this.#collections.get(resource);
    return collection === undefined ? [] : collection.since(revision);
  }

  /** Returns the changes as `since`, but none up to the call of `beginWatches`. */
  watchable(resource: string, revision: number): readonly Change[] | undefined {
    return revision < this.#firstWatchable ? undefined : this.since(resource, revision);
  }

  /** Returns the oldest revision from which a kind can be watched. */
  oldest(resource: string): number {
    const { oldest = 0 } = this.#collections.get(resource) ?? {};
    return Math.max(this.#compacted, this.#firstWatchable, oldest);
  }

  /** Makes watches begin at the current revision, as a server whose caches were filled when it started. */
  beginWatches(): void {
    this.#firstWatchable = this.#revision;
  }

  /** Calls `listener` after every change, in order, until the returned function is called. */
  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Compacts the history, so that every older resourceVersion is expired. */
  compact(): void {
    this.#compacted = this.#revision;
    for (const collection of this.#collections.values()) collection.compact(this.#revision);
  }

  /** Returns all objects. */
  content(): StoreContent {
    return new Map(this.resources().map((resource) => [resource, this.list(resource)]));
  }

  /**
   * Replaces all objects, without changes in the history: every earlier resourceVersion is expired. Objects
   * keep their resourceVersions; those of later writes are higher than any before.
   */
  replace(content: StoreContent, revision: number): void {
    this.#revision = Math.max(this.#revision, revision) + 1;
    this.#compacted = this.#revision;
    this.#collections = new Map(
      [...content].map(([resource, entries]) => [resource, new Collection(this.#revision, entries)]),
    );
  }

  #record(change: Change): void {
    const { resource } = change;
    const collection = this.#collections.get(resource) ?? new Collection(this.#compacted);
    if (collection.size === 0) this.#collections.set(resource, collection);
    const interval = this.#interval();
    if (this.#starts.at(-1)?.interval !== interval)
      this.#starts = [...this.#starts.slice(-1), { interval, revision: this.#revision }];
    this.#revision = change.revision;
    collection.apply(change);
    for (const listener of [...this.#listeners]) listener(change);
  }
}

function withRevision(value: JsonObject, revision: number): JsonObject {
  return putAt(value, ['metadata'], { ...object(value, 'metadata'), resourceVersion: String(revision) });
}
