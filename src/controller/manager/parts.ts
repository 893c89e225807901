/** Parts of a running manager, and their stop. */

import type { Clock } from '@kgen/runtime/informers';
import { errorOf } from '../errors.ts';
import type { Logger } from '../log.ts';

/** A part that was started. */
export interface Part {
  readonly name: string;
  /** Resolves when the part has ended by itself. Never rejects. */
  readonly ended?: Promise<unknown>;
  /** Ends the part. */
  stop(): Promise<void>;
}

/** Circumstances of a stop. */
export interface StopOptions {
  readonly clock: Clock;
  readonly gracePeriodMs: number;
  /** Aborts at the end of the grace period. */
  readonly deadline: AbortController;
  readonly log: Logger;
}

/** Time in which each part must end after the deadline, in milliseconds. */
const forcedMs = 15_000;

/**
 * Stops parts, the last one first: each has ended before the next one is stopped. The deadline aborts after
 * the grace period. Never rejects; a part that does not end is reported, and does not delay the others
 * further.
 */
export async function stopParts(parts: readonly Part[], options: StopOptions): Promise<void> {
  const { clock, gracePeriodMs, deadline } = options;
  const abort = (): void => deadline.abort(new Error(`the grace period of ${gracePeriodMs} ms is over`));
  const cancel = gracePeriodMs > 0 ? clock.timer(gracePeriodMs, abort) : undefined;
  if (cancel === undefined) abort();
  const waiting = [...parts];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) await stopPart(part, options);
  cancel?.();
}

async function stopPart({ name, ended, stop }: Part, { clock, deadline, log }: StopOptions): Promise<void> {
  let cancel: () => void = () => undefined;
  const late = new Promise<'late'>((resolve) => {
    const begin = (): void => {
      cancel = clock.timer(forcedMs, () => resolve('late'));
    };
    if (deadline.signal.aborted) begin();
    else deadline.signal.addEventListener('abort', begin, { once: true });
  });
  try {
    const end = Promise.all([stop(), ended]);
    const result = await Promise.race([end, late]);
    if (result === 'late') log.error({ part: name }, `${name} has not ended`);
  } catch (error) {
    log.error({ part: name, err: errorOf(error) }, `${name} failed to stop`);
  } finally {
    cancel();
  }
}
