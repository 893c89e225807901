import type { Timing } from '../../common/timing.ts';

/**
 * State of an exponential backoff. Each failure increases the delay, up to a limit. A success, or a period
 * without failures, resets it. The driver draws the real delay from the range between `delayMs` and twice
 * `delayMs`, so that clients which lost their server at the same moment do not reconnect at the same moment.
 */
export interface Backoff {
  /** Delay after the last failure, in milliseconds and without jitter. */
  readonly delayMs: number;
  /** Time of the last failure. */
  readonly failedAt: number;
}

/** State without a failure. */
export const freshBackoff: Backoff | undefined = undefined;

/** Returns the state after a failure at `now`, which contains the delay. */
export function nextBackoff(
  backoff: Backoff | undefined,
  now: number,
  { firstMs, factor, maxMs, resetAfterMs }: Timing['backoff'],
): Backoff {
  const isFirst = backoff === undefined || now - backoff.failedAt >= resetAfterMs;
  return { delayMs: isFirst ? firstMs : Math.min(backoff.delayMs * factor, maxMs), failedAt: now };
}
