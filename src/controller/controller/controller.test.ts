import { ApiError } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { currentRun } from '../client/run-scope.ts';
import { TerminalError } from '../errors.ts';
import type { ReconcileContext } from './reconcile-context.ts';
import { FakeInformer, FakeWorld, settle } from './world.fixture.ts';

/** A promise that settles by calls. */
function gate(): { readonly open: (error?: unknown) => void; readonly opened: Promise<void> } {
  let open: (error?: unknown) => void = () => undefined;
  const opened = new Promise<void>((resolve, reject) => {
    open = (error) => (error === undefined ? resolve() : reject(error));
  });
  return { open, opened };
}

describe('runs', () => {
  it('combine changes before them, and follow changes during them', async () => {
    const gates = [gate(), gate()];
    const runs: string[] = [];
    const world = new FakeWorld({
      reconcile: async ({ metadata }, { cause }) => {
        runs.push(`${metadata.resourceVersion} ${cause.map(({ type }) => type).join(',')}`);
        await gates[runs.length - 1]?.opened;
      },
    });
    for (let change = 0; change < 3; change += 1) world.apps.put('a');
    world.run();
    await settle();
    world.apps.put('a');
    world.apps.put('a');
    await settle();
    expect(runs).toEqual(['3 add,update']);
    gates[0]?.open();
    await settle();
    expect(runs).toEqual(['3 add,update', '5 update']);
    gates[1]?.open();
    await world.stop();
  });

  it('of different objects are simultaneous up to the limit', async () => {
    let active = 0;
    let most = 0;
    const all = gate();
    const world = new FakeWorld({
      concurrency: 3,
      reconcile: async () => {
        active += 1;
        most = Math.max(most, active);
        await all.opened;
        active -= 1;
      },
    });
    for (let number = 0; number < 10; number += 1) world.apps.put(`a${number}`);
    world.run();
    await settle();
    expect([active, world.controller.running.length]).toEqual([3, 3]);
    all.open();
    await settle(20);
    expect([active, most, world.count('finished').length]).toEqual([0, 3, 10]);
    await world.stop();
  });

  it('of changes precede those of initial objects and resyncs', async () => {
    const runs: string[] = [];
    const world = new FakeWorld({ reconcile: ({ metadata }) => void runs.push(metadata.name) });
    world.apps.put('initial', {}, true);
    world.apps.put('changed');
    world.run();
    await settle();
    expect(runs).toEqual(['changed', 'initial']);
    await world.stop();
  });

  it('keep the low priority of their object after a failure', async () => {
    const runs: string[] = [];
    const world = new FakeWorld({
      reconcile: ({ metadata }, { attempt }) => {
        runs.push(metadata.name);
        if (metadata.name === 'initial' && attempt === 1) throw new Error('once');
      },
    });
    world.apps.put('initial', {}, true);
    world.run();
    await settle();
    world.clock.leap(1000);
    // Ready at the same time: the failed object waits for its delay only.
    world.apps.put('changed');
    await world.clock.advance(1000);
    expect(runs).toEqual(['initial', 'changed', 'initial']);
    await world.stop();
  });

  it('of keys are called for deleted objects', async () => {
    const keys: object[] = [];
    const world = new FakeWorld({ reconcileKey: (key) => void keys.push(key), reconcile: undefined });
    world.run();
    world.apps.put('a');
    await settle();
    world.apps.delete('a');
    await settle();
    world.controller.enqueue({ namespace: 'shop', name: 'other' });
    await settle();
    expect(keys).toEqual(['a', 'a', 'other'].map((name) => ({ namespace: 'shop', name })));
    expect(() => world.controller.enqueue({ namespace: 'shop', name: '' })).toThrow(TypeError);
    await world.stop();
  });

  it('have an ID in context and log, and a scope that follows asynchronous calls', async () => {
    const contexts: ReconcileContext[] = [];
    const scopes: unknown[] = [];
    const world = new FakeWorld({
      reconcile: async (_, context) => {
        contexts.push(context);
        await Promise.resolve();
        setImmediate(() => scopes.push(currentRun()?.key));
        context.log.info({ own: 1 }, 'entry');
      },
    });
    world.run();
    world.apps.put('a');
    await settle(5);
    world.apps.put('b');
    await settle(5);
    const [first, second] = contexts;
    expect(first?.reconcileID).not.toBe(second?.reconcileID);
    expect(world.fields).toContainEqual({
      ...{ controller: 'test', namespace: 'shop', name: 'a' },
      ...{ reconcileID: first?.reconcileID, own: 1 },
    });
    expect(scopes).toEqual([first?.key, second?.key]);
    expect(currentRun()).toBeUndefined();
    await world.stop();
  });
});

