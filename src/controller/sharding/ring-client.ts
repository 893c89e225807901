/** Requests of a member of a ring. */

import { isConflict, isNotFound, type RESTClient } from '@kgen/runtime';
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

const collection = '/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases';
const single = `${collection}/{name}`;

/** Returns access to a ring on a server. */
export function ringClient(
  rest: RESTClient,
  { namespace, ring, field, ...settings }: RingSettings,
): RingClient {
  const timeoutMs = Math.max(1000, settings.renewDeadlineMs / 2);
  const one = { namespace, name: settings.lease };
  return {
    async list(signal) {
      // Without a resourceVersion, the server reads from its storage, or from a cache that is as new.
      const query = { labelSelector: `${ringLabel}=${ring}` };
      const response = await rest.get(collection, { path: { namespace }, query, timeoutMs, signal });
      return itemsOf(response).map((item) => memberLease(item, field));
    },
    create: async (body, signal) =>
      memberLease(await rest.post(collection, { path: { namespace }, body, timeoutMs, signal }), field),
    update: async (body, signal) =>
      memberLease(await rest.put(single, { path: one, body, timeoutMs, signal }), field),
    async release(body, signal) {
      const path = { namespace, name: body.metadata.name };
      try {
        await rest.put(single, { path, body, timeoutMs, signal });
      } catch (error) {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    },
    async remove({ name, version }) {
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { resourceVersion: version } };
      try {
        await rest.delete(single, { path: { namespace, name }, body, timeoutMs });
      } catch (error) {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    },
  };
}

function itemsOf(response: unknown): readonly unknown[] {
  const items = member(response, 'items');
  if (!Array.isArray(items)) throw new TypeError('the response to a list of Leases has no items');
  return items;
}
