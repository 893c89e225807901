/** Runs of schedules without faults: the results that the runs with faults must have. */
import { Chance } from '../checks/compare/chance.ts';
import { differenceLines } from '../checks/compare/differences.ts';
import type { Exceptions } from '../checks/compare/exceptions.ts';
import { type Schedule, withoutFaults } from '../schedule/schedule.ts';
import type { RunResult, RunSettings } from './run-result.ts';

/** A run without faults, and the same run with other chances. */
export interface Ideal {
  readonly run: RunResult;
  readonly chance: Chance;
}

/** Plays a schedule. */
type Play = (schedule: Schedule, settings: RunSettings) => Promise<RunResult>;

/** Maximum number of results of runs without faults that are kept. */
const mostIdeals = 16;

/** Number of runs with other chances after which a field counts as one that depends on chance, or not. */
const fewChances = 2;
/** Number of them before a failure is reported: two values are equal in all of them once in 16,000 times. */
const manyChances = 14;

/** The expected results of schedules, which several of them have in common. */
export class Ideals {
  readonly #play: Play;
  readonly #exceptions: Exceptions;
  readonly #known = new Map<string, Ideal>();
  readonly #lines = new Set<string>();

  constructor(play: Play, exceptions: Exceptions) {
    this.#play = play;
    this.#exceptions = exceptions;
  }

  /** Fields that depend on chance, as `resource: path`. */
  get chanceLines(): readonly string[] {
    return [...this.#lines].sort();
  }

  /** Returns the result of a schedule without its faults. */
  async of(schedule: Schedule): Promise<Ideal> {
    const steps = withoutFaults(schedule);
    const key = JSON.stringify(steps.steps);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const run = await this.#play(steps, { chance: 0 });
    const ideal = { run, chance: new Chance(run.snapshot, this.#exceptions) };
    const [oldest] = this.#known.keys();
    if (this.#known.size >= mostIdeals && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(key, ideal);
    return ideal;
  }

  /**
   * Returns a line for each difference of a run to the ideal one that is not due to chance.
   * @param isFinal whether all chances are tried before a difference counts
   */
  async differences(ideal: Ideal, { snapshot }: RunResult, isFinal: boolean): Promise<readonly string[]> {
    let found = ideal.chance.differences(snapshot);
    for (const runs of isFinal ? [fewChances, manyChances] : [fewChances]) {
      if (found.length === 0) return [];
      await this.vary(ideal, runs);
      found = ideal.chance.differences(snapshot);
    }
    return differenceLines(found, snapshot);
  }

  /** Plays the run without faults with other chances, until there is a number of such runs. */
  async vary({ run, chance }: Ideal, runs: number): Promise<void> {
    while (chance.runs < runs) {
      const other = await this.#play(run.schedule, { chance: chance.runs + 1, endsAtRest: true });
      chance.add(other.snapshot);
    }
    for (const line of chance.lines) this.#lines.add(line);
  }
}
