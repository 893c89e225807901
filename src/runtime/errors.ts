/**
 * What can go wrong, as classes with a literal `name`, and questions about errors as functions. The functions look at
 * `name` and at a mark or the shape, never at the class, so they also hold for errors of another copy of this package.
 *
 * No error carries a request or its headers: credentials cannot get out through one.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/
 */
import type { Status, StatusCause, StatusDetails } from './meta.ts';
import type { Operation } from './rest/types.ts';

/** Writes an operation the way error messages begin: `get pods shop/web-0`. */
export function describeOperation(operation: Operation): string {
  const { verb, resource, namespace, name } = operation;
  const object = [namespace, name].filter((part) => part !== undefined && part !== '').join('/');
  return object === '' ? `${verb} ${resource}` : `${verb} ${resource} ${object}`;
}

function prefixed(operation: Operation | undefined, message: string): string {
  return operation === undefined ? message : `${describeOperation(operation)}: ${message}`;
}

function statusMessage(status: Partial<Status>): string {
  const head = [status.code, status.reason].filter((part) => part !== undefined && part !== '').join(' ');
  const text = status.message ?? '';
  const words =
    [head, text].filter((part) => part !== '').join(': ') || 'the server failed without saying why';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a terminal.
  return words.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '?');
}

/** The same symbol in every copy of this package. A name alone says little: `AbortSignal.timeout` has a `TimeoutError` too. */
const brand = Symbol.for('@kgen/runtime/error');

/** What tells the errors of this package, of whatever copy, from others of the same name. */
export class OwnError extends Error {
  constructor(message?: string, options?: ErrorOptions) {
    super(message, options);
    Object.defineProperty(this, brand, { value: true });
  }
}

/**
 * The server said no: its `Status`, or what its answer amounts to where it is not one.
 * Tell failures apart with `isNotFound`, `isConflict` and the like.
 */
export class ApiError extends OwnError {
  /** The server's words, as they came; the message shows their control characters as `?`. */
  readonly status: Partial<Status>;
  /** HTTP status code; 0 when the server gave none. */
  readonly code: number;
  /** One word for the failure, such as `NotFound`; `Unknown` when the server gave none. */
  readonly reason: string;
  /** What the failure was about. */
  readonly details: StatusDetails | undefined;
  /** Seconds that the server asks to wait before the next try. */
  readonly retryAfterSeconds: number | undefined;
  /** What was asked for; absent for errors made without a request. */
  readonly operation: Operation | undefined;

  /** `hint`: what this side knows of it, at the end of the message. */
  constructor(
    status: Partial<Status>,
    operation?: Operation,
    options?: ErrorOptions & { hint?: string | undefined },
  ) {
    const hint = options?.hint === undefined ? '' : `; ${options.hint}`;
    super(prefixed(operation, `${statusMessage(status)}${hint}`), options);
    this.status = status;
    this.code = status.code ?? 0;
    this.reason = status.reason || 'Unknown';
    this.details = status.details;
    this.retryAfterSeconds = status.details?.retryAfterSeconds;
    this.operation = operation;
  }

  override get name(): 'ApiError' {
    return 'ApiError';
  }
}

/** The server could not be asked, or its answer was cut off: refused, reset, unknown host, TLS. See `cause`. */
export class TransportError extends OwnError {
  readonly operation: Operation | undefined;
  /** The system's or the connection's code, such as `ECONNRESET`; `CLIENT_CLOSED` after `close()`. */
  readonly code: string | undefined;

  constructor(
    message: string,
    operation?: Operation,
    options?: ErrorOptions & { code?: string | undefined },
  ) {
    super(prefixed(operation, message), options);
    this.operation = operation;
    this.code = options?.code;
  }

  override get name(): 'TransportError' {
    return 'TransportError';
  }
}

/** `timeoutMs` was over before the call was. */
export class TimeoutError extends OwnError {
  readonly operation: Operation | undefined;

  constructor(message: string, operation?: Operation, options?: ErrorOptions) {
    super(prefixed(operation, message), options);
    this.operation = operation;
  }

  override get name(): 'TimeoutError' {
    return 'TimeoutError';
  }
}

/** The configuration cannot be used: the message says where it comes from, what is wrong and what to do. */
export class ConfigError extends OwnError {
  override get name(): 'ConfigError' {
    return 'ConfigError';
  }
}

