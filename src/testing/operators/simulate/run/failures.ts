/** Failures of the seeds of a simulation. */
import { SimulationError, type StoryRun } from '../story.ts';

/** A seed that has failed. */
export interface SeedFailure {
  /** The seed; 0 for a failure that does not depend on seeds. */
  readonly seed: number;
  /** The failure of the first seed that fails in the same way, with its smallest schedule. */
  readonly error: SimulationError;
}

/** Seeds that fail in the same way: they violate the same rule at the same line of the operator. */
export interface DistinctFailure extends Pick<SimulationError, 'check' | 'site'> {
  /** The failure of the first of them. */
  readonly error: SimulationError;
  readonly seeds: readonly number[];
}

/** A failure: its rule, and its line of the operator. */
interface Failure {
  readonly check: string;
  readonly site: string;
}

/** A seed with its failure. */
interface SeedOf<E> {
  readonly seed: number;
  readonly error: E;
}

/** Seeds with failures of one kind. */
interface KindOf<E extends Failure> {
  readonly check: E['check'];
  readonly site: string;
  readonly error: E;
  readonly seeds: readonly number[];
}

/** Combines the failures of seeds, in the order of their first seeds. */
export function distinctFailures<E extends Failure>(failures: readonly SeedOf<E>[]): readonly KindOf<E>[] {
  const kinds = new Map<string, KindOf<E>>();
  for (const { seed, error } of failures.toSorted((a, b) => a.seed - b.seed)) {
    const kind = kindOf(error);
    const { check, site } = error;
    const known = kinds.get(kind) ?? { check, site, error, seeds: [] };
    kinds.set(kind, { ...known, seeds: [...known.seeds, seed] });
  }
  return [...kinds.values()];
}

/** Returns a text that is equal for failures with the same rule and line. */
export function kindOf({ check, site }: Failure): string {
  return `${check} ${site}`;
}

/** Returns the failure of an operator with two results of one schedule. */
export function unrepeatable(run: StoryRun, first: string, second: string): SimulationError {
  const story = [
    `seed ${run.schedule.seed}: the operator behaves differently in two runs of the same schedule:`,
    `  first:  ${first}`,
    `  second: ${second}`,
    'It keeps state outside of its function, or uses something that is not simulated.',
  ];
  const message = story.slice(1, 3).join('\n');
  return new SimulationError(story.join('\n'), { check: 'determinism', message }, run);
}
