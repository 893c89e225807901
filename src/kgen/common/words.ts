/** Functions on identifiers, for the modules that choose names and those that print them. */

/** Returns whether a string can be written as an identifier, reserved words included. */
export function isIdentifier(text: string): boolean {
  return /^[A-Za-z_$][0-9A-Za-z_$]*$/.test(text);
}

/** Returns the string with its first letter in upper case, independent of the locale. */
export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Returns the string with its leading capitals in lower case: an acronym as a whole, without the capital that
 * starts the next word (`HTTPRoute` -> `httpRoute`, `IP` -> `ip`, `NetworkPolicy` -> `networkPolicy`).
 */
export function lowerAcronym(text: string): string {
  const run = /^[A-Z]+/.exec(text)?.[0] ?? '';
  const wholeRun = run.length <= 1 || run.length === text.length || !/[a-z]/.test(text.charAt(run.length));
  const end = wholeRun ? run.length : run.length - 1;
  return text.slice(0, end).toLowerCase() + text.slice(end);
}

/** Compares strings by UTF-16 units, independent of the locale. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
