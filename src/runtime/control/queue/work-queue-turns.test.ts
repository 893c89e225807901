/** Turns of the event loop: workers whose work needs no IO leave some to timers and connections. */
import { expect, it } from 'vitest';
import { SimulatedClock } from './simulated-clock.fixture.ts';
import { WorkQueue } from './work-queue.ts';

/** Keys that workers of a simulated clock receive in one turn. */
const share = 200;

const numbered = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${index}`);

function world() {
  const clock = new SimulatedClock();
  let added = 0;
  const observer = {
    added: () => {
      added += 1;
    },
  };
  const queue = new WorkQueue<string>({ name: 'test', environment: { clock }, observer });
  const taken: string[] = [];
  /** Takes keys until the queue ends. */
  const work = async (then: (key: string) => void = () => undefined): Promise<void> => {
    for (let key = await queue.get(); key !== undefined; key = await queue.get()) {
      taken.push(key);
      then(key);
      queue.done(key);
    }
  };
  return { clock, queue, taken, work, added: () => added };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('yields in a worker that adds its key again, and ends with the shutdown', async () => {
  const { queue, taken, work } = world();
  queue.add('a');
  const ended = work((key) => queue.add(key));
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  expect(taken.length).toBeGreaterThan(share);
  expect(taken.length).toBeLessThanOrEqual(11 * share);
  await queue.shutDown();
  await ended;
});

it('yields after the share of all workers and queues with the clock', async () => {
  const { clock, queue, taken, work } = world();
  const other = new WorkQueue<string>({ name: 'other', environment: { clock } });
  for (const key of numbered(1000)) queue.add(key);
  for (const key of numbered(1000)) other.add(key);
  const others: string[] = [];
  const otherWork = async (): Promise<void> => {
    for (let key = await other.get(); key !== undefined; key = await other.get()) {
      others.push(key);
      other.done(key);
    }
  };
  const ended = [work(), work(), otherWork(), otherWork()];
  const before: number[] = [];
  while (taken.length + others.length < 2000) {
    before.push(taken.length + others.length);
    await nextTurn();
  }
  const steps = before.slice(1).map((count, index) => count - (before[index] ?? 0));
  expect(Math.max(...steps)).toBeLessThanOrEqual(2 * share);
  expect(taken).toEqual(numbered(1000));
  expect(others).toEqual(numbered(1000));
  await Promise.all([queue.shutDown(), other.shutDown(), ...ended]);
});

it('serves calls of get in their order across turns', async () => {
  const { queue } = world();
  for (const key of numbered(3 * share)) queue.add(key);
  const keys = await Promise.all(Array.from({ length: 3 * share }, () => queue.get()));
  expect(keys).toEqual(numbered(3 * share));
});

it('rejects a call of get that waits for the next turn if its signal aborts, and keeps the key', async () => {
  const { queue } = world();
  for (const key of numbered(share + 1)) queue.add(key);
  const first = Array.from({ length: share }, () => queue.get());
  const abort = new AbortController();
  const last = queue.get({ signal: abort.signal });
  abort.abort(new Error('enough'));
  await expect(last).rejects.toThrow('enough');
  await Promise.all(first);
  await nextTurn();
  expect(queue.tryGet()).toBe(String(share));
});

it.each([
  { drain: true, want: 2 * share },
  { drain: false, want: share },
])(
  'delivers ready keys to workers that wait for the next turn after a shutdown: $drain',
  async ({ drain, want }) => {
    const { queue } = world();
    for (const key of numbered(2 * share)) queue.add(key);
    const calls = Array.from({ length: 2 * share + 5 }, () => queue.get());
    const drained = queue.shutDown({ drain });
    const keys = (await Promise.all(calls)).filter((key) => key !== undefined);
    expect(keys).toHaveLength(want);
    for (const key of keys) queue.done(key);
    await drained;
    expect(await queue.get()).toBeUndefined();
  },
);

it('makes at most 1,000 delayed keys ready at once, and the others from timers', () => {
  const { clock, queue, added } = world();
  for (const key of numbered(2500)) queue.add(key, { afterMs: 10 });
  clock.leap(10);
  const steps: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    clock.advance(turn === 0 ? 0 : 1);
    steps.push(added());
  }
  expect([steps, queue.length, queue.stats().waiting]).toEqual([[1000, 2000, 2500], 2500, 0]);
});

it('delivers each of many delayed keys once, in order', async () => {
  const { clock, queue, taken, work } = world();
  for (const key of numbered(5000)) queue.add(key, { afterMs: 10 });
  const ended = work();
  clock.advance(10);
  while (taken.length < 5000) {
    await nextTurn();
    clock.advance(1);
  }
  expect(taken).toEqual(numbered(5000));
  await Promise.all([queue.shutDown(), ended]);
});
