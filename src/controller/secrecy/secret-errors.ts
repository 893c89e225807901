/**
 * Errors that may quote values of Secrets: those of requests for Secrets, and errors that contain them or
 * repeat their messages. Records, spans and recordings show their names only.
 */

import { errorOf } from '../errors.ts';
import { redactedText } from './rules.ts';

const secretErrors = new WeakSet<Error>();

/** Errors within one error that are examined: an error may be its own cause. */
const mostErrors = 20;

/** Marks an error that may quote values of a Secret. */
export function markSecretError(thrown: unknown): void {
  if (thrown instanceof Error) secretErrors.add(thrown);
}

/** Marks an error whose message repeats that of one of the errors. */
export function markQuotes(thrown: unknown, errors: readonly unknown[]): void {
  const { message } = errorOf(thrown);
  const isQuote = errors.some((error) => {
    const quoted = errorOf(error).message;
    return quoted !== '' && message.includes(quoted);
  });
  if (isQuote) markSecretError(thrown);
}

/** Returns whether an error is marked, or one of its causes or of its `errors`. Never throws. */
export function isSecretError(thrown: unknown): boolean {
  const left: unknown[] = [thrown];
  try {
    for (let count = 0; count < mostErrors && left.length > 0; count += 1) {
      const error = left.shift();
      if (!(error instanceof Error)) continue;
      if (secretErrors.has(error)) return true;
      left.push(error.cause);
      if (error instanceof AggregateError) left.push(...error.errors.slice(0, mostErrors));
    }
    return false;
  } catch {
    // Members that cannot be read.
    return true;
  }
}

/** Returns the message of an error; `(redacted)` if it may quote values of Secrets. */
export function publicMessage(thrown: unknown): string {
  return isSecretError(thrown) ? redactedText : errorOf(thrown).message;
}
