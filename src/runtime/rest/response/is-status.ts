import type { Status } from '../../api/meta.ts';

/** Returns whether a response is a `Status`, which may report a failure despite its HTTP status code. */
export function isStatus(value: unknown): value is Status {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'Status';
}

/** Returns the `Status` of a success whose response has no object. */
export function successStatus(): Status {
  return { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Success' };
}
