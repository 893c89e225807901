import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SimulatedClock } from './simulated-clock.fixture.ts';
import { drained, queueOf } from './work-queue.fixture.ts';
import { WorkQueue } from './work-queue.ts';

type Call = (queue: WorkQueue<string>, clock: SimulatedClock) => void;

const add =
  (keys: string, options = {}): Call =>
  (queue) => {
    for (const key of keys) queue.add(key, options);
  };
const advance =
  (ms: number): Call =>
  (_, clock) =>
    clock.advance(ms);
const take: Call = (queue) => void queue.tryGet();
const done =
  (key: string): Call =>
  (queue) =>
    queue.done(key);

afterEach(() => vi.restoreAllMocks());

describe('a work queue delivers', () => {
  it.each<[rule: string, calls: readonly Call[], want: string]>([
    ['keys in their order', [add('abc')], 'abc'],
    ['a key once that is added twice', [add('aba')], 'ab'],
    ['higher priorities first', [add('a', { priority: -1 }), add('b'), add('c', { priority: 2 })], 'cba'],
    [
      'a raised key behind its new peers',
      [add('ab'), add('cd', { priority: 1 }), add('a', { priority: 1 })],
      'cdab',
    ],
    [
      'a key at its highest priority',
      [add('a', { priority: 1 }), add('b'), add('a', { priority: -5 })],
      'ab',
    ],
    ['no key with a delay', [add('a', { afterMs: 1 }), add('b')], 'b'],
    ['a key whose delay is over behind ready ones', [add('a', { afterMs: 5 }), add('b'), advance(5)], 'ba'],
    [
      'keys in the order of their delays',
      [add('a', { afterMs: 5 }), add('b', { afterMs: 3 }), advance(9)],
      'ba',
    ],
    ['keys of equal delays in their order', [add('ab', { afterMs: 5 }), advance(5)], 'ab'],
    ['a key at once whose delay is at most 0', [add('a', { afterMs: -1 }), add('b', { afterMs: 0 })], 'ab'],
    ['a key after the shortest delay', [add('a', { afterMs: 9 }), add('a', { afterMs: 3 }), advance(3)], 'a'],
    ['a key at once that is added again without a delay', [add('a', { afterMs: 9 }), add('a')], 'a'],
    ['a ready key that is added again with a delay', [add('a'), add('a', { afterMs: 9 })], 'a'],
    [
      'a key with a delay at a raised priority',
      [add('a', { afterMs: 5 }), add('a', { afterMs: 9, priority: 1 }), add('b'), advance(5)],
      'ab',
    ],
    ['no processing key', [add('a'), take, add('a')], ''],
    ['a key again that was added while it was processing', [add('a'), take, add('a'), done('a')], 'a'],
    [
      'a key again at the greatest of its priorities',
      [add('a'), take, add('a', { priority: 1 }), add('a'), add('b'), done('a')],
      'ab',
    ],
    [
      'a key again after the shortest of its delays',
      [
        add('a'),
        take,
        add('a', { afterMs: 9 }),
        add('a', { afterMs: 2 }),
        add('a', { afterMs: 5 }),
        done('a'),
        advance(2),
      ],
      'a',
    ],
    ['no key again before its delay', [add('a'), take, add('a', { afterMs: 9 }), done('a'), advance(8)], ''],
    [
      'no key again for the priority of its last delivery',
      [add('a', { priority: 5 }), take, add('a'), add('b', { priority: 1 }), done('a')],
      'ba',
    ],
    [
      'nothing for a key that is done twice',
      [add('a'), take, add('a'), done('a'), done('a'), done('x')],
      'a',
    ],
    [
      'a rate-limited key after 5 ms',
      [add('a', { rateLimited: true }), advance(4), add('b'), advance(1)],
      'ba',
    ],
    [
      'a key after afterMs that is below the rate limit',
      [add('a', { rateLimited: true, afterMs: 2 }), advance(2)],
      'a',
    ],
    [
      'a key after the rate limit that is below afterMs',
      [add('a', { rateLimited: true, afterMs: 9 }), advance(5)],
      'a',
    ],
  ])('%s', (_, calls, want) => {
    const { queue, clock } = queueOf();
    for (const call of calls) call(queue, clock);
    expect(drained(queue)).toBe(want);
  });

  it('keys with the identity of idOf once', () => {
    const queue = new WorkQueue<{ name: string }>({ name: 'objects', idOf: ({ name }) => name });
    queue.add({ name: 'web' });
    queue.add({ name: 'web' });
    expect(queue.tryGet()).toEqual({ name: 'web' });
    expect(queue.tryGet()).toBeUndefined();
    queue.done({ name: 'web' });
    expect(queue.stats().processing).toBe(0);
  });

  it('every second key by age with a fair share of 2', () => {
    const { queue } = queueOf({ fairShare: 2 });
    for (const key of 'abc') queue.add(key);
    for (const key of 'xyz') queue.add(key, { priority: 1 });
    expect(drained(queue)).toBe('xaybzc');
  });
});

