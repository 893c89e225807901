import { expect, it } from 'vitest';
import { campaign, randomOf } from '../../../../test/support/random.ts';
import { type HeapEntry, IndexedHeap } from './indexed-heap.ts';
import { QueueCore } from './queue-core.ts';

it('a heap returns its entries in order while entries move forward and are removed', () => {
  for (const seed of campaign('heap', { rounds: 400 })) {
    const random = randomOf(seed);
    const heap = new IndexedHeap<HeapEntry & { at: number }>((a, b) => a.at < b.at);
    const inside = new Set<HeapEntry & { at: number }>();
    for (let step = 0; step < 300; step += 1) {
      const entry = [...inside][random.int(inside.size)];
      if (entry === undefined || random.chance(0.6)) {
        const added = { at: random.int(1000), slot: -1 };
        heap.push(added);
        inside.add(added);
      } else if (random.chance(0.5)) {
        entry.at -= random.int(500);
        heap.moveForward(entry);
      } else {
        heap.remove(entry);
        inside.delete(entry);
        if (entry.slot !== -1) throw new Error('a removed entry has a slot');
      }
      const least = Math.min(...[...inside].slice(0, 300).map(({ at }) => at));
      if (heap.length !== inside.size) throw new Error(`length ${heap.length} of ${inside.size}`);
      if (heap.first !== undefined && heap.first.at !== least) throw new Error(`first is not ${least}`);
      if (heap.entries.some(({ slot }, index) => slot !== index)) throw new Error('a slot is wrong');
    }
    expect(heap.clear().length).toBe(inside.size);
    expect([...inside].every(({ slot }) => slot === -1)).toBe(true);
  }
});

it('the core keeps nothing of keys that are done, whatever their priorities and delays', () => {
  const random = randomOf(1);
  const core = new QueueCore<number>(5);
  for (let key = 0; key < 5000; key += 1) core.add(key, key, random.int(1000), random.int(100), 0);
  expect(core.size).toBe(5000);
  let last = Number.NEGATIVE_INFINITY;
  core.promote(100);
  for (let item = core.take(100); item !== undefined; item = core.take(100)) {
    core.done(item.id, 100);
    last = item.priority;
  }
  expect([last < 100, core.size, core.length, core.waiting, core.processing]).toEqual([true, 0, 0, 0, 0]);
});
