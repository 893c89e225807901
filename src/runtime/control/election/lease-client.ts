/** Requests of an election. */
import { isAlreadyExists, isConflict } from '../../api/failure-reasons.ts';
import type { RESTClient } from '../../rest/client.ts';
import { type LeaseObject, type LeaseRecord, leaseRecord } from './lease.ts';
import { leaseRequests } from './lease-requests.ts';

/** Access to one lease. Every method rejects with `signal.reason` on abort. */
export interface LeaseClient {
  /** Returns the lease; `undefined` if it does not exist. */
  read(signal: AbortSignal): Promise<LeaseRecord | undefined>;
  /** Creates the lease. */
  create(lease: LeaseObject, signal: AbortSignal): Promise<LeaseRecord>;
  /** Replaces the lease, unless it has changed since the object was read. */
  update(lease: LeaseObject, signal: AbortSignal): Promise<LeaseRecord>;
}

/** Returns access to a lease on a server. */
export function leaseClient(
  rest: RESTClient,
  place: { readonly namespace: string; readonly name: string; readonly renewDeadlineMs: number },
): LeaseClient {
  const requests = leaseRequests(rest, place);
  return {
    async read(signal) {
      const response = await requests.read(place.name, signal);
      return response === undefined ? undefined : leaseRecord(response);
    },
    create: async (lease, signal) => leaseRecord(await requests.create(lease, signal)),
    update: async (lease, signal) => leaseRecord(await requests.update(place.name, lease, signal)),
  };
}

/** Returns whether the server did not execute a write because the lease had been changed or created. */
export function isLeaseConflict(error: unknown): boolean {
  return isConflict(error) || isAlreadyExists(error);
}
