import type { Impersonation } from '../options.ts';

/** Characters that may be part of a header's name. */
const token = /[!#$&'*+\-.^_`|~0-9A-Za-z]/;

/** Escapes the key of an extra value as the server expects it: everything that a header name cannot hold, and `%`. */
export function escapeExtraKey(key: string): string {
  return Array.from(new TextEncoder().encode(key.toLowerCase()), (byte) => {
    const char = String.fromCharCode(byte);
    return token.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}

/**
 * The headers that make the server act as somebody else. Groups and extra values are repeated headers.
 * @throws {TypeError} groups, uid or extra values without a user
 */
export function impersonationHeaders(as: Impersonation): [name: string, value: string][] {
  if (typeof as.user !== 'string' || as.user === '')
    throw new TypeError('impersonation needs a user; groups alone cannot be impersonated');
  const headers: [string, string][] = [['impersonate-user', as.user]];
  if (as.uid !== undefined && as.uid !== '') headers.push(['impersonate-uid', as.uid]);
  for (const group of as.groups ?? []) headers.push(['impersonate-group', group]);
  for (const [key, values] of Object.entries(as.extra ?? {})) {
    for (const value of values) headers.push([`impersonate-extra-${escapeExtraKey(key)}`, value]);
  }
  return headers;
}
