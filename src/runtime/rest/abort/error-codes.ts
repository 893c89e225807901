/** Error codes of requests. */

import { TransportError } from '../../api/errors.ts';
import type { RequestOperation } from '../../api/operation.ts';
import { errorCodeOf } from '../../common/error-code.ts';

/** Code of requests to a closed client: unlike for a broken connection, retries do not help. */
export const closedCode = 'CLIENT_CLOSED';

/** Returns the error of a request to a closed client. */
export function clientClosed(operation: RequestOperation): TransportError {
  return new TransportError('the client is closed', operation, { code: closedCode });
}

/** Returns the code of an error, or of its first cause that has one. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const own = errorCodeOf(error);
  if (own !== undefined) return own;
  if (error instanceof AggregateError) return error.errors.map(errorCode).find((code) => code !== undefined);
  return errorCode(error.cause);
}
