/** Number of concurrent requests, without those that take long. */
const width = 8;
/** Time after which a request does not delay the others any more, in milliseconds. */
const slowMs = 2000;

/**
 * Runs a function for each item, a few at a time. A call that takes long is left to itself, so that calls
 * that hang do not delay the others. Results are in the order of the items. Rejects with the first error in
 * that order, after all started calls have ended.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  run: (item: T) => Promise<R>,
  sleep: Sleep = sleepFor,
): Promise<readonly R[]> {
  const results: { readonly value?: R; readonly cause?: unknown; readonly failed: boolean }[] = [];
  const calls: Promise<void>[] = [];
  let next = 0;
  let failed = false;
  const work = async (): Promise<void> => {
    for (let index = next++; index < items.length && !failed; index = next++) {
      const item = items[index] as T; // seam: the index is below the length
      const call = run(item).then(
        (value) => {
          results[index] = { value, failed: false };
        },
        (cause: unknown) => {
          results[index] = { cause, failed: true };
          failed = true;
        },
      );
      calls.push(call);
      await orSlow(call, sleep);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  await Promise.all(calls);
  return results.map((result) => {
    if (result.failed) throw result.cause;
    return result.value as R; // seam: a fulfilled promise has a value
  });
}

/** Resolves after a time, or when the signal is aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Resolves when a call has ended, or is slow. */
async function orSlow(call: Promise<void>, sleep: Sleep): Promise<void> {
  const ended = new AbortController();
  await Promise.race([call, sleep(slowMs, ended.signal)]);
  ended.abort();
}

/**
 * Like `Promise.all`, but waits for all promises and rejects with the error of the first one in the given
 * order.
 */
export async function allInOrder<T extends readonly unknown[] | []>(
  promises: T,
): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  const failed = (await Promise.allSettled(promises)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return Promise.all(promises);
}
