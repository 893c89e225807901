import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { FakeClock, settle } from '../../../test/support/runtime/fake-clock.ts';
import { isTimeoutError } from '../api/errors.ts';
import { iteration } from './iteration.ts';

const operation = { verb: 'watch', resource: 'things' };

function world() {
  const clock = new FakeClock();
  const controller = new AbortController();
  const { signal } = controller;
  const limits = { signal, timeoutMs: 1000, environment: { clock } };
  const left = (): number[] => [clock.armed, getEventListeners(signal, 'abort').length];
  return { clock, controller, limits, left };
}

/** Returns the result of a promise: its value, or the reason of its rejection. */
const outcome = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => value,
    (error: unknown) => ({ error }),
  );

const done = { done: true, value: undefined };
const item = (value: unknown) => ({ done: false, value });

/** Yields the batches, and then waits until its signal aborts. `closed` is set by `return()`. */
function batches<E>(...given: readonly E[][]) {
  const state = { signals: [] as AbortSignal[], closed: false };
  async function* start(signal: AbortSignal): AsyncGenerator<E[], void> {
    try {
      yield* given;
      await new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    } finally {
      state.closed = true;
    }
  }
  const begin = (signal: AbortSignal) => {
    state.signals.push(signal);
    return start(signal);
  };
  return { state, begin };
}

describe('an iteration without a pending next()', () => {
  it.each([
    { name: 'its signal aborts', act: (w: ReturnType<typeof world>) => w.controller.abort('enough') },
    { name: 'its timeout expires', act: (w: ReturnType<typeof world>) => w.clock.advance(1000) },
  ])('releases everything when $name', async ({ act }) => {
    const all = world();
    const { state, begin } = batches([1, 2]);
    const items = iteration(begin, all.limits, operation)[Symbol.asyncIterator]();
    expect(await items.next()).toEqual(item(1));
    expect(all.left()).toEqual([1, 1]);
    await act(all);
    await settle();
    expect(all.left()).toEqual([0, 0]);
    expect([state.closed, state.signals[0]?.aborted]).toEqual([true, true]);
    await expect(items.next()).rejects.toSatisfy((reason) => reason === 'enough' || isTimeoutError(reason));
    expect(await items.next()).toEqual(done);
  });

  it('does not start a timer for an aborted signal', async () => {
    const { clock, limits } = world();
    const { begin, state } = batches([1]);
    const aborted = { ...limits, signal: AbortSignal.abort('before') };
    const items = iteration(begin, aborted, operation)[Symbol.asyncIterator]();
    expect([clock.armed, state.signals[0]?.reason]).toEqual([0, 'before']);
    await expect(items.next()).rejects.toBe('before');
  });
});

describe('an endless iteration', () => {
  const endless = true;

  it.each([undefined, 'enough', new DOMException('late', 'TimeoutError')])(
    'ends without an error when its signal aborts, for any reason: %s',
    async (reason) => {
      const { controller, limits, left } = world();
      const { begin, state } = batches([1, 2]);
      const items = iteration(begin, { ...limits, endless }, operation)[Symbol.asyncIterator]();
      expect(await items.next()).toEqual(item(1));
      controller.abort(reason);
      expect(await items.next()).toEqual(done);
      expect(await items.next()).toEqual(done);
      expect([...left(), state.closed]).toEqual([0, 0, true]);
    },
  );

  it('ends without an error while it waits for an item', async () => {
    const { controller, limits, left } = world();
    const { begin, state } = batches<number>();
    const items = iteration(begin, { ...limits, endless }, operation)[Symbol.asyncIterator]();
    const pending = [items.next(), items.next()];
    await settle();
    controller.abort();
    expect(await Promise.all(pending)).toEqual([done, done]);
    expect([...left(), state.closed]).toEqual([0, 0, true]);
  });

  it('ends without an error for an aborted signal', async () => {
    const { clock, limits } = world();
    const { begin } = batches([1]);
    const aborted = { ...limits, endless, signal: AbortSignal.abort('before') };
    const items = iteration(begin, aborted, operation)[Symbol.asyncIterator]();
    expect(await items.next()).toEqual(done);
    expect(clock.armed).toBe(0);
  });

  it('throws TimeoutError after timeoutMs, also if its signal aborts later', async () => {
    const { clock, controller, limits } = world();
    const { begin } = batches([1]);
    const items = iteration(begin, { ...limits, endless }, operation)[Symbol.asyncIterator]();
    expect(await items.next()).toEqual(item(1));
    await clock.advance(1000);
    controller.abort();
    await expect(items.next()).rejects.toSatisfy(isTimeoutError);
    expect(await items.next()).toEqual(done);
  });

  it('throws the error of its source', async () => {
    const failure = new Error('broken');
    async function* broken(): AsyncGenerator<number[], void> {
      yield [1];
      throw failure;
    }
    const { limits } = world();
    const items = iteration(() => broken(), { ...limits, endless }, operation)[Symbol.asyncIterator]();
    await items.next();
    await expect(items.next()).rejects.toBe(failure);
  });
});

