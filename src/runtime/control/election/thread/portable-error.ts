/** Errors that cross the boundary of a thread, where only their data arrives. */
import { ApiError, isApiError, isTransportError, TransportError } from '../../../api/errors.ts';
import type { Status } from '../../../api/meta.ts';
import type { RequestOperation } from '../../../api/operation.ts';
import { messageOf } from '../../../common/callbacks.ts';

/** Data of an error. */
export interface PortableError {
  readonly name: string;
  readonly message: string;
  readonly operation: RequestOperation | undefined;
  /** Status of an `ApiError`. */
  readonly status: Partial<Status> | undefined;
  readonly code: string | undefined;
}

/** Returns the data of any thrown value. */
export function portableError(error: unknown): PortableError {
  const base = { message: messageOf(error), operation: undefined, status: undefined, code: undefined };
  if (isApiError(error)) {
    return { ...base, name: 'ApiError', operation: error.operation, status: error.status };
  }
  if (isTransportError(error)) return { ...base, name: 'TransportError', code: error.code };
  return { ...base, name: error instanceof Error ? error.name : 'Error' };
}

/** Returns an error with the data, of the same class if it is an `ApiError` or a `TransportError`. */
export function revivedError({ name, message, operation, status, code }: PortableError): Error {
  if (status !== undefined) return new ApiError(status, operation);
  if (name === 'TransportError') return new TransportError(message, undefined, { code });
  return Object.defineProperty(new Error(message), 'name', { value: name });
}
