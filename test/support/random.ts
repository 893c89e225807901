/** Repeatable randomness, derived from a seed. */

import { rounds } from './seeds.ts';

/** Choices derived from a seed. */
export interface Random {
  /** Returns an integer from 0 to `below - 1`. */
  readonly int: (below: number) => number;
  /** Returns true with this probability, from 0 to 1. */
  readonly chance: (probability: number) => boolean;
  /** Returns one of the items. */
  readonly pick: <T>(items: readonly [T, ...T[]]) => T;
  /** Returns any number of the items, each at most once, in any order. */
  readonly some: <T>(items: readonly T[], most: number) => readonly T[];
}

/** Creates a source of choices for a seed. */
export function randomOf(seed: number): Random {
  const next = mulberry32(seed);
  const int = (below: number): number => Math.floor(next() * below);
  return {
    int,
    chance: (probability) => next() < probability,
    pick: (items) => items[int(items.length)] ?? items[0],
    some: (items, most) => shuffled(items, int).slice(0, int(most + 1)),
  };
}

/** Returns the items in random order. */
export function shuffle<T>(items: readonly T[], random: Random): readonly T[] {
  return shuffled(items, random.int);
}

/**
 * Returns the seeds of a run: `KGEN_FUZZ_ROUNDS` seeds from `KGEN_FUZZ_SEED` on, or the defaults of the test,
 * of which `npm test` runs a `few`, by default a tenth. A test without these variables does the same each
 * time. Prints the seed.
 */
export function campaign(
  name: string,
  defaults: { readonly rounds: number; readonly few?: number },
): readonly number[] {
  const seed = Number(process.env['KGEN_FUZZ_SEED'] ?? 1);
  const count = Number(
    process.env['KGEN_FUZZ_ROUNDS'] ??
      rounds(defaults.rounds, defaults.few ?? Math.ceil(defaults.rounds / 10)),
  );
  console.log(`${name}: KGEN_FUZZ_SEED=${seed} KGEN_FUZZ_ROUNDS=${count}`);
  return Array.from({ length: count }, (_, round) => seed * 1_000_003 + round);
}

function shuffled<T>(items: readonly T[], int: (below: number) => number): readonly T[] {
  const rest = [...items];
  const out: T[] = [];
  while (rest.length > 0) out.push(...rest.splice(int(rest.length), 1));
  return out;
}

/**
 * Returns a generator with 32 bits of state, which is sufficient to choose test cases: numbers below 1, from
 * 0.
 */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
