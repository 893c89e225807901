import { expect, it } from 'vitest';
import { dayMs, passDays, passHour } from './pass-time.ts';

/** Returns a run whose operator sends requests, and reconciles, in equal intervals. */
function runOf({ requestMs = Infinity, reconcileMs = Infinity, dueMs = [] as readonly number[] }) {
  let now = 0;
  return {
    now: () => now,
    sent: () => Math.floor(now / requestMs),
    work: async () => ({ reconciles: Math.floor(now / reconcileMs) }),
    wait: async (ms: number) => {
      now += ms;
    },
    dueTimes: () => dueMs,
  };
}

it.each([
  ['nothing but watches', { requestMs: 300_000, dueMs: [600_000] }, false],
  ['a reconcile in half an hour', { reconcileMs: 1_800_000 }, true],
  ['a timer in 20 days', { dueMs: [20 * dayMs] }, true],
] as const)('an operator with %s', async (_, run, isActive) => {
  expect(await passHour(runOf(run))).toBe(isActive);
});

it.each([
  ['never', Infinity, 400],
  ['each day', dayMs, 400],
  ['each hour', dayMs / 24, 10],
  ['each minute', 60_000, 1],
  ['every two seconds, as for a lease', 2_000, 1 / 24],
] as const)('with a request %s, as many days pass as do not take long', async (_, requestMs, days) => {
  expect(await passDays(runOf({ requestMs }), Infinity)).toBe(days * dayMs);
  expect(await passDays(runOf({ requestMs }), dayMs)).toBe(Math.min(days, 1) * dayMs);
});
