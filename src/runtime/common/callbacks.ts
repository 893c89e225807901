/**
 * Returns the message of any thrown value. Never throws, because it is called in timers and event handlers.
 */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return `a failure without a message: ${typeof error}`;
  }
}

/**
 * Returns the error that `make` creates, or the value that it throws: in a timer, a promise must be rejected
 * in any case.
 */
export function errorFrom(make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    return error;
  }
}

/**
 * Handles the rejection of a promise that a callback must not return, so that it does not end the process.
 */
export function disown(value: unknown): void {
  new Promise((resolve) => resolve(value)).catch(() => undefined);
}

/**
 * Calls a callback and never throws: an exception, or the rejection of a returned promise, becomes a process
 * warning.
 * @param name the name of the function in the warning: `a listener for error`
 */
export function callSafely(call: () => unknown, name: string, warning: string): void {
  const warn = (error: unknown): void => process.emitWarning(`${name} failed: ${messageOf(error)}`, warning);
  new Promise((resolve) => resolve(call())).catch(warn);
}

/**
 * Cancels a response and never throws, so that it can be used in a `finally` or `catch` clause: an exception
 * of `cancel` of a custom transport becomes a process warning.
 */
export function cancel(response: { cancel(): void }): void {
  callSafely(() => response.cancel(), 'cancel() of a response', 'ResponseWarning');
}
