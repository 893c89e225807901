/** Requests that run at a time. */
const width = 8;

/**
 * Runs something for each item, a few at a time; results are in the order of the items. Rejects with the first failure
 * in that order, when all that was begun has ended.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  run: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: { value?: R; cause?: unknown; failed: boolean }[] = [];
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
    return result.value as R; // seam: what has not failed has a value
  });
}

/** `Promise.all`, but it waits for all, and the failure is that of the first that failed in the order given. */
export async function allInOrder<T extends readonly unknown[] | []>(
  promises: T,
): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  const failed = (await Promise.allSettled(promises)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return Promise.all(promises);
}