describe('after a run', () => {
  /** Times of the runs of an object whose function throws or returns each of `ends` in turn. */
  async function timesOf(ends: readonly (() => unknown)[], options: object = {}) {
    const times: number[] = [];
    const attempts: string[] = [];
    const world = new FakeWorld({
      ...options,
      reconcile: (_, { attempt, isLastAttempt }): never => {
        times.push(world.clock.now() - 1000);
        attempts.push(`${attempt}${isLastAttempt ? ' last' : ''}`);
        // Values that the type does not allow, too.
        return ends[times.length - 1]?.() as never;
      },
    });
    world.run();
    world.apps.put('a');
    await world.clock.advance(100_000);
    await world.stop();
    return { times, attempts, world };
  }
  const fail = (error: unknown) => () => {
    throw error;
  };

  it('a delay is that of requeueAfterMs', async () => {
    const { times, world } = await timesOf([() => ({ requeueAfterMs: 1234 }), () => ({ requeueAfterMs: 0 })]);
    expect(times).toEqual([0, 1234, 1234]);
    expect(world.count('finished')).toEqual([
      'finished requeue_after 0',
      'finished requeue_after 0',
      'finished success 0',
    ]);
  });

  it.each<readonly [string, () => unknown]>([
    ['undefined', fail(undefined)],
    ['null', fail(null)],
    ['a string', fail('broken')],
    [
      'an error with a getter that throws',
      fail(Object.defineProperty(new Error('x'), 'message', { get: fail(1) })),
    ],
    ['an error synchronously', fail(new Error('x'))],
    ['a rejection', () => Promise.reject(new Error('x'))],
    ['a thenable that throws', () => Object.defineProperty({}, 'then', { get: fail(new Error('x')) })],
    ['NaN as the delay', () => ({ requeueAfterMs: Number.NaN })],
    ['a negative delay', () => ({ requeueAfterMs: -1 })],
    ['nonsense', () => 'nonsense'],
  ])('errors are contained, reported and retried with backoff: %s', async (_, end) => {
    const { times, attempts, world } = await timesOf([end, end, end]);
    expect(times).toEqual([0, 5, 15, 35]);
    expect(attempts).toEqual(['1', '2', '3', '4']);
    expect(world.log.filter((entry) => entry.startsWith('error reconcile failed: '))).toHaveLength(3);
    expect([world.count('failed').length, world.count('finished error').length]).toEqual([3, 3]);
  });

  it.each([429, 503])('the delay is Retry-After of %d, and the next one the backoff', async (code) => {
    const busy = new ApiError({ code, details: { retryAfterSeconds: 20 } });
    const { times, attempts } = await timesOf([fail(busy), fail(new Error('x'))]);
    expect(times).toEqual([0, 20_000, 20_010]);
    expect(attempts).toEqual(['1', '2', '3']);
  });

  it('a conflict is retried quietly, and does not count as a failed attempt', async () => {
    const conflict = fail(new ApiError({ code: 409, reason: 'Conflict' }));
    const { times, attempts, world } = await timesOf([conflict, conflict], { maxAttempts: 1 });
    expect(times).toEqual([0, 5, 15]);
    expect(attempts).toEqual(['1 last', '1 last', '1 last']);
    expect(world.count('conflicted')).toHaveLength(2);
    expect(world.count('failed')).toEqual([]);
    expect(world.log.filter((entry) => !entry.startsWith('debug'))).toEqual([]);
  });

  it('many conflicts in a row are reported once', async () => {
    const conflict = fail(new ApiError({ code: 409, reason: 'Conflict' }));
    const { world } = await timesOf(Array.from({ length: 12 }, () => conflict));
    expect(world.log.filter((entry) => entry.startsWith('warn'))).toEqual([
      'warn 10 conflicts in a row: another client keeps writing',
    ]);
  });

  it('an object that exists already is an error', async () => {
    const { world } = await timesOf([fail(new ApiError({ code: 409, reason: 'AlreadyExists' }))]);
    expect([world.count('failed').length, world.count('conflicted').length]).toEqual([1, 0]);
  });

  it('a terminal error waits for the next change', async () => {
    const { times, world } = await timesOf([fail(new TerminalError('x'))]);
    expect(times).toEqual([0]);
    expect(world.count('failed')).toEqual(['failed true TerminalError: x']);
  });

  it('the last attempt is known, and waits for the next change', async () => {
    const error = fail(new Error('x'));
    const { times, attempts, world } = await timesOf([error, error, error, error], { maxAttempts: 3 });
    expect(times).toEqual([0, 5, 15]);
    expect(attempts).toEqual(['1', '2', '3 last']);
    expect(world.count('failed')).toEqual([
      'failed false Error: x',
      'failed false Error: x',
      'failed true Error: x',
    ]);
  });

  it('defects are counted apart from failures', async () => {
    const ends = [fail(new TypeError('x')), fail(undefined), fail(new Error('x', { cause: 1 }))];
    const { world } = await timesOf(ends);
    expect([world.count('panicked').length, world.count('failed').length]).toEqual([2, 3]);
  });
});

