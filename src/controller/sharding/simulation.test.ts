import { expect, test } from 'vitest';
import { campaign, randomOf } from '../../../test/support/random.ts';
import {
  SimulatedProcess,
  SimulatedStore,
  Timeline,
} from '../../../test/support/runtime/simulated-process.ts';
import type { LeaseObject } from './member-lease.ts';
import { ringSettings } from './ring-options.ts';
import { SimulatedMember } from './simulation.fixture.ts';
import { allSlots, assignedSlots, noSlots, type SlotSet } from './slots.ts';

/** Replicas of one ring with faults. A process that ends is replaced by a new one. */
class World {
  readonly timeline = new Timeline();
  readonly leases = new SimulatedStore<LeaseObject>();
  readonly random;
  readonly members: SimulatedMember[] = [];
  readonly names: string[] = [];
  /** Members whose messages are lost. */
  readonly partitioned = new Set<SimulatedMember>();
  /** Number of runs that began. */
  runs = 0;
  maxLatencyMs = 3000;
  lossRate = 0.1;
  #count = 0;
  #isQuiet = false;

  constructor(seed: number, size: number) {
    this.random = randomOf(seed);
    for (let place = 0; place < size; place += 1) {
      this.timeline.at(this.random.int(5000), () => this.add(place));
    }
  }

  /** Starts a process. Some keep the name of their predecessor, as Pods of a StatefulSet. */
  add(place: number): void {
    this.#count += 1;
    const known = this.names[place];
    const identity = known !== undefined && this.random.chance(0.3) ? known : `replica-${this.#count}`;
    const process = `process-${this.#count}`;
    const settings = { ...ringSettings({ name: 'ring', identity }, 'default'), process };
    const { leases, timeline } = this;
    const member: SimulatedMember = new SimulatedMember({
      process: new SimulatedProcess({
        timeline,
        latency: () => this.#latency(member),
        timeoutMs: settings.renewDeadlineMs / 2,
        random: () => this.random.int(1000) / 1000,
        rate: 0.99 + this.random.int(21) / 1000,
      }),
      timeline,
      settings,
      leases,
      onEnd: () => {
        if (this.members[place] === member) this.#replace(place);
      },
    });
    this.members[place]?.process.kill();
    this.members[place] = member;
    this.names[place] = identity;
    member.start();
  }

  /** Applies one random fault to one process. */
  disturb(): void {
    const place = this.random.int(this.members.length);
    const member = this.members[place];
    if (member === undefined) return;
    const soon = this.timeline.now + this.random.int(30_000);
    const faults: readonly [() => void, ...(() => void)[]] = [
      () => {
        member.process.kill();
        this.#replace(place);
      },
      () => {
        member.leave();
        this.timeline.at(soon, () => member.end());
      },
      () => {
        member.process.suspend(this.random.chance(0.5));
        this.timeline.at(soon, () => member.process.resume());
      },
      () => {
        this.partitioned.add(member);
        this.timeline.at(soon, () => this.partitioned.delete(member));
      },
      () => {
        member.process.wallOffset += this.random.int(20_000) - 10_000;
      },
    ];
    this.random.pick(faults)();
  }

  /** Lets each member try to run some keys. */
  work(): void {
    for (const member of this.members) {
      for (let count = 0; count < 3; count += 1) {
        const pass = member?.run(`object-${this.random.int(1000)}`, this.random.int(15_000));
        if (pass !== undefined) this.runs += 1;
      }
    }
  }

  /** Checks the invariant: at most one process may write the keys of a slot. */
  check(): void {
    let open = noSlots;
    for (const member of this.members) {
      if (!member?.process.isRunning) continue;
      const own = member.fence.open;
      if ((open & own) !== noSlots) throw new Error(`two owners of a slot at ${this.timeline.now}`);
      open |= own;
    }
  }

  /** Ends all faults. */
  calm(): void {
    this.#isQuiet = true;
    this.lossRate = 0;
    this.maxLatencyMs = 100;
    this.partitioned.clear();
    for (const member of this.members) member?.process.resume();
  }

  get owned(): readonly SlotSet[] {
    return this.members.map((member) => member.fence.owned);
  }

  #latency(member: SimulatedMember): number | undefined {
    if (this.partitioned.has(member) || this.random.chance(this.lossRate)) return undefined;
    // Most messages are fast; some are slower than every time-out.
    return this.random.chance(this.#isQuiet ? 0 : 0.05)
      ? this.random.int(20 * this.maxLatencyMs)
      : this.random.int(this.maxLatencyMs) / 10;
  }

  #replace(place: number): void {
    this.timeline.at(this.timeline.now + this.random.int(5000), () => this.add(place));
  }
}

/**
 * A last stop after 30 s, a restart after 5 s, the expiry of a Lease, runs of 15 s, and rounds of requests.
 */
const boundMs = 80_000;

test('at most one member may write the keys of a slot at any time, with every fault', {
  timeout: 300_000,
}, async () => {
  let runs = 0;
  for (const seed of campaign('sharding', { rounds: 2000 })) {
    const world = new World(seed, 2 + (seed % 4));
    const check = (): void => world.check();
    for (let time = 0; time < 200_000; time += world.random.int(16_000)) {
      await world.timeline.runUntil(time, check);
      world.disturb();
      world.work();
    }
    runs += world.runs;
    world.calm();
    await world.timeline.runUntil(world.timeline.now + boundMs, check);
    // Every slot has one owner, which is the one of rendezvous hashing.
    const live = world.names;
    expect(world.owned, `seed ${seed}`).toEqual(live.map((name) => assignedSlots(name, live)));
    expect(world.owned.reduce((all, slots) => all | slots, noSlots)).toBe(allSlots);
  }
  expect(runs).toBeGreaterThan(1000);
});

test.each([
  { how: 'joins', boundMs: 6000 },
  { how: 'leaves', boundMs: 6000 },
  { how: 'crashes', boundMs: 21_000 },
])(
  'every key has an owner at most $boundMs ms plus latency after a member $how',
  { timeout: 120_000 },
  async ({ how, boundMs: limitMs }) => {
    let worst = 0;
    for (const seed of campaign(`a member ${how}`, { rounds: 300 })) {
      const world = new World(seed, 3);
      world.calm();
      world.maxLatencyMs = 0;
      const check = (): void => world.check();
      await world.timeline.runUntil(60_000 + world.random.int(5000), check);
      const before = world.owned;
      const [first] = world.members;
      if (how === 'joins') world.add(3);
      if (how === 'leaves') first?.leave();
      if (how === 'crashes') first?.process.kill();
      const gone = how === 'joins' ? [] : [first];
      const start = world.timeline.now;
      let covered = Infinity;
      await world.timeline.runUntil(start + 40_000, () => {
        check();
        const left = world.members.filter((member) => !gone.includes(member));
        const all = left.reduce((slots, member) => slots | member.fence.owned, noSlots);
        const isComplete = all === allSlots && left.every((member) => member.fence.owned !== noSlots);
        if (isComplete) covered = Math.min(covered, world.timeline.now - start);
      });
      worst = Math.max(worst, covered);
      // Other members keep their slots, and only those of the new one move.
      for (const [place, slots] of world.owned.entries()) {
        if (place === 3 || gone.includes(world.members[place])) continue;
        const kept =
          how === 'joins' ? slots & ~(before[place] ?? noSlots) : (before[place] ?? noSlots) & ~slots;
        expect(kept, `seed ${seed}`).toBe(noSlots);
      }
    }
    expect(worst).toBeLessThan(limitMs);
  },
);
