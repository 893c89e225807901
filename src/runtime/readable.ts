/** Values that a server or another program sent, as strings for messages. Nothing here throws, whatever the value is. */

/** A value as a string: JSON for objects and arrays. Never throws, unlike `String` and template literals. */
export function stringOf(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return (typeof value === 'object' ? JSON.stringify(value) : String(value)) ?? typeof value;
  } catch {
    return `[${typeof value}]`;
  }
}

/** Credentials as headers carry them. The words that may follow in a sentence, as in "invalid bearer token", are none. */
const credentials =
  /\b(bearer|basic)\s+(?!(?:tokens?|auth|authentication|authorization|credentials?)(?![\w~+/=-]))[\w.~+/=-]+/gi;

/** The text without bearer tokens and basic credentials: some servers and proxies repeat the request that they reject. */
export function hideCredentials(text: string): string {
  return text.replaceAll(credentials, '$1 [hidden]');
}

/** Bytes of a server's text in a message. */
const messageBytes = 2048;
/** Characters that are read for them. */
const readCharacters = 16_384;

/**
 * The text as messages repeat it: on one line, without control characters and credentials, and of a limited length, with
 * an ellipsis where it was cut.
 * @param limit bytes; default 2048
 */
export function readableText(text: string, limit: number = messageBytes): string {
  const words = text.slice(0, readCharacters);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not reach a terminal.
  const line = words.replaceAll(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  const bytes = Buffer.from(hideCredentials(line));
  if (bytes.length <= limit && words.length === text.length) return bytes.toString();
  // A character that is cut in two is left out.
  return `${bytes.toString('utf8', 0, limit).replace(/\uFFFD$/, '')}…`;
}
