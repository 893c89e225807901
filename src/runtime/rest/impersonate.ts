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

/** Half of a character of two: no UTF-8 has it, and what takes its place would be another one's name. */
const half = /\p{Cs}/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: no header can hold them.
const unsendable = /[\u0000-\u001f\u007f]|^ | $|\p{Cs}/u;

/**
 * The bytes of UTF-8. What is no header is refused, without repeating it, and so is what a server would cut: it would be
 * another one's name.
 */
function headerValue(value: string, what: string): string {
  if (typeof value !== 'string') throw new TypeError(`${what} to impersonate is a text, not ${typeof value}`);
  if (unsendable.test(value)) {
    const why =
      'it has a line break, another control character or half a character, or begins or ends with a space';
    throw new TypeError(`${what} to impersonate cannot be sent: ${why}`);
  }
  // Headers are written byte by byte.
  return Buffer.from(value, 'utf8').toString('latin1');
}

/**
 * The headers that make the server act as somebody else, with a character for each byte. Groups and extra values are
 * repeated headers.
 * @throws {TypeError} groups, uid or extra values without a user, an extra value without a name, or what cannot be sent
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
      throw new TypeError('an extra value to impersonate has a name that cannot be sent: half a character');
    }
    const name = `impersonate-extra-${escapeExtraKey(key)}`;
    for (const value of values)
      headers.push([name, headerValue(value, `the extra value ${JSON.stringify(key)}`)]);
  }
  return headers;
}
