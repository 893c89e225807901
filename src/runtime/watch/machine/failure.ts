import { isApiError, isDecodeError, isTimeoutError, isTransportError } from '../../api/errors.ts';
import { isExpired } from '../../api/failure-reasons.ts';
import type { Status } from '../../api/meta.ts';
import { defaultTiming, type Timing } from '../../common/timing.ts';
import { closedCode } from '../../rest/abort/error-codes.ts';

/**
 * Classes of failures, by the reaction of a state machine.
 * - `expired`: the server no longer has the history since the resourceVersion, or the continue token has
 *   expired.
 * - `ahead`: the server has not reached the resourceVersion yet, and may never (it was restored from a
 *   backup).
 * - `absent`: the resource does not exist.
 * - `refused`: the request is forbidden or invalid; it fails again until a user changes something.
 * - `malformed`: the response cannot be decoded.
 * - `transient`: a later attempt may succeed: no response, an interrupted stream, 429, 5xx.
 * - `closed`: the client is closed, and sends no more requests.
 * - `broken`: anything else: the request could not be created, for example because of an invalid
 *   configuration.
 */
export type Failure =
  | 'expired'
  | 'ahead'
  | 'absent'
  | 'refused'
  | 'malformed'
  | 'transient'
  | 'closed'
  | 'broken';

/** Retryable status codes below 500. */
const healing: ReadonlySet<number> = new Set([408, 425, 429]);
const notImplemented = 501;

export function classify(error: unknown): Failure {
  if (isDecodeError(error)) return 'malformed';
  if (isTransportError(error)) return error.code === closedCode ? 'closed' : 'transient';
  if (isTimeoutError(error)) return 'transient';
  if (!isApiError(error)) return 'broken';
  const { code, status } = error;
  if (isExpired(error)) return 'expired';
  if (isAhead(status)) return 'ahead';
  if (code === 404) return 'absent';
  if (code === notImplemented) return 'refused';
  return code < 400 || code >= 500 || healing.has(code) ? 'transient' : 'refused';
}

/** Returns the delay of `Retry-After` in milliseconds, at most the limit of the policy. */
export function retryAfterMs(error: unknown, { maxRetryAfterMs }: Timing = defaultTiming): number {
  const seconds = isApiError(error) ? (error.retryAfterSeconds ?? 0) : 0;
  return seconds > 0 ? Math.min(seconds * 1000, maxRetryAfterMs) : 0;
}

/** Older servers report this only in the message. */
function isAhead(status: Partial<Status>): boolean {
  return (
    status.details?.causes?.some((cause) => cause.reason === 'ResourceVersionTooLarge') === true ||
    status.message?.includes('Too large resource version') === true
  );
}
