/** Detection of work that blocks the event loop. */

import type { Clock } from '@kgen/runtime/informers';

/** Interval of the checks, in milliseconds. */
const checkMs = 1000;
/** Delay of a check that counts as blocked, in milliseconds. */
const blockedMs = 2000;

/** Calls `report` with the duration after each time for which the event loop was blocked. Returns its end. */
export function watchEventLoop(clock: Clock, report: (blockedMs: number) => void): () => void {
  let isEnded = false;
  let cancel: () => void = () => undefined;
  const next = (): void => {
    const due = clock.now() + checkMs;
    cancel = clock.timer(checkMs, () => {
      if (isEnded) return;
      const late = clock.now() - due;
      if (late >= blockedMs) report(late);
      next();
    });
  };
  next();
  return () => {
    isEnded = true;
    cancel();
  };
}
