/** Work queue of controllers, and its rate limiters. */

export type { WorkQueueObserver } from '../control/queue/observer.ts';
export type {
  BucketRateLimiterOptions,
  ExponentialRateLimiterOptions,
  RateLimiter,
} from '../control/queue/rate-limiters.ts';
export { bucketRateLimiter, exponentialRateLimiter, maxOf } from '../control/queue/rate-limiters.ts';
export type { WorkQueueAddOptions, WorkQueueOptions, WorkQueueStats } from '../control/queue/work-queue.ts';
export { WorkQueue } from '../control/queue/work-queue.ts';
