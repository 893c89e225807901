/** Reduces a failing schedule: delta debugging over its steps. */
import type { CheckName } from '../checks/finding.ts';
import { isFault, simplerFault } from './actions.ts';
import { type Schedule, type Step, selected } from './schedule.ts';

/** The progress of a simulation after a seed has failed: the search for the smallest schedule. */
export interface ReductionProgress {
  /** The seed that failed; 0 is the run without faults before all others. */
  readonly seed: number;
  /** Name of the violated rule. */
  readonly check: CheckName;
  /** Number of shorter schedules that were tried so far. */
  readonly done: number;
  /** Maximum number of schedules that are tried. */
  readonly total: number;
}

/** Maximum number of schedules that are played to reduce a failing one. */
export const mostTrials = 300;

/**
 * Number of requests of the operator in these schedules after which no other is played. A loop without end
 * sends up to 20,000 in one schedule. Requests are counted, and not seconds, so that a seed has one result.
 */
export const mostTrialRequests = 100_000;

/** Options of a reduction. */
export interface ShrinkOptions {
  /** Returns whether a schedule still fails in the same way. */
  readonly fails: (schedule: Schedule) => Promise<boolean>;
  /** Returns whether another schedule may be tried. */
  readonly mayTry: () => boolean;
}

/**
 * Returns a schedule with fewer steps, replicas and shorter times that still fails. Removes all faults at
 * first, then runs of steps, half of them and fewer, then single ones, until none can be removed.
 */
export async function shrink(schedule: Schedule, { fails, mayTry }: ShrinkOptions): Promise<Schedule> {
  let best = schedule;
  const adopt = async (candidate: Schedule): Promise<boolean> => {
    if (!mayTry() || !(await fails(candidate))) return false;
    best = candidate;
    return true;
  };
  if (best.replicas > 1) await adopt({ ...best, replicas: 1 });
  if (best.hasDefaults === true) await adopt({ ...best, hasDefaults: false });
  // Runs without faults are the shortest ones: fewer requests count as too many there.
  if (best.steps.some(isFault)) await adopt(selected(best, (step) => !isFault(step)));
  for (let size = Math.ceil(best.steps.length / 2); size >= 1 && mayTry(); ) {
    let isSmaller = false;
    // From the end: later steps depend on earlier ones.
    for (let end = best.steps.length; end > 0; end -= size) {
      const candidate = selected(best, (_, index) => index < end - size || index >= end);
      if (await adopt(candidate)) isSmaller = true;
    }
    if (size > 1) size = Math.floor(size / 2);
    else if (!isSmaller) break;
  }
  for (let index = 0; index < best.steps.length; index += 1) {
    for (const simplify of simplifications) {
      const step = best.steps[index];
      const simpler = step && simplify(step);
      if (simpler !== undefined) await adopt({ ...best, steps: best.steps.with(index, simpler) });
    }
  }
  const { waitMs = 0, ...rest } = best;
  if (waitMs > 0) await adopt(rest);
  return best;
}

/** Returns a simpler form of a step, or `undefined`. */
type Simplify = (step: Step) => Step | undefined;

const simplifications: readonly Simplify[] = [
  simplification(0),
  simplification(1),
  (step) => (step.waitMs > 0 ? { ...step, waitMs: 0 } : undefined),
];

function simplification(index: number): Simplify {
  return (step) => {
    const simpler = isFault(step) ? simplerFault(step.do, step, index) : undefined;
    return simpler && { ...simpler, waitMs: step.waitMs };
  };
}