describe('delays', () => {
  it('share one timer', () => {
    const { queue, clock } = queueOf();
    for (const afterMs of [30, 10, 20, 10.4]) queue.add(`${afterMs}`, { afterMs });
    expect(clock.delays).toEqual([10]);
    clock.advance(10);
    expect([queue.length, clock.delays]).toEqual([1, [1]]);
    clock.advance(20);
    expect([queue.length, clock.armed]).toEqual([4, 0]);
  });

  it('beyond 2^31 ms are split into several timers', () => {
    const { queue, clock } = queueOf();
    queue.add('a', { afterMs: 2 ** 33 });
    expect(clock.delays).toEqual([2 ** 31 - 1]);
    clock.advance(2 ** 33 - 1);
    expect(queue.length).toBe(0);
    clock.advance(1);
    expect(queue.length).toBe(1);
  });

  it('that never end start no timer, and can be shortened', () => {
    const { queue, clock } = queueOf();
    queue.add('a', { afterMs: Number.POSITIVE_INFINITY });
    expect(clock.armed).toBe(0);
    queue.add('a', { afterMs: 7 });
    clock.advance(7);
    expect(drained(queue)).toBe('a');
  });

  it('that are over are seen by the next call when the timer is late, by waiting workers first', async () => {
    const { queue, clock } = queueOf();
    const waiting = queue.get();
    queue.add('a', { afterMs: 5 });
    clock.leap(100);
    const later = queue.get();
    queue.add('b');
    expect(await Promise.all([waiting, later])).toEqual(['a', 'b']);
  });

  it('survive a clock that goes back', () => {
    const { queue, clock } = queueOf();
    queue.add('a', { afterMs: 5 });
    clock.leap(-1000);
    clock.advance(1004);
    expect(queue.length).toBe(0);
    clock.advance(1);
    expect(queue.length).toBe(1);
  });

  it('count failures, which forget resets', () => {
    const { queue, clock } = queueOf();
    for (const want of [5, 10, 20]) {
      queue.add('a', { rateLimited: true });
      clock.advance(want - 1);
      expect(queue.length).toBe(0);
      clock.advance(1);
      expect(drained(queue)).toBe('a');
    }
    expect([queue.failures('a'), queue.failures('b')]).toEqual([3, 0]);
    queue.forget('a');
    expect(queue.failures('a')).toBe(0);
  });
});

describe('get', () => {
  it('serves waiting workers in their order', async () => {
    const { queue } = queueOf();
    const workers = [queue.get(), queue.get(), queue.get()];
    for (const key of 'abc') queue.add(key);
    expect(await Promise.all(workers)).toEqual(['a', 'b', 'c']);
  });

  it('rejects with the reason of an aborted signal, and loses no key', async () => {
    const { queue } = queueOf();
    const controller = new AbortController();
    const aborted = queue.get({ signal: controller.signal });
    const next = queue.get();
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    await expect(queue.get({ signal: controller.signal })).rejects.toBe(reason);
    queue.add('a');
    expect(await next).toBe('a');
  });

  it('delivers a key to a worker whose signal is aborted right after', async () => {
    const controller = new AbortController();
    const { queue } = queueOf({ observer: { taken: () => controller.abort() } });
    const waiting = queue.get({ signal: controller.signal });
    queue.add('a');
    expect(await waiting).toBe('a');
  });
});

describe('stats', () => {
  it('contain depth by priority with at most 25 labels, and the work that is not finished', () => {
    const { queue, clock } = queueOf();
    for (let priority = 0; priority < 30; priority += 1) queue.add(`${priority}`, { priority });
    queue.add('delayed', { afterMs: 100 });
    const { depth, ready, waiting } = queue.stats();
    expect([ready, waiting, depth.size]).toEqual([30, 1, 26]);
    expect([depth.get('0'), depth.get('24'), depth.get('exceeded_cardinality_limit')]).toEqual([1, 1, 5]);
    queue.tryGet();
    clock.advance(3);
    queue.tryGet();
    clock.advance(4);
    expect(queue.stats()).toMatchObject({ processing: 2, unfinishedWorkMs: 11, longestRunningMs: 7 });
    drained(queue);
    expect([...queue.stats().depth.values()].every((count) => count === 0)).toBe(true);
  });
});

describe('invalid arguments', () => {
  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'throw RangeError: fairShare %s',
    (fairShare) => {
      expect(() => queueOf({ fairShare })).toThrow(RangeError);
    },
  );

  it.each([{ priority: Number.NaN }, { afterMs: Number.NaN }])('throw RangeError: %o', (options) => {
    const { queue } = queueOf();
    expect(() => queue.add('a', options)).toThrow(RangeError);
    expect(queue.length).toBe(0);
  });
});
