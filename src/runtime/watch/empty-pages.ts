/** Limit on empty pages: a server may return a continue token with each empty page, for ever. */
import { DecodeError } from '../api/errors.ts';
import type { RequestOperation } from '../api/operation.ts';

/** Consecutive empty pages with a continue token, after which a list fails. Servers normally fill pages. */
const maxEmptyPages = 100;

/** @throws {DecodeError} if the limit of consecutive empty pages is reached */
export function checkEmptyPages(count: number, operation: RequestOperation): void {
  if (count < maxEmptyPages) return;
  const reason = `the server returned ${maxEmptyPages} empty pages of the list in a row, each with a token for another`;
  throw new DecodeError(reason, operation);
}
