import { messageOf } from '../callbacks.ts';
import { TimeoutError } from '../errors.ts';
import type { KubernetesObject } from '../meta.ts';
import type { Operation } from '../rest/types.ts';
import type { StoredObject } from '../types.ts';
import { describeConditions } from './status.ts';

type Seen = StoredObject & KubernetesObject;

/** How far a wait for an object has come, for the error that ends it. */
export class Progress {
  #last: Seen | 'nothing yet' | undefined = 'nothing yet';
  #failure: { readonly error: unknown } | undefined;

  /** `undefined`: there is no such object. */
  seen(object: Seen | undefined): void {
    this.#last = object;
    this.#failure = undefined;
  }

  failed(error: unknown): void {
    this.#failure = { error };
  }

  /** `unmet` says what did not happen: `not as wanted within 20 ms`. The last failure, if it still lasts, is the cause. */
  timedOut(unmet: string, operation: Operation): TimeoutError {
    const message = `${unmet}; last seen: ${describe(this.#last)}`;
    if (this.#failure === undefined) return new TimeoutError(message, operation);
    const { error } = this.#failure;
    return new TimeoutError(`${message}; last failure: ${messageOf(error)}`, operation, { cause: error });
  }
}

function describe(last: Seen | 'nothing yet' | undefined): string {
  if (last === 'nothing yet') return last;
  if (last === undefined) return 'no such object';
  const { resourceVersion, deletionTimestamp, finalizers } = last.metadata;
  const deleting = deletionTimestamp === undefined ? '' : `being deleted since ${deletionTimestamp}`;
  const held =
    deleting !== '' && Array.isArray(finalizers) && finalizers.length > 0
      ? `held by finalizers ${finalizers.join(' ')}`
      : '';
  const facts = [`resourceVersion ${resourceVersion}`, deleting, held, describeConditions(last)];
  return facts.filter((fact) => fact !== '').join(', ');
}
