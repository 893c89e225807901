import { isExpired } from '../../api/failure-reasons.ts';
import type { RequestOperation } from '../../api/operation.ts';
import type { WaitOptions } from '../../api/options.ts';
import type { Stored } from '../../api/types.ts';
import { type RuntimeEnvironment, systemEnvironment } from '../../common/clock.ts';
import { timingOf } from '../../common/timing.ts';
import { checkTimeout } from '../../rest/abort/deadline.ts';
import { type RunOptions, run } from '../machine/drive-machine.ts';
import type { Retry } from '../machine/machine-types.ts';
import { pauseBeforeRelist } from '../machine/pause.ts';
import { type WatchOutput, watchMachine } from '../machine/watch-machine.ts';
import { retryReporter } from '../retry-warnings.ts';
import { Scope } from '../scope.ts';
import type { ListWatch } from '../source.ts';
import { holds } from './predicate.ts';
import { Progress } from './progress.ts';

export interface WaitForOptions {
  /** Operation for messages: `wait for pods shop/web-0`. */
  readonly operation: RequestOperation;
  /** Ends the wait, which then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of the wait, in milliseconds; then it rejects with `TimeoutError`. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Called for each failure before the delay of its retry. Default: process warnings, see `WaitOptions`. */
  readonly onRetry?: WaitOptions['onRetry'];
  /** Records the states and failures of the wait. Default: a new one. */
  readonly progress?: Progress | undefined;
  /** Clock and random numbers; for tests. */
  readonly environment?: RuntimeEnvironment | undefined;
}

/**
 * Waits until the one object of `source` satisfies the predicate, and returns it. The predicate is called
 * with every state from now on, and with `undefined` while the object is absent. If the history is lost
 * (410), the object is listed again.
 *
 * Rejects with `TimeoutError` after `timeoutMs`, which contains the last state and a later failure; with
 * `ApiError` if a retry cannot succeed (4xx); with errors of the predicate; with `RangeError` for an invalid
 * `timeoutMs`.
 */
export function waitFor<T, S extends Stored<T> | undefined>(
  source: ListWatch<T>,
  predicate: (object: Stored<T> | undefined) => object is S,
  options: WaitForOptions,
): Promise<S>;
export function waitFor<T>(
  source: ListWatch<T>,
  predicate: (object: Stored<T> | undefined) => boolean,
  options: WaitForOptions,
): Promise<Stored<T> | undefined>;
export async function waitFor<T>(
  source: ListWatch<T>,
  predicate: (object: Stored<T> | undefined) => boolean,
  options: WaitForOptions,
): Promise<Stored<T> | undefined> {
  const environment = options.environment ?? systemEnvironment;
  const { operation, timeoutMs, progress = new Progress() } = options;
  checkTimeout(timeoutMs);
  const scope = new Scope(options.signal ?? new AbortController().signal, environment.clock);
  if (timeoutMs !== undefined) {
    scope.deadline(timeoutMs, () => progress.timedOut(`condition not met within ${timeoutMs} ms`, operation));
  }
  const onExpired = (error: unknown): void => progress.failed(error);
  const report = retryReporter(options.onRetry, operation);
  const onRetry = (retry: Retry): void => {
    progress.failed(retry.error);
    report(retry);
  };
  try {
    for await (const object of states(source, { environment, signal: scope.signal, onRetry, onExpired })) {
      progress.seen(object);
      if (holds(predicate, 'waitFor', object)) return object;
    }
    return undefined;
  } finally {
    scope.end();
  }
}

/** Yields every state of the object, beginning with the present one. */
async function* states<T>(
  source: ListWatch<T>,
  options: RunOptions & {
    readonly environment: RuntimeEnvironment;
    readonly onExpired: (error: unknown) => void;
  },
): AsyncGenerator<Stored<T> | undefined> {
  const timing = timingOf(options.environment);
  let last: Stored<T> | undefined;
  for (;;) {
    try {
      for await (const output of run(watchMachine<Stored<T>>({ timing }), source, options)) {
        for (const object of statesOf(output)) {
          // A new object under the same name: the deletion of the previous one was missed.
          if (last !== undefined && object !== undefined && object.metadata.uid !== last.metadata.uid)
            yield undefined;
          last = object;
          yield object;
        }
      }
    } catch (error) {
      if (!isExpired(error)) throw error;
      options.onExpired(error);
      const call = { signal: options.signal, operation: { verb: 'watch', ...source.target } };
      await pauseBeforeRelist(options.environment, call, source.closed);
    }
  }
}

function* statesOf<O>(output: WatchOutput<O>): Generator<O | undefined> {
  if (output.type === 'listed') {
    yield output.items[0];
    return;
  }
  for (const event of output.events) {
    if (event.type !== 'BOOKMARK') yield event.type === 'DELETED' ? undefined : event.object;
  }
}
