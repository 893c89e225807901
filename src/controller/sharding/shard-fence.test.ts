import { LeaseValidity } from '@kgen/runtime/election';
import { describe, expect, test } from 'vitest';
import { SlotCounters } from './ring-stats.ts';
import { ShardNotOwnedError } from './shard-error.ts';
import { ShardFence } from './shard-fence.ts';
import { allSlots, noSlots, type SlotSet, slotOf, slotSet, without } from './slots.ts';

const key = { namespace: 'shop', name: 'web' };
const own = slotSet(slotOf(key, 'name'));
const renewDeadlineMs = 10_000;

/** Returns a fence that owns all slots, whose clock the test sets: no timer runs meanwhile. */
function fenceOf() {
  const clock = { now: 0 };
  const drained: SlotSet[] = [];
  const fence = new ShardFence({
    ring: 'ring',
    field: 'name',
    drained: (slots) => drained.push(slots),
    gained: () => undefined,
  });
  const validity = new LeaseValidity({ now: () => clock.now, wall: () => clock.now }, renewDeadlineMs);
  const begin = (): void => {
    fence.begin(validity);
    validity.renew(0, 0);
    fence.update(allSlots, noSlots);
    fence.load(allSlots);
  };
  return { fence, clock, validity, drained, begin };
}

describe('a fence whose event loop is blocked', () => {
  test.each([
    { blockedMs: renewDeadlineMs - 1, isOpen: true },
    { blockedMs: renewDeadlineMs, isOpen: false },
    { blockedMs: 60_000, isOpen: false },
  ])('is open after $blockedMs ms: $isOpen', ({ blockedMs, isOpen }) => {
    const { fence, clock, begin } = fenceOf();
    begin();
    const pass = fence.enter(key);
    clock.now = blockedMs;
    expect(fence.isMember).toBe(isOpen);
    expect(fence.owns(key)).toBe(isOpen);
    expect(fence.enter(key) !== undefined).toBe(isOpen);
    expect(fence.open).toBe(isOpen ? allSlots : noSlots);
    for (const check of [() => pass?.check(), () => fence.check()]) {
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
    const { fence, begin } = fenceOf();
    begin();
    const pass = fence.enter(key);
    fence.end('left');
    expect(pass?.signal.aborted).toBe(true);
    begin();
    expect(fence.owns(key)).toBe(true);
    expect(() => pass?.check()).toThrow('the membership in which the run began has ended');
  });

  test('lets runs of draining slots write, and reports their end', () => {
    const { fence, drained, begin } = fenceOf();
    begin();
    const passes = [fence.enter(key), fence.enter(key)];
    fence.update(without(allSlots, own), own);
    expect(fence.owns(key)).toBe(false);
    for (const pass of passes) {
      expect(drained).toEqual([]);
      expect(() => pass?.check()).not.toThrow();
      pass?.leave();
      pass?.leave();
    }
    expect(drained).toEqual([own]);
  });

  test('does not use gained slots before their objects are in the caches', () => {
    const { fence, begin } = fenceOf();
    begin();
    fence.update(without(allSlots, own), noSlots);
    fence.update(allSlots, noSlots);
    expect(fence.owns(key)).toBe(false);
    fence.load(own);
    expect(fence.owns(key)).toBe(true);
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
