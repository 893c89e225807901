/** Chance that can be repeated: the same seeds give the same numbers. The generator is known as sfc32. */
export class Chance {
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  /** Different seeds, or seeds in another order, are different chances. */
  constructor(...seeds: readonly number[]) {
    const [a = 0, b = 0, c = 0] = seeds;
    this.#a = a | 0;
    this.#b = b | 0;
    this.#c = c | 0;
    for (let round = 0; round < 12; round += 1) this.next();
  }

  /** From 0 to below 1. */
  readonly next = (): number => {
    const sum = (this.#a + this.#b + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  odds(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of several. Throws for none. */
  pick<V>(values: readonly V[]): V {
    const index = this.below(values.length);
    if (index >= values.length) throw new RangeError('nothing to pick from');
    // The index is within the list.
    return values[index] as V;
  }
}
