/** Hints of the client for the errors of responses, in addition to the server's message. */

/** Hints by response. */
const hints: WeakMap<object, string> = new WeakMap();

/** Notes a hint that is appended to the error of a response. */
export function noteHint(response: object, hint: string): void {
  const before = hints.get(response);
  hints.set(response, before === undefined ? hint : `${before}; ${hint}`);
}

/** Returns the hint of a response. */
export function hintsOf(response: object): string | undefined {
  return hints.get(response);
}
