/** History of one kind, from which watches start. */
import type { JsonObject } from '@kgen/schema/values/json';
import type { Change, Snapshot } from './store.ts';

/** Maximum number of changes of one kind that are kept for watches. Older ones are dropped. */
const historyLimit = 20_000;

type Entry = Snapshot[number];

/**
 * The objects of one kind with their recent history. Lists are sorted once and shared until the next change;
 * new keys are merged into the sorted ones, so that a list after a change does not sort again.
 */
export class Collection {
  readonly #objects: Map<string, JsonObject>;
  /** Keys in their order, without `#added`, and perhaps with keys of removed objects. */
  #keys: readonly string[] = [];
  /** A key that was removed in between may occur twice. */
  #added: string[];
  #isReduced = false;
  #sorted: Snapshot | undefined;
  #history: Change[] = [];
  /** Changes up to and including this revision are dropped. */
  #oldest: number;

  /** @param oldest revision before the first change */
  constructor(oldest: number, entries: Snapshot = []) {
    this.#oldest = oldest;
    this.#objects = new Map(entries);
    this.#added = [...this.#objects.keys()];
  }

  /** Changes up to and including this revision are dropped. */
  get oldest(): number {
    return this.#oldest;
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): JsonObject | undefined {
    return this.#objects.get(key);
  }

  /** Applies a change and records it. */
  apply(change: Change): void {
    const { type, key, object } = change;
    if (type === 'DELETED') this.#delete(key);
    else this.#set(key, object);
    this.#sorted = undefined;
    this.#history.push(change);
    if (this.#history.length > historyLimit) this.compact(this.#history[historyLimit / 2]?.revision ?? 0);
  }

  #set(key: string, object: JsonObject): void {
    if (!this.#objects.has(key)) this.#added.push(key);
    this.#objects.set(key, object);
  }

  #delete(key: string): void {
    this.#objects.delete(key);
    this.#isReduced = true;
  }

  /** Returns the objects whose keys start with `prefix`, in the order of their keys. */
  list(prefix: string): Snapshot {
    this.#sorted ??= this.#sort();
    return startingWith(this.#sorted, prefix);
  }

  #sort(): Snapshot {
    if (this.#isReduced || this.#added.length > 0) {
      this.#keys = merge(this.#keys, [...new Set(this.#added)].sort(compare)).filter((key) =>
        this.#objects.has(key),
      );
      this.#added = [];
      this.#isReduced = false;
    }
    return this.#keys.flatMap((key): Entry[] => {
      const object = this.#objects.get(key);
      return object === undefined ? [] : [[key, object]];
    });
  }

  /** Returns the state at an older revision by undoing later changes, or `undefined` if they are dropped. */
  listAt(prefix: string, revision: number): Snapshot | undefined {
    const later = this.since(revision);
    if (later === undefined) return undefined;
    const before = new Map<string, JsonObject | undefined>();
    for (const { key, previous } of later)
      if (!before.has(key) && key.startsWith(prefix)) before.set(key, previous);
    const present = this.list(prefix);
    if (before.size === 0) return present;
    const unchanged = present.filter(([key]) => !before.has(key));
    const undone = [...before].flatMap(([key, object]): Entry[] =>
      object === undefined ? [] : [[key, object]],
    );
    return [...unchanged, ...undone].sort(([a], [b]) => compare(a, b));
  }

  /** Returns the changes after `revision`, oldest first, or `undefined` if some of them are dropped. */
  since(revision: number): readonly Change[] | undefined {
    if (revision < this.#oldest) return undefined;
    return this.#history.slice(
      lowerBound(this.#history.length, (index) => (this.#history[index]?.revision ?? 0) > revision),
    );
  }

  /** Drops the changes up to and including `revision`. */
  compact(revision: number): void {
    this.#history = [...(this.since(Math.max(revision, this.#oldest)) ?? [])];
    this.#oldest = Math.max(revision, this.#oldest);
  }
}

/** Merges two sorted lists without duplicates. */
function merge(left: readonly string[], right: readonly string[]): readonly string[] {
  if (left.length === 0) return right;
  if (right.length === 0) return left;
  const merged: string[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const [a, b] = [left[i], right[j]];
    if (b === undefined || (a !== undefined && a <= b)) {
      if (a === b) j += 1;
      if (a !== undefined) merged.push(a);
      i += 1;
    } else {
      merged.push(b);
      j += 1;
    }
  }
  return merged;
}

function startingWith(sorted: Snapshot, prefix: string): Snapshot {
  if (prefix === '') return sorted;
  const start = lowerBound(sorted.length, (index) => (sorted[index]?.[0] ?? '') >= prefix);
  const end = lowerBound(sorted.length, (index) => !isBeforeEnd(sorted[index]?.[0] ?? '', prefix));
  return sorted.slice(start, end);
}

/** Returns whether a key is in front of the end of the keys with a prefix. */
function isBeforeEnd(key: string, prefix: string): boolean {
  return key < prefix || key.startsWith(prefix);
}

/** Returns the first index for which a predicate is true, which stays true from then on. */
function lowerBound(length: number, isReached: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isReached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Compares strings by their UTF-16 units. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
