import { type JsonObject, object, putAt } from '../values/json.ts';

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

/** Objects of one kind by key, in the order of their keys. */
export type Snapshot = readonly (readonly [key: string, object: JsonObject])[];

/** Maximum number of changes that are kept for watches. Older ones are compacted. */
const historyLimit = 20_000;

/**
 * All objects and their recent history under one counter: every change uses the next revision, which becomes
 * the object's `metadata.resourceVersion`. Synchronous, so that a read followed by a write is atomic. Objects
 * are immutable values.
 */
export class Store {
  readonly #objects = new Map<string, Map<string, JsonObject>>();
  readonly #listeners = new Set<(change: Change) => void>();
  #history: Change[] = [];
  #revision = 1;
  #compacted = 0;

  /** The revision of the latest change. */
  get revision(): number {
    return this.#revision;
  }

  /** Changes up to and including this revision are compacted. */
  get compacted(): number {
    return this.#compacted;
  }

  get(resource: string, key: string): JsonObject | undefined {
    return this.#objects.get(resource)?.get(key);
  }

  /** Returns all objects of a kind whose keys start with `prefix`, in the order of their keys. */
  list(resource: string, prefix = ''): Snapshot {
    const all = [...(this.#objects.get(resource) ?? [])];
    return sorted(all.filter(([key]) => key.startsWith(prefix)));
  }

  /** Returns the state at an older revision by undoing later changes, or `undefined` if it is compacted. */
  listAt(resource: string, prefix: string, revision: number): Snapshot | undefined {
    if (revision < this.#compacted) return undefined;
    const state = new Map(this.list(resource, prefix));
    for (const change of this.#changesAfter(revision).reverse()) {
      if (change.resource !== resource || !change.key.startsWith(prefix)) continue;
      if (change.previous === undefined) state.delete(change.key);
      else state.set(change.key, change.previous);
    }
    return sorted([...state]);
  }

  /** Returns every kind that has objects. */
  resources(): readonly string[] {
    return [...this.#objects].filter(([, objects]) => objects.size > 0).map(([resource]) => resource);
  }

  /** Creates or replaces an object, and returns it with its resourceVersion. */
  put(resource: string, key: string, value: JsonObject): JsonObject {
    const previous = this.get(resource, key);
    const revision = this.#revision + 1;
    const stored = withRevision(value, revision);
    const objects = this.#objects.get(resource) ?? new Map<string, JsonObject>();
    this.#objects.set(resource, objects.set(key, stored));
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
    this.#objects.get(resource)?.delete(key);
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
    return this.#changesAfter(revision).filter((change) => change.resource === resource);
  }

  /** Calls `listener` after every change, in order, until the returned function is called. */
  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Compacts the history, so that every older resourceVersion is expired. */
  compact(): void {
    this.#history = [];
    this.#compacted = this.#revision;
  }

  #changesAfter(revision: number): Change[] {
    return this.#history.filter((change) => change.revision > revision);
  }

  #record(change: Change): void {
    this.#revision = change.revision;
    this.#history.push(change);
    if (this.#history.length > historyLimit) {
      const dropped = this.#history.splice(0, this.#history.length - historyLimit / 2);
      this.#compacted = dropped.at(-1)?.revision ?? this.#compacted;
    }
    for (const listener of [...this.#listeners]) listener(change);
  }
}

function withRevision(value: JsonObject, revision: number): JsonObject {
  return putAt(value, ['metadata'], { ...object(value, 'metadata'), resourceVersion: String(revision) });
}

function sorted(entries: (readonly [string, JsonObject])[]): Snapshot {
  return entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
