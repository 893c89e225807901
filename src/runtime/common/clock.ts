/** Time and randomness as parameters, so that tests can control them. */
import type { Timing } from './timing.ts';

/** Source of time and timers. Tests replace it. */
export interface Clock {
  /**
   * Returns the time of a monotonic clock in milliseconds. Only differences between two values are
   * meaningful.
   */
  now(): number;
  /** Calls `callback` once, after at least `ms` milliseconds. Returns a function that cancels the call. */
  timer(ms: number, callback: () => void): () => void;
}

/** Random number in the range from 0 (inclusive) to 1 (exclusive). */
export type RandomSource = () => number;

/** Clock, random numbers and timing policy of state machines. Default: those of the system. */
export interface RuntimeEnvironment {
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Values of the timing policy that differ from their defaults. Default: none. */
  readonly timing?: Partial<Timing> | undefined;
}

/** Longer delays overflow the timers of Node.js, which would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Monotonic clock, timers and random numbers of Node.js: the default of every `environment` option. */
export const systemEnvironment: RuntimeEnvironment = {
  clock: {
    // Not `Date.now()`: setting the system clock must not shorten or prolong a delay.
    now: () => performance.now(),
    timer(ms, callback) {
      const handle = setTimeout(callback, Math.min(ms, longestTimerMs));
      return () => clearTimeout(handle);
    },
  },
  random: () => Math.random(),
};
