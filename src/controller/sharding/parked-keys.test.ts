import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { currentRun } from '../client/run-scope.ts';
import { FakeInformer, FakeWorld, settle } from '../controller/world.fixture.ts';
import { TerminalError } from '../errors.ts';
import type { KeyOwnership, KeyStanding, OwnershipObserver } from './ownership.ts';

/** Ownership of all keys, which the test changes. */
class FakeOwnership implements KeyOwnership {
  current: KeyStanding = 'owned';
  lost = new AbortController();
  readonly #observers: OwnershipObserver[] = [];

  standing(): KeyStanding {
    return this.current;
  }

  enter(): ReturnType<KeyOwnership['enter']> {
    if (this.current !== 'owned') return this.current;
    const check = (): void => {
      if (this.current !== 'owned') throw new Error('refused');
    };
    return { signal: this.lost.signal, check, leave: () => undefined };
  }

  observe(observer: OwnershipObserver): void {
    this.#observers.push(observer);
  }

  async decide(standing: KeyStanding): Promise<void> {
    this.current = standing;
    for (const { decided } of this.#observers) decided?.();
    await settle();
  }

  async gain(): Promise<void> {
    for (const { gained } of this.#observers) gained?.(() => true);
    await settle();
  }
}

const key = { namespace: 'shop', name: 'web' };

/** Returns a world whose runs are recorded, and do what the function returns for the number of the run. */
function worldOf(work: (run: number) => unknown, options: object = {}) {
  const ownership = new FakeOwnership();
  const runs: number[] = [];
  const reconcile = async (): Promise<never> => {
    runs.push(runs.length + 1);
    // Results and errors of any type.
    return (await work(runs.length)) as never;
  };
  const world = new FakeWorld({ reconcile, ...options }, ownership);
  world.run();
  return { world, ownership, runs };
}

const fail = (): never => {
  throw new Error('failed');
};

test('keys of changes, retries and delays wait while their owner is uncertain, and run when it is decided', async () => {
  const { world, ownership, runs } = worldOf((run) =>
    run === 1 ? { requeueAfterMs: 700 } : run === 2 ? fail() : undefined,
  );
  world.apps.put('web');
  await settle();
  for (const [at, advanceMs] of [700, 5].entries()) {
    ownership.current = 'uncertain';
    await world.clock.advance(advanceMs);
    await world.clock.advance(60_000);
    expect(runs).toHaveLength(at + 1);
    expect(world.controller.explain(key).state.type).toBe('uncertain');
    expect(world.controller.explain(key).text).toContain('waits for a certain owner for 60 s: the ');
    await ownership.decide('uncertain');
    expect(runs).toHaveLength(at + 1);
    await ownership.decide('owned');
    expect(runs).toHaveLength(at + 2);
  }
  expect(world.controller.explain(key).state.type).toBe('idle');
  ownership.current = 'uncertain';
  world.apps.put('web');
  await settle();
  expect(runs).toHaveLength(3);
  await ownership.decide('owned');
  expect(runs).toHaveLength(4);
  await world.stop();
});

test('keys of another replica are dropped with their causes and their failures', async () => {
  const { world, ownership, runs } = worldOf(fail);
  world.apps.put('web');
  await settle();
  expect(world.controller.explain(key).failures).toBe(1);
  ownership.current = 'uncertain';
  await world.clock.advance(60_000);
  await ownership.decide('elsewhere');
  expect(world.controller.explain(key)).toMatchObject({ state: { type: 'other replica' }, failures: 0 });
  await ownership.decide('owned');
  await world.clock.advance(60_000);
  expect(runs).toHaveLength(1);
  expect(world.controller.explain(key).state.type).toBe('idle');
  await world.stop();
});

test.each([
  { result: 'throws the refusal', end: (error: unknown) => Promise.reject(error) },
  { result: 'ignores the refusal', end: () => undefined },
  { result: 'returns a delay', end: () => ({ requeueAfterMs: 3_600_000 }) },
  { result: 'throws a TerminalError', end: () => Promise.reject(new TerminalError('x')) },
])(
  'a run whose write is refused is repeated, and is not a failed attempt, if it $result',
  async ({ end }) => {
    const { world, ownership, runs } = worldOf(
      (run) => {
        if (run > 1) return undefined;
        ownership.current = 'uncertain';
        try {
          currentRun()?.checkWrite();
        } catch (error) {
          return end(error);
        }
        throw new Error('the write was not refused');
      },
      { maxAttempts: 1 },
    );
    world.apps.put('web');
    await settle();
    await world.clock.advance(60_000);
    expect(runs).toHaveLength(1);
    expect(world.controller.explain(key)).toMatchObject({ failures: 0, state: { type: 'uncertain' } });
    expect(world.log.filter((entry) => !entry.startsWith('debug'))).toEqual([]);
    expect(world.count('failed')).toEqual([]);
    await ownership.decide('owned');
    expect(runs).toHaveLength(2);
    expect(world.controller.reconciles().map(({ causes }) => causes.map(({ type }) => type))).toEqual([
      ['refused'],
      ['add'],
    ]);
    await world.stop();
  },
);

test('a run that fails after its ownership has ended is repeated', async () => {
  const { world, ownership, runs } = worldOf(
    (run) => {
      if (run > 1) return undefined;
      ownership.lost.abort(new Error('lost'));
      ownership.lost = new AbortController();
      return fail();
    },
    { maxAttempts: 1 },
  );
  world.apps.put('web');
  await settle();
  expect(runs).toHaveLength(2);
  expect(world.count('failed')).toEqual([]);
  await world.stop();
});

test('the end of an ownership aborts all of its runs, with one listener', async () => {
  const aborted: unknown[] = [];
  const reconcile = (_: object, { signal }: { readonly signal: AbortSignal }) =>
    new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        aborted.push(signal.reason);
        resolve();
      });
    });
  const ownership = new FakeOwnership();
  const world = new FakeWorld({ reconcile, concurrency: 20 }, ownership);
  world.run();
  for (let count = 0; count < 20; count += 1) world.apps.put(`web-${count}`);
  await settle();
  expect(world.controller.running).toHaveLength(20);
  expect(getEventListeners(ownership.lost.signal, 'abort')).toHaveLength(1);
  const lost = new Error('lost');
  ownership.current = 'elsewhere';
  ownership.lost.abort(lost);
  await settle();
  expect(aborted).toEqual(Array.from({ length: 20 }, () => lost));
  expect(world.controller.running).toEqual([]);
  await world.stop();
});

test('gained keys of reconcileKey are those of all sources, and those of reconcile those of its objects', async () => {
  for (const [option, expected] of [
    ['reconcile', ['web']],
    ['reconcileKey', ['web', 'group']],
  ] as const) {
    const ownership = new FakeOwnership();
    const watched = new FakeInformer('secrets', 'Secret');
    const keys: string[] = [];
    const world = new FakeWorld(
      {
        watches: [{ informer: watched.informer, map: () => [{ namespace: 'shop', name: 'group' }] }],
        reconcile: undefined,
        [option]: (_: unknown, context: { readonly key: typeof key }) => void keys.push(context.key.name),
        // The function is that of the option.
      } as never,
      ownership,
    );
    world.run();
    ownership.current = 'elsewhere';
    world.apps.put('web');
    watched.put('secret');
    await settle();
    expect(keys).toEqual([]);
    ownership.current = 'owned';
    await ownership.gain();
    for (const informer of [world.apps, watched]) informer.replay();
    await settle();
    expect(keys).toEqual(expected);
    await world.stop();
  }
});
