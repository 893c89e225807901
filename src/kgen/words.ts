/** What identifiers are made of, for the parts that decide names and for those that print them. */

/** True for a text that may be written as an identifier as it is, reserved words included. */
export function isIdentifier(text: string): boolean {
  return /^[A-Za-z_$][0-9A-Za-z_$]*$/.test(text);
}

/** The text with its first letter in upper case, independent of locale. */
export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Order of texts by UTF-16 units: the same in every locale. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
