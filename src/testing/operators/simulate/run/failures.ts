/** Failures of the seeds of a simulation. */
import type { SimulationError } from '../story.ts';

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

/** Combines the failures of seeds, in the order of their first seeds. */
export function distinctFailures(failures: readonly SeedFailure[]): readonly DistinctFailure[] {
  const kinds = new Map<string, DistinctFailure>();
  for (const { seed, error } of failures.toSorted((a, b) => a.seed - b.seed)) {
    const kind = kindOf(error);
    const { check, site } = error;
    const known = kinds.get(kind) ?? { check, site, error, seeds: [] };
    kinds.set(kind, { ...known, seeds: [...known.seeds, seed] });
  }
  return [...kinds.values()];
}

/** Returns a text that is equal for failures with the same rule and line. */
export function kindOf({ check, site }: Pick<SimulationError, 'check' | 'site'>): string {
  return `${check} ${site}`;
}
