import { describe, expect, it } from 'vitest';
import { settle } from '../../../../test/support/runtime/fake-clock.ts';
import { drained, queueOf } from './work-queue.fixture.ts';

describe('shutDown', () => {
  it('resolves waiting workers, drops everything, and ignores later adds', async () => {
    const { queue, clock } = queueOf();
    queue.add('a');
    expect(queue.tryGet()).toBe('a');
    queue.add('a');
    queue.add('b');
    queue.add('c', { afterMs: 5 });
    const finished = queue.shutDown();
    expect([queue.length, queue.stats().waiting, clock.armed, queue.isShutDown]).toEqual([0, 0, 0, true]);
    queue.add('d');
    expect(await queue.get()).toBeUndefined();
    queue.done('a');
    await finished;
    expect([queue.tryGet(), queue.stats().processing]).toEqual([undefined, 0]);
  });

  it('resolves workers that wait', async () => {
    const { queue } = queueOf();
    const workers = [queue.get(), queue.get({ signal: new AbortController().signal })];
    await queue.shutDown();
    expect(await Promise.all(workers)).toEqual([undefined, undefined]);
  });

  it('with drain delivers ready and re-added keys, drops delayed ones, and resolves when all are done', async () => {
    const { queue, clock } = queueOf();
    let isDrained = false;
    for (const key of 'abc') queue.add(key);
    queue.tryGet();
    queue.tryGet();
    queue.add('a');
    queue.add('b', { afterMs: 5 });
    queue.add('d', { afterMs: 5 });
    queue.add('e', { afterMs: 1 });
    clock.leap(1);
    const finished = queue.shutDown({ drain: true }).then(() => {
      isDrained = true;
    });
    queue.add('f');
    queue.done('b');
    expect(drained(queue)).toBe('ce');
    await settle();
    expect([isDrained, clock.armed]).toEqual([false, 0]);
    queue.done('a');
    await settle();
    expect(isDrained).toBe(false);
    expect(drained(queue)).toBe('a');
    await finished;
    expect(await queue.get()).toBeUndefined();
  });

  it('without drain ends a drain', async () => {
    const { queue } = queueOf();
    for (const key of 'ab') queue.add(key);
    void queue.shutDown({ drain: true });
    expect(await queue.get()).toBe('a');
    const finished = queue.shutDown();
    expect(await queue.get()).toBeUndefined();
    queue.done('a');
    await finished;
    await queue.shutDown({ drain: true });
    expect(queue.tryGet()).toBeUndefined();
  });
});
