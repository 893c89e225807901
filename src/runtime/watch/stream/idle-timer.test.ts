import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../test/support/runtime/fake-clock.ts';
import { IdleTimer } from './idle-timer.ts';

type Act =
  | { readonly begin: { readonly ms: number } | { readonly endsIn: number } }
  | { readonly pass: number }
  | { readonly leap: number }
  | 'stop';

/** Performs the actions of a table row. Returns the number of timeouts, and of timers. */
async function play(acts: readonly Act[]): Promise<{ timeouts: number; timers: number }> {
  const clock = new FakeClock();
  let [timeouts, timers] = [0, 0];
  const counting = {
    now: () => clock.now(),
    timer: (ms: number, callback: () => void) => {
      timers += 1;
      return clock.timer(ms, callback);
    },
  };
  const start = clock.now();
  const timer = new IdleTimer(counting, () => {
    timeouts += 1;
  });
  for (const act of acts) {
    if (act === 'stop') timer.stop();
    else if ('pass' in act) await clock.advance(act.pass);
    else if ('leap' in act) clock.leap(act.leap);
    else if ('ms' in act.begin) timer.begin(act.begin);
    else timer.begin({ endsAt: start + act.begin.endsIn });
  }
  timer.close();
  expect(clock.armed).toBe(0);
  return { timeouts, timers };
}

const begin = { begin: { ms: 1000 } };
const hour = 3_600_000;
/** Ends a wait, and begins the next one. */
const restarted = (after: number): Act[] => [{ pass: after }, 'stop', begin];

describe('idle timer', () => {
  it.each<{ name: string; given: Act[]; timeouts: number; timers?: number }>([
    { name: 'fires when the time is over', given: [begin, { pass: 1000 }], timeouts: 1 },
    { name: 'does not fire before', given: [begin, { pass: 999 }], timeouts: 0 },
    {
      name: 'restarts with each wait',
      given: [begin, ...restarted(999), ...restarted(999), { pass: 999 }],
      timeouts: 0,
    },
    {
      name: 'fires in the last of many waits',
      given: [begin, ...restarted(999), ...restarted(999), { pass: 1000 }],
      timeouts: 1,
    },
    {
      name: 'uses one timer for many waits',
      given: [begin, ...Array.from({ length: 90 }, () => restarted(10)).flat(), { pass: 999 }],
      timeouts: 0,
      timers: 2,
    },
    { name: 'does not fire between waits', given: [begin, 'stop', { pass: hour }], timeouts: 0 },
    {
      name: 'counts from the start of a wait',
      given: [begin, 'stop', { pass: hour }, begin, { pass: 999 }],
      timeouts: 0,
    },
    {
      name: 'fires after a pause',
      given: [begin, 'stop', { pass: hour }, begin, { pass: 1000 }],
      timeouts: 1,
    },
    {
      name: 'supports a shorter wait',
      given: [{ begin: { ms: hour } }, 'stop', begin, { pass: 1000 }],
      timeouts: 1,
    },
    { name: 'fires at a deadline', given: [{ begin: { endsIn: 20_000 } }, { pass: 20_000 }], timeouts: 1 },
    {
      name: 'does not fire before the deadline',
      given: [{ begin: { endsIn: 20_000 } }, { pass: 19_999 }],
      timeouts: 0,
    },
    {
      name: 'leaves time to read received data after the deadline',
      given: [{ pass: hour }, { begin: { endsIn: 20_000 } }, { pass: 4999 }],
      timeouts: 0,
    },
    {
      name: 'leaves time to read received data shortly after the deadline',
      given: [{ pass: 20_500 }, { begin: { endsIn: 20_000 } }, { pass: 4999 }],
      timeouts: 0,
    },
    {
      name: 'fires after that time',
      given: [{ pass: hour }, { begin: { endsIn: 20_000 } }, { pass: 5000 }],
      timeouts: 1,
    },
    {
      name: 'does not fire because of a clock jump',
      given: [begin, { leap: hour }, { pass: 4999 }],
      timeouts: 0,
    },
    { name: 'fires one second late', given: [begin, { leap: 2000 }, { pass: 0 }], timeouts: 1 },
    { name: 'does not fire later', given: [begin, { leap: 2001 }, { pass: 0 }], timeouts: 0 },
    { name: 'fires after a clock jump', given: [begin, { leap: hour }, { pass: 5000 }], timeouts: 1 },
    {
      name: 'does not fire if data arrives after a clock jump',
      given: [begin, { leap: hour }, { pass: 0 }, 'stop', begin, { pass: 999 }],
      timeouts: 0,
    },
    {
      name: 'does not fire because of a second clock jump',
      given: [begin, { leap: hour }, { pass: 0 }, { leap: hour }, { pass: 4999 }],
      timeouts: 0,
    },
    {
      name: 'does not fire because of a clock jump between waits',
      given: [begin, 'stop', { leap: hour }, begin, { pass: 999 }],
      timeouts: 0,
    },
  ])('$name', async ({ given, timeouts, timers }) => {
    const result = await play(given);
    expect(result.timeouts).toBe(timeouts);
    if (timers !== undefined) expect(result.timers).toBe(timers);
  });
});
