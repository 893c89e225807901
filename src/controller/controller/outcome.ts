/** Decides how a run continues from its result or error. Pure. */

import { isApiError, isConflict } from '@kgen/runtime';
import { InvalidResultError, TerminalError } from '../errors.ts';

/**
 * Result of a reconcile function: nothing, or the delay after which the object is reconciled again even
 * without a change.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: functions without a return statement have this type.
export type ReconcileResult = void | undefined | { readonly requeueAfterMs?: number | undefined };

/** Continuation of a run. */
export type Outcome =
  | { readonly type: 'success' }
  | { readonly type: 'requeueAfter'; readonly afterMs: number }
  /** The object changed meanwhile: retried with backoff, without a message. */
  | { readonly type: 'conflict'; readonly error: unknown }
  /** Not retried before the next change. */
  | { readonly type: 'terminal'; readonly error: unknown }
  /** Retried after `afterMs`, or with backoff. */
  | { readonly type: 'retry'; readonly error: unknown; readonly afterMs?: number };

/** Returns the outcome of a run that returned `value`. */
export function outcomeOfResult(value: unknown): Outcome {
  if (value === undefined || value === null) return { type: 'success' };
  const problem = resultProblem(value);
  if (problem !== undefined) {
    const message = `reconcile must return nothing or { requeueAfterMs }, but returned ${problem}`;
    return { type: 'retry', error: new InvalidResultError(message) };
  }
  const afterMs: unknown = Reflect.get(value, 'requeueAfterMs');
  return typeof afterMs === 'number' ? { type: 'requeueAfter', afterMs } : { type: 'success' };
}

/** Returns the outcome of a run that threw `error`. */
export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof TerminalError) return { type: 'terminal', error };
  if (isConflict(error)) return { type: 'conflict', error };
  const afterMs = retryAfterMs(error);
  return afterMs === undefined ? { type: 'retry', error } : { type: 'retry', error, afterMs };
}

function resultProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return `a ${typeof value}`;
  const unknown = Object.keys(value).find((name) => name !== 'requeueAfterMs');
  if (unknown !== undefined) return `an object with the member ${JSON.stringify(unknown.slice(0, 60))}`;
  const afterMs: unknown = Reflect.get(value, 'requeueAfterMs');
  if (afterMs === undefined || (typeof afterMs === 'number' && afterMs >= 0)) return undefined;
  return `requeueAfterMs ${typeof afterMs === 'number' ? afterMs : `of type ${typeof afterMs}`}; it must be a number >= 0`;
}

/** Delay that the server requested by `Retry-After`. */
function retryAfterMs(error: unknown): number | undefined {
  if (!isApiError(error)) return undefined;
  const { retryAfterSeconds } = error;
  return retryAfterSeconds === undefined || !(retryAfterSeconds > 0) ? undefined : retryAfterSeconds * 1000;
}
