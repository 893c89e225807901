/** Limiter of requests by a token bucket. Loaded for clients with a limit. */
import { TimeoutError } from '../../api/errors.ts';
import type { APIRequest, Transport } from '../../api/transport.ts';
import { type Bucket, giveBack, take } from '../../common/token-bucket.ts';
import { untilClosed } from '../abort/abort-on-close.ts';
import { type Sleep, sleep } from '../abort/deadline.ts';
import { type ObservedRequest, observation } from '../observe/observe.ts';
import type { RateLimit } from './limit.ts';

/** Clock of a limiter, replaceable in tests. */
export interface LimitEnvironment {
  readonly sleep: Sleep;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
}

const system: LimitEnvironment = { sleep, now: () => performance.now() };

class Limiter {
  readonly #limit: RateLimit;
  readonly #environment: LimitEnvironment;
  readonly #closed: AbortSignal | undefined;
  #bucket: Bucket;

  constructor(limit: RateLimit, environment: LimitEnvironment, closed: AbortSignal | undefined) {
    this.#limit = { ...limit };
    this.#environment = environment;
    this.#closed = closed;
    this.#bucket = { tokens: limit.burst, at: environment.now() };
  }

  /** Takes a token for a request, and returns the delay in milliseconds. */
  take({ timeoutMs, operation }: APIRequest): number {
    const { bucket, waitMs } = take(this.#bucket, this.#limit, this.#environment.now());
    if (timeoutMs !== undefined && waitMs >= timeoutMs) {
      const { qps } = this.#limit;
      const why = `the rate limit of ${qps} requests/s delays it by ${Math.ceil(waitMs)} ms`;
      throw new TimeoutError(`not sent within ${timeoutMs} ms: ${why}`, operation);
    }
    this.#bucket = bucket;
    return waitMs;
  }

  async wait(waitMs: number, request: APIRequest): Promise<void> {
    try {
      await untilClosed(this.#closed, request, (signal) => this.#environment.sleep(waitMs, signal));
    } catch (error) {
      this.#bucket = giveBack(this.#bucket, this.#limit, this.#environment.now());
      throw error;
    }
  }
}

/**
 * Returns a transport that delays requests in the order of their calls. The signal ends the delay; a delay
 * longer than `timeoutMs` is not begun.
 * @param closed aborts the delays when the client is closed
 */
export function limiting(
  send: Transport,
  limit: RateLimit,
  environment: LimitEnvironment = system,
  closed?: AbortSignal,
): Transport {
  const limiter = new Limiter(limit, environment, closed);
  return async (request: ObservedRequest) => {
    if (isWatch(request)) return send(request);
    const waitMs = limiter.take(request);
    request[observation]?.limited(waitMs);
    if (waitMs > 0) await limiter.wait(waitMs, request);
    return send(request);
  };
}

/**
 * Returns whether a request is a watch. Watches are not delayed: they last for minutes, and the lists before
 * them were delayed.
 */
function isWatch({ stream, query }: APIRequest): boolean {
  return stream === true && query.some(([name, value]) => name === 'watch' && /^(1|true)$/i.test(value));
}
