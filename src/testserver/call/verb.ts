/** Verbs as generators: they yield only the promises of webhooks, and run synchronously without any. */

/** A computation that yields the promises for which it waits. */
export type Verb<T> = Generator<Promise<unknown>, T, unknown>;

/** Waits for a promise within a verb, and returns its value. */
export function* wait<T>(promise: Promise<T>): Verb<T> {
  // The driver below resumes a verb with the value of the promise that it yielded.
  return (yield promise) as T;
}

/** Runs a verb: returns its result, or a promise of the result if the verb waits. */
export function runVerb<T>(verb: Verb<T>): T | Promise<T> {
  const step = verb.next();
  return step.done === true ? step.value : resume(verb, step.value);
}

async function resume<T>(verb: Verb<T>, first: Promise<unknown>): Promise<T> {
  let waiting = first;
  for (;;) {
    const step = await waiting.then(
      (value) => verb.next(value),
      (error: unknown) => verb.throw(error),
    );
    if (step.done === true) return step.value;
    waiting = step.value;
  }
}
