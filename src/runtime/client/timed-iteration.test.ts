import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isTimeoutError } from '../errors.ts';
import { timedIteration } from './timed-iteration.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A watch on which nothing happens, and which nobody asks for events. */
function paused(parent: AbortSignal) {
  const given: AbortSignal[] = [];
  const start = (signal: AbortSignal | undefined): AsyncIterable<never> => {
    if (signal !== undefined) given.push(signal);
    return { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) };
  };
  const operation = { verb: 'watch', resource: 'things' };
  timedIteration(start, { signal: parent, timeoutMs: 1000 }, operation)[Symbol.asyncIterator]();
  return given;
}

const left = (signal: AbortSignal) => [vi.getTimerCount(), getEventListeners(signal, 'abort').length];

it('leaves no timer when its signal aborts', () => {
  const controller = new AbortController();
  const given = paused(controller.signal);
  expect(left(controller.signal)).toEqual([1, 1]);
  controller.abort('enough');
  expect(left(controller.signal)).toEqual([0, 0]);
  expect(given.map(({ reason }) => reason)).toEqual(['enough']);
});

it('leaves no listener when its time is over', () => {
  const { signal } = new AbortController();
  const given = paused(signal);
  vi.advanceTimersByTime(1000);
  expect(left(signal)).toEqual([0, 0]);
  expect(given.map(({ reason }) => isTimeoutError(reason))).toEqual([true]);
});

it('does not start a timer for a signal that has aborted', () => {
  const given = paused(AbortSignal.abort('before'));
  expect(vi.getTimerCount()).toBe(0);
  expect(given.map(({ reason }) => reason)).toEqual(['before']);
});

const operation = { verb: 'watch', resource: 'things' };

/** What ends by itself, or fails, after its first item. */
async function* short(failure?: Error): AsyncGenerator<number, void> {
  yield 1;
  if (failure !== undefined) throw failure;
}

it.each([undefined, new Error('broken')])('leaves nothing behind when it is over: %s', async (failure) => {
  const { signal } = new AbortController();
  const limits = { signal, timeoutMs: 1000 };
  const items = timedIteration(() => short(failure), limits, operation)[Symbol.asyncIterator]();
  expect(await items.next()).toEqual({ done: false, value: 1 });
  expect(left(signal)).toEqual([1, 1]);
  if (failure === undefined) expect(await items.next()).toEqual({ done: true, value: undefined });
  else await expect(items.next()).rejects.toBe(failure);
  expect(left(signal)).toEqual([0, 0]);
});

it('is left while it waits for an item', async () => {
  const { signal } = new AbortController();
  async function* silent(inner: AbortSignal): AsyncGenerator<number, void> {
    await new Promise((_, reject) => {
      inner.addEventListener('abort', () => reject(inner.reason));
    });
    yield 1;
  }
  const items = timedIteration(silent, { signal }, operation)[Symbol.asyncIterator]();
  const pending = items.next();
  expect(left(signal)).toEqual([0, 1]);
  expect(await items.return?.()).toEqual({ done: true, value: undefined });
  expect(await pending).toEqual({ done: true, value: undefined });
  expect(await items.next()).toEqual({ done: true, value: undefined });
  expect(left(signal)).toEqual([0, 0]);
});
