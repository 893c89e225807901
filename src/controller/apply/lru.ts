/**
 * A map of limited size that forgets the least recently used entries. Uses count from half of the capacity
 * on: each of them moves an entry, and a map that is not half full forgets none of its entries soon.
 */
export class Lru<Value> {
  readonly #capacity: number;
  /** Entries in the order of their counted use. */
  readonly #entries = new Map<string, Value>();

  /** @throws {RangeError} the capacity is not an integer >= 1 */
  constructor(capacity: number) {
    if (!Number.isInteger(capacity) || capacity < 1) {
      throw new RangeError(`capacity must be an integer >= 1, got ${capacity}`);
    }
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns the value of a key, and marks it as used. */
  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined || this.#entries.size < this.#capacity / 2) return value;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Stores a value, and returns the one that was removed for it. */
  set(key: string, value: Value): Value | undefined {
    if (this.#entries.size >= this.#capacity / 2) this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#capacity) return undefined;
    for (const [oldest, removed] of this.#entries) {
      this.#entries.delete(oldest);
      return removed;
    }
    return undefined;
  }

  values(): Iterable<Value> {
    return this.#entries.values();
  }
}
