/** Warnings of the process about failures that a watch or a wait retries, for callers that do not handle them. */
import { callSafely, messageOf } from '../callbacks.ts';
import { describeOperation } from '../errors.ts';
import type { WatchOptions } from '../options.ts';
import type { Operation } from '../rest/types.ts';
import type { Retry } from './machine.ts';

/** Whether a count is 1, 10, 100 and so on: what may fail again and again is a warning this rarely. */
export function isMilestone(count: number): boolean {
  return /^10*$/.test(String(count));
}

/**
 * Warns of the 1st, the 10th, the 100th failure in a row and so on. Where requests fail and succeed in turn, the first
 * failures in a row are counted in the same way. Never throws.
 */
class RetryWarnings {
  readonly #operation: Operation;
  #inRow = 0;
  #outages = 0;

  constructor(operation: Operation) {
    this.#operation = operation;
  }

  note({ error, attempt, dropped = false }: Retry): void {
    if (attempt === 1) this.#inRow = 0;
    // Streams break now and then. Where the server is out of reach, the next request fails as well.
    if (dropped) return;
    this.#inRow += 1;
    if (this.#inRow === 1) this.#outages += 1;
    if (!isMilestone(this.#inRow === 1 ? this.#outages : this.#inRow)) return;
    const count = this.#inRow === 1 ? '' : ` after ${this.#inRow} failures in a row`;
    process.emitWarning(
      `${describeOperation(this.#operation)}: request: ${messageOf(error)}; it is retried${count} (onRetry receives each failure)`,
      'WatchWarning',
    );
  }
}

/** A function that reports each failure to `onRetry`, or to the process without it. It never throws. */
export function retryReporter(
  onRetry: WatchOptions['onRetry'],
  operation: Operation,
): (retry: Retry) => void {
  if (onRetry !== undefined) {
    const name = `onRetry of ${operation.verb === 'watch' ? 'a watch' : 'a wait'}`;
    return ({ error, attempt }) => callSafely(() => onRetry(error, { attempt }), name, 'WatchWarning');
  }
  const warnings = new RetryWarnings(operation);
  return (retry) => warnings.note(retry);
}
