/** Work queue of controllers, its rate limiters, and turns of the event loop for workers. */

export type { EventLoopTurn } from '../common/event-loop-turn.ts';
export { eventLoopTurn } from '../common/event-loop-turn.ts';
export type { WorkQueueObserver } from '../control/queue/observer.ts';
export type {
  BucketRateLimiterOptions,
  ExponentialRateLimiterOptions,
  RateLimiter,
} from '../control/queue/rate-limiters.ts';
export { bucketRateLimiter, exponentialRateLimiter, maxOf } from '../control/queue/rate-limiters.ts';
export type { WorkQueueAddOptions, WorkQueueOptions, WorkQueueStats } from '../control/queue/work-queue.ts';
export { WorkQueue } from '../control/queue/work-queue.ts';
