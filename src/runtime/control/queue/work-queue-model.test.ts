/** The work queue beside a naive reference, by random calls in simulated time. */
import { describe, expect, it } from 'vitest';
import { campaign, type Random, randomOf } from '../../../../test/support/random.ts';
import { NaiveQueue } from './naive-queue.fixture.ts';
import { SimulatedClock } from './simulated-clock.fixture.ts';
import { WorkQueue, type WorkQueueAddOptions } from './work-queue.ts';

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;

/** A queue, its reference, and the state that any correct queue implies. */
class Pair {
  readonly clock = new SimulatedClock();
  readonly fairShare: number;
  readonly queue: WorkQueue<{ id: string }>;
  readonly naive: NaiveQueue;
  readonly counts = { added: 0, taken: 0, done: 0 };
  readonly processing = new Set<string>();
  /** Keys that must be delivered: added since their last delivery. */
  readonly pending = new Set<string>();
  isShutDown = false;
  isDrained = false;

  constructor(random: Random) {
    this.fairShare = random.pick([1, 2, 3, 5, 1000]);
    this.naive = new NaiveQueue(this.fairShare);
    this.queue = new WorkQueue({
      name: 'model',
      idOf: ({ id }) => id,
      fairShare: this.fairShare,
      environment: { clock: this.clock },
      observer: {
        added: () => {
          this.counts.added += 1;
        },
        taken: () => {
          this.counts.taken += 1;
        },
        done: () => {
          this.counts.done += 1;
        },
      },
    });
    void this.queue.drained.then(() => {
      this.isDrained = true;
    });
  }

  add(id: string, options: WorkQueueAddOptions): void {
    this.queue.add({ id }, options);
    if (this.isShutDown) return;
    this.pending.add(id);
    const now = this.clock.now();
    this.naive.add(id, options.priority ?? 0, now + Math.max(0, options.afterMs ?? 0), now);
  }

  take(): string | undefined {
    const id = this.queue.tryGet()?.id;
    const expected = this.naive.take(this.clock.now());
    if (id !== expected) throw new Error(`${id} was delivered instead of ${expected}`);
    if (id === undefined) return undefined;
    if (this.processing.has(id)) throw new Error(`${id} was delivered twice at once`);
    this.processing.add(id);
    this.pending.delete(id);
    return id;
  }

  done(id: string): void {
    this.queue.done({ id });
    this.naive.done(id, this.clock.now());
    this.processing.delete(id);
  }

  advance(ms: number): void {
    this.clock.advance(ms);
    this.naive.promote(this.clock.now());
  }

  shutDown(drain: boolean): void {
    void this.queue.shutDown({ drain });
    if (!drain) this.naive.dropAll();
    else if (!this.isShutDown) this.naive.dropDelayed(this.clock.now());
    this.isShutDown = true;
    const alive = this.naive.items.filter(({ phase, again }) => phase === 'ready' || again !== undefined);
    for (const id of [...this.pending]) if (!alive.some((item) => item.id === id)) this.pending.delete(id);
  }

  /** Returns the invariants that do not hold. */
  faults(): readonly string[] {
    const { items } = this.naive;
    const number = (expected: string): number => items.filter(({ phase }) => phase === expected).length;
    const { ready, waiting, processing, depth } = this.queue.stats();
    const rules: Readonly<Record<string, boolean>> = {
      ready: ready === number('ready') && this.queue.length === ready,
      waiting: waiting === number('waiting'),
      processing: processing === number('processing') && processing === this.processing.size,
      depth: [...depth.values()].reduce((sum, count) => sum + count, 0) === ready,
      added: this.counts.added === this.naive.added,
      taken: this.counts.taken - this.counts.done === processing,
      timer: this.clock.armed <= 1 && (waiting === 0 || this.clock.armed === 1),
    };
    return Object.keys(rules).filter((rule) => rules[rule] !== true);
  }
}

