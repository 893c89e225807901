import type { Impersonation } from '../../api/options.ts';

/** Characters of header names. */
const token = /[!#$&'*+\-.^_`|~0-9A-Za-z]/;

/**
 * Escapes the key of an extra value as the server expects it: `%`, and all characters that header names
 * cannot contain.
 */
export function escapeExtraKey(key: string): string {
  return Array.from(new TextEncoder().encode(key.toLowerCase()), (byte) => {
    const char = String.fromCharCode(byte);
    return token.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}

/** A lone surrogate: UTF-8 cannot encode it, and its replacement character would name another user. */
const half = /\p{Cs}/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: no header can hold them.
const unsendable = /[\u0000-\u001f\u007f]|^ | $|\p{Cs}/u;

/**
 * Returns the headers that impersonate a user, with one character per byte. Groups and extra values are
 * repeated headers.
 * @throws {TypeError} for groups, uid or extra values without a user, an extra value without a name, or
 * values that headers cannot contain
 */
export function impersonationHeaders(as: Impersonation): [name: string, value: string][] {
  if (typeof as.user !== 'string' || as.user === '')
    throw new TypeError('impersonation needs a user; groups alone cannot be impersonated');
  const headers: [string, string][] = [['impersonate-user', headerValue(as.user, 'the user')]];
  if (as.uid !== undefined && as.uid !== '')
    headers.push(['impersonate-uid', headerValue(as.uid, 'the uid')]);
  for (const group of as.groups ?? []) headers.push(['impersonate-group', headerValue(group, 'a group')]);
  for (const [key, values] of Object.entries(as.extra ?? {})) {
    if (key === '') throw new TypeError('an extra value to impersonate has no name');
    if (half.test(key)) {
      throw new TypeError(
        'an extra value to impersonate has a name that cannot be sent: it contains a lone surrogate',
      );
    }
    const name = `impersonate-extra-${escapeExtraKey(key)}`;
    for (const value of values)
      headers.push([name, headerValue(value, `the extra value ${JSON.stringify(key)}`)]);
  }
  return headers;
}

/**
 * Returns the UTF-8 bytes of a value. Throws for values that headers cannot contain, without repeating them,
 * and for values that servers would trim, as these would name another user.
 */
function headerValue(value: string, what: string): string {
  if (typeof value !== 'string')
    throw new TypeError(`${what} to impersonate must be a string, got ${typeof value}`);
  if (unsendable.test(value)) {
    const why =
      'it contains a line break, another control character or a lone surrogate, or begins or ends with a space';
    throw new TypeError(`${what} to impersonate cannot be sent: ${why}`);
  }
  // Header values are written as Latin-1, one byte per character.
  return Buffer.from(value, 'utf8').toString('latin1');
}
