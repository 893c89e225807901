import { LeaseValidity } from '@kgen/runtime/election';
import { describe, expect, test } from 'vitest';
import type { RunPass } from './ownership.ts';
import { SlotCounters } from './ring-stats.ts';
import type { MemberSlots } from './ring-types.ts';
import { ShardNotOwnedError } from './shard-error.ts';
import { ShardFence } from './shard-fence.ts';
import { allSlots, noSlots, type SlotSet, slotOf, slotSet, without } from './slots.ts';

const key = { namespace: 'shop', name: 'web' };
const own = slotSet(slotOf(key, 'name'));
const renewDeadlineMs = 10_000;

/** Returns a fence that owns all slots, whose clock the test sets: no timer runs meanwhile. */
function fenceOf() {
  const clock = { now: 0, wall: 0 };
  const drained: SlotSet[] = [];
  const counts = { decided: 0 };
  const fence = new ShardFence({
    ring: 'ring',
    field: 'name',
    drained: (slots) => drained.push(slots),
    gained: () => undefined,
    decided: () => {
      counts.decided += 1;
    },
  });
  const clocks = { now: () => clock.now, wall: () => clock.now + clock.wall };
  const validity = new LeaseValidity(clocks, renewDeadlineMs);
  const update = (slots: Partial<MemberSlots>): void =>
    fence.update({ owned: noSlots, draining: noSlots, claiming: noSlots, ...slots });
  const enter = (): RunPass => {
    const pass = fence.enter(key);
    if (typeof pass === 'string') throw new Error(pass);
    return pass;
  };
  const begin = (): void => {
    fence.begin(validity);
    validity.renew(0, 0);
    update({ owned: allSlots });
    fence.load(allSlots);
  };
  return { fence, clock, validity, drained, counts, begin, update, enter };
}

describe('a fence whose event loop is blocked', () => {
  test.each([
    { blockedMs: renewDeadlineMs - 1, isOpen: true },
    { blockedMs: renewDeadlineMs, isOpen: false },
    { blockedMs: 60_000, isOpen: false },
  ])('is open after $blockedMs ms: $isOpen', ({ blockedMs, isOpen }) => {
    const { fence, clock, begin, enter } = fenceOf();
    begin();
    const pass = enter();
    clock.now = blockedMs;
    expect(fence.isMember).toBe(isOpen);
    expect(fence.standing(key)).toBe(isOpen ? 'owned' : 'uncertain');
    expect(fence.enter(key) === 'uncertain').toBe(!isOpen);
    expect(fence.open).toBe(isOpen ? allSlots : noSlots);
    for (const check of [() => pass.check(), () => fence.check()]) {
      if (isOpen) expect(check).not.toThrow();
      else expect(check).toThrow(ShardNotOwnedError);
    }
  });

  test('stays closed after a response to a renewal that began before', () => {
    const { fence, clock, validity, begin } = fenceOf();
    begin();
    clock.now = renewDeadlineMs;
    expect(() => fence.check()).toThrow(/the Lease is not valid: expired/);
    expect(validity.renew(clock.now, clock.now)).toBe(false);
    expect(() => fence.check()).toThrow(/the Lease is not valid: expired/);
  });
});

describe('a fence', () => {
  test('refuses the writes of runs of an earlier membership', () => {
    const { fence, begin, enter } = fenceOf();
    begin();
    const pass = enter();
    fence.end('left');
    expect(pass.signal.aborted).toBe(true);
    begin();
    expect(fence.standing(key)).toBe('owned');
    expect(() => pass.check()).toThrow('the membership in which the run began has ended');
  });

  test('lets runs of draining slots write, and reports their end', () => {
    const { fence, drained, begin, update, enter } = fenceOf();
    begin();
    const passes = [enter(), enter()];
    update({ owned: without(allSlots, own), draining: own });
    expect(fence.enter(key)).toBe('uncertain');
    for (const pass of passes) {
      expect(drained).toEqual([]);
      expect(() => pass.check()).not.toThrow();
      pass.leave();
      pass.leave();
    }
    expect(drained).toEqual([own]);
  });

  test('does not use gained slots before their objects are in the caches', () => {
    const { fence, begin, update } = fenceOf();
    begin();
    update({ owned: without(allSlots, own) });
    update({ owned: allSlots });
    expect(fence.standing(key)).toBe('uncertain');
    fence.load(own);
    expect(fence.standing(key)).toBe('owned');
  });

  const others = without(allSlots, own);
  test.each([
    { title: 'released slot', slots: { owned: others, draining: own }, standing: 'uncertain' },
    { title: 'claimed slot', slots: { owned: others, claiming: own }, standing: 'uncertain' },
    { title: 'slot of another member', slots: { owned: others }, standing: 'elsewhere' },
  ] as const)('returns $standing for the key of a $title', ({ slots, standing }) => {
    const { fence, counts, begin, update } = fenceOf();
    expect(fence.standing(key)).toBe('uncertain');
    begin();
    const { decided } = counts;
    update(slots);
    expect(fence.standing(key)).toBe(standing);
    expect(fence.enter(key)).toBe(standing);
    expect(counts.decided).toBe(decided + 1);
    fence.end('left');
    expect(fence.standing(key)).toBe('uncertain');
  });

  test.each([5000, -5000])('keeps its keys until the next renewal after a clock step of %i ms', (stepMs) => {
    const { fence, clock, validity, begin } = fenceOf();
    begin();
    clock.wall = stepMs;
    expect(fence.enter(key)).toBe('uncertain');
    expect(() => fence.check()).toThrow(/the Lease is not valid: clockJump/);
    expect(validity.clockJumpMs).toBe(stepMs);
    validity.renew(clock.now, clock.now + clock.wall);
    expect(validity.clockJumpMs).toBeUndefined();
    expect(fence.standing(key)).toBe('owned');
  });
});

describe('counters of slots', () => {
  const slots = (...indexes: readonly number[]): SlotSet =>
    indexes.reduce((set, index) => set | slotSet(index), noSlots);

  test.each([
    { title: 'gained', steps: [[slots(1, 2), noSlots]], expected: { owned: 2, gained: 2 } },
    {
      title: 'draining',
      steps: [
        [slots(1, 2), noSlots],
        [slots(1), slots(2)],
      ],
      expected: { owned: 1, draining: 1, gained: 2, released: 0 },
    },
    {
      title: 'released',
      steps: [
        [slots(1, 2), noSlots],
        [slots(1), slots(2)],
        [slots(1), noSlots],
      ],
      expected: { owned: 1, draining: 0, gained: 2, released: 1 },
    },
    {
      title: 'kept after all',
      steps: [
        [slots(1, 2), noSlots],
        [slots(1), slots(2)],
        [slots(1, 2), noSlots],
      ],
      expected: { owned: 2, draining: 0, gained: 2, released: 0 },
    },
  ] as const)('count slots that are $title', ({ steps, expected }) => {
    const counters = new SlotCounters();
    for (const [owned, draining] of steps) counters.update(owned, draining);
    expect(counters.values).toMatchObject({ lost: 0, ...expected });
    counters.end();
    const { owned = 0, draining = 0 } = { draining: 0, ...expected };
    expect(counters.values).toMatchObject({ owned: 0, draining: 0, lost: owned + draining });
  });
});
