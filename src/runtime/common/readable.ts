/**
 * Conversion of values from servers and other programs to strings for messages. Functions here never throw,
 * for any value.
 */

import { printable } from './printable.ts';
import { withoutSecrets } from './sent-secrets.ts';

/**
 * Converts a value to a string: JSON for objects and arrays. Never throws, unlike `String` and template
 * literals.
 */
export function stringOf(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return (typeof value === 'object' ? JSON.stringify(value) : String(value)) ?? typeof value;
  } catch {
    return `[${typeof value}]`;
  }
}

/** Matches credentials in the form of headers, but not in sentences such as "invalid bearer token". */
const credentials =
  /\b(bearer|basic)\s+(?!(?:tokens?|auth|authentication|authorization|credentials?)(?![\w~+/=-]))[\w.~+/=-]+/gi;

const privateKeys = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g;

/**
 * Replaces bearer tokens, basic credentials, private keys, and every credential that this process has sent,
 * in any form: some servers and proxies include the rejected request in their response.
 */
export function hideCredentials(text: string): string {
  return withoutSecrets(text).replaceAll(credentials, '$1 [hidden]').replaceAll(privateKeys, '[hidden]');
}

/** Maximum number of bytes of a server's message. */
const messageBytes = 2048;
/** Maximum number of characters that are processed for a message. */
const readCharacters = 16_384;

/**
 * Returns a string for messages: on one line, without control characters and credentials, and of limited
 * length, with an ellipsis if it was truncated.
 * @param limit bytes; default 2048
 */
export function readableText(text: string, limit: number = messageBytes): string {
  // A credential may contain characters that are replaced below, or exceed the part that is processed.
  const words = withoutSecrets(text).slice(0, readCharacters);
  const line = printable(words, { instead: ' ' }).replaceAll(/\s+/g, ' ').trim();
  const bytes = Buffer.from(hideCredentials(line));
  if (bytes.length <= limit && text.length <= readCharacters) return bytes.toString();
  // Drops a character that was truncated.
  return `${bytes.toString('utf8', 0, limit).replace(/\uFFFD$/, '')}…`;
}
