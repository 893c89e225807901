/** Seeds of a simulation, of which some have run. */
import type { Console, Progress, SimulateArguments } from 'kgen/commands';
import type { FailureContent } from '../report/document.ts';
import { failuresText } from '../report/report.ts';
import { distinctFailures } from '../simulate/run/failures.ts';
import type { ReductionProgress } from '../simulate/schedule/shrink.ts';

/** A run of the command. */
export interface SimulationRun {
  readonly parsed: SimulateArguments;
  readonly console: Console;
  readonly ran: RanSeeds;
  /** Ends the run. */
  readonly signal: AbortSignal;
}

/** A seed that has failed, with the failure of the first one of its kind. */
export interface SeedContent {
  readonly seed: number;
  readonly error: FailureContent;
}

/** Shows progress, and keeps the result so far. */
export class RanSeeds {
  readonly #progress: Progress;
  #seeds: readonly number[] | undefined;
  #count = 0;
  readonly #done = new Set<number>();
  readonly #failures: SeedContent[] = [];

  constructor(progress: Progress) {
    this.#progress = progress;
  }

  /** Begins with the seeds that are to be run. */
  begin(seeds: readonly number[]): void {
    this.#seeds = seeds;
  }

  /** Counts a seed. */
  ran(seed: number, hasPassed: boolean): void {
    if (hasPassed) this.#done.add(seed);
    this.#count += 1;
    this.#progress.show('simulating', this.#count, this.#seeds?.length);
  }

  /** Adds the failure of a seed that was counted before. */
  failed(failure: SeedContent): void {
    this.#failures.push(failure);
    this.#done.add(failure.seed);
  }

  /** Shows the search for the smallest schedule. */
  reduces({ seed, check, done, total }: ReductionProgress): void {
    this.#progress.show(`seed ${seed} violates ${check}, reducing its schedule`, done, total);
  }

  /** Returns the result so far, and the options with which the remaining seeds run. */
  text(): string {
    if (this.#seeds === undefined) return 'interrupted before the first seed\n';
    const left = this.#seeds.slice(this.#seeds.findIndex((seed) => !this.#done.has(seed)));
    const [next = 0] = left;
    const isRange = left.every((seed, index) => seed === next + index);
    const rest = isRange ? `--from ${next} --seeds ${left.length}` : `the seeds ${left.join(', ')}`;
    const failures = distinctFailures(this.#failures);
    const rows = failures.map(({ error, seeds }) => ({ ...error, seeds }));
    const found = failures.length === 0 ? 'without a failure\n' : `with ${failuresText(rows)}`;
    const stories = rows.map(({ story }) => `${story}\n\n`).join('');
    return `${stories}interrupted after ${this.#done.size} of ${this.#seeds.length} seeds, ${found}continue with ${rest}\n`;
  }
}
