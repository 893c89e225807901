/**
 * State of an exponential backoff. Each failure doubles the delay, up to a limit. A success, or a period
 * without failures, resets it. The driver draws the real delay from the range between `delayMs` and twice
 * `delayMs`, so that clients which lost their server at the same moment do not reconnect at the same moment.
 */
export interface Backoff {
  /** Delay after the next failure, in milliseconds and without jitter. */
  readonly nextMs: number;
  /** Time of the last failure. */
  readonly failedAt: number | undefined;
}

const FIRST_MS = 800;
const FACTOR = 2;
const LONGEST_MS = 30_000;
const RESET_AFTER_MS = 120_000;

export const freshBackoff: Backoff = { nextMs: FIRST_MS, failedAt: undefined };

/** Returns the delay after a failure at `now`, and the state for the next failure. */
export function nextDelay(
  backoff: Backoff,
  now: number,
): { readonly delayMs: number; readonly backoff: Backoff } {
  const rested = backoff.failedAt !== undefined && now - backoff.failedAt >= RESET_AFTER_MS;
  const delayMs = rested ? FIRST_MS : backoff.nextMs;
  return { delayMs, backoff: { nextMs: Math.min(delayMs * FACTOR, LONGEST_MS), failedAt: now } };
}
