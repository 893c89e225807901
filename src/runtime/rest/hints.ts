/** What this side knows of a failure besides the words of the server. */

/** By answer. */
const hints: WeakMap<object, string> = new WeakMap();

/** Notes what the error of an answer says at its end. */
export function noteHint(response: object, hint: string): void {
  const before = hints.get(response);
  hints.set(response, before === undefined ? hint : `${before}; ${hint}`);
}

/** What was noted of an answer. */
export function hintsOf(response: object): string | undefined {
  return hints.get(response);
}
