/** Calls of the SDK of OpenTelemetry, whose exporters and processors are code of the program. */

/** Returns the result of `call`; `undefined` if it throws: those who observe runs must not affect them. */
export function guarded<R>(call: () => R): R | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
