/** Requests for Leases of one namespace. */
import { isNotFound } from '../../api/failure-reasons.ts';
import type { RESTClient } from '../../rest/client.ts';

const collection = '/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases';
const single = `${collection}/{name}`;

/** Access to the Leases of a namespace. Responses are decoded, and their members are not checked. */
export interface LeaseRequests {
  /** Returns a Lease; `undefined` if it does not exist. */
  read(name: string, signal: AbortSignal): Promise<unknown>;
  /** Returns the list of the Leases with a label, as stored when the request arrives or later. */
  list(labelSelector: string, signal: AbortSignal): Promise<unknown>;
  /** Creates a Lease, and returns the stored one. */
  create(lease: object, signal: AbortSignal): Promise<unknown>;
  /** Replaces a Lease, unless it has changed since the `resourceVersion` of the body. */
  update(name: string, lease: object, signal: AbortSignal): Promise<unknown>;
  /** Deletes a Lease, unless it has changed since a `resourceVersion`. */
  remove(name: string, resourceVersion: string): Promise<void>;
}

/**
 * Returns access to the Leases of a namespace. Each request is limited to half of `renewDeadlineMs`, at least
 * 1 s, so that a renewal has time for more than one attempt.
 */
export function leaseRequests(
  rest: RESTClient,
  { namespace, renewDeadlineMs }: { readonly namespace: string; readonly renewDeadlineMs: number },
): LeaseRequests {
  const timeoutMs = Math.max(1000, renewDeadlineMs / 2);
  return {
    async read(name, signal) {
      try {
        return await rest.get(single, { path: { namespace, name }, timeoutMs, signal });
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },
    // Without a resourceVersion, the server reads from its storage, or from a cache that is as new.
    list: (labelSelector, signal) =>
      rest.get(collection, { path: { namespace }, query: { labelSelector }, timeoutMs, signal }),
    create: (body, signal) => rest.post(collection, { path: { namespace }, body, timeoutMs, signal }),
    update: (name, body, signal) => rest.put(single, { path: { namespace, name }, body, timeoutMs, signal }),
    async remove(name, resourceVersion) {
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { resourceVersion } };
      await rest.delete(single, { path: { namespace, name }, body, timeoutMs });
    },
  };
}
