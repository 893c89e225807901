/** The words of a failure, whatever was thrown. Never throws: it is called where nobody would hear of that. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return `a failure without words: ${typeof error}`;
  }
}

/**
 * Where a user's function gives a promise though none may be given, and an error says so: the promise's own failure must
 * not end the process as well.
 */
export function disown(value: unknown): void {
  Promise.resolve(value).catch(() => undefined);
}

/**
 * Calls what a user gave. What it throws, now or by a promise, becomes a warning of the process, and harms nobody.
 * @param name what is called, in the warning: `a listener for error`
 */
export function callSafely(call: () => unknown, name: string, warning: string): void {
  const warn = (error: unknown): void => process.emitWarning(`${name} failed: ${messageOf(error)}`, warning);
  try {
    Promise.resolve(call()).catch(warn);
  } catch (error) {
    warn(error);
  }
}
