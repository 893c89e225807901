/** Credentials that are a header. */
import { ConfigError } from '../errors.ts';
import type { Credential } from './types.ts';

/**
 * The credential of a bearer token; white space around it is not part of it.
 * @param from what the token is from, for the message, which does not repeat the token
 * @throws {ConfigError} it is empty, or cannot be a header
 */
export function bearer(token: string, from: string): Credential {
  const trimmed = token.trim();
  if (trimmed === '') throw new ConfigError(`${from} is empty`);
  if (/[^\x21-\x7e]/.test(trimmed)) throw new ConfigError(`${from} has characters that a token cannot have`);
  return { authorization: `Bearer ${trimmed}` };
}

/** Whether two credentials prove the same: then there is no use in trying the second. */
export function sameCredential(a: Credential | undefined, b: Credential): boolean {
  return a?.authorization === b.authorization && a?.cert === b.cert && a?.key === b.key;
}
