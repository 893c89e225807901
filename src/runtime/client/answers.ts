/** What answers mean. */
import { hasStatusCause, isNotFound } from '../errors.ts';
import type { KubernetesObject, Status } from '../meta.ts';
import { isStatus } from '../rest/client.ts';

/**
 * Whether the server knows the resource and has no such object; a path that it does not know is another matter: then it
 * says so without a status, or in one whose details name nothing.
 */
export function isAbsent(error: unknown): boolean {
  if (!isNotFound(error) || hasStatusCause(error, 'UnexpectedServerResponse')) return false;
  const { details } = error.status;
  return details === undefined || Boolean(details.name);
}

/** Servers respond to a deletion with the object, or with a `Status` whose details name it. Anything else has no uid. */
export function uidOf(answer: KubernetesObject | Status): string | undefined {
  const uid: unknown = isStatus(answer) ? answer.details?.uid : answer.metadata?.uid;
  return typeof uid === 'string' && uid !== '' ? uid : undefined;
}
