/** Thrown values: their texts, and whether there is one. */

/** Returns the message of an error, or any other thrown value as a string. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the name and the message of an error, or any other thrown value as a string. */
export function errorText(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Returns whether a conversion throws nothing. */
export function throwsNothing(convert: () => unknown): boolean {
  try {
    convert();
    return true;
  } catch {
    return false;
  }
}
