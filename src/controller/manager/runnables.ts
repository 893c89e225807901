/** Start of the parts of a program that are not controllers. */

import type { Part } from './lifecycle.ts';
import type { Runnable, RunnableContext } from './options.ts';

/** A runnable that was started. */
export interface StartedRunnable {
  readonly part: Part;
  /** Resolves when `start` of the runnable has ended. Never rejects. */
  readonly started: Promise<void>;
}

/** Starts a runnable, and calls `failed` if `start` or `run` fails. Never throws. */
export function startRunnable(
  runnable: Runnable,
  context: RunnableContext,
  failed: (error: unknown) => void,
): StartedRunnable {
  const began = new Promise<void>((resolve) => resolve(runnable.start?.(context)));
  const ran = began.then(() => (context.stopping.aborted ? undefined : runnable.run?.(context)));
  const nothing = (): void => undefined;
  return {
    started: began.catch(nothing),
    part: {
      name: runnable.name,
      ended: ran.catch(failed),
      // A start that failed has started nothing.
      stop: () => began.then(() => runnable.stop?.(), nothing),
    },
  };
}
