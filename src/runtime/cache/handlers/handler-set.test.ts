import { describe, expect, it } from 'vitest';
import { FakeClock, settle } from '../../../../test/support/runtime/fake-clock.ts';
import { collectGarbage } from '../../../../test/support/runtime/garbage.ts';
import { noTimePasses } from '../../../../test/support/runtime/no-time-passes.ts';
import { type Thing, thing } from '../../../../test/support/runtime/scripted-source.ts';
import type { Stored } from '../../api/types.ts';
import type { HandleOptions, InformerHandlers } from '../informer/informer.ts';
import { createStore } from '../store/store.ts';
import { HandlerSet } from './handler-set.ts';

noTimePasses();

function world() {
  const clock = new FakeClock();
  const errors: unknown[] = [];
  const store = createStore<Stored<Thing>>(() => undefined);
  const part = store.part();
  const set = new HandlerSet<Thing>({
    name: 'things in namespace shop',
    clock,
    reader: store.reader,
    report: (error) => errors.push(error),
    handled: () => undefined,
  });
  const apply = (type: 'ADDED' | 'MODIFIED' | 'DELETED', ...objects: Stored<Thing>[]) => {
    for (const object of objects) set.push(part.apply({ type, object }), false);
  };
  return { clock, errors, set, apply };
}

/** Returns handlers that record their calls, and then perform an action of the test. */
function noting(then: () => void | Promise<void> = () => undefined) {
  const calls: string[] = [];
  const at = ({ metadata }: Stored<Thing>) => `${metadata.name}@${metadata.resourceVersion}`;
  const note = (text: string) => {
    calls.push(text);
    return then();
  };
  const handlers: InformerHandlers<Thing> = {
    add: (object, { isInitial }) => note(`add ${at(object)}${isInitial ? ' initially' : ''}`),
    update: (object, old) => note(`update ${at(old)} to ${at(object)}`),
    delete: (object) => note(`delete ${at(object)}`),
  };
  return { calls, handlers };
}

const never = () => new Promise<void>(() => undefined);

