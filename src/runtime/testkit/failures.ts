import { ApiError, TransportError } from '../errors.ts';
import type { Status } from '../meta.ts';

function failure(code: number, reason: string, more: Partial<Status> = {}): Status {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: reason, ...more };
}

/** Statuses as servers send them. */
export const statuses = {
  expired: failure(410, 'Expired'),
  gone: failure(410, 'Gone'),
  ahead: failure(504, 'Timeout', { details: { causes: [{ reason: 'ResourceVersionTooLarge' }] } }),
  busy: failure(429, 'TooManyRequests', { details: { retryAfterSeconds: 7 } }),
  internal: failure(500, 'InternalError'),
  unavailable: failure(503, 'ServiceUnavailable'),
  forbidden: failure(403, 'Forbidden'),
  absent: failure(404, 'NotFound'),
  bad: failure(400, 'BadRequest'),
  unimplemented: failure(501, 'NotImplemented'),
} as const;

export type FailureName = keyof typeof statuses;

export function apiError(name: FailureName): ApiError {
  return new ApiError(statuses[name]);
}

export function refusedConnection(): TransportError {
  return new TransportError('connect ECONNREFUSED', undefined, { code: 'ECONNREFUSED' });
}