const steps: readonly ((pair: Pair, random: Random) => void)[] = [
  (pair, random) => pair.add(random.pick(ids), { priority: random.pick([-100, 0, 0, 1, 7]) }),
  (pair, random) => pair.add(random.pick(ids), { priority: random.int(3), afterMs: random.int(50) - 5 }),
  (pair, random) => pair.add(random.pick(ids), { afterMs: random.pick([1, 2 ** 31, 2 ** 40, 10]) }),
  (pair) => void pair.take(),
  (pair) => void pair.take(),
  (pair, random) => pair.done(random.pick(ids)),
  (pair, random) => {
    for (const id of random.some([...pair.processing], 3)) pair.done(id);
  },
  (pair, random) => pair.advance(random.int(30)),
  (pair, random) => pair.clock.leap(random.int(60)),
];

describe('a work queue', () => {
  it('behaves as a naive reference after each random call, and delivers every added key', async () => {
    for (const seed of campaign('work queue', { rounds: 8000 })) {
      const random = randomOf(seed);
      const pair = new Pair(random);
      const shutDownAt = random.chance(0.4) ? random.int(80) : Number.POSITIVE_INFINITY;
      for (let step = 0; step < 80; step += 1) {
        if (step === shutDownAt) pair.shutDown(random.chance(0.7));
        random.pick([steps[0] ?? (() => undefined), ...steps])(pair, random);
        const faults = pair.faults();
        if (faults.length > 0) throw new Error(`seed ${seed}, step ${step}: ${faults}`);
      }
      pair.advance(2 ** 41);
      do {
        for (const id of [...pair.processing]) pair.done(id);
        while (pair.take() !== undefined) expect(pair.faults()).toEqual([]);
      } while (pair.processing.size > 0);
      expect([...pair.pending], `seed ${seed}`).toEqual([]);
      expect(pair.faults()).toEqual([]);
      expect(pair.queue.stats()).toMatchObject({ ready: 0, waiting: 0, processing: 0 });
      expect(pair.clock.armed).toBe(0);
      if (!pair.isShutDown) continue;
      await pair.queue.drained;
      expect(pair.isDrained).toBe(true);
    }
  });
});

describe('under constant overload with many priorities', () => {
  it.each([
    { fairShare: 1, priorities: 20 },
    { fairShare: 2, priorities: 3 },
    { fairShare: 5, priorities: 2 },
    { fairShare: 5, priorities: 100 },
    { fairShare: 11, priorities: 1000 },
  ])(
    'delivers each key within $fairShare times the takes of a queue without priorities, with $priorities',
    (row) => {
      for (const seed of campaign('fair share', { rounds: 40 })) {
        const random = randomOf(seed);
        const queue = new WorkQueue<number>({ name: 'overload', fairShare: row.fairShare });
        /** Latest number of the take that must deliver a key. */
        const latest = new Map<number, number>();
        const overdue: number[] = [];
        let added = 0;
        const add = (priority: number): void => {
          latest.set(added, takes + row.fairShare * (queue.length + 1));
          queue.add(added, { priority });
          added += 1;
        };
        let takes = 0;
        for (let old = 0; old < 30; old += 1) add(-100);
        for (; takes < 300; takes += 1) {
          add(random.int(row.priorities));
          add(random.int(row.priorities));
          // Keys that are raised again and again keep their age.
          const raised = random.int(added);
          if (latest.has(raised)) queue.add(raised, { priority: random.int(row.priorities) });
          const key = queue.tryGet() ?? -1;
          if (!latest.delete(key)) overdue.push(-1);
          queue.done(key);
          if ([...latest.values()].some((limit) => limit <= takes)) overdue.push(takes);
        }
        expect(overdue).toEqual([]);
      }
    },
  );

  it('would starve without a fair share', () => {
    const queue = new WorkQueue<number>({ name: 'starving', fairShare: 1_000_000 });
    queue.add(-1, { priority: -100 });
    for (let key = 0; key < 1000; key += 1) {
      queue.add(key);
      expect(queue.tryGet()).toBe(key);
    }
    expect(queue.length).toBe(1);
  });
});
