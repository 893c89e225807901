/** Token bucket: the arithmetic of rate limits, without a clock. */

/** Rate of a token bucket. */
export interface BucketRate {
  /** Tokens that are added per second; may be a fraction. */
  readonly qps: number;
  /** Maximum number of tokens. */
  readonly burst: number;
}

/** A token bucket. Below 0, callers wait: each received a delay after which its token is valid. */
export interface Bucket {
  readonly tokens: number;
  /** Time at which the bucket had these tokens, in milliseconds. */
  readonly at: number;
}

/** Takes a token: returns the bucket without it, and the delay until it is valid, in milliseconds. */
export function take(
  bucket: Bucket,
  rate: BucketRate,
  now: number,
): { readonly bucket: Bucket; readonly waitMs: number } {
  const { tokens } = filled(bucket, rate, now);
  const left = tokens - 1;
  return { bucket: { tokens: left, at: now }, waitMs: left >= 0 ? 0 : (-left / rate.qps) * 1000 };
}

function filled(bucket: Bucket, { qps, burst }: BucketRate, now: number): Bucket {
  const gained = (Math.max(0, now - bucket.at) / 1000) * qps;
  return { tokens: Math.min(burst, bucket.tokens + gained), at: now };
}

/** Returns an unused token. */
export function giveBack(bucket: Bucket, rate: BucketRate, now: number): Bucket {
  const { tokens } = filled(bucket, rate, now);
  return { tokens: Math.min(rate.burst, tokens + 1), at: now };
}
