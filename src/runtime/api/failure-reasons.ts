/**
 * Reasons and causes of `ApiError`, with a predicate for each. The predicates check the structure of the
 * error, never its class, so they also work for errors of another copy of this package.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/
 */
import { type ApiError, isApiError } from './errors.ts';
import type { StatusCause } from './meta.ts';

declare const matched: unique symbol;

/**
 * An `ApiError` for which a predicate such as `isNotFound` returned true. The mark exists only for the
 * compiler, so that an error for which one predicate returns false is still an `ApiError` for the next one.
 */
export type MatchedError<Question extends string> = ApiError & {
  readonly [matched]: { readonly [Q in Question]: true };
};

/**
 * Reasons that identify a failure, each with the status code that implies it in an error without one of these
 * reasons; `null` if no code does. Each reason has a predicate below: `isNotFound` for `NotFound`.
 */
export const reasonCodes = {
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  AlreadyExists: null,
  Conflict: 409,
  Gone: 410,
  Invalid: 422,
  ServerTimeout: null,
  StoreReadError: null,
  Timeout: 504,
  TooManyRequests: 429,
  BadRequest: 400,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  InternalError: 500,
  Expired: null,
  ServiceUnavailable: 503,
} as const;

/** A reason that identifies a failure. */
export type FailureReason = keyof typeof reasonCodes;

/**
 * Returns whether the object or the resource does not exist. 404.
 * @example
 * ```ts
 * import { isNotFound } from '@kgen/runtime';
 *
 * const pods = clientset.coreV1.pods('shop');
 * await pods.delete('web-0').catch((error) => {
 *   if (!isNotFound(error)) throw error;
 * });
 * ```
 */
export function isNotFound(error: unknown): error is MatchedError<'NotFound'> {
  return failedWith(error, 'NotFound');
}

function failedWith(error: unknown, reason: FailureReason): boolean {
  if (!isApiError(error)) return false;
  if (error.reason === reason) return true;
  return error.code === reasonCodes[reason] && !Object.hasOwn(reasonCodes, error.reason);
}

/** Returns whether an object with the name already exists. A 409 without a reason never counts. */
export function isAlreadyExists(error: unknown): error is MatchedError<'AlreadyExists'> {
  return failedWith(error, 'AlreadyExists');
}

/**
 * Returns whether an error is a 409 with the reason `Conflict`: the object has changed since it was read,
 * another field manager owns an applied field, or a precondition failed. False for `AlreadyExists`.
 */
export function isConflict(error: unknown): error is MatchedError<'Conflict'> {
  return failedWith(error, 'Conflict');
}

/** Returns whether a resourceVersion or `continue` token is expired: start again with a list. 410. */
export function isExpired(error: unknown): error is MatchedError<'Expired'> {
  return failedWith(error, 'Expired') || failedWith(error, 'Gone');
}

/**
 * Returns whether the requested resource is permanently gone. 410; for versions and `continue` tokens use
 * `isExpired`.
 */
export function isGone(error: unknown): error is MatchedError<'Gone'> {
  return failedWith(error, 'Gone');
}

/**
 * Returns whether the object violates a rule of its schema or kind; `details.causes` contains the violations.
 * 422.
 */
export function isInvalid(error: unknown): error is MatchedError<'Invalid'> {
  return failedWith(error, 'Invalid');
}

/** Returns whether the server could not authenticate the caller. 401. */
export function isUnauthorized(error: unknown): error is MatchedError<'Unauthorized'> {
  return failedWith(error, 'Unauthorized');
}

/** Returns whether the caller lacks the permission. 403. */
export function isForbidden(error: unknown): error is MatchedError<'Forbidden'> {
  return failedWith(error, 'Forbidden');
}

/** Returns whether the request is malformed. 400. */
export function isBadRequest(error: unknown): error is MatchedError<'BadRequest'> {
  return failedWith(error, 'BadRequest');
}

/** Returns whether the resource does not support the verb. 405. */
export function isMethodNotAllowed(error: unknown): error is MatchedError<'MethodNotAllowed'> {
  return failedWith(error, 'MethodNotAllowed');
}

