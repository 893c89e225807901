/** Requests of a member of a ring. */

import { isConflict, isNotFound, type RESTClient } from '@kgen/runtime';
import { leaseRequests } from '@kgen/runtime/election';
import { member } from '../members.ts';
import { type LeaseObject, type MemberLease, memberLease, ringLabel } from './member-lease.ts';
import type { RingSettings } from './ring-options.ts';

/** Access to the Leases of a ring. */
export interface RingClient {
  /** Returns all Leases, as stored when the request arrives or later. */
  list(signal: AbortSignal): Promise<readonly MemberLease[]>;
  create(lease: LeaseObject, signal: AbortSignal): Promise<MemberLease>;
  /** Replaces a Lease, unless it has changed since the object was read. */
  update(lease: LeaseObject, signal: AbortSignal): Promise<MemberLease>;
  /** Replaces a Lease of another member; does nothing if it has changed. */
  release(lease: LeaseObject, signal: AbortSignal): Promise<void>;
  /** Deletes a Lease, unless it has changed. */
  remove(lease: MemberLease): Promise<void>;
}

/** Returns access to a ring on a server. */
export function ringClient(rest: RESTClient, settings: RingSettings): RingClient {
  const { ring, field, lease } = settings;
  const requests = leaseRequests(rest, settings);
  return {
    async list(signal) {
      const response = await requests.list(`${ringLabel}=${ring}`, signal);
      return itemsOf(response).map((item) => memberLease(item, field));
    },
    create: async (object, signal) => memberLease(await requests.create(object, signal), field),
    update: async (object, signal) => memberLease(await requests.update(lease, object, signal), field),
    release: (object, signal) => unlessChanged(requests.update(object.metadata.name, object, signal)),
    remove: ({ name, version }) => unlessChanged(requests.remove(name, version)),
  };
}

function itemsOf(response: unknown): readonly unknown[] {
  // Servers may omit an empty list, or encode it as null.
  const items = member(response, 'items') ?? (member(response, 'kind') === 'LeaseList' ? [] : undefined);
  if (!Array.isArray(items)) throw new TypeError('the response to a list of Leases has no items');
  return items;
}

/** Ignores that another process has changed or deleted a Lease. */
async function unlessChanged(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
