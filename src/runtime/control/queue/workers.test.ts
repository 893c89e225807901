/** Several workers of a work queue at once, by random interleavings. */
import { expect, it } from 'vitest';
import { campaign, type Random, randomOf } from '../../../../test/support/random.ts';
import { WorkQueue } from './work-queue.ts';

/** Waits for a random number of microtasks. */
async function pause(random: Random): Promise<void> {
  for (let turns = random.int(6); turns > 0; turns -= 1) await undefined;
}

interface Run {
  readonly queue: WorkQueue<number>;
  readonly random: Random;
  readonly processing: Set<number>;
  /** Keys that were added since their last delivery, while the queue accepted them. */
  readonly pending: Set<number>;
}

async function work({ queue, random, processing, pending }: Run): Promise<void> {
  for (;;) {
    const controller = new AbortController();
    const isImpatient = random.chance(0.2);
    const next = queue.get(isImpatient ? { signal: controller.signal } : {});
    if (isImpatient) void pause(random).then(() => controller.abort());
    const key = await next.catch(() => null);
    if (key === null) continue;
    if (key === undefined) return;
    if (processing.has(key)) throw new Error(`${key} was delivered twice at once`);
    processing.add(key);
    pending.delete(key);
    await pause(random);
    processing.delete(key);
    if (random.chance(0.1) && !queue.isShutDown) {
      pending.add(key);
      queue.add(key, { priority: random.int(3) });
    }
    queue.done(key);
    await pause(random);
  }
}

it('delivers each key to one worker at a time and loses none, with aborts and a drain', async () => {
  for (const seed of campaign('workers', { rounds: 2000 })) {
    const random = randomOf(seed);
    const run: Run = {
      queue: new WorkQueue({ name: 'workers' }),
      random,
      processing: new Set(),
      pending: new Set(),
    };
    const workers = Array.from({ length: 1 + random.int(4) }, () => work(run));
    for (let added = random.int(40); added > 0; added -= 1) {
      const key = random.int(6);
      run.pending.add(key);
      run.queue.add(key, { priority: random.int(3) });
      if (random.chance(0.5)) await pause(random);
    }
    const drain = random.chance(0.8);
    await run.queue.shutDown({ drain });
    await Promise.all(workers);
    if (drain) expect([...run.pending], `seed ${seed}`).toEqual([]);
    expect(run.queue.stats()).toMatchObject({ ready: 0, waiting: 0, processing: 0 });
  }
});
