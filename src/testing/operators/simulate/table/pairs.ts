/** Pairs expected items with actual ones. Pure. */

/** The positions of two items that belong together, or of one that has no counterpart. */
export interface Pair {
  readonly expected: number | undefined;
  readonly actual: number | undefined;
}

/**
 * Pairs items in their order, so that the sum of the scores is as high as possible. Among equal sums, items
 * are paired as early as possible. A score of 0 stands for items that do not belong together.
 */
export function pairsOf(
  counts: { readonly expected: number; readonly actual: number },
  scoreOf: (expected: number, actual: number) => number,
): readonly Pair[] {
  const scores = Array.from({ length: counts.expected }, (_, expected) =>
    Array.from({ length: counts.actual }, (__, actual) => scoreOf(expected, actual)),
  );
  const sums = sumsOf(scores, counts.actual);
  const sum = (expected: number, actual: number): number => sums[expected]?.[actual] ?? 0;
  const pairs: Pair[] = [];
  for (let [expected, actual] = [0, 0]; expected < counts.expected || actual < counts.actual; ) {
    const score = scores[expected]?.[actual] ?? 0;
    const isPair = score > 0 && sum(expected, actual) === score + sum(expected + 1, actual + 1);
    const isMissing =
      !isPair && expected < counts.expected && sum(expected, actual) === sum(expected + 1, actual);
    pairs.push({
      expected: isPair || isMissing ? expected : undefined,
      actual: isMissing ? undefined : actual,
    });
    if (isPair || isMissing) expected += 1;
    if (!isMissing) actual += 1;
  }
  return pairs;
}

/** Returns the highest sum of scores of the items from each position on. */
function sumsOf(scores: readonly (readonly number[])[], actualCount: number): readonly (readonly number[])[] {
  let next: readonly number[] = Array.from({ length: actualCount + 1 }, () => 0);
  const sums = [next];
  for (const row of scores.toReversed()) {
    const current: number[] = Array.from({ length: actualCount + 1 }, () => 0);
    for (let actual = actualCount - 1; actual >= 0; actual -= 1) {
      const paired = (row[actual] ?? 0) + (next[actual + 1] ?? 0);
      current[actual] = Math.max(paired, next[actual] ?? 0, current[actual + 1] ?? 0);
    }
    sums.unshift(current);
    next = current;
  }
  return sums;
}
