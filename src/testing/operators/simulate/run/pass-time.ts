/** Time that passes in a run at rest, in which nothing else changes. */
import type { Snapshot } from '../checks/compare/snapshot.ts';
import type { Passed } from '../checks/due.ts';

const hourMs = 3_600_000;
/** The least number of days, in milliseconds. */
export const dayMs: number = 24 * hourMs;

/** Time that passes at rest: an hour, a day, many days, or this one, for which the operator is down. */
export type PassingTime = 'hour' | 'day' | 'days' | { readonly downMs: number };

/** Times that pass one after the other, in milliseconds in all. */
const totals = [hourMs, dayMs, 10 * dayMs, 100 * dayMs, 400 * dayMs];

/** Maximum number of requests, those of leases included, for which more time passes. */
const mostRequests = 2_000;

/** Longest time to the end of a watch, in milliseconds: a later timer is one of the operator itself. */
const longestWatchMs = 900_000;

/** A run at rest. */
export interface PassingRun {
  readonly now: () => number;
  /** Returns the number of requests so far, those of leases and events included. */
  readonly sent: () => number;
  /** Returns the number of reconciles so far, among others. */
  readonly work: () => Promise<{ readonly reconciles: number }>;
  readonly wait: (ms: number) => Promise<void>;
  /** Waits until nothing changes any more. */
  readonly settle: () => Promise<void>;
  /** Returns the times of the timers of the operator. */
  readonly dueTimes: () => readonly number[];
  /** Stops all processes in order, starts them again after some time, and waits until they are at rest. */
  readonly restart: (downMs: number) => Promise<void>;
  readonly snapshot: () => Snapshot;
}

/** Lets time pass. */
export async function passTime(run: PassingRun, time: PassingTime): Promise<Passed> {
  const before = run.snapshot();
  const isActive = time === 'hour' && (await passHour(run));
  const ms = time === 'hour' ? hourMs : await msOf(run, time);
  // As after a start: what became due last has ended in both cases.
  await run.settle();
  return { ms, isActive, before, after: run.snapshot() };
}

/** Lets time pass that is not an hour. Returns it in milliseconds. */
async function msOf(run: PassingRun, time: Exclude<PassingTime, 'hour'>): Promise<number> {
  if (typeof time !== 'object') return passDays(run, time === 'day' ? dayMs : Infinity);
  await run.restart(time.downMs);
  return time.downMs;
}

/** Parts of a run that only waits. */
type Waiting = Omit<PassingRun, 'restart' | 'settle' | 'snapshot'>;

/** Lets an hour pass. Returns whether the operator has done something, or will. */
export async function passHour({ now, work, wait, dueTimes }: Waiting): Promise<boolean> {
  const before = await work();
  const isWaiting = dueTimes().some((due) => due > now() + longestWatchMs);
  await wait(hourMs);
  return isWaiting || (await work()).reconciles > before.reconciles;
}

/**
 * Lets days pass, up to 400 or a limit, and less, but at least an hour, if the operator works so often that
 * it would take long. Returns the time in milliseconds.
 */
export async function passDays({ sent, wait }: Waiting, mostMs: number): Promise<number> {
  const first = sent();
  let passedMs = 0;
  for (const total of totals.filter((each) => each <= mostMs)) {
    const done = sent() - first;
    const expected = passedMs === 0 ? 0 : (done / passedMs) * total;
    if (expected > mostRequests) break;
    await wait(total - passedMs);
    passedMs = total;
  }
  return passedMs;
}
