/** Work that is due with time: it is done by an operator that runs, and by one that was down meanwhile. */
import { compare } from './compare/differences.ts';
import type { Exceptions } from './compare/exceptions.ts';
import { keyOf, type Snapshot } from './compare/snapshot.ts';

/** The objects before and after a time without any change by users. */
export interface Passed {
  /** Length of the time, in milliseconds. */
  readonly ms: number;
  /** Whether the operator has reconciled, or will. */
  readonly isActive: boolean;
  readonly before: Snapshot;
  readonly after: Snapshot;
}

/**
 * Returns a line for each object that has changed with time in one of two runs only: in the first one, the
 * operator was running, in the second one, it was down, and started at the end.
 */
export function dueLines(running: Passed, down: Passed, exceptions: Exceptions): readonly string[] {
  const [one, two] = [changesOf(running, exceptions), changesOf(down, exceptions)];
  const time = timeText(running.ms);
  return [
    ...[...one]
      .filter(([key]) => !two.has(key))
      .map(
        ([, text]) =>
          `${text} within ${time} while the operator runs, but not if it is down for that time and starts again`,
      ),
    ...[...two]
      .filter(([key]) => !one.has(key))
      .map(
        ([, text]) =>
          `${text} if the operator is down for ${time} and starts again, but not within that time while it runs`,
      ),
  ];
}

/** Returns whether an object has changed with time. */
export function hasChanged(passed: Passed, exceptions: Exceptions): boolean {
  return changesOf(passed, exceptions).size > 0;
}

/** Returns texts by the object that has changed, or by the resource of new objects. */
function changesOf({ before, after }: Passed, exceptions: Exceptions): ReadonlyMap<string, string> {
  const { differences } = compare(before, after, exceptions, () => false);
  return new Map(
    differences.map(({ kind, object }): [string, string] => {
      const key = keyOf(object);
      if (kind === 'missing') return [key, `${key} is deleted`];
      if (kind === 'additional') return [object.resource, `an object of ${object.resource} is created`];
      return [key, `${key} changes`];
    }),
  );
}

function timeText(ms: number): string {
  const hours = Math.round(ms / 3_600_000);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}