/** The server answered with success and something that is not what was asked for: no JSON, half of it, nothing. */
export class DecodeError extends OwnError {
  readonly operation: Operation | undefined;

  constructor(message: string, operation?: Operation, options?: ErrorOptions) {
    super(prefixed(operation, message), options);
    this.operation = operation;
  }

  override get name(): 'DecodeError' {
    return 'DecodeError';
  }
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Object && 'name' in error && error.name === name && 'message' in error;
}

/** Whether an error is of that name and of this package, of whatever copy. */
export function isOwn(error: unknown, name: string): boolean {
  return isNamed(error, name) && brand in Object(error);
}

/** Whether the server answered and said no. */
export function isApiError(error: unknown): error is ApiError {
  return (
    isNamed(error, 'ApiError') &&
    typeof Reflect.get(Object(error), 'reason') === 'string' &&
    typeof Reflect.get(Object(error), 'code') === 'number'
  );
}

/** Whether no answer came, or only half of one. */
export function isTransportError(error: unknown): error is TransportError {
  return isOwn(error, 'TransportError');
}

/**
 * Whether `timeoutMs` was over. Not for what else bears the name, as the reason of `AbortSignal.timeout`; the server's
 * own time-outs are `isTimeout` and `isServerTimeout`.
 */
export function isTimeoutError(error: unknown): error is TimeoutError {
  return isOwn(error, 'TimeoutError');
}

/** Whether the configuration cannot be used. */
export function isConfigError(error: unknown): error is ConfigError {
  return isOwn(error, 'ConfigError');
}

/** Whether the server's answer could not be read. */
export function isDecodeError(error: unknown): error is DecodeError {
  return isOwn(error, 'DecodeError');
}

declare const matched: unique symbol;

/**
 * An `ApiError` that a question such as `isNotFound` holds for. The mark is for the compiler alone, and never there: where
 * one question does not hold, an `ApiError` is still one, and others can be asked.
 */
export type MatchedError<Question extends string> = ApiError & {
  readonly [matched]: { readonly [Q in Question]: true };
};

/** Reasons that say it all. With any other the code decides. */
const knownReasons: ReadonlySet<string> = new Set([
  'Unauthorized',
  'Forbidden',
  'NotFound',
  'AlreadyExists',
  'Conflict',
  'Gone',
  'Invalid',
  'ServerTimeout',
  'StoreReadError',
  'Timeout',
  'TooManyRequests',
  'BadRequest',
  'MethodNotAllowed',
  'NotAcceptable',
  'RequestEntityTooLarge',
  'UnsupportedMediaType',
  'InternalError',
  'Expired',
  'ServiceUnavailable',
]);

function failedWith(error: unknown, reason: string, code?: number): boolean {
  if (!isApiError(error)) return false;
  return error.reason === reason || (error.code === code && !knownReasons.has(error.reason));
}

/** Whether the server has no such object, or no such resource. 404. */
export function isNotFound(error: unknown): error is MatchedError<'NotFound'> {
  return failedWith(error, 'NotFound', 404);
}

/** Whether an object of that name exists already. A 409 without a reason is never taken for this. */
export function isAlreadyExists(error: unknown): error is MatchedError<'AlreadyExists'> {
  return failedWith(error, 'AlreadyExists');
}

/** Whether somebody else was faster, or owns the field, or a precondition does not hold. 409. */
export function isConflict(error: unknown): error is MatchedError<'Conflict'> {
  return failedWith(error, 'Conflict', 409);
}

/** Whether a resourceVersion or `continue` token is too old for the server: start again from a list. 410. */
export function isExpired(error: unknown): error is MatchedError<'Expired'> {
  return failedWith(error, 'Expired') || failedWith(error, 'Gone', 410);
}

/** Whether what was asked for is gone for good. 410; of versions and `continue` tokens ask with `isExpired`. */
export function isGone(error: unknown): error is MatchedError<'Gone'> {
  return failedWith(error, 'Gone', 410);
}

/** Whether the object breaks a rule of its schema or of its kind; `details.causes` says which. 422. */
export function isInvalid(error: unknown): error is MatchedError<'Invalid'> {
  return failedWith(error, 'Invalid', 422);
}

