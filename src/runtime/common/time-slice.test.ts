import { expect, it, vi } from 'vitest';
import { settle } from '../../../test/support/runtime/fake-clock.ts';
import { systemEnvironment } from './clock.ts';
import { eventLoopTurn } from './event-loop-turn.ts';
import { inSlices, MeasuredTurn, TimeSlice } from './time-slice.ts';

/** A clock that advances with work only, and turns that begin with `pass`. */
function world() {
  let now = 0;
  let callbacks: (() => void)[] = [];
  const turn = new MeasuredTurn({ now: () => now, nextTurn: (callback) => void callbacks.push(callback) });
  return {
    turn,
    now: () => now,
    work: (ms: number): void => {
      now += ms;
    },
    /** Runs the callbacks for the next turn, and the promises of each. Returns whether there were any. */
    pass: async (): Promise<boolean> => {
      const due = callbacks;
      callbacks = [];
      for (const callback of due) {
        callback();
        await settle(1);
      }
      return due.length > 0;
    },
  };
}

/** Returns the steps of each turn until no work waits any more. */
async function stepsOf(log: string[], pass: () => Promise<boolean>): Promise<readonly string[]> {
  const turns: string[] = [];
  do {
    await settle(1);
    if (log.length > 0) turns.push(log.splice(0).join(' '));
  } while (await pass());
  return turns;
}

it.each([
  { given: [1, 1, 1], want: [3] },
  { given: [2, 2, 2, 2, 2], want: [3, 2] },
  { given: [30, 1, 1, 3, 1], want: [1, 3, 1] },
  { given: Array.from({ length: 500 }, () => 0), want: [201, 200, 99] },
])('divides work into turns of 3 ms, or of 200 steps without time: case %#', async ({ given, want }) => {
  const { turn, now, work, pass } = world();
  const log: string[] = [];
  const step = (ms: number): void => {
    work(ms);
    log.push('step');
  };
  void inSlices(given, step, new TimeSlice(turn, now));
  const turns = await stepsOf(log, pass);
  expect(turns.map((steps) => steps.split(' ').length)).toEqual(want);
});

it('is over for all works together, which continue in their order', async () => {
  const { turn, work, pass } = world();
  const log: string[] = [];
  for (const name of ['a', 'b', 'c', 'd'])
    void (async () => {
      for (let step = 1; step <= 3; step += 1) {
        if (turn.isOver) await turn.next();
        work(2);
        log.push(`${name}${step}`);
        await undefined;
      }
    })();
  const turns = await stepsOf(log, pass);
  expect(turns).toEqual(['a1 b1', 'c1 c2', 'd1 d2', 'a2 a3', 'b2 b3', 'c3 d3']);
});

it('has the time of the work without that of its input and of other turns', async () => {
  const { turn, now, work, pass } = world();
  const slice = new TimeSlice(turn, now);
  work(2);
  await slice.input(Promise.resolve().then(() => work(50)));
  work(1);
  const resumed = slice.next();
  work(30);
  await pass();
  await resumed;
  work(4);
  expect(slice.workedMs).toBe(7);
  await slice.input(Promise.reject(new Error('interrupted'))).catch(() => work(8));
  expect(slice.workedMs).toBe(15);
});

it('begins with the first step after its callback', async () => {
  const { turn, work, pass } = world();
  const checks: boolean[] = [];
  const check = (ms: number): void => {
    work(ms);
    checks.push(turn.isOver);
  };
  check(0);
  check(3);
  await pass();
  check(2);
  check(2);
  check(2);
  expect(checks).toEqual([false, true, false, false, true]);
});

it('begins again if the clock is set back', () => {
  const { turn, work } = world();
  const checks: boolean[] = [];
  for (const ms of [0, 1, -2, 2, 1]) {
    work(ms);
    checks.push(turn.isOver);
  }
  expect(checks).toEqual([false, false, false, false, true]);
});

it.each([0, 1e12])('counts steps only while the clock of the process is replaced, by %i', async (time) => {
  await settle();
  const now = vi.spyOn(performance, 'now').mockImplementation(() => {
    elapsed += 5;
    return time + elapsed;
  });
  let elapsed = 0;
  const turn = eventLoopTurn(systemEnvironment.clock);
  const steps = Array.from({ length: 201 }, () => turn.isOver);
  now.mockRestore();
  expect([steps.indexOf(true), turn.isOver]).toEqual([200, true]);
});

it('leaves a slice of one work 5 ms from its beginning', async () => {
  const { turn, now, work, pass } = world();
  const slice = new TimeSlice(turn, now);
  work(4);
  expect(slice.over).toBe(false);
  work(1);
  expect(slice.over).toBe(true);
  const waiting = slice.next();
  await settle(1);
  await pass();
  await waiting;
  expect(slice.over).toBe(false);
});

it('leaves timers of the process their turns', async () => {
  let isOver = false;
  setTimeout(() => {
    isOver = true;
  }, 1);
  const turn = eventLoopTurn(systemEnvironment.clock);
  while (!isOver) await (turn.isOver ? turn.next() : undefined);
  expect(isOver).toBe(true);
});

it('fails with what the work fails with', async () => {
  const problem = new Error('no');
  const failing = inSlices([1], () => {
    throw problem;
  });
  await expect(failing).rejects.toBe(problem);
});

it('is one for the process, and one for each other clock', () => {
  const { clock } = systemEnvironment;
  const other = { now: () => 0 };
  expect(eventLoopTurn(clock)).toBe(eventLoopTurn(clock));
  expect(eventLoopTurn(other)).toBe(eventLoopTurn(other));
  expect(new Set([clock, other, { ...other }].map(eventLoopTurn)).size).toBe(3);
});
