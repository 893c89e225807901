/** Repeatable random numbers: equal seeds produce equal sequences. The generator is sfc32. */
export class Chance {
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  /** Different seeds, or seeds in another order, produce different sequences. */
  constructor(...seeds: readonly number[]) {
    const [a = 0, b = 0, c = 0] = seeds;
    this.#a = a | 0;
    this.#b = b | 0;
    this.#c = c | 0;
    for (let round = 0; round < 12; round += 1) this.next();
  }

  /** Returns a number of at least 0 and below 1. */
  readonly next = (): number => {
    const sum = (this.#a + this.#b + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };

  /** Returns an integer of at least 0 and below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** Returns an integer from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  odds(probability: number): boolean {
    return this.next() < probability;
  }

  /** Returns one of the values. Throws if there are none. */
  pick<V>(values: readonly V[]): V {
    const index = this.below(values.length);
    if (index >= values.length) throw new RangeError('nothing to pick from');
    // The index is within the list.
    return values[index] as V;
  }
}
