/**
 * Rate limit of new events per object, with the numbers of the spam filter of client-go's core/v1 recorder.
 * `events.k8s.io/v1` has none there, so that a controller can flood etcd with events of distinct reasons.
 */

/** Events of one object that are accepted at once. */
const burst = 25;
/** Time after which one further event of an object is accepted. */
const refillMs = 300_000;
/** Maximum number of objects with a bucket; the least recently used one is dropped. */
const maxObjects = 4096;

interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

/** Token bucket per object. Has no timers: the caller passes the time of a monotonic clock. */
export class EventBudget {
  readonly #buckets = new Map<string, Bucket>();

  /** Number of objects with a bucket. */
  get size(): number {
    return this.#buckets.size;
  }

  /** Takes a token of the object's bucket. Returns false if it is empty. */
  take(object: string, now: number): boolean {
    const tokens = tokensOf(this.#buckets.get(object), now);
    const isAllowed = tokens >= 1;
    // Deleted and set, so that the map is in the order of use.
    this.#buckets.delete(object);
    this.#buckets.set(object, { tokens: isAllowed ? tokens - 1 : tokens, at: now });
    if (this.#buckets.size > maxObjects) this.#dropOldest();
    return isAllowed;
  }

  #dropOldest(): void {
    for (const object of this.#buckets.keys()) {
      this.#buckets.delete(object);
      return;
    }
  }
}

function tokensOf(bucket: Bucket | undefined, now: number): number {
  if (bucket === undefined) return burst;
  return Math.min(burst, bucket.tokens + Math.max(0, now - bucket.at) / refillMs);
}