describe('registrations', () => {
  it('receive all changes independently', async () => {
    const { set, apply } = world();
    const [one, two] = [noting(), noting(never)];
    set.add(one.handlers, {});
    set.add(two.handlers, {});
    set.resume();
    apply('ADDED', thing('a', 1));
    apply('MODIFIED', thing('a', 2));
    await settle();
    expect(one.calls).toEqual(['add a@1', 'update a@1 to a@2']);
    expect([two.calls, set.queued]).toEqual([['add a@1'], 1]);
  });

  it('that are added later receive existing objects, then changes, also while they process the former', async () => {
    const { set, apply } = world();
    set.resume();
    apply('ADDED', thing('a', 1), thing('gone', 1), thing('b', 1));
    apply('DELETED', thing('gone', 2));
    const { calls, handlers } = noting(settle);
    const registration = set.add(handlers, {});
    expect(set.queued).toBe(2);
    apply('MODIFIED', thing('a', 3));
    apply('DELETED', thing('b', 4));
    set.complete();
    await registration.synced;
    expect(calls).toEqual(['add a@1 initially', 'add b@1 initially', 'update a@1 to a@3', 'delete b@4']);
  });

  it('are synced at once if the cache is complete and empty', async () => {
    const { set } = world();
    set.resume();
    set.complete();
    await set.add({}, {}).synced;
  });

  it('are not synced by a cache that was complete before a restart', async () => {
    const { set } = world();
    set.resume();
    set.complete();
    set.pause();
    set.resume();
    const registration = set.add({}, {});
    let synced = false;
    const waiting = registration.synced.then(() => {
      synced = true;
    });
    await settle();
    expect(synced).toBe(false);
    set.complete();
    await waiting;
  });

  it('that a handler adds or removes during a call receive each object once, or not at all', async () => {
    const { set, apply } = world();
    const [late, removed] = [noting(), noting()];
    let taken = 0;
    set.add(
      {
        add: () => {
          taken += 1;
          if (taken !== 2) return;
          set.add(late.handlers, {});
          other.remove();
        },
      },
      {},
    );
    const other = set.add(
      { ...removed.handlers, add: () => new Promise((resolve) => void settle(5).then(resolve)) },
      {},
    );
    other.synced.catch(() => undefined);
    set.resume();
    apply('ADDED', thing('a', 1), thing('b', 1), thing('c', 1));
    apply('MODIFIED', thing('a', 2));
    await settle(10);
    expect(late.calls).toEqual(['add a@2 initially', 'add b@1 initially', 'add c@1 initially']);
    expect([removed.calls, taken, set.queued]).toEqual([[], 3, 0]);
  });

  it('that are removed receive no more calls, and never sync', async () => {
    const { set, apply } = world();
    set.resume();
    const { calls, handlers } = noting();
    const registration = set.add(handlers, { resyncMs: 10 });
    apply('ADDED', thing('a', 1));
    await settle();
    registration.remove();
    await expect(registration.synced).rejects.toThrow(
      'handlers of the informer for things in namespace shop were removed before they were synced',
    );
    apply('MODIFIED', thing('a', 2));
    await settle();
    expect([calls, set.queued]).toEqual([['add a@1'], 0]);
  });

  it('that fail are reported', async () => {
    const { set, apply, errors } = world();
    set.resume();
    const failing = noting(() => {
      throw new Error('oops');
    });
    set.add(failing.handlers, {});
    apply('ADDED', thing('a', 1), thing('b', 1));
    await settle();
    expect([failing.calls.length, errors]).toEqual([2, [new Error('oops'), new Error('oops')]]);
  });

  it('are paused while the informer is stopped, and sync again after it', async () => {
    const { set, apply } = world();
    const { calls, handlers } = noting();
    const registration = set.add(handlers, {});
    const first = registration.synced;
    set.resume();
    set.complete();
    await first;
    set.pause();
    apply('ADDED', thing('a', 1));
    await settle();
    expect(calls).toEqual([]);
    set.resume();
    const second = registration.synced;
    let synced = false;
    void second.then(() => {
      synced = true;
    });
    await settle();
    expect([calls, synced]).toEqual([['add a@1'], false]);
    set.complete();
    await second;
  });

  it('that wait when the informer is stopped reject with the reason', async () => {
    const { set } = world();
    const registration = set.add({}, {});
    set.resume();
    const waiting = registration.synced;
    set.pause();
    await expect(waiting).rejects.toThrow(
      'informer for things in namespace shop was stopped before it was synced',
    );
  });
});

describe('memory of processed changes', () => {
  /** Returns changes of many objects, and the old states, which only the changes reference. */
  const updates = (count: number) => {
    const changes = Array.from({ length: count }, (_, number) => {
      const old = thing(`n${number}`, 1);
      return { type: 'update', object: thing(`n${number}`, 2), old } as const;
    });
    return { changes, olds: changes.map(({ old }) => new WeakRef(old)) };
  };

  it('is released after all registrations, even if more was queued with them', async () => {
    const { set } = world();
    let taken = 0;
    const slow = () => {
      taken += 1;
      return taken === 600 ? never() : undefined;
    };
    set.add({ update: slow }, {});
    set.add({}, {});
    set.resume();
    const push = () => {
      const { changes, olds } = updates(1000);
      set.push(changes, false);
      return olds;
    };
    const olds = push();
    // A busy machine needs more than one slice for this.
    do await settle();
    while (set.queued > 400);
    await collectGarbage();
    const held = olds.map((old) => old.deref() !== undefined);
    expect([taken, set.queued]).toEqual([600, 400]);
    expect([held.slice(0, 500).includes(true), held.slice(600).includes(false)]).toEqual([false, false]);
  });

  it('is released without further changes', async () => {
    const { set, apply } = world();
    set.add({}, {});
    set.resume();
    const put = () => {
      const object = thing('a', 1);
      apply('ADDED', object);
      return new WeakRef(object);
    };
    const object = put();
    apply('DELETED', thing('a', 2));
    await settle(5);
    await collectGarbage();
    expect(object.deref()).toBeUndefined();
  });
});

