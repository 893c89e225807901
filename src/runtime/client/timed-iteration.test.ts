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
