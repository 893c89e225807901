/** A write that waits until another controller has written: a rare interleaving of two controllers. */
import { isOfKind, placedText } from '../coverage.ts';
import type { ReconcileWrite } from '../process/sent-request.ts';
import type { ActionOf } from '../schedule/actions.ts';
import type { DisturbedRun, Fault, FaultEffect } from './fault.ts';

/** Longest time that a write waits, in milliseconds. */
export const mostOvertakenMs = 5_000;

/** The next request of a write waits until another controller has sent a write, or some time has passed. */
export const overtake: Fault<ActionOf<'overtake'>> = {
  classes: ['overtaken'],
  singles: ['overtaken'],
  singleOf: () => 'overtaken',
  needs: 'controllers',
  plan: () => undefined,
  target: ({ write, round, others }) => {
    const by = others[round % Math.max(others.length, 1)];
    if (by === undefined) return { before: [], after: [] };
    return { before: [{ do: 'overtake', write, by }], after: [], next: by };
  },
  text: ({ write, by }) =>
    `the next request to ${placedText(write)} waits for ${placedText(by)} by another controller, ` +
    `at most ${mostOvertakenMs / 1_000} s`,
  simpler: [
    // Lines of the operator change, so that a saved schedule would not meet them.
    ({ write, by, ...action }) =>
      write.site === '' && by.site === ''
        ? undefined
        : { ...action, write: { ...write, site: '' }, by: { ...by, site: '' } },
  ],
  begin: waitsOf,
};

/** A request that will wait, or waits. */
interface Wait {
  readonly action: ActionOf<'overtake'>;
  /** The request that waits; `undefined` before it is sent. */
  waiting: ReconcileWrite | undefined;
  /** Sends it. */
  release: () => void;
}

function waitsOf({ cluster: { time } }: DisturbedRun): FaultEffect<ActionOf<'overtake'>> {
  const waits = new Set<Wait>();
  const end = (wait: Wait): void => {
    waits.delete(wait);
    wait.release();
  };
  return {
    perform: (action) => {
      waits.add({ action, waiting: undefined, release: () => undefined });
      return '';
    },
    holds: (sent) => {
      const wait = [...waits].find(
        ({ action, waiting }) => waiting === undefined && isOfKind(sent.write, action.write),
      );
      if (wait === undefined) return undefined;
      wait.waiting = sent;
      return new Promise((resolve) => {
        wait.release = resolve;
        time.timer(mostOvertakenMs, () => end(wait));
      });
    },
    wrote: (sent) => {
      for (const wait of waits) if (overtakes(sent, wait)) end(wait);
    },
    end: () => {
      for (const wait of waits) end(wait);
    },
  };
}

/** Returns whether a write is the one for which a request waits. */
function overtakes({ write, controller, path }: ReconcileWrite, { action, waiting }: Wait): boolean {
  if (waiting === undefined || waiting.controller === controller || !isOfKind(write, action.by)) return false;
  return write.resource !== waiting.write.resource || objectOf(path) === objectOf(waiting.path);
}

function objectOf(path: string): string {
  return path.split('?')[0] ?? '';
}
