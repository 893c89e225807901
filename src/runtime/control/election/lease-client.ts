/** Requests of an election. */
import { isAlreadyExists, isConflict, isNotFound } from '../../api/errors.ts';
import type { RESTClient } from '../../rest/client.ts';
import { type LeaseObject, type LeaseRecord, leaseRecord } from './lease.ts';

/** Access to one lease. Every method rejects with `signal.reason` on abort. */
export interface LeaseClient {
  /** Returns the lease; `undefined` if it does not exist. */
  read(signal: AbortSignal): Promise<LeaseRecord | undefined>;
  /** Creates the lease. */
  create(lease: LeaseObject, signal: AbortSignal): Promise<LeaseRecord>;
  /** Replaces the lease, unless it has changed since the object was read. */
  update(lease: LeaseObject, signal: AbortSignal): Promise<LeaseRecord>;
}

const collection = '/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases';
const single = `${collection}/{name}`;

/** Returns access to a lease on a server. `timeoutMs` limits each request. */
export function leaseClient(
  rest: RESTClient,
  path: { readonly namespace: string; readonly name: string },
  timeoutMs: number,
): LeaseClient {
  const { namespace, name } = path;
  const one = { namespace, name };
  return {
    async read(signal) {
      try {
        return leaseRecord(await rest.get(single, { path: one, timeoutMs, signal }));
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },
    create: async (body, signal) =>
      leaseRecord(await rest.post(collection, { path: { namespace }, body, timeoutMs, signal })),
    update: async (body, signal) =>
      leaseRecord(await rest.put(single, { path: one, body, timeoutMs, signal })),
  };
}

/** Returns whether the server did not execute a write because the lease had been changed or created. */
export function isLeaseConflict(error: unknown): boolean {
  return isConflict(error) || isAlreadyExists(error);
}
