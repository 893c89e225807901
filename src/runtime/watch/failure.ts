import { isApiError, isDecodeError, isExpired, isTimeoutError, isTransportError } from '../errors.ts';
import type { Status } from '../meta.ts';
import { closedCode } from '../rest/codes.ts';
import { longestRetryAfterSeconds } from '../rest/retry-after.ts';

/**
 * What a failure means to a machine.
 * - `expired`: the server no longer has the history from the resourceVersion or the token.
 * - `ahead`: the server has not seen the resourceVersion yet, and may never (it was restored from a backup).
 * - `absent`: there is no such resource.
 * - `refused`: the request is not allowed or not understood; the same request fails until somebody changes something.
 * - `garbled`: an answer that cannot be read.
 * - `transient`: what time heals: no answer, a broken stream, 429, 5xx.
 * - `closed`: the client is closed: no request will be sent any more.
 * - `broken`: anything else: the request could not even be made, such as with a bad configuration.
 */
export type Failure =
  | 'expired'
  | 'ahead'
  | 'absent'
  | 'refused'
  | 'garbled'
  | 'transient'
  | 'closed'
  | 'broken';

/** Codes below 500 that time heals. */
const HEALING: ReadonlySet<number> = new Set([408, 425, 429]);
const NOT_IMPLEMENTED = 501;

export function classify(error: unknown): Failure {
  if (isDecodeError(error)) return 'garbled';
  if (isTransportError(error)) return error.code === closedCode ? 'closed' : 'transient';
  if (isTimeoutError(error)) return 'transient';
  if (!isApiError(error)) return 'broken';
  const { code, status } = error;
  if (isExpired(error)) return 'expired';
  if (isAhead(status)) return 'ahead';
  if (code === 404) return 'absent';
  if (code === NOT_IMPLEMENTED) return 'refused';
  return code < 400 || code >= 500 || HEALING.has(code) ? 'transient' : 'refused';
}

/** Milliseconds that the server asks to wait before the next request, at most those of `longestRetryAfterSeconds`. */
export function retryAfterMs(error: unknown): number {
  const seconds = isApiError(error) ? (error.retryAfterSeconds ?? 0) : 0;
  return seconds > 0 ? Math.min(seconds, longestRetryAfterSeconds) * 1000 : 0;
}

/** Older servers say it only in words. */
function isAhead(status: Partial<Status>): boolean {
  return (
    status.details?.causes?.some((cause) => cause.reason === 'ResourceVersionTooLarge') === true ||
    status.message?.includes('Too large resource version') === true
  );
}
