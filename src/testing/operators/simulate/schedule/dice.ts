/** Random decisions of a schedule, reproducible by seed. */
import { seededRandom } from '@kgen/testserver/internal/environment/environment';

/** Random decisions. */
export class Dice {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  /** Both limits are included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.#random() * (to - from + 1));
  }

  shuffled<T>(items: readonly T[]): T[] {
    const drawn = items.map((item) => ({ item, order: this.#random() }));
    return drawn.sort((a, b) => a.order - b.order).map(({ item }) => item);
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[Math.floor(this.#random() * items.length)];
  }
}