/** Whether the server does not know who asks. 401. */
export function isUnauthorized(error: unknown): error is MatchedError<'Unauthorized'> {
  return failedWith(error, 'Unauthorized', 401);
}

/** Whether the server knows who asks, and does not allow it. 403. */
export function isForbidden(error: unknown): error is MatchedError<'Forbidden'> {
  return failedWith(error, 'Forbidden', 403);
}

/** Whether the request itself makes no sense to the server. 400. */
export function isBadRequest(error: unknown): error is MatchedError<'BadRequest'> {
  return failedWith(error, 'BadRequest', 400);
}

/** Whether the resource does not have that verb. 405. */
export function isMethodNotAllowed(error: unknown): error is MatchedError<'MethodNotAllowed'> {
  return failedWith(error, 'MethodNotAllowed', 405);
}

/** Whether the server cannot answer in a format that was asked for. 406. */
export function isNotAcceptable(error: unknown): error is MatchedError<'NotAcceptable'> {
  return failedWith(error, 'NotAcceptable', 406);
}

/** Whether the server cannot read the format of the body, for example a strategic merge patch of a custom resource. 415. */
export function isUnsupportedMediaType(error: unknown): error is MatchedError<'UnsupportedMediaType'> {
  return failedWith(error, 'UnsupportedMediaType', 415);
}

/** Whether the object is too large to be stored. 413. */
export function isRequestEntityTooLarge(error: unknown): error is MatchedError<'RequestEntityTooLarge'> {
  return failedWith(error, 'RequestEntityTooLarge', 413);
}

/** Whether the server asks to come back later, see `retryAfterSeconds`. 429, whatever the reason. */
export function isTooManyRequests(error: unknown): error is MatchedError<'TooManyRequests'> {
  return failedWith(error, 'TooManyRequests') || (isApiError(error) && error.code === 429);
}

/** Whether the server, or what stands behind it, is not there at the moment. 503. */
export function isServiceUnavailable(error: unknown): error is MatchedError<'ServiceUnavailable'> {
  return failedWith(error, 'ServiceUnavailable', 503);
}

/** Whether the server could not finish in time and asks to try again. */
export function isServerTimeout(error: unknown): error is MatchedError<'ServerTimeout'> {
  return failedWith(error, 'ServerTimeout');
}

/** Whether the server could not finish in time; the change may or may not have been made. 504. */
export function isTimeout(error: unknown): error is MatchedError<'Timeout'> {
  return failedWith(error, 'Timeout', 504);
}

/** Whether something broke in the server, or in a webhook that it asked. 500. */
export function isInternalError(error: unknown): error is MatchedError<'InternalError'> {
  return failedWith(error, 'InternalError', 500);
}

/** Whether the server has the object in its store and cannot read it: one that cannot be decrypted or decoded. 500. */
export function isStoreReadError(error: unknown): error is MatchedError<'StoreReadError'> {
  return failedWith(error, 'StoreReadError');
}

/**
 * What the causes of an error are called. Of a body: `FieldValue…`. Of a state: `FieldManagerConflict` (another manager
 * owns the field of an apply), `NamespaceTerminating` (nothing can be created there any more),
 * `ResourceVersionTooLarge` (the server has not seen that version yet), `UnexpectedServerResponse` (no `Status` of a
 * Kubernetes server: a proxy's page, or nothing). Servers may have others.
 */
export type CauseReason =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'FieldManagerConflict'
  | 'InternalError'
  | 'NamespaceTerminating'
  | 'ResourceVersionTooLarge'
  | 'UnexpectedServerResponse'
  // Keeps the names above on offer in editors while any other is taken.
  | (string & Record<never, never>);

/** The reasons under the reason: `details.causes` of the server's answer whose reason is `reason`. */
export function statusCauses(error: unknown, reason: CauseReason): readonly StatusCause[] {
  return isApiError(error) ? (error.details?.causes ?? []).filter((cause) => cause.reason === reason) : [];
}

/** Whether one of the causes has this reason, such as `FieldManagerConflict` or `ResourceVersionTooLarge`. */
export function hasStatusCause<Reason extends CauseReason>(
  error: unknown,
  reason: Reason,
): error is MatchedError<Reason> {
  return statusCauses(error, reason).length > 0;
}
