import { describe, expect, it } from 'vitest';
import { randomOf } from '../../../test/support/random.ts';
import { fnv1a64, matchesShards, parseShardSelector } from '../../testserver/selectors/shards.ts';
import {
  allSlots,
  assignedSlots,
  fnv1a64 as halves,
  hasSlot,
  namespaceSelector,
  noSlots,
  slotCount,
  slotOf,
  slotSet,
  slotsIn,
  slotsOfText,
  slotText,
} from './slots.ts';

const names = Array.from({ length: 1000 }, (_, index) => `team-${index}`);

describe('slots of keys', () => {
  it.each(['', 'a', 'default', 'kube-system', 'ä€😀', ...names.slice(0, 50)])(
    'use 64-bit FNV-1a: %j',
    (text) => {
      const { high, low } = halves(text);
      expect((BigInt(high) << 32n) | BigInt(low)).toBe(fnv1a64(text));
    },
  );

  it('are spread evenly by name', () => {
    const counts = new Array<number>(slotCount).fill(0);
    for (let index = 0; index < 20_000; index += 1) {
      const slot = slotOf({ namespace: 'shop', name: `web-${index}` }, 'name');
      counts[slot] = (counts[slot] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(30);
    expect(Math.max(...counts)).toBeLessThan(150);
  });

  it('are ranges of shardSelector by namespace', () => {
    const random = randomOf(7);
    for (let round = 0; round < 50; round += 1) {
      const slots = random
        .some([...Array(slotCount).keys()], 100)
        .reduce((set, slot) => set | slotSet(slot), noSlots);
      const selector = namespaceSelector(slots);
      const ranges = parseShardSelector(selector);
      for (const namespace of names.slice(0, 100)) {
        const isOwned = hasSlot(slots, slotOf({ namespace, name: 'x' }, 'namespace'));
        const isSelected = matchesShards({ metadata: { namespace } }, ranges);
        expect(isSelected).toBe(isOwned);
      }
    }
  });

  it('select everything with all slots, and nothing with none', () => {
    expect(namespaceSelector(allSlots)).toBe(
      "shardRange(object.metadata.namespace, '0x0000000000000000', '0x10000000000000000')",
    );
    const none = parseShardSelector(namespaceSelector(noSlots));
    expect(names.filter((namespace) => matchesShards({ metadata: { namespace } }, none))).toEqual([]);
  });
});

describe('sets of slots', () => {
  it('are hexadecimal numbers in Leases', () => {
    for (const slots of [noSlots, allSlots, slotSet(0), slotSet(255) | slotSet(7)]) {
      expect(slotsOfText(slotText(slots))).toBe(slots);
    }
    expect(slotsIn(slotSet(255) | slotSet(7))).toEqual([7, 255]);
  });

  it.each([undefined, '', 'x', '-1', '0x1', `1${'0'.repeat(64)}`])(
    'contain all slots if %j was written',
    (text) => {
      expect(slotsOfText(text)).toBe(allSlots);
    },
  );
});

describe('rendezvous hashing', () => {
  it('assigns each slot to one member, evenly, and moves the slots of the changed member only', () => {
    const members = ['a', 'b', 'c', 'd'];
    const of = (live: readonly string[]) => live.map((member) => assignedSlots(member, live));
    const four = of(members);
    expect(four.reduce((all, slots) => all | slots)).toBe(allSlots);
    expect(four.flatMap(slotsIn)).toHaveLength(slotCount);
    for (const slots of four) expect(slotsIn(slots).length).toBeGreaterThan(40);
    const three = of(members.slice(0, 3));
    for (const [place, slots] of three.entries()) expect(slots & (four[place] ?? noSlots)).toBe(four[place]);
  });
});
