/** Binary heap whose entries know their index, so that any of them can be moved or removed. */

/** Entry of at most one heap. */
export interface HeapEntry {
  /** Index in the heap, which only the heap changes; -1 outside of it. */
  slot: number;
}

/** Binary heap with the entry that precedes all others first. */
export class IndexedHeap<T extends HeapEntry> {
  readonly #precedes: (a: T, b: T) => boolean;
  #entries: T[] = [];

  /** @param precedes a strict order */
  constructor(precedes: (a: T, b: T) => boolean) {
    this.#precedes = precedes;
  }

  get first(): T | undefined {
    return this.#entries[0];
  }

  get length(): number {
    return this.#entries.length;
  }

  /** Adds an entry, which must not be in a heap. */
  push(entry: T): void {
    this.#entries.push(entry);
    this.#raise(entry, this.#entries.length - 1);
  }

  /** Moves an entry that now precedes more entries than before. */
  moveForward(entry: T): void {
    this.#raise(entry, entry.slot);
  }

  /** Removes an entry of this heap. */
  remove(entry: T): void {
    const { slot } = entry;
    const last = this.#entries.pop();
    entry.slot = -1;
    if (last === undefined || last === entry) return;
    this.#lower(last, slot);
    this.#raise(last, last.slot);
  }

  /** Removes and returns all entries, in any order. */
  clear(): readonly T[] {
    const entries = this.#entries;
    this.#entries = [];
    for (const entry of entries) entry.slot = -1;
    return entries;
  }

  /** The entries in the order of the heap. */
  get entries(): readonly T[] {
    return this.#entries;
  }

  #raise(entry: T, from: number): void {
    let slot = from;
    while (slot > 0) {
      const parent = this.#entries[(slot - 1) >> 1];
      if (parent === undefined || !this.#precedes(entry, parent)) break;
      const above = parent.slot;
      this.#put(parent, slot);
      slot = above;
    }
    this.#put(entry, slot);
  }

  #lower(entry: T, from: number): void {
    let slot = from;
    for (let child = this.#child(slot); child !== undefined; child = this.#child(slot)) {
      if (!this.#precedes(child, entry)) break;
      const below = child.slot;
      this.#put(child, slot);
      slot = below;
    }
    this.#put(entry, slot);
  }

  /** Returns the child of a slot that precedes the other one. */
  #child(slot: number): T | undefined {
    const left = this.#entries[2 * slot + 1];
    const right = this.#entries[2 * slot + 2];
    return left !== undefined && right !== undefined && this.#precedes(right, left) ? right : left;
  }

  #put(entry: T, slot: number): void {
    this.#entries[slot] = entry;
    entry.slot = slot;
  }
}
