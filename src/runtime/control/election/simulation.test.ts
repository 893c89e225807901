import { expect, test } from 'vitest';
import { campaign, randomOf } from '../../../../test/support/random.ts';
import { SimulatedProcess, Timeline } from '../../../../test/support/runtime/simulated-process.ts';
import type { LeadershipEnd } from './election-types.ts';
import { SimulatedCandidate, SimulatedLease } from './simulation.fixture.ts';

const timing = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2000 };
const hour = 3_600_000;

/** Processes of one election with faults. A process that ends is replaced by a new one. */
class World {
  readonly timeline = new Timeline();
  readonly lease = new SimulatedLease();
  readonly random;
  readonly candidates: SimulatedCandidate[] = [];
  /** Candidates whose messages are lost. */
  readonly partitioned = new Set<SimulatedCandidate>();
  readonly ends: LeadershipEnd[] = [];
  /** Number of observed leaders, and the last one. */
  leaders = 0;
  last: SimulatedCandidate | undefined;
  maxLatencyMs = 3000;
  lossRate = 0.1;
  replaces = true;
  #count = 0;

  constructor(seed: number, size: number) {
    this.random = randomOf(seed);
    for (let slot = 0; slot < size; slot += 1) {
      this.timeline.at(this.random.int(5000), () => this.add(slot));
    }
  }

  add(slot: number): void {
    this.#count += 1;
    const candidate: SimulatedCandidate = new SimulatedCandidate({
      process: new SimulatedProcess({
        timeline: this.timeline,
        latency: () => this.#latency(candidate),
        timeoutMs: timing.renewDeadlineMs / 2,
        random: () => this.random.int(1000) / 1000,
        rate: 0.99 + this.random.int(21) / 1000,
      }),
      timing: { ...timing, identity: `process-${this.#count}` },
      lease: this.lease,
      onEnd: (end) => {
        this.ends.push(end);
        this.#replace(slot);
      },
    });
    this.candidates[slot]?.process.kill();
    this.candidates[slot] = candidate;
    candidate.start();
  }

  #latency(candidate: SimulatedCandidate): number | undefined {
    if (this.partitioned.has(candidate) || this.random.chance(this.lossRate)) return undefined;
    // Most messages are fast; some are slower than every time-out.
    return this.random.chance(0.05)
      ? this.random.int(20 * this.maxLatencyMs)
      : this.random.int(this.maxLatencyMs) / 10;
  }

  #replace(slot: number): void {
    if (this.replaces) this.timeline.at(this.timeline.now + this.random.int(5000), () => this.add(slot));
  }

  /** Applies one random fault to one process. */
  disturb(): void {
    const slot = this.random.int(this.candidates.length);
    const candidate = this.candidates[slot];
    if (candidate === undefined) return;
    const { process } = candidate;
    const { now } = this.timeline;
    const soon = now + this.random.int(30_000);
    const faults: readonly [() => void, ...(() => void)[]] = [
      () => {
        process.kill();
        this.#replace(slot);
      },
      () => candidate.end('stopped', this.random.chance(0.8)),
      () => candidate.end('blocked', true),
      () => {
        process.suspend(this.random.chance(0.5));
        this.timeline.at(soon, () => process.resume());
      },
      () => {
        this.partitioned.add(candidate);
        this.timeline.at(soon, () => this.partitioned.delete(candidate));
      },
      () => {
        process.wallOffset += this.random.int(20_000) - 10_000;
      },
    ];
    this.random.pick(faults)();
  }

  /** Checks the invariant: at most one process may write. */
  check(): void {
    const leading = this.candidates.filter(({ isLeading }) => isLeading);
    if (leading.length > 1) throw new Error(`${leading.length} leaders at ${this.timeline.now}`);
    const [leader] = leading;
    if (leader === undefined || leader === this.last) return;
    this.last = leader;
    this.leaders += 1;
  }
}

function leaderOf({ candidates }: World): SimulatedCandidate | undefined {
  return candidates.find(({ isLeading }) => isLeading);
}

test('at most one of the processes may write at any time, with every fault', {
  timeout: 300_000,
}, async () => {
  let leaders = 0;
  const ends = new Set<LeadershipEnd>();
  for (const seed of campaign('election', { rounds: 2000 })) {
    const world = new World(seed, 2 + (seed % 4));
    const check = (): void => world.check();
    for (let time = 0; time < 300_000; time += world.random.int(20_000)) {
      await world.timeline.runUntil(time, check);
      world.disturb();
    }
    leaders += world.leaders;
    for (const end of world.ends) ends.add(end);
    // Without further faults, one process leads after some time.
    world.lossRate = 0;
    world.maxLatencyMs = 100;
    world.partitioned.clear();
    await world.timeline.runUntil(world.timeline.now + 120_000, check);
    expect(leaderOf(world), `seed ${seed}`).toBeDefined();
  }
  expect(leaders).toBeGreaterThan(1000);
  expect(ends).toEqual(new Set(['stopped', 'blocked', 'expired', 'replaced']));
});

test.each([
  { how: 'crashed', boundMs: 23_800 },
  { how: 'released', boundMs: 4400 },
])('another process leads at most $boundMs ms plus latency after a leader $how', async ({ how, boundMs }) => {
  let worst = 0;
  for (const seed of campaign(`takeover after a leader ${how}`, { rounds: 1000 })) {
    const world = new World(seed, 2 + (seed % 2));
    world.lossRate = 0;
    world.maxLatencyMs = 0;
    world.replaces = false;
    const check = (): void => world.check();
    await world.timeline.runUntil(20_000 + world.random.int(20_000), check);
    const leader = leaderOf(world);
    if (how === 'crashed') leader?.process.kill();
    else leader?.end('stopped', true);
    const start = world.timeline.now;
    let taken = hour;
    await world.timeline.runUntil(start + 60_000, () => {
      check();
      const next = leaderOf(world);
      if (next !== undefined && next !== leader) taken = Math.min(taken, world.timeline.now - start);
    });
    worst = Math.max(worst, taken);
  }
  // Clocks of the simulated processes are up to 1 % slower.
  expect(worst).toBeLessThan(boundMs * 1.02);
  expect(worst).toBeGreaterThan(boundMs * 0.6);
});
