import { TimeoutError } from '../../api/errors.ts';
import type { KubernetesObject } from '../../api/meta.ts';
import type { RequestOperation } from '../../api/operation.ts';
import { messageOf } from '../../common/callbacks.ts';
import { isFields } from '../../common/fields.ts';
import { readableText, stringOf } from '../../common/readable.ts';
import { describeConditions } from './status.ts';

/** Maximum number of finalizers in a message. */
const named = 20;

/** Progress of a wait for an object, for its timeout error. */
export class Progress {
  #last: KubernetesObject | 'nothing yet' | undefined = 'nothing yet';
  #failure: { readonly error: unknown } | undefined;

  /** Records a state; `undefined` for an absent object. */
  seen(object: KubernetesObject | undefined): void {
    this.#last = object;
    this.#failure = undefined;
  }

  failed(error: unknown): void {
    this.#failure = { error };
  }

  /**
   * Returns the timeout error of the wait. It runs in timers, so it never throws, whatever the object and the
   * failure contain.
   * @param unmet the expectation that was not met: `condition not met within 20 ms`
   */
  timedOut(unmet: string, operation: RequestOperation): TimeoutError {
    const message = `${unmet}; last seen: ${describe(this.#last)}`;
    if (this.#failure === undefined) return new TimeoutError(message, operation);
    const { error } = this.#failure;
    return new TimeoutError(`${message}; last failure: ${messageOf(error)}`, operation, { cause: error });
  }
}

function describe(last: KubernetesObject | 'nothing yet' | undefined): string {
  if (last === 'nothing yet') return last;
  if (last === undefined) return 'no such object';
  // Data of the server: members may be of any type, and the metadata absent.
  const metadata: unknown = last.metadata;
  const { resourceVersion, deletionTimestamp, finalizers } = isFields(metadata) ? metadata : {};
  const deleting =
    deletionTimestamp === undefined ? '' : `being deleted since ${stringOf(deletionTimestamp)}`;
  const held =
    deleting !== '' && Array.isArray(finalizers) && finalizers.length > 0
      ? `held by finalizers ${finalizers.slice(0, named).map(stringOf).join(' ')}`
      : '';
  const version = `resourceVersion ${stringOf(resourceVersion)}`;
  const facts = [version, deleting, held].map((fact) => readableText(fact));
  return [...facts, describeConditions(last)].filter((fact) => fact !== '').join(', ');
}
