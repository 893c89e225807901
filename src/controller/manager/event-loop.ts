/** Detection of work that blocks the event loop. */

import type { Clock } from '@kgen/runtime/informers';

/** Interval of the checks, in milliseconds. */
const checkMs = 1000;

/** Calls `report` each second with the time for which the event loop delayed the call. Returns its end. */
export function watchEventLoop(clock: Clock, report: (lagMs: number) => void): () => void {
  let isEnded = false;
  let cancel: () => void = () => undefined;
  const next = (): void => {
    const due = clock.now() + checkMs;
    cancel = clock.timer(checkMs, () => {
      if (isEnded) return;
      report(Math.max(clock.now() - due, 0));
      next();
    });
  };
  next();
  return () => {
    isEnded = true;
    cancel();
  };
}
