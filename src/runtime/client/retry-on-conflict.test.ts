import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '../api/errors.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

const conflict = (): ApiError => new ApiError({ code: 409, reason: 'Conflict' });

/** Fails with the given errors in order, then succeeds. */
function failing(...errors: readonly Error[]) {
  const state = { calls: 0 };
  const change = async (): Promise<number> => {
    const error = errors[state.calls];
    state.calls += 1;
    if (error !== undefined) throw error;
    return state.calls;
  };
  return { state, change };
}

describe('retryOnConflict', () => {
  it('calls until there is no conflict', async () => {
    expect(await retryOnConflict(failing(conflict(), conflict()).change, { delayMs: 0 })).toBe(3);
  });

  it('gives up with the last conflict', async () => {
    const errors = Array.from({ length: 6 }, conflict);
    const { state, change } = failing(...errors);
    await expect(retryOnConflict(change, { delayMs: 0 })).rejects.toBe(errors[4]);
    expect(state.calls).toBe(5);
  });

  it('keeps to the tries it is given', async () => {
    const { state, change } = failing(conflict(), conflict(), conflict());
    await expect(retryOnConflict(change, { tries: 2, delayMs: 0 })).rejects.toThrow('409');
    expect(state.calls).toBe(2);
  });

  it('multiplies the delay by the factor after each attempt', async () => {
    const waits: (number | undefined)[] = [];
    const realTimeout = setTimeout;
    const timer = vi.spyOn(globalThis, 'setTimeout').mockImplementation((callback, ms) => {
      waits.push(ms);
      queueMicrotask(callback);
      return realTimeout(() => undefined, 0);
    });
    const random = vi.spyOn(Math, 'random').mockReturnValue(0);
    await retryOnConflict(failing(conflict(), conflict(), conflict()).change, { tries: 4, factor: 5 });
    timer.mockRestore();
    random.mockRestore();
    expect(waits).toEqual([10, 50, 250]);
  });

  it.each([
    { tries: 0 },
    { tries: Number.NaN },
    { tries: 1.5 },
    { delayMs: -1 },
    { delayMs: Number.NaN },
    { factor: 0.5 },
    { factor: Number.NaN },
  ])('refuses %o', async (options) => {
    const { state, change } = failing();
    const invalid = { name: 'RangeError', message: expect.stringMatching(/^retryOnConflict: \w+ must be/) };
    await expect(retryOnConflict(change, options)).rejects.toMatchObject(invalid);
    expect(state.calls).toBe(0);
  });

  it('leaves other errors alone', async () => {
    const other = new ApiError({ code: 422, reason: 'Invalid' });
    await expect(retryOnConflict(failing(other).change)).rejects.toBe(other);
  });

  it('ends with the reason of the signal, also while it waits', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const call = retryOnConflict(
      async () => {
        queueMicrotask(() => controller.abort(reason));
        throw conflict();
      },
      { delayMs: 60_000, signal: controller.signal },
    );
    await expect(call).rejects.toBe(reason);
    await expect(retryOnConflict(failing().change, { signal: controller.signal })).rejects.toBe(reason);
  });
});
