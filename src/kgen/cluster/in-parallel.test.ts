import { expect, test } from 'vitest';
import { allInOrder, inParallel } from './in-parallel.ts';

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('runs a limited number at a time and returns results in the order of the items', async () => {
  let running = 0;
  let most = 0;
  const results = await inParallel(
    Array.from({ length: 50 }, (_, index) => index),
    async (index) => {
      running += 1;
      most = Math.max(most, running);
      for (let turns = index % 5; turns >= 0; turns -= 1) await turn();
      running -= 1;
      return index * 2;
    },
  );
  expect(results).toEqual(Array.from({ length: 50 }, (_, index) => index * 2));
  expect(most).toBe(8);
});

test('starts nothing after a failure and waits for running work', async () => {
  let begun = 0;
  let running = 0;
  const run = async (index: number): Promise<void> => {
    begun += 1;
    running += 1;
    await turn();
    running -= 1;
    if (index % 2 === 1) throw new Error(`item ${index}`);
  };
  const items = Array.from({ length: 50 }, (_, index) => index);
  await expect(inParallel(items, run)).rejects.toThrow('item 1');
  expect(begun).toBeLessThan(20);
  expect(running).toBe(0);
});

test('starts others beside calls that take long', async () => {
  let release = (): void => {};
  const hanging = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begun = 0;
  const all = inParallel(
    Array.from({ length: 30 }, (_, index) => index),
    async (index) => {
      begun += 1;
      if (index < 29) await hanging;
      else release();
      return index;
    },
    turn,
  );
  expect(await all).toHaveLength(30);
  expect(begun).toBe(30);
});

test('resolves without items', async () => {
  expect(await inParallel([], () => Promise.reject(new Error('never')))).toEqual([]);
});

test('rejects with the first failure in the order of the items', async () => {
  const late = turn().then(() => Promise.reject(new Error('late')));
  const soon = Promise.reject(new Error('soon'));
  await expect(allInOrder([Promise.resolve(1), late, soon])).rejects.toThrow('late');
  expect(await allInOrder([Promise.resolve(1), Promise.resolve('a')])).toEqual([1, 'a']);
});
