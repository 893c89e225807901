/**
 * Error classes with a literal `name`, and their predicates. The predicates check `name` and a mark or the
 * structure, never the class, so they also work for errors of another copy of this package.
 *
 * No error contains a request or its headers, so credentials cannot leak through one.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/
 */
import { printable } from '../common/printable.ts';
import type { Status, StatusDetails } from './meta.ts';
import { describeOperation, type RequestOperation } from './operation.ts';

/** Maximum characters of a message: a list of invalid fields is long, and useful as a whole. */
const messageCharacters = 16_384;

/**
 * Equal in every copy of this package. A name is not sufficient, because `AbortSignal.timeout` has a
 * `TimeoutError` too.
 */
const brand = Symbol.for('@kgen/runtime/error');

/** Base class that distinguishes the errors of this package, of any copy, from others of the same name. */
export class OwnError extends Error {
  constructor(message?: string, options?: ErrorOptions) {
    super(message, options);
    Object.defineProperty(this, brand, { value: true });
  }
}

/** Base class of errors of one operation. */
export class OperationError extends OwnError {
  /** The failed operation. Absent for errors that were created without a request. */
  readonly operation: RequestOperation | undefined;

  constructor(message: string, operation?: RequestOperation, options?: ErrorOptions) {
    super(prefixed(operation, message), options);
    this.operation = operation;
  }
}

function prefixed(operation: RequestOperation | undefined, message: string): string {
  return operation === undefined ? message : `${describeOperation(operation)}: ${message}`;
}

/**
 * The server refused the request: its `Status`, or an equivalent for a response without one. Use
 * `isNotFound`, `isConflict` and the like to distinguish failures.
 */
export class ApiError extends OperationError {
  /** The unmodified Status of the server. The message shows its control characters as `?`. */
  readonly status: Partial<Status>;
  /** `code` of the Status, usually the HTTP status code; 0 if a Status in a watch has none. */
  readonly code: number;
  /** Machine-readable reason of the failure, such as `NotFound`; `Unknown` if the server sent none. */
  readonly reason: string;
  /** Details of the failure: object, causes and `retryAfterSeconds`; absent if the server sent none. */
  readonly details: StatusDetails | undefined;
  /** Delay before a retry that the server requests, in seconds. */
  readonly retryAfterSeconds: number | undefined;

  /** `hint`: additional information of the client, at the end of the message. */
  constructor(
    status: Partial<Status>,
    operation?: RequestOperation,
    options?: ErrorOptions & { readonly hint?: string | undefined },
  ) {
    const message = statusMessage(status);
    const hint = options?.hint;
    super(hint ? `${message.replace(/\.$/, '')}; ${hint}` : message, operation, options);
    this.status = status;
    this.code = status.code ?? 0;
    this.reason = status.reason || 'Unknown';
    this.details = status.details;
    this.retryAfterSeconds = status.details?.retryAfterSeconds;
  }

  override get name(): 'ApiError' {
    return 'ApiError';
  }
}

/** Line breaks of a Status structure its message: conflicts of server-side apply are one per line. */
function statusMessage(status: Partial<Status>): string {
  const head = [status.code, status.reason].filter(Boolean).join(' ');
  const words = [head, status.message].filter(Boolean).join(': ') || 'the server failed without a reason';
  const shown = words.length > messageCharacters ? `${words.slice(0, messageCharacters)}…` : words;
  return printable(shown, { kept: '\t\n' });
}

/**
 * The server could not be reached, or its response was interrupted: connection refused or reset, unknown
 * host, TLS. See `cause`.
 */
export class TransportError extends OperationError {
  /**
   * Code of the connection, as `ECONNRESET` or `TLS_CLIENT_CERTIFICATE_REQUIRED`; `CLIENT_CLOSED` if closed.
   */
  readonly code: string | undefined;

  constructor(
    message: string,
    operation?: RequestOperation,
    options?: ErrorOptions & { code?: string | undefined },
  ) {
    super(message, operation, options);
    this.code = options?.code;
  }

  override get name(): 'TransportError' {
    return 'TransportError';
  }
}

/** The call did not complete within `timeoutMs`. */
export class TimeoutError extends OperationError {
  override get name(): 'TimeoutError' {
    return 'TimeoutError';
  }
}

/** The configuration is invalid. The message contains its source, the problem and the solution. */
export class ConfigError extends OwnError {
  override get name(): 'ConfigError' {
    return 'ConfigError';
  }
}

/**
 * The server responded with success, but with a body that cannot be decoded: not JSON, truncated, or empty.
 */
export class DecodeError extends OperationError {
  override get name(): 'DecodeError' {
    return 'DecodeError';
  }
}

/** Returns whether an error has the name and is an error of this package, of any copy. */
export function isOwn(error: unknown, name: string): boolean {
  return isNamed(error, name) && brand in Object(error);
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Object && 'name' in error && error.name === name && 'message' in error;
}

/** Returns whether an error is an `ApiError`: the server refused the request. */
export function isApiError(error: unknown): error is ApiError {
  return (
    isNamed(error, 'ApiError') &&
    typeof Reflect.get(Object(error), 'reason') === 'string' &&
    typeof Reflect.get(Object(error), 'code') === 'number'
  );
}

/** Returns whether an error is a `TransportError`: there was no complete response. */
export function isTransportError(error: unknown): error is TransportError {
  return isOwn(error, 'TransportError');
}

/**
 * Returns whether an error is a `TimeoutError` of this package, and not the reason of `AbortSignal.timeout`.
 * Time-outs of the server are `isTimeout` and `isServerTimeout`.
 */
export function isTimeoutError(error: unknown): error is TimeoutError {
  return isOwn(error, 'TimeoutError');
}

/** Returns whether an error is a `ConfigError`: the configuration is invalid. */
export function isConfigError(error: unknown): error is ConfigError {
  return isOwn(error, 'ConfigError');
}

/** Returns whether an error is a `DecodeError`: the response cannot be decoded. */
export function isDecodeError(error: unknown): error is DecodeError {
  return isOwn(error, 'DecodeError');
}
