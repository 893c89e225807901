/** Time and chance, as values that tests replace. */
export interface Clock {
  /** Milliseconds that only grow: differences have a meaning, the number itself has none. */
  now(): number;
  /** Calls back once, after at least so many milliseconds. The function that it gives cancels that. */
  timer(ms: number, callback: () => void): () => void;
}

/** A number from 0 to below 1. */
export type Random = () => number;

/** What machines run on besides their source. Default: the system's own. */
export interface Environment {
  readonly clock: Clock;
  readonly random: Random;
}

/** Longer delays overflow the system's timers and would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemEnvironment: Environment = {
  clock: {
    // Not the time of day: a clock that is set must not end or prolong a wait.
    now: () => performance.now(),
    timer(ms, callback) {
      const handle = setTimeout(callback, Math.min(ms, LONGEST_TIMER_MS));
      return () => clearTimeout(handle);
    },
  },
  random: Math.random,
};
