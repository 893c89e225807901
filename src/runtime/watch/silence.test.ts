import { describe, expect, it } from 'vitest';
import { FakeClock } from '../testkit/fake-clock.ts';
import { Silence } from './silence.ts';

type Act =
  | { readonly begin: { readonly ms: number } | { readonly endsIn: number } }
  | { readonly pass: number }
  | { readonly leap: number }
  | 'over';

/** Performs the actions of a table row. Returns the number of timeouts, and of timers. */
async function play(acts: readonly Act[]): Promise<{ found: number; timers: number }> {
  const clock = new FakeClock();
  let [found, timers] = [0, 0];
  const counting = {
    now: () => clock.now(),
    timer: (ms: number, callback: () => void) => {
      timers += 1;
      return clock.timer(ms, callback);
    },
  };
  const start = clock.now();
  const silence = new Silence(counting, () => {
    found += 1;
  });
  for (const act of acts) {
    if (act === 'over') silence.over();
    else if ('pass' in act) await clock.advance(act.pass);
    else if ('leap' in act) clock.leap(act.leap);
    else if ('ms' in act.begin) silence.begin(act.begin);
    else silence.begin({ endsAt: start + act.begin.endsIn });
  }
  silence.stop();
  expect(clock.armed).toBe(0);
  return { found, timers };
}

const begin = { begin: { ms: 1000 } };
const hour = 3_600_000;
/** Ends a wait, and begins the next one. */
const heard = (after: number): Act[] => [{ pass: after }, 'over', begin];

describe('silence', () => {
  it.each<{ name: string; given: Act[]; found: number; timers?: number }>([
    { name: 'is found when the time is over', given: [begin, { pass: 1000 }], found: 1 },
    { name: 'is not found before', given: [begin, { pass: 999 }], found: 0 },
    {
      name: 'begins anew with each wait',
      given: [begin, ...heard(999), ...heard(999), { pass: 999 }],
      found: 0,
    },
    {
      name: 'is found in the last of many waits',
      given: [begin, ...heard(999), ...heard(999), { pass: 1000 }],
      found: 1,
    },
    {
      name: 'costs one timer for many waits',
      given: [begin, ...Array.from({ length: 90 }, () => heard(10)).flat(), { pass: 999 }],
      found: 0,
      timers: 2,
    },
    { name: 'is none while nobody waits', given: [begin, 'over', { pass: hour }], found: 0 },
    {
      name: 'counts from when somebody waits',
      given: [begin, 'over', { pass: hour }, begin, { pass: 999 }],
      found: 0,
    },
    {
      name: 'is found after a pause',
      given: [begin, 'over', { pass: hour }, begin, { pass: 1000 }],
      found: 1,
    },
    { name: 'may become shorter', given: [{ begin: { ms: hour } }, 'over', begin, { pass: 1000 }], found: 1 },
    { name: 'ends at a time', given: [{ begin: { endsIn: 20_000 } }, { pass: 20_000 }], found: 1 },
    { name: 'not before that time', given: [{ begin: { endsIn: 20_000 } }, { pass: 19_999 }], found: 0 },
    {
      name: 'leaves what is there to be read after that time',
      given: [{ pass: hour }, { begin: { endsIn: 20_000 } }, { pass: 4999 }],
      found: 0,
    },
    {
      name: 'leaves what is there to be read shortly after that time',
      given: [{ pass: 20_500 }, { begin: { endsIn: 20_000 } }, { pass: 4999 }],
      found: 0,
    },
    {
      name: 'is found after that time',
      given: [{ pass: hour }, { begin: { endsIn: 20_000 } }, { pass: 5000 }],
      found: 1,
    },
    {
      name: 'is not what a leap of the clock makes',
      given: [begin, { leap: hour }, { pass: 4999 }],
      found: 0,
    },
    { name: 'is found after a leap', given: [begin, { leap: hour }, { pass: 5000 }], found: 1 },
    {
      name: 'is not found where something comes after a leap',
      given: [begin, { leap: hour }, { pass: 0 }, 'over', begin, { pass: 999 }],
      found: 0,
    },
    {
      name: 'is not what a second leap makes',
      given: [begin, { leap: hour }, { pass: 0 }, { leap: hour }, { pass: 4999 }],
      found: 0,
    },
    {
      name: 'is not what a leap between waits makes',
      given: [begin, 'over', { leap: hour }, begin, { pass: 999 }],
      found: 0,
    },
  ])('$name', async ({ given, found, timers }) => {
    const result = await play(given);
    expect(result.found).toBe(found);
    if (timers !== undefined) expect(result.timers).toBe(timers);
  });
});
