/** Number of concurrent requests. */
const width = 8;

/**
 * Runs a function for each item, a few at a time. Results are in the order of the items. Rejects with the
 * first error in that order, after all started calls have ended.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  run: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: { readonly value?: R; readonly cause?: unknown; readonly failed: boolean }[] = [];
  let next = 0;
  let failed = false;
  const work = async (): Promise<void> => {
    for (let index = next++; index < items.length && !failed; index = next++) {
      const item = items[index] as T; // seam: the index is below the length
      results[index] = await run(item).then(
        (value) => ({ value, failed: false }),
        (cause: unknown) => ({ cause, failed: true }),
      );
      failed ||= results[index]?.failed === true;
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return results.map((result) => {
    if (result.failed) throw result.cause;
    return result.value as R; // seam: a fulfilled promise has a value
  });
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
