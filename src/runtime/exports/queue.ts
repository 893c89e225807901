/** Work queue of controllers, and its rate limiters. */

export type { WorkQueueObserver } from '../queue/observer.ts';
export type {
  BucketRateLimiterOptions,
  ExponentialRateLimiterOptions,
  RateLimiter,
} from '../queue/rate-limiters.ts';
export { bucketRateLimiter, exponentialRateLimiter, maxOf } from '../queue/rate-limiters.ts';
export type { WorkQueueAddOptions, WorkQueueOptions, WorkQueueStats } from '../queue/work-queue.ts';
export { WorkQueue } from '../queue/work-queue.ts';
