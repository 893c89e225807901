/** Decides how a run continues from its result or error. Pure. */

import { isApiError, isConflict, isNotFound, type UseInstead } from '@kgen/runtime';
import { errorOf, InvalidResultError, TerminalError } from '../errors.ts';
import { StaleObjectError } from './finalizer.ts';

/** A further run of the same object, even without a change. */
export interface Requeue {
  /** Delay in milliseconds; 0 reconciles the object again at once. Default: no further run. */
  readonly requeueAfterMs?: number | undefined;
  /** @deprecated Use `requeueAfterMs`, which is in milliseconds. */
  readonly requeueAfter?: UseInstead<'requeueAfterMs'>;
  /** @deprecated Use `requeueAfterMs`; 0 reconciles the object again at once. */
  readonly requeue?: UseInstead<'requeueAfterMs'>;
}

/** Result of a reconcile function: nothing, or a further run. */
// biome-ignore lint/suspicious/noConfusingVoidType: functions without a return statement have this type.
export type ReconcileResult = void | undefined | Requeue;

/** Continuation of a run. */
export type Outcome =
  | { readonly type: 'success' }
  | { readonly type: 'requeueAfter'; readonly afterMs: number }
  /** The object changed meanwhile: retried with backoff. */
  | { readonly type: 'conflict'; readonly error: unknown }
  /** The object of the key was deleted meanwhile: not a failure. */
  | { readonly type: 'gone'; readonly error: unknown }
  /** Not retried before the next change. */
  | { readonly type: 'terminal'; readonly error: unknown }
  /** Retried after `afterMs`, or with backoff. */
  | { readonly type: 'retry'; readonly error: unknown; readonly afterMs?: number };

/** Returns the outcome of a run that returned `value`. Never throws. */
export function outcomeOfResult(value: unknown): Outcome {
  try {
    return readResult(value);
  } catch (error) {
    return invalid('an object that cannot be read', errorOf(error));
  }
}

/** Returns the outcome of a run that threw `error`. Never throws. */
export function outcomeOfError(error: unknown): Outcome {
  try {
    if (error instanceof TerminalError) return { type: 'terminal', error };
    if (error instanceof StaleObjectError || isStale(error)) return { type: 'conflict', error };
    const afterMs = retryAfterMs(error);
    return afterMs === undefined ? { type: 'retry', error } : { type: 'retry', error, afterMs };
  } catch {
    // Members of the error are getters that throw.
    return { type: 'retry', error: errorOf(error) };
  }
}

/** Errors within one error that are examined: an error may be its own cause. */
const mostErrors = 5;

/** Returns the first of an error and its causes that satisfies a condition. Never throws. */
export function causeThat(thrown: unknown, condition: (error: unknown) => boolean): unknown {
  try {
    let error = thrown;
    for (let count = 0; count < mostErrors && error instanceof Error; count += 1) {
      if (condition(error)) return error;
      error = error.cause;
    }
  } catch {
    // Members that cannot be read.
  }
  return undefined;
}

/** Object and resource of a key. */
export interface KeyedObject {
  readonly group: string;
  /** Plural. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * Returns the outcome of a run of an object; `gone` if a request for this object has failed because it does
 * not exist any more. Requests for another object, or for a kind that is not installed, are failures.
 */
export function outcomeFor(object: KeyedObject, outcome: Outcome): Outcome {
  if (outcome.type !== 'retry') return outcome;
  const isGone = causeThat(outcome.error, (error) => isAbsence(error, object)) !== undefined;
  return isGone ? { type: 'gone', error: outcome.error } : outcome;
}

function isAbsence(error: unknown, { group, resource, namespace, name }: KeyedObject): boolean {
  if (!isNotFound(error)) return false;
  const { details, operation } = error;
  const isNamed = details?.name === name && details.kind === resource && (details.group ?? '') === group;
  return isNamed && (operation?.namespace ?? namespace) === namespace;
}

function readResult(value: unknown): Outcome {
  if (value === undefined || value === null) return { type: 'success' };
  if (typeof value !== 'object' || Array.isArray(value)) {
    return invalid(Array.isArray(value) ? 'an array' : `a ${typeof value}`);
  }
  const unknown = Object.keys(value).find((name) => name !== 'requeueAfterMs');
  if (unknown !== undefined)
    return invalid(`an object with the member ${JSON.stringify(unknown.slice(0, 60))}`);
  const afterMs: unknown = Reflect.get(value, 'requeueAfterMs');
  if (afterMs === undefined) return { type: 'success' };
  if (typeof afterMs !== 'number') return invalid(`requeueAfterMs of type ${typeof afterMs}`);
  const isDelay = afterMs >= 0 && afterMs < Number.POSITIVE_INFINITY;
  return isDelay ? { type: 'requeueAfter', afterMs } : invalid(`requeueAfterMs ${afterMs}`);
}

function invalid(returned: string, cause?: Error): Outcome {
  const message = `reconcile must return nothing or { requeueAfterMs }, a finite number >= 0, but returned ${returned}`;
  return { type: 'retry', error: new InvalidResultError(message, { cause }) };
}

/**
 * A retry reads the newer object. Fields of an apply that another manager owns are no such conflict: only
 * `force` or another intent resolves it, so it is reported as an error.
 */
function isStale(error: unknown): boolean {
  if (!isConflict(error)) return false;
  const causes = error.details?.causes ?? [];
  return !causes.some(({ reason }) => reason === 'FieldManagerConflict');
}

/** Delay that the server requested by `Retry-After`. */
function retryAfterMs(error: unknown): number | undefined {
  if (!isApiError(error)) return undefined;
  const { retryAfterSeconds } = error;
  return retryAfterSeconds === undefined || !(retryAfterSeconds > 0) ? undefined : retryAfterSeconds * 1000;
}
