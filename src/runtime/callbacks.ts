/** The words of a failure, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
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
