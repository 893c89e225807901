/** Calls of the SDK of OpenTelemetry, whose exporters and processors are code of the program. */

/** Returns the result of `call`; `undefined` if it throws: tracing must not affect runs. */
export function guarded<R>(call: () => R): R | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
