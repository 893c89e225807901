/**
 * Conversion of values from servers and other programs to strings for messages. Functions here never throw,
 * for any value.
 */

import { printable } from './printable.ts';

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

/**
 * Replaces bearer tokens and basic credentials: some servers and proxies include the rejected request in
 * their response.
 */
export function hideCredentials(text: string): string {
  return text.replaceAll(credentials, '$1 [hidden]');
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
  const words = text.slice(0, readCharacters);
  const line = printable(words, { instead: ' ' }).replaceAll(/\s+/g, ' ').trim();
  const bytes = Buffer.from(hideCredentials(line));
  if (bytes.length <= limit && words.length === text.length) return bytes.toString();
  // Drops a character that was truncated.
  return `${bytes.toString('utf8', 0, limit).replace(/\uFFFD$/, '')}…`;
}
