import { describe, expect, it } from 'vitest';
import { settle } from '../../../../test/support/runtime/fake-clock.ts';
import { type Thing, thing } from '../../../../test/support/runtime/scripted-source.ts';
import type { Stored } from '../../api/types.ts';
import type { InformerHandlers } from '../informer/informer.ts';
import type { Change } from '../store/store.ts';
import { HandlerQueue } from './handler-queue.ts';
import { ChangeCalls, ObjectCalls, shareChanges } from './handler-queue-calls.ts';

const adds = (...names: string[]) =>
  names.map((name): Change<Stored<Thing>> => ({ type: 'add', object: thing(name, 1) }));
const calls = (changes: readonly Change<Stored<Thing>>[], since = 0) =>
  new ChangeCalls<Thing>(shareChanges(changes), changes.length, false, since);
const numbered = (count: number) => Array.from({ length: count }, (_, number) => `n${number}`);

/** Creates a slice that is over after a number of checks. */
function countedSlice(length: number) {
  let looks = 0;
  let turns = 0;
  return {
    get over() {
      looks += 1;
      return looks >= length;
    },
    async next() {
      turns += 1;
      looks = 0;
      await settle(1);
    },
    get turns() {
      return turns;
    },
  };
}

/** Creates a queue whose handler records each call, and waits if requested. */
function world(
  wait: (name: string) => Promise<void> | void = () => undefined,
  slice = countedSlice(Infinity),
) {
  const called: string[] = [];
  const errors: unknown[] = [];
  const handlers: InformerHandlers<Thing> = {
    add: ({ metadata }) => {
      called.push(metadata.name);
      return wait(metadata.name);
    },
  };
  const clock = { now: 0 };
  const durations: number[] = [];
  const host = {
    clock: { now: () => clock.now },
    report: (error: unknown) => errors.push(error),
    handled: (durationMs: number) => durations.push(durationMs),
  };
  const queue = new HandlerQueue<Thing>(handlers, host, slice);
  const push = (...names: string[]) => queue.push(calls(adds(...names)));
  return { queue, push, called, errors, clock, durations };
}

