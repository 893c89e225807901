import { expect, test } from 'vitest';
import { campaign } from '../../../test/support/random.ts';
import { ringSettings } from '../sharding/ring-options.ts';
import { allSlots, assignedSlots, noSlots } from '../sharding/slots.ts';
import { type FaultKind, faultKinds, World } from './ring-world.fixture.ts';

/**
 * A last stop after 30 s, a restart after 5 s, the expiry of a Lease, runs of 15 s, and rounds of requests.
 */
const boundMs = 80_000;

/** Half of the seeds have one or two kinds of faults, which others would hide: they move the keys. */
function faultsOf(world: World, seed: number): readonly FaultKind[] {
  return seed % 2 === 0 ? faultKinds : [world.random.pick(faultKinds), world.random.pick(faultKinds)];
}

test('at most one member may write a key at any time, and no change, retry or delay is lost, with every fault', {
  timeout: 3_600_000,
}, async () => {
  let runs = 0;
  for (const seed of campaign('sharding', { rounds: 200, few: 20 })) {
    const world = new World(seed, 1 + (seed % 5));
    const faults = faultsOf(world, seed);
    const check = (): void => world.check();
    for (let time = 0; time < 200_000; time += world.random.int(16_000)) {
      await world.timeline.runUntil(time, check);
      world.disturb(faults);
      world.change();
    }
    runs += world.runs;
    world.calm();
    await world.timeline.runUntil(world.timeline.now + boundMs, check);
    // Every slot has one owner, which is the one of rendezvous hashing.
    const live = world.names;
    expect(world.owned, `seed ${seed}`).toEqual(live.map((name) => assignedSlots(name, live)));
    expect(world.owned.reduce((all, slots) => all | slots, noSlots)).toBe(allSlots);
    expect(world.lost, `seed ${seed}`).toEqual([]);
  }
  expect(runs).toBeGreaterThan(1000);
});

const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = ringSettings({ name: 'ring' }, 'default');
/** The longest delay between two renewals. */
const periodMs = 1.1 * retryPeriodMs;
const suspendedMs = (leaseDurationMs + renewDeadlineMs) / 2;

test.each([
  { how: 'joins', limitMs: 2 * periodMs },
  { how: 'leaves', limitMs: periodMs },
  { how: 'crashes', limitMs: leaseDurationMs + 2 * periodMs },
  { how: 'resumes after renewDeadlineMs', limitMs: 0 },
])(
  'every key has an owner, which runs it, at most $limitMs ms plus latency after a member $how',
  { timeout: 120_000 },
  async ({ how, limitMs }) => {
    let worst = 0;
    for (const seed of campaign(`a member ${how}`, { rounds: 300 })) {
      const world = new World(seed, 3);
      world.calm();
      world.maxLatencyMs = 0;
      world.isReplacing = false;
      const check = (): void => world.check();
      await world.timeline.runUntil(60_000 + world.random.int(5000), check);
      const before = world.owned;
      const [first] = world.replicas;
      world.changeAll();
      if (how === 'joins') world.add(3);
      else if (how === 'leaves') first?.leave();
      else if (how === 'crashes') first?.process.kill();
      else {
        first?.process.suspend(false);
        await world.timeline.runUntil(world.timeline.now + suspendedMs, check);
        first?.process.resume();
      }
      const isLeft = how === 'leaves' || how === 'crashes';
      const gone = isLeft ? [first] : [];
      const start = world.timeline.now;
      let covered = Number.POSITIVE_INFINITY;
      await world.timeline.runUntil(start + 40_000, () => {
        check();
        const left = world.replicas.filter((replica) => !gone.includes(replica));
        const all = left.reduce((slots, { ring }) => slots | ring.fence.owned, noSlots);
        const isShared = left.every(({ ring }) => ring.fence.owned !== noSlots);
        if (isShared && all === allSlots && world.lost.length === 0)
          covered = Math.min(covered, world.timeline.now - start);
      });
      worst = Math.max(worst, covered);
      // Other members keep their slots, and only those of the new one move.
      for (const [place, slots] of world.owned.entries()) {
        if (place === 3 || gone.includes(world.replicas[place])) continue;
        const kept =
          how === 'joins' ? slots & ~(before[place] ?? noSlots) : (before[place] ?? noSlots) & ~slots;
        expect(kept, `seed ${seed}`).toBe(noSlots);
      }
    }
    // Clocks of the simulated processes are up to 1 % slower, and their caches request objects after 1 ms.
    expect(worst).toBeLessThan(1.02 * limitMs + 20);
  },
);
