import { isExpired, TimeoutError } from '../errors.ts';
import type { KubernetesObject } from '../meta.ts';
import type { Operation } from '../rest/types.ts';
import type { Stored, StoredObject } from '../types.ts';
import { freshBackoff } from './backoff.ts';
import { type Environment, systemEnvironment } from './clock.ts';
import { describeConditions } from './condition.ts';
import { run } from './run.ts';
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
  /** Time and chance; for tests. */
  readonly environment?: Environment | undefined;
}

/**
 * Waits until the one object of `source` is as wanted, and gives it. The predicate sees every state from now on,
 * `undefined` while there is none. A lost history (410) is bridged by a new list.
 *
 * Rejects with `TimeoutError` after `timeoutMs`, which names the last state seen; with `ApiError` where waiting would
 * not help (4xx); with whatever the predicate throws.
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
  const scope = new Scope(options.signal ?? new AbortController().signal, environment.clock);
  let last: LastSeen = 'nothing yet';
  const { timeoutMs } = options;
  if (timeoutMs !== undefined) scope.deadline(timeoutMs, () => timedOut(options.operation, timeoutMs, last));
  try {
    for await (const object of states(source, environment, scope.signal)) {
      last = object;
      if (holds(predicate, object)) return object;
    }
    return undefined;
  } finally {
    scope.end();
  }
}

/** A promise is true whatever it will give: an async predicate would end the wait at once. */
function holds<T>(predicate: (object: T | undefined) => unknown, object: T | undefined): boolean {
  const answer = predicate(object);
  if (answer instanceof Promise) {
    answer.catch(() => undefined);
    throw new TypeError('the predicate of waitFor is async; it has to answer at once');
  }
  return Boolean(answer);
}

/** Every state of the object, beginning with the present one. */
async function* states<T>(
  source: ListWatch<T>,
  environment: Environment,
  signal: AbortSignal,
): AsyncGenerator<Stored<T> | undefined> {
  for (;;) {
    try {
      for await (const output of run(watchMachine<Stored<T>>({}), source, { signal, environment })) {
        yield* statesOf(output);
      }
    } catch (error) {
      if (!isExpired(error)) throw error;
      await pause(environment, signal);
    }
  }
}

/** A server that has lost its history may lose it again. */
async function pause(environment: Environment, signal: AbortSignal): Promise<void> {
  const scope = new Scope(signal, environment.clock);
  try {
    await scope.sleep(freshBackoff.nextMs * (1 + environment.random()));
  } finally {
    scope.end();
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

type LastSeen = (StoredObject & KubernetesObject) | 'nothing yet' | undefined;

function timedOut(operation: Operation, timeoutMs: number, last: LastSeen): TimeoutError {
  return new TimeoutError(`not as wanted within ${timeoutMs} ms; last seen: ${describe(last)}`, operation);
}

function describe(last: LastSeen): string {
  if (last === 'nothing yet') return last;
  if (last === undefined) return 'no such object';
  const conditions = describeConditions(last);
  const deleting = last.metadata.deletionTimestamp === undefined ? '' : ', being deleted';
  const state = conditions === '' ? '' : `, ${conditions}`;
  return `resourceVersion ${last.metadata.resourceVersion}${deleting}${state}`;
}