describe('handler queue', () => {
  it('calls in order, and never before push returns', async () => {
    const { queue, push, called } = world();
    queue.resume();
    push('a', 'b');
    push('c');
    expect([called, queue.length]).toEqual([[], 3]);
    await settle();
    expect([called, queue.length]).toEqual([['a', 'b', 'c'], 0]);
  });

  it('reports the duration of the calls of each event-loop turn', async () => {
    const { queue, push, called, clock, durations } = world(() => {
      clock.now += 3;
    }, countedSlice(2));
    push('a', 'b', 'c');
    queue.mark();
    expect(durations).toEqual([]);
    queue.resume();
    await settle();
    expect([called, durations]).toEqual([
      ['a', 'b', 'c'],
      [6, 3],
    ]);
    queue.mark();
    await settle();
    push('d');
    await settle();
    expect(durations).toEqual([6, 3, 3]);
  });

  it('includes the time of promises in the duration of calls', async () => {
    let finish = (): void => undefined;
    const { queue, push, clock, durations } = world(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    queue.resume();
    push('a');
    await settle();
    clock.now += 40;
    finish();
    await settle();
    expect(durations).toEqual([40]);
  });

  it('awaits a promise before the next call', async () => {
    let finish = (): void => undefined;
    const { queue, push, called } = world((name) => {
      if (name !== 'a') return undefined;
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    queue.resume();
    push('a', 'b');
    await settle();
    expect([called, queue.length]).toEqual([['a'], 1]);
    finish();
    await settle();
    expect(called).toEqual(['a', 'b']);
  });

  it('reports errors and rejections, and continues', async () => {
    const { queue, push, called, errors } = world((name) => {
      if (name === 'a') throw new Error('thrown');
      if (name === 'b') return Promise.reject(new Error('rejected'));
      return undefined;
    });
    queue.resume();
    push('a', 'b', 'c');
    await settle();
    expect([called, errors]).toEqual([
      ['a', 'b', 'c'],
      [new Error('thrown'), new Error('rejected')],
    ]);
  });

  it('is synced after the calls before the mark', async () => {
    const { queue, push, called } = world(() => settle());
    queue.resume();
    push('a');
    queue.mark();
    push('b');
    await queue.synced;
    expect(called[0]).toBe('a');
  });

  it('keeps pending calls while paused', async () => {
    const { queue, push, called } = world();
    push('a');
    await settle();
    expect([called, queue.length]).toEqual([[], 1]);
    queue.resume();
    await settle();
    queue.pause(new Error('stopped'));
    push('b');
    await settle();
    expect(called).toEqual(['a']);
    queue.resume();
    await settle();
    expect(called).toEqual(['a', 'b']);
  });

  it('can be paused between calls that were pushed together', async () => {
    const { queue, push, called } = world((name) =>
      name === 'b' ? queue.pause(new Error('stopped')) : undefined,
    );
    queue.resume();
    push('a', 'b', 'c', 'd');
    await settle();
    expect([called, queue.length]).toEqual([['a', 'b'], 2]);
    queue.resume();
    await settle();
    expect([called, queue.length]).toEqual([['a', 'b', 'c', 'd'], 0]);
  });

  it('rejects waits for synced with the reason, and can sync again', async () => {
    const { queue } = world();
    queue.resume();
    const waiting = queue.synced;
    queue.pause(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    queue.resume();
    queue.mark();
    await queue.synced;
  });

  it('ignores a mark from before a pause', async () => {
    let finish = (): void => undefined;
    const busy = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { queue, push, called } = world((name) => (name === 'a' ? busy : undefined));
    queue.resume();
    push('a');
    queue.mark();
    await settle();
    queue.pause(new Error('stopped'));
    queue.resume();
    let synced = false;
    const waiting = queue.synced.then(() => {
      synced = true;
    });
    finish();
    await settle();
    expect([called, synced]).toEqual([['a'], false]);
    push('b');
    queue.mark();
    await waiting;
    expect(called).toEqual(['a', 'b']);
  });

  it('calls no handler once closed, not even for queued calls', async () => {
    const { queue, push, called } = world((name) =>
      name === 'a' ? queue.close(new Error('removed')) : undefined,
    );
    queue.resume();
    const waiting = queue.synced;
    push('a', 'b');
    push('c');
    await expect(waiting).rejects.toThrow('removed');
    push('d');
    queue.mark();
    queue.pause(new Error('stopped'));
    queue.resume();
    push('e');
    await settle();
    expect([called, queue.length, queue.oldestSince]).toEqual([['a'], 0, undefined]);
  });

  it('yields to the event loop, but not for each call', async () => {
    const slice = countedSlice(100);
    const { queue, push, called } = world(undefined, slice);
    queue.resume();
    push(...numbered(250));
    push(...numbered(250));
    const seen: number[] = [];
    while (queue.length > 0) {
      seen.push(called.length);
      await settle(1);
    }
    expect(seen).toEqual([0, 100, 200, 300, 400]);
    expect(slice.turns).toBe(5);
    expect(called).toEqual([...numbered(250), ...numbered(250)]);
  });

  it('creates no promise for a synchronous call', async () => {
    const { queue, push } = world();
    queue.resume();
    await settle();
    let microtasks = 0;
    push(...numbered(1000));
    while (queue.length > 0) {
      microtasks += 1;
      await undefined;
    }
    expect(microtasks).toBeLessThan(5);
  });
});

describe('time of the oldest queued call', () => {
  it('is that of partly processed calls, and ignores marks', async () => {
    const { queue } = world((name) => (name === 'c' ? new Promise(() => undefined) : undefined));
    expect(queue.oldestSince).toBeUndefined();
    queue.mark();
    expect(queue.oldestSince).toBeUndefined();
    queue.push(calls(adds('a', 'b'), 10));
    queue.mark();
    queue.push(calls(adds('c', 'd'), 20));
    queue.push(calls(adds('e'), 30));
    expect(queue.oldestSince).toBe(10);
    queue.resume();
    await settle();
    expect([queue.length, queue.oldestSince]).toEqual([2, 20]);
  });

  it('is undefined for an empty queue', () => {
    const { queue } = world();
    queue.push(calls([], 10));
    expect([queue.length, queue.oldestSince]).toEqual([0, undefined]);
  });
});

describe('handler calls', () => {
  const a = thing('a', 1);
  const newer = thing('a', 2);
  const noted: unknown[][] = [];
  const handlers: InformerHandlers<Thing> = {
    add: (...args) => void noted.push(['add', ...args]),
    update: (...args) => void noted.push(['update', ...args]),
    delete: (...args) => void noted.push(['delete', ...args]),
  };
  it.each([
    {
      name: 'an addition',
      change: { type: 'add', object: a } as const,
      want: ['add', a, { isInitial: true }],
    },
    {
      name: 'an update',
      change: { type: 'update', object: newer, old: a } as const,
      want: ['update', newer, a],
    },
    {
      name: 'a deletion',
      change: { type: 'delete', object: newer, missed: false } as const,
      want: ['delete', newer, { missed: false }],
    },
  ])('for $name', ({ change, want }) => {
    noted.length = 0;
    new ChangeCalls<Thing>(shareChanges([change]), 1, true, 0).call(handlers);
    expect(noted).toEqual([want]);
    // The change has no handler.
    expect(new ChangeCalls<Thing>(shareChanges([change]), 1, true, 0).call({})).toBeUndefined();
  });

  it.each([0, 1, 255, 256, 257, 512, 1000])('match the number of changes: %i', (count) => {
    const changes = adds(...numbered(count));
    const shared = shareChanges(changes);
    for (let times = 0; times < 2; times += 1) {
      const names: string[] = [];
      const one = new ChangeCalls<Thing>(shared, changes.length, false, 0);
      while (one.left > 0) one.call({ add: ({ metadata }) => void names.push(metadata.name) });
      expect(names).toEqual(numbered(count));
    }
  });

  it('for objects skip empty slots, and release objects after their calls', () => {
    noted.length = 0;
    const objects = [undefined, a, undefined, undefined, thing('b', 1), undefined];
    const given = [...objects];
    const calls = new ObjectCalls<Thing>('update', given, 2, 0);
    calls.call(handlers);
    expect([calls.left, given]).toEqual([1, objects.map((object) => (object === a ? undefined : object))]);
    calls.call(handlers);
    expect([calls.left, noted]).toEqual([
      0,
      [
        ['update', a, a],
        ['update', objects[4], objects[4]],
      ],
    ]);
  });
});
