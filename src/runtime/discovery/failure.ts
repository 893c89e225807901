import { messageOf } from '../callbacks.ts';
import { isApiError, isTimeoutError } from '../errors.ts';

/**
 * Whether an answer to the same question may be another soon: no answer came, it was cut off, or the server could not
 * give one. What the server refuses stays refused.
 */
export function mayPass(error: unknown): boolean {
  return !isApiError(error) || error.code === 429 || error.code >= 500 || error.code < 400;
}

/** Whether to ask again at once: not where that took all of its time and would again. */
export function isWorthRetrying(error: Error): boolean {
  return mayPass(error) && !isTimeoutError(error);
}

/** What was thrown, as an error. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(messageOf(thrown));
}
