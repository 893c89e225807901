import { isExpired } from '../errors.ts';
import type { WaitOptions } from '../options.ts';
import { checkTimeout } from '../rest/deadline.ts';
import type { Operation } from '../rest/types.ts';
import type { Stored } from '../types.ts';
import { type Environment, systemEnvironment } from './clock.ts';
import type { Retry } from './machine.ts';
import { pauseBeforeRelist } from './pause.ts';
import { holds } from './predicate.ts';
import { Progress } from './progress.ts';
import { retryReporter } from './retry-warnings.ts';
import { type RunOptions, run } from './run.ts';
import { Scope } from './scope.ts';
import type { ListWatch } from './source.ts';
import { type WatchOutput, watchMachine } from './state.ts';

export interface WaitForOptions {
  /** What is waited for, in messages: `wait for pods shop/web-0`. */
  readonly operation: Operation;
  /** Ends the wait, which then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the wait rejects with `TimeoutError`. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Receives each failure before the wait for another try. Default: warnings of the process, see `WaitOptions`. */
  readonly onRetry?: WaitOptions['onRetry'];
  /** Told how far the wait has come. Default: one of its own. */
  readonly progress?: Progress | undefined;
  /** Time and chance; for tests. */
  readonly environment?: Environment | undefined;
}

/**
 * Waits until the one object of `source` is as wanted, and gives it. The predicate sees every state from now on,
 * `undefined` while there is none. A lost history (410) is bridged by a new list.
 *
 * Rejects with `TimeoutError` after `timeoutMs`, which names the last state seen and the failure since, if there is one;
 * with `ApiError` where waiting would not help (4xx); with whatever the predicate throws; with `RangeError` for a
 * `timeoutMs` that is no time.
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
    scope.deadline(timeoutMs, () => progress.timedOut(`not as wanted within ${timeoutMs} ms`, operation));
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

/** Every state of the object, beginning with the present one. */
async function* states<T>(
  source: ListWatch<T>,
  options: RunOptions & { readonly environment: Environment; readonly onExpired: (error: unknown) => void },
): AsyncGenerator<Stored<T> | undefined> {
  let last: Stored<T> | undefined;
  for (;;) {
    try {
      for await (const output of run(watchMachine<Stored<T>>({}), source, options)) {
        for (const object of statesOf(output)) {
          // Another object under the same name: that the one before went was missed.
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
