/** Plays sequences of new seeds until a time has passed, and writes each difference once it is found. */
import { appendFileSync } from 'node:fs';
import type { Difference, Pair } from './pair.ts';
import type { Step } from './step.ts';

/** Differences of one class that are reduced and written; further ones are counted. */
const written = 3;

/** The result of a search. */
export interface Search {
  readonly seeds: number;
  /** Number of differences by class. */
  readonly classes: ReadonlyMap<string, number>;
}

/** Length and place of a search. */
export interface SearchOptions {
  readonly minutes: number;
  readonly first: number;
  /** File that differences are appended to, and the progress of each minute. */
  readonly file: string;
}

/** Plays sequences from the first seed on. */
export async function search(
  pair: Pair,
  sequences: readonly ((seed: number) => readonly Step[])[],
  { minutes, first, file }: SearchOptions,
): Promise<Search> {
  const classes = new Map<string, number>();
  const start = Date.now();
  let seeds = 0;
  let reported = 0;
  const print = (line: string): void => appendFileSync(file, `${line}\n`);
  const next = (): readonly [seed: number, steps: readonly Step[]] | undefined => {
    const elapsed = Math.floor((Date.now() - start) / 60_000);
    if (elapsed >= minutes) return undefined;
    if (elapsed > reported) {
      reported = elapsed;
      print(`${elapsed} minutes, ${seeds} seeds, ${classes.size} classes`);
    }
    const seed = first + seeds;
    const stepsOf = sequences[seeds % sequences.length];
    seeds += 1;
    return stepsOf === undefined ? undefined : [seed, stepsOf(seed)];
  };
  await pair.search(next, {
    isReduced: (name) => {
      const count = (classes.get(name) ?? 0) + 1;
      classes.set(name, count);
      return count <= written;
    },
    found: (name, difference) => print(textOf(name, difference)),
  });
  print(`end: ${seeds} seeds, ${classes.size} classes`);
  for (const [name, count] of classes) print(`${count} × ${name}`);
  return { seeds, classes };
}

function textOf(name: string, { seed, steps, memory, real }: Difference): string {
  return [
    `=== ${name} (seed ${seed})`,
    ...steps,
    `memory: ${JSON.stringify(memory)}`,
    `real:   ${JSON.stringify(real)}`,
  ].join('\n');
}
