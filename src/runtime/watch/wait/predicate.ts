/**
 * Returns whether a predicate holds. An async predicate throws, because every promise is truthy and would end
 * a wait at once.
 * @param name the function that the predicate was passed to
 * @throws {TypeError} if the predicate is async
 */
export function holds<A extends readonly unknown[]>(
  predicate: (...given: A) => unknown,
  name: string,
  ...given: A
): boolean {
  const result = predicate(...given);
  if (result instanceof Promise) {
    // An unhandled rejection would end the process, and is less helpful than the error below.
    result.catch(() => undefined);
    throw new TypeError(`the predicate of ${name} is async; it must return a boolean synchronously`);
  }
  return Boolean(result);
}

/**
 * A wait without a predicate might never call it, and so never fail.
 * @throws {TypeError} if the predicate is not a function
 */
export function checkPredicate(predicate: unknown, what: string): void {
  if (typeof predicate !== 'function') throw new TypeError(`${what}: the predicate is not a function`);
}