/** Returns whether the server does not support a requested format of the response. 406. */
export function isNotAcceptable(error: unknown): error is MatchedError<'NotAcceptable'> {
  return failedWith(error, 'NotAcceptable');
}

/**
 * Returns whether the server does not support the format of the body, for example a strategic merge patch of
 * a custom resource. 415.
 */
export function isUnsupportedMediaType(error: unknown): error is MatchedError<'UnsupportedMediaType'> {
  return failedWith(error, 'UnsupportedMediaType');
}

/** Returns whether the object is too large to be stored. 413. */
export function isRequestEntityTooLarge(error: unknown): error is MatchedError<'RequestEntityTooLarge'> {
  return failedWith(error, 'RequestEntityTooLarge');
}

/** Returns whether the server requests a later retry, see `retryAfterSeconds`. 429, for any reason. */
export function isTooManyRequests(error: unknown): error is MatchedError<'TooManyRequests'> {
  return failedWith(error, 'TooManyRequests') || (isApiError(error) && error.code === 429);
}

/** Returns whether the server, or a server behind it, is temporarily unavailable. 503. */
export function isServiceUnavailable(error: unknown): error is MatchedError<'ServiceUnavailable'> {
  return failedWith(error, 'ServiceUnavailable');
}

/**
 * Returns whether the reason is `ServerTimeout`, usually of a 500: the server did not complete the request in
 * time and expects the client to send it again. See `isTimeout` for 504.
 */
export function isServerTimeout(error: unknown): error is MatchedError<'ServerTimeout'> {
  return failedWith(error, 'ServerTimeout');
}

/** Returns whether the server did not complete the request in time; the change may have been made. 504. */
export function isTimeout(error: unknown): error is MatchedError<'Timeout'> {
  return failedWith(error, 'Timeout');
}

/** Returns whether the server, or a webhook that it called, had an internal error. 500. */
export function isInternalError(error: unknown): error is MatchedError<'InternalError'> {
  return failedWith(error, 'InternalError');
}

/**
 * Returns whether the stored object cannot be read by the server, because it cannot be decrypted or decoded.
 * 500.
 */
export function isStoreReadError(error: unknown): error is MatchedError<'StoreReadError'> {
  return failedWith(error, 'StoreReadError');
}

/** Reason of a field error, and `reason` of its cause in a `Status`. */
export type FieldReason =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'InternalError'
  | 'FieldValueTypeInvalid';

/**
 * Reasons of causes. For fields of a body: `FieldValue…`. For states: `FieldManagerConflict` (another manager
 * owns the field of an apply), `DisruptionBudget` (a budget prevents an eviction, and the message of the
 * cause names it), `NamespaceTerminating` (nothing can be created there any more), `ResourceVersionTooLarge`
 * (the server has not reached that version yet), `UnexpectedServerResponse` (not a `Status` of a Kubernetes
 * server: a page of a proxy, or an empty body). Servers may have others.
 */
export type CauseReason =
  | FieldReason
  | 'FieldManagerConflict'
  | 'DisruptionBudget'
  | 'NamespaceTerminating'
  | 'ResourceVersionTooLarge'
  | 'UnexpectedServerResponse'
  // Keeps completion for the names above while any other string is allowed.
  | (string & Record<never, never>);

/** Returns the causes with a reason: members of `details.causes` whose reason is `reason`. */
export function statusCauses(error: unknown, reason: CauseReason): readonly StatusCause[] {
  return isApiError(error) ? (error.details?.causes ?? []).filter((cause) => cause.reason === reason) : [];
}

/**
 * Returns whether one of the causes has the reason, such as `FieldManagerConflict` or
 * `ResourceVersionTooLarge`.
 */
export function hasStatusCause<Reason extends CauseReason>(
  error: unknown,
  reason: Reason,
): error is MatchedError<Reason> {
  return statusCauses(error, reason).length > 0;
}

/** Returns whether the namespace is being deleted, so that nothing can be created in it any more. 403. */
export function isNamespaceTerminating(error: unknown): error is MatchedError<'NamespaceTerminating'> {
  return hasStatusCause(error, 'NamespaceTerminating');
}
