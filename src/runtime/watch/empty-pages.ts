/** Lists that have no end: a server may name another page after each empty one. */
import { DecodeError } from '../errors.ts';
import type { Operation } from '../rest/types.ts';

/** Empty pages in a row, each with a token for another, after which a list is given up. Servers fill pages. */
export const maxEmptyPages = 100;

/** The error of a list that is given up. */
export function tooManyEmptyPages(operation: Operation): DecodeError {
  const reason = `the server returned ${maxEmptyPages} empty pages of the list in a row, each with a token for another`;
  return new DecodeError(reason, operation);
}