describe('an iteration', () => {
  it('yields the items of batches, including empty ones', async () => {
    const { limits } = world();
    const { begin } = batches<number>([1, 2], [], [3]);
    const seen: number[] = [];
    for await (const value of iteration(begin, limits, operation)) {
      seen.push(value);
      if (value === 3) break;
    }
    expect(seen).toEqual([1, 2, 3]);
  });

  it('returns each item once to concurrent calls of next()', async () => {
    const { limits } = world();
    const { begin } = batches([1, 2], [3]);
    const items = iteration(begin, limits, operation)[Symbol.asyncIterator]();
    const requested = Array.from({ length: 3 }, () => items.next());
    expect(await Promise.all(requested)).toEqual([1, 2, 3].map(item));
    await items.return?.();
  });

  it('returns items in the order of the calls of next()', async () => {
    const { limits } = world();
    const { begin } = batches(['a', 'b'], ['c']);
    const items = iteration(begin, limits, operation)[Symbol.asyncIterator]();
    const given: string[] = [];
    const request = (who: string) => items.next().then(({ value }) => given.push(`${who} ${value}`));
    const first = items.next().then(({ value }) => {
      given.push(`first ${value}`);
      return request('third');
    });
    await Promise.all([first, request('second')]);
    expect(given).toEqual(['first a', 'second b', 'third c']);
    await items.return?.();
  });

  it('yields no items of a batch after its end', async () => {
    const { controller, limits } = world();
    let give: (batch: IteratorResult<number[], undefined>) => void = () => undefined;
    const deaf = {
      next: () =>
        new Promise<IteratorResult<number[], undefined>>((resolve) => {
          give = resolve;
        }),
    };
    const items = iteration(() => deaf, limits, operation)[Symbol.asyncIterator]();
    const pending = outcome(items.next());
    controller.abort('enough');
    give({ done: false, value: [1] });
    expect(await pending).toEqual({ error: 'enough' });
  });

  it('requests no batch after the last one', async () => {
    const next = vi.fn(async () => ({ done: true as const, value: undefined }));
    const items = iteration(() => ({ next }), {}, operation)[Symbol.asyncIterator]();
    expect([await items.next(), await items.next()]).toEqual([done, done]);
    expect(next).toHaveBeenCalledOnce();
  });

  it.each([Number.NaN, -1])('throws RangeError for a timeout of %d ms', (timeoutMs) => {
    const { clock, limits } = world();
    const { begin, state } = batches([1]);
    const items = iteration(begin, { ...limits, timeoutMs }, operation);
    expect(() => items[Symbol.asyncIterator]()).toThrow(RangeError);
    expect([clock.armed, state.signals]).toEqual([0, []]);
  });

  it('starts again with each loop', async () => {
    const { limits } = world();
    const { begin, state } = batches([1]);
    const items = iteration(begin, limits, operation);
    for (let loop = 0; loop < 2; loop += 1) {
      for await (const value of items) {
        expect(value).toBe(1);
        break;
      }
    }
    expect(state.signals).toHaveLength(2);
  });

  it.each([undefined, new Error('broken')])('releases everything at its end: %s', async (failure) => {
    const { limits, left } = world();
    async function* short(): AsyncGenerator<number[], void> {
      yield [1];
      if (failure !== undefined) throw failure;
    }
    const items = iteration(() => short(), limits, operation)[Symbol.asyncIterator]();
    expect(await items.next()).toEqual(item(1));
    expect(left()).toEqual([1, 1]);
    expect(await outcome(items.next())).toEqual(failure === undefined ? done : { error: failure });
    expect(left()).toEqual([0, 0]);
    expect(await items.next()).toEqual(done);
  });

  it('can be left while it waits for an item', async () => {
    const { limits, left } = world();
    const { begin, state } = batches<number>();
    const items = iteration(begin, limits, operation)[Symbol.asyncIterator]();
    const pending = items.next();
    expect(await items.return?.()).toEqual(done);
    expect(await pending).toEqual(done);
    expect(await items.next()).toEqual(done);
    expect([...left(), state.closed]).toEqual([0, 0, true]);
  });

  it('has released everything once return() resolves', async () => {
    let released = false;
    async function* slow(): AsyncGenerator<number[], void> {
      try {
        yield [1];
      } finally {
        await settle(5);
        released = true;
      }
    }
    const items = iteration(() => slow(), {}, operation)[Symbol.asyncIterator]();
    await items.next();
    await items.return?.();
    expect(released).toBe(true);
  });

  it('rejects with TimeoutError with the limit and the operation', async () => {
    const { clock, limits } = world();
    const { begin } = batches<number>();
    const items = iteration(begin, limits, operation)[Symbol.asyncIterator]();
    const pending = outcome(items.next());
    await clock.advance(1000);
    expect(await pending).toMatchObject({ error: { message: 'watch things: timed out after 1000 ms' } });
  });
});
