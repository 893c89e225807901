/** Credentials in the `Authorization` header. */
import { ConfigError } from '../api/errors.ts';
import type { Credential } from './types.ts';

/**
 * Returns the credential of a bearer token; surrounding white space is removed.
 * @param from source of the token, for the message, which does not repeat the token
 * @throws {ConfigError} if the token is empty, or contains characters that headers cannot contain
 */
export function bearer(token: string, from: string): Credential {
  const trimmed = token.trim();
  if (trimmed === '') throw new ConfigError(`${from} is empty`);
  if (/[^\x21-\x7e]/.test(trimmed))
    throw new ConfigError(`${from} contains characters that are invalid in a token`);
  return { authorization: `Bearer ${trimmed}` };
}

/** Returns whether two credentials are equal: a retry with the second would be useless. */
export function sameCredential(a: Credential | undefined, b: Credential): boolean {
  return a?.authorization === b.authorization && a?.cert === b.cert && a?.key === b.key;
}
