/**
 * Whether a predicate holds. A promise is true whatever it will give: an async predicate would end a wait at once.
 * @param name whose predicate it is
 * @throws {TypeError} it is async
 */
export function holds<A extends readonly unknown[]>(
  predicate: (...given: A) => unknown,
  name: string,
  ...given: A
): boolean {
  const answer = predicate(...given);
  if (answer instanceof Promise) {
    // Its failure would end the process, and says less than the error here.
    answer.catch(() => undefined);
    throw new TypeError(`the predicate of ${name} is async; it has to answer at once`);
  }
  return Boolean(answer);
}

/**
 * Where nothing may ever come that a predicate sees, a wait without one would not end.
 * @throws {TypeError} it is no function
 */
export function checkPredicate(predicate: unknown, what: string): void {
  if (typeof predicate !== 'function') throw new TypeError(`${what}: the predicate is no function`);
}
