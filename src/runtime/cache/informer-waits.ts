import { messageOf } from '../callbacks.ts';
import { describeOperation } from '../errors.ts';
import type { Operation } from '../rest/types.ts';
import { classify } from '../watch/failure.ts';

/** What a source does that does not know the whole state yet. */
export interface Waiting {
  /** The last request, and when it was sent. */
  readonly request: { readonly verb: string; readonly at: number } | undefined;
  /** What requests are about. */
  readonly target: Omit<Operation, 'verb'>;
  /** Why the last one failed. */
  readonly error: unknown;
  readonly now: number;
}

/** Why a source does not know the whole state, for messages. */
export function whyNotSynced({ request, target, error, now }: Waiting): string {
  if (error === undefined) {
    if (request === undefined) return 'has not asked the server yet';
    const seconds = Math.round((now - request.at) / 1000);
    return `waits for the whole state, asked for ${seconds} s ago: ${describeOperation({ verb: request.verb, ...target })}`;
  }
  const message = messageOf(error);
  switch (classify(error)) {
    case 'absent':
      return `the resource is not there, is its CRD installed? ${message}`;
    case 'refused':
      return `refused by the server: ${message}`;
    default:
      return message;
  }
}
