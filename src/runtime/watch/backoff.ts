/**
 * Delays between attempts, as a value: each failure doubles the delay, up to a limit; a time without failures, or
 * success, starts over. The driver draws the real delay from `delayMs` to twice that, so that clients which lost their
 * server at the same moment do not come back at the same moment.
 */
export interface Backoff {
  /** The delay of the next failure, in milliseconds and before jitter. */
  readonly nextMs: number;
  /** When the last failure was. */
  readonly failedAt: number | undefined;
}

const FIRST_MS = 800;
const FACTOR = 2;
const LONGEST_MS = 30_000;
const RESET_AFTER_MS = 120_000;

export const freshBackoff: Backoff = { nextMs: FIRST_MS, failedAt: undefined };

/** The delay after a failure at `now`, and the state for the failure after it. */
export function nextDelay(
  backoff: Backoff,
  now: number,
): { readonly delayMs: number; readonly backoff: Backoff } {
  const rested = backoff.failedAt !== undefined && now - backoff.failedAt >= RESET_AFTER_MS;
  const delayMs = rested ? FIRST_MS : backoff.nextMs;
  return { delayMs, backoff: { nextMs: Math.min(delayMs * FACTOR, LONGEST_MS), failedAt: now } };
}
