import { expect, it } from 'vitest';
import { lazily } from './lazily.ts';

function counted(items: readonly number[]) {
  const seen = { made: 0, left: 0 };
  async function* iterate(): AsyncGenerator<number> {
    try {
      yield* items;
    } finally {
      seen.left += 1;
    }
  }
  const make = async (): Promise<AsyncIterable<number>> => {
    seen.made += 1;
    return iterate();
  };
  return { iterable: lazily(make), seen };
}

it('creates the iterable when the first item is requested, and again for each iteration', async () => {
  const { iterable, seen } = counted([1, 2]);
  const iterator = iterable[Symbol.asyncIterator]();
  expect(seen.made).toBe(0);
  expect(await iterator.next()).toEqual({ done: false, value: 1 });
  const all: number[] = [];
  for await (const item of iterable) all.push(item);
  expect(all).toEqual([1, 2]);
  expect(seen).toEqual({ made: 2, left: 1 });
});

it('passes return() on to the iterator', async () => {
  const { iterable, seen } = counted([1, 2]);
  for await (const item of iterable) if (item === 1) break;
  expect(seen).toEqual({ made: 1, left: 1 });
});

it('does not create the iterable if it is left before its start', async () => {
  const { iterable, seen } = counted([1]);
  const iterator = iterable[Symbol.asyncIterator]();
  await iterator.return?.();
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
  expect(seen.made).toBe(0);
});

it('rejects with the error of the creation', async () => {
  const reason = new Error('no');
  const iterator = lazily(() => Promise.reject(reason))[Symbol.asyncIterator]();
  await expect(iterator.next()).rejects.toBe(reason);
  expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
});
