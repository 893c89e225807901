/** Queues of tests, with simulated time. */
import { SimulatedClock } from './simulated-clock.fixture.ts';
import { WorkQueue, type WorkQueueOptions } from './work-queue.ts';

/** Returns a queue with a clock that the test moves. */
export function queueOf(options: Partial<WorkQueueOptions<string>> = {}) {
  const clock = new SimulatedClock();
  const queue = new WorkQueue<string>({ name: 'test', environment: { clock }, fairShare: 1000, ...options });
  return { clock, queue };
}

/** Takes and ends all ready keys, in their order. */
export function drained(queue: WorkQueue<string>): string {
  let keys = '';
  for (let key = queue.tryGet(); key !== undefined; key = queue.tryGet()) {
    keys += key;
    queue.done(key);
  }
  return keys;
}
