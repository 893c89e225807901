/** Lists that have no end: a server may name another page after each empty one. */
import { DecodeError } from '../errors.ts';
import type { Operation } from '../rest/types.ts';

/** Empty pages in a row, each with a token for another, after which a list is given up. Servers fill pages. */
const maxEmptyPages = 100;

/** @throws {DecodeError} so many empty pages in a row that the list is given up */
export function checkEmptyPages(count: number, operation: Operation): void {
  if (count < maxEmptyPages) return;
  const reason = `the server returned ${maxEmptyPages} empty pages of the list in a row, each with a token for another`;
  throw new DecodeError(reason, operation);
}
