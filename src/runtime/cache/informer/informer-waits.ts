import type { RequestOperation } from '../../api/operation.ts';
import { describeOperation } from '../../api/operation.ts';
import { messageOf } from '../../common/callbacks.ts';
import { classify } from '../../watch/machine/failure.ts';

/** Activity of a source that is not synced. */
export interface Waiting {
  /** Last request, and its time. */
  readonly request: { readonly verb: string; readonly at: number } | undefined;
  /** Target of the requests. */
  readonly target: Omit<RequestOperation, 'verb'>;
  /** Error of the last failed request. */
  readonly error: unknown;
  readonly now: number;
}

/** Returns the reason for which a source is not synced, for messages. */
export function whyNotSynced({ request, target, error, now }: Waiting): string {
  if (error === undefined) {
    if (request === undefined) return 'has not sent a request yet';
    const seconds = Math.round((now - request.at) / 1000);
    return `waits for the whole state, requested ${seconds} s ago: ${describeOperation({ verb: request.verb, ...target })}`;
  }
  const message = messageOf(error);
  switch (classify(error)) {
    case 'absent':
      return `the resource does not exist; is its CRD installed? ${message}`;
    case 'refused':
      return `rejected by the server: ${message}`;
    default:
      return message;
  }
}
