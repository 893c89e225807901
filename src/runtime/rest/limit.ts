/** Asking no more than a number of times in a second: a bucket of tokens, of which each request takes one. */
import type { Transport } from './types.ts';

/** How often a client may ask. */
export interface RateLimit {
  /** Requests in a second, for as long as it takes; may be a fraction. */
  readonly qps: number;
  /** Requests that may go at once after a pause. At least 1. */
  readonly burst: number;
}

/** @throws {RangeError} no such rate */
export function checkRateLimit({ qps, burst }: RateLimit): void {
  if (!(qps > 0) || qps === Number.POSITIVE_INFINITY) {
    throw new RangeError(`rateLimit.qps is not a number of requests in a second: ${qps}`);
  }
  if (!Number.isInteger(burst) || burst < 1) {
    throw new RangeError(`rateLimit.burst is not a number of requests: ${burst}`);
  }
}

/**
 * A transport that holds requests back. What counts them is loaded with the first.
 * @param closed ends the waits, with the client
 * @throws {RangeError} no such rate
 */
export function limited(send: Transport, limit: RateLimit, closed?: AbortSignal): Transport {
  checkRateLimit(limit);
  let loading: Promise<Transport> | undefined;
  return async (request) => {
    loading ??= import('./limiter.ts').then(({ limiting }) => limiting(send, limit, undefined, closed));
    return (await loading)(request);
  };
}
