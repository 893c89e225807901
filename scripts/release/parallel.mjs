// Work on several values at once.

/**
 * Calls a function for each value, for a number of them at once, and returns the results in order.
 *
 * @template V, R
 * @param {readonly V[]} values
 * @param {number} count
 * @param {(value: V) => Promise<R>} call
 * @returns {Promise<readonly R[]>}
 */
export async function inParallel(values, count, call) {
  const results = [];
  const rest = values.entries();
  const worker = async () => {
    for (const [index, value] of rest) results[index] = await call(value);
  };
  await Promise.all(Array.from({ length: count }, worker));
  return results;
}
