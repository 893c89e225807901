import { ApiError } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { type Random, randomOf } from '../../../test/support/random.ts';
import { rounds } from '../../../test/support/seeds.ts';
import { currentRun, type RunScope } from '../client/run-scope.ts';
import { TerminalError } from '../errors.ts';
import type { ReconcileKey } from '../runs/key.ts';
import { FakeWorld, settle } from './world.fixture.ts';

const names = ['a', 'b', 'c', 'd'] as const;

/** Record of the runs and changes of a world. */
interface Model {
  /** Number of the last change by object; deletions count. */
  readonly changed: Map<string, number>;
  /** Number of the last change before the last run that was not to be repeated. */
  readonly settledAt: Map<string, number>;
  /** Runs whose function has not settled, with their objects. */
  readonly running: Map<RunScope, string>;
  readonly problems: string[];
  /** Functions that end runs. */
  readonly waiting: Set<() => void>;
}

/** Fails, returns late, ignores its signal, or never ends: as `random` decides. */
function reconcileOf(random: Random, model: Model, isCalm: () => boolean) {
  const { changed, settledAt, running, problems } = model;
  return async ({ name }: ReconcileKey, { signal }: { readonly signal: AbortSignal }) => {
    const version = changed.get(name) ?? 0;
    const scope = currentRun();
    if (scope === undefined) throw new Error('a run without a scope');
    for (const [other, object] of running)
      if (object === name && mayWrite(other)) problems.push(`${name} runs twice`);
    running.set(scope, name);
    const kind = isCalm() ? 'success' : random.pick(kinds);
    if (kind === 'endless') return new Promise<undefined>(() => undefined);
    if (random.chance(0.5)) await pause(model, kind === 'deaf' ? undefined : signal);
    running.delete(scope);
    if (kind === 'error') throw random.pick<unknown>([new Error('x'), undefined, 'x', null]);
    if (kind === 'conflict') throw new ApiError({ code: 409, reason: 'Conflict' });
    if (kind === 'busy') throw new ApiError({ code: 429, details: { retryAfterSeconds: 3 } });
    // Not allowed by the type.
    if (kind === 'nonsense') return 5 as never;
    // The function of an abandoned run ends after a later one may have begun.
    if (mayWrite(scope)) settledAt.set(name, version);
    if (kind === 'terminal') throw new TerminalError('x');
    return kind === 'requeue' ? { requeueAfterMs: random.int(5000) } : undefined;
  };
}

/** Abandoned runs may not. */
function mayWrite(scope: RunScope): boolean {
  try {
    scope.checkWrite();
    return true;
  } catch {
    return false;
  }
}

function pause({ waiting }: Model, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    waiting.add(resolve);
    signal?.addEventListener('abort', () => resolve());
  });
}

const kinds = [
  ...(['success', 'success', 'error', 'conflict', 'busy', 'nonsense'] as const),
  ...(['terminal', 'requeue', 'deaf', 'endless'] as const),
] as const;

async function play(seed: number): Promise<readonly string[]> {
  const random = randomOf(seed);
  let isCalm = false;
  const model: Model = {
    ...{ changed: new Map(), settledAt: new Map(), running: new Map() },
    ...{ problems: [], waiting: new Set() },
  };
  const world = new FakeWorld({
    concurrency: 1 + random.int(4),
    timeoutMs: 2000,
    reconcile: undefined,
    reconcileKey: reconcileOf(random, model, () => isCalm),
  });
  world.run();
  let version = 0;
  for (let step = 0; step < 60; step += 1) {
    const name = random.pick(names);
    if (random.chance(0.4)) {
      version += 1;
      if (random.chance(0.2) && world.apps.objects.has(name)) world.apps.delete(name);
      else world.apps.put(name);
      model.changed.set(name, version);
    } else if (random.chance(0.3)) world.apps.resync();
    else if (random.chance(0.5)) for (const end of [...model.waiting]) end();
    else await world.clock.advance(random.int(4000));
    if (random.chance(0.5)) await settle(1);
  }
  isCalm = true;
  for (let turn = 0; turn < 20; turn += 1) {
    for (const end of [...model.waiting]) end();
    await world.clock.advance(60_000);
  }
  for (const [name, last] of model.changed) {
    if (model.settledAt.get(name) !== last) model.problems.push(`${name}: change ${last} without a run`);
  }
  if (world.controller.running.length > 0) model.problems.push('runs at rest');
  await world.stop();
  if (world.clock.armed > 0) model.problems.push(`${world.clock.armed} timers after the stop`);
  if (world.apps.registered > 0) model.problems.push('handlers after the stop');
  const started = world.count('active 1').length;
  if (started !== world.count('active -1').length) model.problems.push('runs without an end');
  if (started !== world.count('finished').length) model.problems.push('runs without a result');
  return model.problems;
}

describe('a controller', () => {
  it('runs each change, each object once at a time, and ends, whatever its function does', async () => {
    for (let seed = 1; seed <= rounds(1000, 15); seed += 1) {
      expect(await play(seed), `seed ${seed}`).toEqual([]);
    }
  }, 120_000);
});
