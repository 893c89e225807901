import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { apiError } from '../../../test/support/runtime/failures.ts';
import { FakeClock } from '../../../test/support/runtime/fake-clock.ts';
import { listOf, ScriptedSource, type Thing, thing } from '../../../test/support/runtime/scripted-source.ts';
import { ApiError } from '../api/errors.ts';
import { systemEnvironment } from '../common/clock.ts';
import { retryAfterMs } from './machine/failure.ts';
import { until } from './wait/until.ts';
import { waitFor } from './wait/wait.ts';
import { watch } from './watch.ts';

const operation = { verb: 'wait for', resource: 'things', name: 'a' };
const firstBackoffMs = 800;

function requesting(retryAfterSeconds: number): ApiError {
  return new ApiError({ code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds } });
}

/** Returns the delay in milliseconds after a first request that fails with `error`. */
async function waitAfter(
  error: Error,
  random: number,
  begin: 'watch' | 'until' | 'waitFor',
): Promise<number> {
  const clock = new FakeClock();
  const environment = { clock, random: () => random };
  const source = new ScriptedSource(error, listOf(5, [thing('a', 3)]));
  const client = { watch: (options: object = {}) => watch<Thing>(source, { ...options, environment }) };
  const onRetry = (): void => undefined;
  const start = clock.now();
  const done = {
    watch: () => watch(source, { environment, onRetry })[Symbol.asyncIterator]().next(),
    until: () => until<Thing>(client, () => true, { environment, onRetry }),
    waitFor: () => waitFor(source, () => true, { operation, environment, onRetry }),
  }[begin]();
  while (source.requested.length < 2) await clock.advance(100);
  await done;
  return clock.now() - start;
}

describe.each(['watch', 'until', 'waitFor'] as const)('Retry-After in %s', (begin) => {
  it.each([
    { seconds: 86_400, random: 0, want: 300_000 },
    { seconds: 86_400, random: 0.999, want: 300_000 + firstBackoffMs },
    { seconds: 999_999_999, random: 0.5, want: 300_000 + firstBackoffMs / 2 },
    { seconds: 7, random: 0, want: 7000 },
    { seconds: 7, random: 0.999, want: 7000 + firstBackoffMs },
    { seconds: 0, random: 0.999, want: 2 * firstBackoffMs },
  ])(
    'retries after $want ms for $seconds s and the random number $random',
    async ({ seconds, random, want }) => {
      // The clock advances in steps of 100 ms.
      expect(await waitAfter(requesting(seconds), random, begin)).toBe(want);
    },
  );
});

it.each([
  { seconds: Number.NaN, want: 0 },
  { seconds: -5, want: 0 },
  { seconds: Number.POSITIVE_INFINITY, want: 300_000 },
  { seconds: 300.5, want: 300_000 },
])('limits a Retry-After of $seconds s to $want ms', ({ seconds, want }) => {
  expect(retryAfterMs(requesting(seconds))).toBe(want);
});

it('returns no delay for an error without Retry-After', () => {
  expect([retryAfterMs(apiError('internal')), retryAfterMs('x')]).toEqual([0, 0]);
});

describe('system timers', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([2 ** 31, 2 ** 40, Number.POSITIVE_INFINITY])('do not fire at once for %d ms', (ms) => {
    const fired = vi.fn();
    const cancel = systemEnvironment.clock.timer(ms, fired);
    vi.advanceTimersByTime(86_400_000);
    expect(fired).not.toHaveBeenCalled();
    cancel();
    expect(vi.getTimerCount()).toBe(0);
  });
});
