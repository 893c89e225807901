/** Client-side rate limit: a token bucket. */
import type { Transport } from '../../api/transport.ts';
import { onDemand } from '../../common/on-demand.ts';

const limiter = onDemand(() => import('./limiter.ts'));

/** Rate limit of a client. */
export interface RateLimit {
  /** Sustained requests per second; may be a fraction. */
  readonly qps: number;
  /** Requests that may be sent at once after a pause. At least 1. */
  readonly burst: number;
}

/** @throws {RangeError} if the limit is invalid */
export function checkRateLimit({ qps, burst }: RateLimit): void {
  if (!(qps > 0) || qps === Number.POSITIVE_INFINITY) {
    throw new RangeError(`rateLimit.qps must be a finite number > 0, got ${qps}`);
  }
  if (!Number.isInteger(burst) || burst < 1) {
    throw new RangeError(`rateLimit.burst must be an integer >= 1, got ${burst}`);
  }
}

/**
 * Returns a transport that delays requests. The limiter is loaded with the first request.
 * @param closed aborts the delays when the client is closed
 * @throws {RangeError} if the limit is invalid
 */
export function limited(send: Transport, limit: RateLimit, closed?: AbortSignal): Transport {
  checkRateLimit(limit);
  let loading: Promise<Transport> | undefined;
  return async (request) => {
    loading ??= limiter().then(({ limiting }) => limiting(send, limit, undefined, closed));
    return (await loading)(request);
  };
}
