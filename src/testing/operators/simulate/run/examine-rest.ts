/** Examination of an operator at rest: its rate of work, and what a restart changes. */
import { text } from '@kgen/schema/values/json';
import { compare, differenceLines } from '../checks/compare/differences.ts';
import type { Exceptions } from '../checks/compare/exceptions.ts';
import { keyOf, type Snapshot } from '../checks/compare/snapshot.ts';
import { type Finding, findingOf } from '../checks/finding.ts';

/** A run in which nothing changes any more. */
export interface RestingRun {
  /** Number of objects of users. */
  readonly objects: number;
  readonly exceptions: Exceptions;
  /** Returns the numbers of requests and reconciles so far. */
  readonly work: () => Promise<Work>;
  /** Lets time pass. */
  readonly wait: (ms: number) => Promise<void>;
  /** Stops all processes in order, starts them again after some time, and waits until they are at rest. */
  readonly restart: (downMs: number) => Promise<void>;
  readonly snapshot: () => Snapshot;
}

/** Work of all processes, leases and events left out. */
export interface Work {
  readonly requests: number;
  readonly reconciles: number;
}

/** Delay before a process that has ended is started again. */
export const restartMs = 1_000;

/** Time for which the work is counted. */
const countedMs = 20_000;

/** Most requests, and most reconciles, for each object in that time: one in two seconds. */
const mostWork = 10;

/**
 * Returns a finding if the operator works without a reason, or if a restart changes objects: all of them are
 * reconciled again then, which must confirm what exists.
 */
export async function examineRest(run: RestingRun): Promise<Finding | undefined> {
  const [before, first] = [await run.work(), run.snapshot()];
  await run.wait(countedMs);
  const after = await run.work();
  const most = mostWork * Math.max(run.objects, 1);
  for (const kind of ['requests', 'reconciles'] as const) {
    const count = after[kind] - before[kind];
    if (count <= most) continue;
    const verb = kind === 'requests' ? 'sends' : 'runs';
    const message = `at rest, the operator ${verb} ${count} ${kind} in ${countedMs / 1_000} s`;
    return { check: 'silence', message };
  }
  // Objects that change with time do so after a restart, too.
  const resting = run.snapshot();
  if (changes(first, resting, run.exceptions).length > 0) return undefined;
  await run.restart(restartMs);
  return findingOf('restart', changes(resting, run.snapshot(), run.exceptions));
}

/** Returns a line for each object of one cluster that has changed, or was replaced. */
function changes(before: Snapshot, after: Snapshot, exceptions: Exceptions): readonly string[] {
  const { differences } = compare(before, after, exceptions, () => false);
  const uids = new Map(after.map((each) => [keyOf(each), uidOf(each)]));
  const replaced = before
    .filter((each) => each.isShown && (uids.get(keyOf(each)) ?? uidOf(each)) !== uidOf(each))
    .map((each) => `${keyOf(each)} was deleted and created again`);
  return [...differenceLines(differences, after), ...replaced];
}

function uidOf({ value }: Snapshot[number]): string {
  return text(value, 'metadata', 'uid');
}
