import { ApiError, TimeoutError, TransportError } from '../../../src/runtime/api/errors.ts';
import type { Status } from '../../../src/runtime/api/meta.ts';
import { closedCode } from '../../../src/runtime/rest/abort/error-codes.ts';

function failure(code: number, reason: string, more: Partial<Status> = {}): Status {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: reason, ...more };
}

/** Statuses as servers send them. */
export const statuses = {
  expired: failure(410, 'Expired'),
  gone: failure(410, 'Gone'),
  ahead: failure(504, 'Timeout', { details: { causes: [{ reason: 'ResourceVersionTooLarge' }] } }),
  busy: failure(429, 'TooManyRequests', { details: { retryAfterSeconds: 7 } }),
  timeout: failure(504, 'Timeout'),
  internal: failure(500, 'InternalError'),
  unavailable: failure(503, 'ServiceUnavailable'),
  veryBusy: failure(429, 'TooManyRequests', { details: { retryAfterSeconds: 86_400 } }),
  unauthorized: failure(401, 'Unauthorized'),
  forbidden: failure(403, 'Forbidden'),
  absent: failure(404, 'NotFound'),
  bad: failure(400, 'BadRequest'),
  invalid: failure(422, 'Invalid'),
  unimplemented: failure(501, 'NotImplemented'),
} as const;

export type FailureName = keyof typeof statuses;

export function apiError(name: FailureName): ApiError {
  return new ApiError(statuses[name]);
}

export function refusedConnection(): TransportError {
  return new TransportError('connect ECONNREFUSED', undefined, { code: 'ECONNREFUSED' });
}

export function cutStream(): TransportError {
  return new TransportError('the stream was interrupted', undefined, { code: 'ECONNRESET' });
}

export function silentStream(): TimeoutError {
  return new TimeoutError('the stream timed out without data');
}

export function closedClient(): TransportError {
  return new TransportError('the client is closed', undefined, { code: closedCode });
}
