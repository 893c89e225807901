/** What answers mean. */
import { hasStatusCause, isNotFound } from '../errors.ts';
import type { KubernetesObject, Status } from '../meta.ts';

/** Whether the server knows the resource and has no such object; a path that it does not know is another matter. */
export function isAbsent(error: unknown): boolean {
  return isNotFound(error) && !hasStatusCause(error, 'UnexpectedServerResponse');
}

/** Whether a `Status` came where an object could have come. */
export function isStatus(answer: { kind?: string }): answer is Status {
  return answer.kind === 'Status';
}

/** Servers answer a deletion with the object, or with a `Status` whose details name it. */
export function uidOf(answer: KubernetesObject | Status): string | undefined {
  return isStatus(answer) ? answer.details?.uid : answer.metadata?.uid;
}
