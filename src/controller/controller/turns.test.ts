/** Turns of the event loop: work of controllers without IO leaves some to timers, connections and signals. */
import type { KubernetesObject } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import type { ControllerOptions } from './options.ts';
import { FakeInformer, FakeWorld } from './world.fixture.ts';

/** Steps that all controllers with a simulated clock perform in one turn. */
const share = 200;
/** Ends what would never end. */
const most = 100_000;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `a${index}`);

/** Counts runs. */
class Runs {
  count = 0;
  readonly add = (): void => {
    this.count += 1;
  };
  /** Result of a key that never rests. */
  readonly again = (): { readonly requeueAfterMs: number } => {
    this.add();
    return { requeueAfterMs: this.count < most ? 0 : 1e9 };
  };
}

/** Plays a controller for some turns, and returns the runs of each of them. */
async function play(
  options: (runs: Runs, world: () => FakeWorld) => Partial<ControllerOptions<KubernetesObject>>,
  turns: number,
): Promise<readonly number[]> {
  const runs = new Runs();
  const world: FakeWorld = new FakeWorld(options(runs, () => world));
  world.apps.put('a');
  world.run();
  const seen: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const before = runs.count;
    await nextTurn();
    seen.push(runs.count - before);
  }
  await world.stop();
  return seen;
}

describe('a key that never rests leaves turns to others', () => {
  it.each<readonly [string, Parameters<typeof play>[0]]>([
    ['by a delay of 0', (runs) => ({ reconcile: runs.again })],
    [
      'by its own request',
      (runs, world) => ({
        reconcile: async ({ metadata: { namespace = '', name } }) => {
          runs.add();
          if (runs.count < most) world().controller.enqueue({ namespace, name });
        },
      }),
    ],
    [
      'by a change of its cached object',
      (runs, world) => ({
        reconcile: () => {
          runs.add();
          if (runs.count < most) world().apps.put('a');
        },
      }),
    ],
    [
      'by conflicts without a delay',
      (runs, world) => ({
        backoffBaseMs: 0.000_001,
        backoffMaxMs: 0.000_001,
        reconcile: () => {
          runs.add();
          if (runs.count < most) world().controller.enqueue({ namespace: 'shop', name: 'a' });
          throw new Error('failed');
        },
      }),
    ],
  ])('%s', async (_, options) => {
    const seen = await play(options, 20);
    expect(Math.max(...seen)).toBeLessThanOrEqual(2 * share);
    expect(Math.min(...seen.slice(1))).toBeGreaterThan(0);
  });
});

it('many workers that receive keys at once share a turn', async () => {
  const runs = new Runs();
  const world = new FakeWorld({ concurrency: 5000, reconcile: runs.add });
  world.run();
  await nextTurn();
  for (const name of names(5000)) world.apps.put(name);
  const seen: number[] = [];
  while (runs.count < 5000) {
    const before = runs.count;
    await nextTurn();
    seen.push(runs.count - before);
  }
  expect(Math.max(...seen)).toBeLessThanOrEqual(2 * share);
  await world.stop();
});

it('controllers with one clock share a turn', async () => {
  const runs = new Runs();
  const one = new FakeWorld({ reconcile: runs.again });
  const others = Array.from({ length: 4 }, () => {
    const other = new FakeWorld({ reconcile: runs.again }, undefined, one.clock);
    other.apps.put('a');
    other.run();
    return other;
  });
  one.apps.put('a');
  one.run();
  const seen: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    const before = runs.count;
    await nextTurn();
    seen.push(runs.count - before);
  }
  expect(Math.max(...seen)).toBeLessThanOrEqual(2 * share);
  await Promise.all([one, ...others].map((each) => each.stop()));
});

it('a change that is mapped to many keys puts them in the queue in several turns, each once', async () => {
  const configs = new FakeInformer('configs', 'Config');
  const keys = [...names(3000), ...names(3000)].map((name) => ({ namespace: 'shop', name }));
  const runs = new Runs();
  const world = new FakeWorld({
    watches: [{ informer: configs.informer, map: () => keys }],
    reconcileKey: runs.add,
    reconcile: undefined,
  });
  configs.put('config');
  const sample = names(3000).filter((_, index) => index % 100 === 0);
  const queued: number[] = [];
  while ((queued.at(-1) ?? 0) < sample.length) {
    queued.push(sample.filter((name) => waits(world, name)).length);
    await nextTurn();
  }
  expect(queued.length).toBeGreaterThanOrEqual(3000 / share);
  world.run();
  while (runs.count < 3000) await nextTurn();
  expect(runs.count).toBe(3000);
  await world.stop();
});

function waits({ controller }: FakeWorld, name: string): boolean {
  const { state } = controller.explain({ namespace: 'shop', name });
  return state.type === 'not started' && state.causes.length > 0;
}

it('a stop ends keys that wait for their turn without a run', async () => {
  const runs = new Runs();
  const world = new FakeWorld({ concurrency: 1000, reconcile: runs.add });
  for (const name of names(1000)) world.apps.put(name);
  world.run();
  await nextTurn();
  const before = runs.count;
  await world.stop();
  expect([before < 1000, runs.count]).toEqual([true, before]);
});

it('manual runs of many keys leave turns to others', async () => {
  const runs = new Runs();
  const world = new FakeWorld({ reconcile: runs.add });
  for (const name of names(1000)) world.apps.put(name);
  let turns = 0;
  let isOver = false;
  const performed = world.attached.perform().finally(() => {
    isOver = true;
  });
  for (; !isOver; turns += 1) await nextTurn();
  expect([(await performed).length, runs.count]).toEqual([1000, 1000]);
  expect(turns).toBeGreaterThan(1000 / share);
  for (const name of names(1000)) world.apps.put(name);
  await world.attached.discard();
  expect(await world.attached.perform()).toEqual([]);
});
