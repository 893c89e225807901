import { isApiError, isTimeoutError } from '../../api/errors.ts';
import { messageOf } from '../../common/callbacks.ts';

/**
 * Returns whether a failure is transient: there was no response, it was truncated, or the server could not
 * process the request. Refused requests are permanent failures.
 */
export function mayPass(error: unknown): boolean {
  return !isApiError(error) || error.code === 429 || error.code >= 500 || error.code < 400;
}

/** Returns whether to retry at once. A request that timed out is not retried. */
export function isWorthRetrying(error: Error): boolean {
  return mayPass(error) && !isTimeoutError(error);
}

/** Returns a thrown value as an error. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(messageOf(thrown));
}
