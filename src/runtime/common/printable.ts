/** Strings of servers and other programs in messages and logs. A module of its own: errors need only this. */

/**
 * Matches characters that must not reach a terminal: controls, line separators, changes of text direction.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find.
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** Returns whether a string has no characters that must not reach a terminal. */
export function isPrintable(text: string): boolean {
  return text.search(unprintable) < 0;
}

interface PrintableOptions {
  /** Characters that are not replaced. Default: none. */
  readonly kept?: string;
  /** Replacement of each character. Default: `?`. */
  readonly instead?: string;
}

/** Replaces each character that must not reach a terminal. */
export function printable(text: string, { kept = '', instead = '?' }: PrintableOptions = {}): string {
  return text.replaceAll(unprintable, (character) => (kept.includes(character) ? character : instead));
}
