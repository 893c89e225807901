/**
 * Clock, timers and randomness of a test server: nothing else in it reads the clock or draws random
 * numbers.
 */

/** Clock, timers and randomness of a server. */
export interface ServerEnvironment {
  /** Returns the time in milliseconds since the epoch. */
  now(): number;
  /**
   * Calls `callback` once after `ms` milliseconds, never before this function returns. The returned function
   * cancels the call. With 0 it is called in a later event-loop turn, also if time is virtual.
   */
  timer(ms: number, callback: () => void): () => void;
  /** Returns a random number in [0, 1). */
  random(): number;
}

/** Longest delay of a timer of Node, which fires longer ones at once. */
const longestTimerMs = 2 ** 31 - 1;

/** The clock and the timers of the process, which do not keep it alive, and its random numbers. */
export const realEnvironment: ServerEnvironment = {
  now: () => Date.now(),
  timer: (ms, callback) => {
    if (ms <= 0) return soon(callback);
    const timer = setTimeout(callback, Math.min(ms, longestTimerMs)).unref();
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

/** Calls `callback` in a later event-loop turn, unless the returned function was called before. */
export function soon(callback: () => void): () => void {
  const scheduled = setImmediate(callback);
  return () => clearImmediate(scheduled);
}

/** Returns the time in the format of Kubernetes: RFC 3339 in UTC, in whole seconds. */
export function timestamp(environment: ServerEnvironment): string {
  const second = Math.floor(environment.now() / 1_000);
  if (second !== printed.second)
    printed = { second, text: new Date(second * 1_000).toISOString().replace('.000Z', 'Z') };
  return printed.text;
}

/** The latest timestamp: most writes are in the second of the write before. */
let printed = { second: Number.NaN, text: '' };

/** Returns a random UUID of version 4. */
export function randomUid(environment: Pick<ServerEnvironment, 'random'>): string {
  const hex = (digits: number): string =>
    Math.floor((1 + environment.random()) * 16 ** digits)
      .toString(16)
      .slice(1);
  const variant = '89ab'.charAt(Math.floor(environment.random() * 4));
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${variant}${hex(3)}-${hex(12)}`;
}

/** Characters of generated names, from which no words arise. */
export const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** Returns five random characters, as the API server appends them to `generateName`. */
export function randomSuffix(environment: Pick<ServerEnvironment, 'random'>): string {
  const character = (): string => alphabet.charAt(Math.floor(environment.random() * alphabet.length));
  return Array.from({ length: 5 }, character).join('');
}

/** Returns random numbers that a seed determines: mulberry32. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const first = Math.imul(state ^ (state >>> 15), state | 1);
    const second = first ^ (first + Math.imul(first ^ (first >>> 7), first | 61));
    return ((second ^ (second >>> 14)) >>> 0) / 2 ** 32;
  };
}
