import { afterEach, describe, expect, it, vi } from 'vitest';
import { settle } from '../../../../test/support/runtime/fake-clock.ts';
import type { WorkQueueObserver } from './observer.ts';
import { drained, queueOf } from './work-queue.fixture.ts';

afterEach(() => vi.restoreAllMocks());

describe('an observer', () => {
  it('counts a key when it is ready, a retry for each delay, and the times in the queue and in work', () => {
    const calls: string[] = [];
    const { queue, clock } = queueOf({
      observer: {
        added: (priority) => void calls.push(`added ${priority}`),
        taken: (ms) => void calls.push(`taken ${ms}`),
        done: (ms) => void calls.push(`done ${ms}`),
        retried: () => void calls.push('retried'),
      },
    });
    queue.add('a', { afterMs: 5, priority: 3 });
    queue.add('a', { afterMs: 0, priority: 1, rateLimited: true });
    expect(calls.splice(0)).toEqual(['retried', 'added 3']);
    clock.advance(7);
    queue.tryGet();
    queue.add('a');
    clock.advance(11);
    expect(calls.splice(0)).toEqual(['taken 7']);
    expect(queue.priorityOf('a')).toBe(3);
    queue.done('a');
    expect(queue.priorityOf('a')).toBeUndefined();
    queue.tryGet();
    expect(calls).toEqual(['added 0', 'done 11', 'taken 11']);
  });

  it.each<[name: string, observer: WorkQueueObserver]>([
    [
      'throws',
      {
        added: () => {
          throw new Error('broken');
        },
      },
    ],
    [
      'throws undefined',
      {
        taken: () => {
          throw undefined;
        },
      },
    ],
    [
      'rejects',
      {
        done: async () => {
          throw new Error('broken');
        },
      },
    ],
    [
      'throws for a retry',
      {
        retried: () => {
          throw new Error('broken');
        },
      },
    ],
  ])('that %s becomes a process warning', async (_, observer) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const { queue, clock } = queueOf({ observer });
    queue.add('a', { afterMs: 1 });
    clock.advance(1);
    expect(drained(queue)).toBe('a');
    await settle();
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/^(added|taken|done|retried)\(\) of the observer of work queue test failed/),
      'WorkQueueWarning',
    );
  });

  it('may shut the queue down, add, take and end keys', async () => {
    const { queue, clock } = queueOf({
      observer: {
        added: () => void queue.add('z'),
        taken: () => queue.done('z'),
        done: () => void queue.shutDown(),
      },
    });
    const workers = [queue.get(), queue.get(), queue.get()];
    queue.add('a', { afterMs: 1 });
    clock.advance(1);
    void queue.shutDown({ drain: true });
    const keys = await Promise.all(workers);
    expect(new Set(keys.filter((key) => key !== undefined)).size).toBe(keys.filter((key) => key).length);
    for (const key of keys) if (key !== undefined) queue.done(key);
    await queue.drained;
  });
});
