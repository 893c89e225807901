/** Interpretation of responses. */

import { hasStatusCause, isNotFound } from '../../api/failure-reasons.ts';
import type { KubernetesObject, Status } from '../../api/meta.ts';
import { isStatus } from '../../rest/response/is-status.ts';

/**
 * Returns whether an error means that the object does not exist, although its resource does. For an unknown
 * path, servers respond without a status, or with one whose details contain no name.
 */
export function isAbsent(error: unknown): boolean {
  if (!isNotFound(error) || hasStatusCause(error, 'UnexpectedServerResponse')) return false;
  const { details } = error.status;
  return details === undefined || Boolean(details.name);
}

/**
 * Returns the uid in the response to a DELETE, which is the object or a `Status` with details of it. Any
 * other response has no uid.
 */
export function uidOf(response: KubernetesObject | Status): string | undefined {
  const uid: unknown = isStatus(response) ? response.details?.uid : response.metadata?.uid;
  return typeof uid === 'string' && uid !== '' ? uid : undefined;
}