describe('the oldest call', () => {
  it('is that of the slowest registration', async () => {
    const { set, apply, clock } = world();
    set.resume();
    set.add({}, {});
    set.add({ add: never }, {});
    const slow = set.add({ add: never }, {});
    expect(set.oldestQueuedAt).toBeUndefined();
    const start = clock.now();
    apply('ADDED', thing('a', 1), thing('b', 1));
    await clock.advance(500);
    apply('ADDED', thing('c', 1));
    await settle();
    expect([set.queued, set.oldestQueuedAt]).toEqual([4, start]);
    slow.remove();
    expect([set.queued, set.oldestQueuedAt]).toEqual([2, start]);
  });

  it('of a late registration counts from its addition', async () => {
    const { set, apply, clock } = world();
    set.resume();
    const start = clock.now();
    const early = set.add({ add: never }, {});
    apply('ADDED', thing('a', 1), thing('b', 1));
    await clock.advance(500);
    set.add({ add: never }, {});
    await clock.advance(500);
    expect([set.queued, set.oldestQueuedAt]).toEqual([2, start]);
    early.remove();
    expect([set.queued, set.oldestQueuedAt]).toEqual([1, start + 500]);
  });
});

describe('a resync', () => {
  const resynced = async (options: HandleOptions, then?: () => void | Promise<void>) => {
    const all = world();
    const noted = noting(then);
    all.apply('ADDED', thing('a', 1), thing('b', 1));
    const registration = all.set.add(noted.handlers, options);
    all.set.resume();
    await settle();
    noted.calls.length = 0;
    return { ...all, ...noted, registration };
  };

  it('calls update for every object, each time', async () => {
    const { clock, calls, apply } = await resynced({ resyncMs: 100 });
    await clock.advance(99);
    expect(calls).toEqual([]);
    await clock.advance(1);
    expect(calls).toEqual(['update a@1 to a@1', 'update b@1 to b@1']);
    apply('DELETED', thing('a', 2));
    await clock.advance(100);
    expect(calls.slice(2)).toEqual(['delete a@2', 'update b@1 to b@1']);
  });

  it('is not queued again while one is pending', async () => {
    let finish = (): void => undefined;
    const { clock, calls, set, apply } = await resynced({ resyncMs: 100 }, () => {
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
    finish();
    await settle();
    finish();
    await settle();
    calls.length = 0;
    await clock.advance(500);
    expect([calls, set.queued]).toEqual([['update a@1 to a@1'], 1]);
    apply('MODIFIED', thing('b', 2), thing('b', 3));
    for (let times = 0; times < 2; times += 1) {
      finish();
      await settle();
    }
    // The handler is busy, but not with a resync.
    expect([calls.at(-1), set.queued]).toEqual(['update b@1 to b@2', 1]);
    await clock.advance(100);
    expect(set.queued).toBe(3);
    for (let times = 0; times < 3; times += 1) {
      finish();
      await settle();
    }
    expect(calls.slice(3)).toEqual(['update b@2 to b@3', 'update a@1 to a@1', 'update b@3 to b@3']);
  });

  it('needs no timer while stopped, or once removed', async () => {
    const { clock, calls, set, registration } = await resynced({ resyncMs: 100 });
    expect(clock.armed).toBe(1);
    set.pause();
    expect(clock.armed).toBe(0);
    await clock.advance(500);
    expect(calls).toEqual([]);
    set.resume();
    expect(clock.armed).toBe(1);
    registration.remove();
    expect(clock.armed).toBe(0);
    set.pause();
    set.resume();
    expect(clock.armed).toBe(0);
  });
});