describe('a run that does not end', () => {
  it('is aborted at its time limit, abandoned later, and retried', async () => {
    const signals: AbortSignal[] = [];
    const late = gate();
    const checks: unknown[] = [];
    const world = new FakeWorld({
      timeoutMs: 60_000,
      reconcile: async (_, { signal }) => {
        signals.push(signal);
        if (signals.length > 1) return;
        const scope = currentRun();
        await late.opened;
        try {
          scope?.checkWrite();
        } catch (error) {
          checks.push(Reflect.get(Object(error), 'name'));
        }
        throw undefined;
      },
    });
    world.run();
    world.apps.put('a');
    await world.clock.advance(59_999);
    expect(signals[0]?.aborted).toBe(false);
    await world.clock.advance(1);
    expect(signals[0]?.reason).toMatchObject({ name: 'ReconcileTimeoutError' });
    await world.clock.advance(9_999);
    expect([signals.length, world.controller.running.length]).toEqual([1, 1]);
    await world.clock.advance(6);
    expect([signals.length, world.controller.running.length]).toEqual([2, 0]);
    expect(world.log[0]).toContain('was abandoned');
    expect(world.count('timedOut')).toHaveLength(1);
    late.open();
    await settle();
    expect(checks).toEqual(['AbandonedRunError']);
    await world.stop();
  });

  it('is reported, and successful, if it ends within the grace period', async () => {
    const end = gate();
    const world = new FakeWorld({ timeoutMs: 1000, reconcile: () => end.opened });
    world.run();
    world.apps.put('a');
    await world.clock.advance(2000);
    end.open();
    await settle();
    expect(world.count('finished')).toEqual(['finished success 2000']);
    expect(world.log).toEqual(['warn the run ended after its time limit']);
    await world.stop();
  });

  it('fails by the time limit, whatever its aborted requests throw', async () => {
    const world = new FakeWorld({
      timeoutMs: 1000,
      reconcile: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('request aborted')));
        }),
    });
    world.run();
    world.apps.put('a');
    await world.clock.advance(1000);
    expect(world.log).toEqual(['error reconcile failed: test shop/a: the run exceeded timeoutMs 1000']);
    await world.stop();
  });

  it('delays neither other objects nor the stop beyond its deadline', async () => {
    const world = new FakeWorld({
      concurrency: 2,
      reconcile: ({ metadata }) => (metadata.name === 'stuck' ? new Promise(() => undefined) : undefined),
    });
    world.run();
    world.apps.put('stuck');
    world.apps.put('a');
    await settle();
    expect(world.count('finished')).toHaveLength(1);
    world.begin('stop');
    world.begin('deadline');
    await world.clock.advance(400);
    await world.ended;
    expect(world.log[0]).toMatch(/^warn reconcile failed: deadline, and had not settled 0.4 s later/);
    await world.stop();
  });

  it('ends with the stop also if its time limit has passed already', async () => {
    const world = new FakeWorld({ timeoutMs: 1000, reconcile: () => new Promise(() => undefined) });
    world.run();
    world.apps.put('stuck');
    await world.clock.advance(1500);
    world.begin('stop');
    world.begin('deadline');
    await world.clock.advance(400);
    await world.ended;
    expect(world.controller.running).toEqual([]);
    await world.stop();
  });
});

describe('informers', () => {
  it('complete their handlers before the first run', async () => {
    const other = new FakeInformer('configmaps', 'ConfigMap');
    const watches = [{ informer: other.informer, map: () => [] }];
    const world = new FakeWorld({ watches, reconcile: () => undefined });
    let isSynced = false;
    const stopping = new AbortController();
    const synced = world.attached.synced(stopping.signal).then(() => {
      isSynced = true;
    });
    world.apps.sync();
    await settle();
    expect(isSynced).toBe(false);
    other.sync();
    await synced;
    await world.stop();
    expect([world.apps.registered, other.registered, world.clock.armed]).toEqual([0, 0, 0]);
  });

  it('that are not complete in time are named with their errors', async () => {
    const world = new FakeWorld({ reconcile: () => undefined, syncTimeoutMs: 1000 });
    const synced = world.attached.synced(new AbortController().signal);
    world.apps.fail(new Error('forbidden'));
    const failed = expect(synced).rejects.toThrow('after 1000 ms: myapps: forbidden');
    await world.clock.advance(1000);
    await failed;
    await world.stop();
  });

  it('of kinds that are not installed do not delay the start, and are reported once each time', async () => {
    const world = new FakeWorld({ reconcile: () => undefined });
    const notFound = new ApiError({ code: 404, reason: 'NotFound' });
    world.apps.quietMs = Number.POSITIVE_INFINITY;
    world.apps.fail(notFound);
    await world.attached.synced(new AbortController().signal);
    world.apps.fail(notFound, 2);
    await world.clock.advance(5000);
    expect(world.log).toHaveLength(1);
    expect(world.log[0]).toMatch(/^warn myapps is not installed: install/);
    world.apps.sync();
    await settle();
    // At once: a process whose caches are complete is ready.
    expect(world.log.slice(1)).toEqual(['info myapps is installed now']);
    world.apps.quietMs = 0;
    await world.clock.advance(1000);
    world.apps.quietMs = Number.POSITIVE_INFINITY;
    world.apps.fail(notFound);
    expect(world.log.slice(1)).toEqual([
      'info myapps is installed now',
      expect.stringMatching(/^error myapps is not installed any more/),
    ]);
    expect(world.count('informerFailed')).toHaveLength(3);
    await world.stop();
  });
});
