import { getEventListeners } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { TimeoutError } from '../../api/errors.ts';
import { noteFailure, noteStage, sleep, withinLimits } from './deadline.ts';

const operation = { verb: 'get', resource: 'pods' };
const never = (): Promise<never> => new Promise(() => undefined);

describe('withinLimits', () => {
  it('returns the result of the work', async () => {
    const { signal } = new AbortController();
    await expect(withinLimits({}, operation, async (inner) => inner)).resolves.toBe(undefined);
    await expect(withinLimits({ signal, timeoutMs: 60_000 }, operation, async () => 1)).resolves.toBe(1);
    await expect(withinLimits({ signal }, operation, () => Promise.reject(new Error('x')))).rejects.toThrow(
      'x',
    );
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('times out after timeoutMs, and aborts the work', async () => {
    let inner: AbortSignal | undefined;
    const call = withinLimits({ timeoutMs: 1 }, operation, (signal) => {
      inner = signal;
      return never();
    });
    await expect(call).rejects.toThrow(new TimeoutError('timed out after 1 ms', operation));
    expect(inner?.reason).toBeInstanceOf(TimeoutError);
  });

  it('rejects a call without time, and what is not a time', async () => {
    await expect(withinLimits({ timeoutMs: 0 }, operation, never)).rejects.toBeInstanceOf(TimeoutError);
    await expect(withinLimits({ timeoutMs: -1 }, operation, never)).rejects.toBeInstanceOf(RangeError);
    await expect(withinLimits({ timeoutMs: Number.NaN }, operation, never)).rejects.toBeInstanceOf(
      RangeError,
    );
  });

  it('leaves no timer and no listener behind when work that never settles is aborted', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const controller = new AbortController();
    const limits = { signal: controller.signal, timeoutMs: 60_000 };
    const aborted = withinLimits(limits, operation, never);
    controller.abort('enough');
    await expect(aborted).rejects.toBe('enough');
    expect(vi.getTimerCount()).toBe(0);
    const { signal } = new AbortController();
    const expired = withinLimits({ signal, timeoutMs: 5 }, operation, never);
    vi.advanceTimersByTime(5);
    await expect(expired).rejects.toBeInstanceOf(TimeoutError);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('names the stage in the time-out error', async () => {
    const call = withinLimits({ timeoutMs: 1 }, operation, (signal) => {
      noteStage(signal, () => 'waiting for a bus');
      return never();
    });
    await expect(call).rejects.toThrow(/^get pods: timed out after 1 ms: waiting for a bus$/);
  });

  interface Unspeakable {
    readonly name: string;
    readonly note?: (signal: AbortSignal | undefined) => void;
    readonly expired?: () => TimeoutError;
    /** The message. Default: the time alone. */
    readonly want?: string;
  }
  it.each<Unspeakable>([
    {
      name: 'a stage that cannot be described',
      note: (signal) =>
        noteStage(signal, () => {
          throw new Error('no words');
        }),
    },
    {
      name: 'a failure that cannot be converted to a string',
      note: (signal) => noteFailure(signal, { toString: 1, valueOf: 1 }),
      want: 'get pods: timed out after 1 ms; last failure: not an Error',
    },
    {
      name: 'a failure whose message cannot be converted to a string',
      note: (signal) => noteFailure(signal, Object.assign(new Error(), { message: { toString: 1 } })),
    },
    {
      name: 'a custom error that cannot be created',
      expired: () => {
        throw new TypeError('Cannot convert object to primitive value');
      },
    },
  ])('settles after timeoutMs with $name', async ({ note, expired, want = 'timed out after 1 ms' }) => {
    const limits = { timeoutMs: 1, ...(expired && { expired }) };
    const error: unknown = await withinLimits(limits, operation, (signal) => {
      note?.(signal);
      return never();
    }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'TimeoutError', message: want });
  });

  it('aborts the work before it rejects', async () => {
    const { reported, signal } = { reported: [] as string[], signal: AbortSignal.timeout(1) };
    const call = withinLimits({ signal }, operation, async (inner) => {
      await new Promise((resolve) => inner?.addEventListener('abort', resolve));
      reported.push('work');
    });
    await call.catch(() => reported.push('caller'));
    expect(reported).toEqual(['work', 'caller']);
  });

  it('rejects with the reason of the signal, and aborts the work', async () => {
    const controller = new AbortController();
    const reason = { any: 'thing' };
    let inner: AbortSignal | undefined;
    const call = withinLimits({ signal: controller.signal }, operation, (signal) => {
      inner = signal;
      return never();
    });
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(inner?.reason).toBe(reason);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('leaves no listener and no timer where the work throws', async () => {
    const { signal } = new AbortController();
    const call = withinLimits({ signal, timeoutMs: 60_000 }, operation, () => {
      throw new RangeError('at once');
    });
    await expect(call).rejects.toThrow(RangeError);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('does not start after an abort', async () => {
    const reason = new Error('before');
    const call = withinLimits({ signal: AbortSignal.abort(reason) }, operation, () => {
      throw new Error('started');
    });
    await expect(call).rejects.toBe(reason);
  });

  it.each([Number.NaN, -1])('throws RangeError for timeoutMs %d', async (timeoutMs) => {
    await expect(withinLimits({ timeoutMs }, operation, never)).rejects.toThrow(RangeError);
  });

  it('accepts a timeoutMs above the maximum of timers', async () => {
    await expect(
      withinLimits({ timeoutMs: Number.POSITIVE_INFINITY }, operation, async () => 1),
    ).resolves.toBe(1);
  });
});

describe('sleep', () => {
  it('rejects with the reason of the signal', async () => {
    const controller = new AbortController();
    const reason = new Error('wake');
    const sleeping = sleep(60_000, controller.signal);
    controller.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
    await expect(sleep(60_000, controller.signal)).rejects.toBe(reason);
  });

  it('leaves no listener', async () => {
    const { signal } = new AbortController();
    await sleep(1, signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
