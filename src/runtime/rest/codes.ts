/** Codes of errors. */
import { errorCodeOf } from '../error-code.ts';
import { TransportError } from '../errors.ts';
import type { Operation } from './types.ts';

/** The code of requests to a client that is closed: unlike a broken connection, time does not heal it. */
export const closedCode = 'CLIENT_CLOSED';

/** The error of a request to a client that is closed. */
export function clientClosed(operation: Operation): TransportError {
  return new TransportError('the client is closed', operation, { code: closedCode });
}

/** The code of an error, or of the first error under it that has one. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const own = errorCodeOf(error);
  if (own !== undefined) return own;
  if (error instanceof AggregateError) return error.errors.map(errorCode).find((code) => code !== undefined);
  return errorCode(error.cause);
}
