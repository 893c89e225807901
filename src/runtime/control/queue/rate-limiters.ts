/** Rate limiters of work queues: delays of keys that are added again. */
import { type Clock, systemEnvironment } from '../../common/clock.ts';
import { type Bucket, type BucketRate, take } from '../../common/token-bucket.ts';

/**
 * Delays of keys that a work queue adds with `rateLimited`. Keys are identified by the result of the queue's
 * `idOf`. Implementations must not keep anything about an identity after `forget`.
 */
export interface RateLimiter {
  /** Counts a failure, and returns the delay until the key may be delivered, in milliseconds. */
  when(id: unknown): number;
  /** Resets the number of failures of an identity, after a success. */
  forget(id: unknown): void;
  /** Returns the number of failures of an identity since the last `forget`. */
  failures(id: unknown): number;
}

/** Options of `exponentialRateLimiter`. */
export interface ExponentialRateLimiterOptions {
  /** Delay after the first failure, in milliseconds. Default: 5. */
  readonly baseMs?: number | undefined;
  /** Maximum delay, in milliseconds. Default: 1,000,000 (1000 s). */
  readonly maxMs?: number | undefined;
}

/**
 * Creates a limiter that doubles the delay of an identity with each failure, as client-go's
 * `ItemExponentialFailureRateLimiter`. It is the default limiter of work queues.
 * @throws {RangeError} if a delay is not a finite number above 0
 */
export function exponentialRateLimiter({
  baseMs = 5,
  maxMs = 1_000_000,
}: ExponentialRateLimiterOptions = {}): RateLimiter {
  requirePositive('baseMs', baseMs);
  requirePositive('maxMs', maxMs);
  const failures = new Map<unknown, number>();
  return {
    when(id) {
      const count = failures.get(id) ?? 0;
      failures.set(id, count + 1);
      // From 2 ** 1024 on the power is Infinity, and the delay is the maximum.
      return Math.min(maxMs, baseMs * 2 ** count);
    },
    forget: (id) => void failures.delete(id),
    failures: (id) => failures.get(id) ?? 0,
  };
}

function requirePositive(name: string, value: number): void {
  if (!(value > 0 && Number.isFinite(value))) {
    throw new RangeError(`rate limiter: ${name} must be a finite number > 0, got ${value}`);
  }
}

/** Options of `bucketRateLimiter`. */
export interface BucketRateLimiterOptions {
  /** Sustained number of keys per second; may be a fraction. Default: 10. */
  readonly qps?: number | undefined;
  /** Number of keys without a delay after a pause. Default: 100. */
  readonly burst?: number | undefined;
  /** Source of time. Default: that of the system. */
  readonly clock?: Pick<Clock, 'now'> | undefined;
}

/**
 * Creates a limiter with one token bucket for all keys, as client-go's `BucketRateLimiter`. It counts no
 * failures of single keys.
 * @throws {RangeError} if `qps` is not a finite number above 0, or `burst` is not an integer above 0
 */
export function bucketRateLimiter({
  qps = 10,
  burst = 100,
  clock = systemEnvironment.clock,
}: BucketRateLimiterOptions = {}): RateLimiter {
  requirePositive('qps', qps);
  if (!Number.isInteger(burst) || burst < 1) {
    throw new RangeError(`rate limiter: burst must be an integer >= 1, got ${burst}`);
  }
  const rate: BucketRate = { qps, burst };
  let bucket: Bucket = { tokens: burst, at: clock.now() };
  return {
    when() {
      const taken = take(bucket, rate, clock.now());
      bucket = taken.bucket;
      return taken.waitMs;
    },
    forget: () => undefined,
    failures: () => 0,
  };
}

/**
 * Creates a limiter whose delay is the longest delay of several limiters, as client-go's
 * `MaxOfRateLimiter`. All of them count each failure.
 * @example
 * ```ts
 * import { bucketRateLimiter, exponentialRateLimiter, maxOf } from '@kgen/runtime/queue';
 *
 * const rateLimiter = maxOf(exponentialRateLimiter(), bucketRateLimiter({ qps: 10, burst: 100 }));
 * console.log(rateLimiter.when('shop/web-0'));
 * ```
 */
export function maxOf(...limiters: readonly RateLimiter[]): RateLimiter {
  const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0);
  return {
    when: (id) => most(limiters.map((limiter) => limiter.when(id))),
    forget(id) {
      for (const limiter of limiters) limiter.forget(id);
    },
    failures: (id) => most(limiters.map((limiter) => limiter.failures(id))),
  };
}
