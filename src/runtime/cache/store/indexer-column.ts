/** Slots of the objects under one value. Most indices have either few values, or few objects under each. */
interface Bucket {
  readonly value: string;
  slots: number | Set<number>;
}

/**
 * Column of one index for one state: the slots under each value. It also records the values of each slot, as
 * an index function may later return others. This takes one pointer for each object, as buckets share the
 * string of a value.
 */
export class IndexColumn {
  readonly #buckets = new Map<string, Bucket>();
  readonly #filed: (Bucket | readonly Bucket[] | undefined)[] = [];

  /** Files a slot under exactly these values. Duplicate values are allowed. */
  file(slot: number, values: readonly string[]): void {
    const before = this.#filed[slot];
    const [value] = values;
    if (value !== undefined && values.length === 1) {
      if (before !== undefined && 'value' in before && before.value === value) return;
      this.#unfile(slot, before);
      this.#filed[slot] = this.#insert(slot, value);
      return;
    }
    this.#unfile(slot, before);
    this.#filed[slot] = value === undefined ? undefined : values.map((each) => this.#insert(slot, each));
  }

  /** Returns the values of a slot. */
  valuesAt(slot: number): readonly string[] {
    const filed = this.#filed[slot];
    if (filed === undefined) return [];
    return 'value' in filed ? [filed.value] : filed.map(({ value }) => value);
  }

  /** Adds the objects under `value` to `found`. */
  collect<O>(value: string, objects: readonly (O | undefined)[], found: O[]): void {
    const slots = this.#buckets.get(value)?.slots;
    if (slots === undefined) return;
    for (const slot of typeof slots === 'number' ? [slots] : slots) {
      const object = objects[slot];
      if (object !== undefined) found.push(object);
    }
  }

  count(value: string): number {
    const slots = this.#buckets.get(value)?.slots;
    return slots === undefined ? 0 : typeof slots === 'number' ? 1 : slots.size;
  }

  values(): string[] {
    return [...this.#buckets.keys()];
  }

  #insert(slot: number, value: string): Bucket {
    const bucket = this.#buckets.get(value);
    if (bucket === undefined) {
      const first = { value, slots: slot };
      this.#buckets.set(value, first);
      return first;
    }
    if (typeof bucket.slots === 'number') bucket.slots = new Set([bucket.slots, slot]);
    else bucket.slots.add(slot);
    return bucket;
  }

  #unfile(slot: number, filed: Bucket | readonly Bucket[] | undefined): void {
    if (filed === undefined) return;
    for (const bucket of 'value' in filed ? [filed] : filed) {
      if (typeof bucket.slots !== 'number') bucket.slots.delete(slot);
      if (typeof bucket.slots === 'number' || bucket.slots.size === 0) this.#buckets.delete(bucket.value);
    }
  }
}
