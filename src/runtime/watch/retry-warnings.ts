/** Process warnings about failures that a watch or a wait retries, for callers without an `onRetry`. */

import type { RequestOperation } from '../api/operation.ts';
import { describeOperation } from '../api/operation.ts';
import type { WatchOptions } from '../api/options.ts';
import { callSafely, messageOf } from '../common/callbacks.ts';
import type { Retry } from './machine/machine-types.ts';

/**
 * Returns whether a count is 1, 10, 100 and so on: warnings about repeated failures are limited to these
 * counts.
 */
export function isMilestone(count: number): boolean {
  return /^10*$/.test(String(count));
}

/**
 * Warns of the 1st, the 10th, the 100th consecutive failure and so on. If requests fail and succeed
 * alternately, the first failures of each series are counted in the same way. Never throws.
 */
class RetryWarnings {
  readonly #operation: RequestOperation;
  #inRow = 0;
  #outages = 0;

  constructor(operation: RequestOperation) {
    this.#operation = operation;
  }

  note({ error, attempt, dropped = false }: Retry): void {
    if (attempt === 1) this.#inRow = 0;
    // Interrupted streams are normal. If the server is unreachable, the next request fails as well.
    if (dropped) return;
    this.#inRow += 1;
    if (this.#inRow === 1) this.#outages += 1;
    if (!isMilestone(this.#inRow === 1 ? this.#outages : this.#inRow)) return;
    const count = this.#inRow === 1 ? '' : ` after ${this.#inRow} failures in a row`;
    const own = describeOperation(this.#operation);
    const failure = messageOf(error);
    // Errors of requests begin with their operation, which is often that of the watch.
    const message = failure.startsWith(`${own}: `) ? failure : `${own}: request: ${failure}`;
    process.emitWarning(`${message}; it is retried${count} (onRetry receives each failure)`, 'WatchWarning');
  }
}

/**
 * Returns a function that reports each failure to `onRetry`, or else as process warnings. It never throws.
 */
export function retryReporter(
  onRetry: WatchOptions['onRetry'],
  operation: RequestOperation,
): (retry: Retry) => void {
  if (onRetry !== undefined) {
    const name = `onRetry of ${operation.verb === 'watch' ? 'a watch' : 'a wait'}`;
    return ({ error, attempt }) => callSafely(() => onRetry(error, { attempt }), name, 'WatchWarning');
  }
  const warnings = new RetryWarnings(operation);
  return (retry) => warnings.note(retry);
}
