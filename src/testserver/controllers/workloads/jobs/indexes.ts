/** Completion indexes of Jobs, as sorted intervals: a Job may have millions of indexes. */
import { type JsonObject, text } from '@kgen/schema/values/json';

/** Label and annotation of a pod with its index. */
export const indexLabel = 'batch.kubernetes.io/job-completion-index';

/** Indexes from the first to the last one, both included. */
export type Interval = readonly [first: number, last: number];

/** Sorted intervals with a gap between each two. */
export type Intervals = readonly Interval[];

/** Returns the index of a pod. `undefined` without one. */
export function indexOf(pod: JsonObject): number | undefined {
  const value = text(pod, 'metadata', 'annotations', indexLabel);
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** Returns the intervals of the indexes of pods. */
export function indexesOf(pods: readonly JsonObject[]): Intervals {
  return union(
    pods.map(indexOf).flatMap((index): Interval[] => (index === undefined ? [] : [[index, index]])),
  );
}

/** Returns the union of intervals in any order. */
export function union(...parts: readonly Intervals[]): Intervals {
  const result: Interval[] = [];
  for (const [first, last] of parts.flat().toSorted(([a], [b]) => a - b)) {
    const before = result.at(-1);
    if (before === undefined || first > before[1] + 1) result.push([first, last]);
    else if (last > before[1]) result[result.length - 1] = [before[0], last];
  }
  return result;
}

/** Returns the number of indexes. */
export function total(intervals: Intervals): number {
  return intervals.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

/** Returns the indexes that both have. */
export function intersection(a: Intervals, b: Intervals): Intervals {
  return a.flatMap(([first, last]) =>
    b.flatMap(([from, to]): Interval[] => {
      const [low, high] = [Math.max(first, from), Math.min(last, to)];
      return low <= high ? [[low, high]] : [];
    }),
  );
}

/** Returns whether intervals contain an index. */
export function contains(intervals: Intervals, index: number): boolean {
  return intervals.some(([first, last]) => first <= index && index <= last);
}

/** Returns the first `count` indexes below `completions` that are not taken. */
export function freeIndexes(taken: Intervals, count: number, completions: number): readonly number[] {
  const found: number[] = [];
  let next = 0;
  for (const [first, last] of [...taken, [completions, completions] as const]) {
    for (; next < Math.min(first, completions) && found.length < count; next += 1) found.push(next);
    next = Math.max(next, last + 1);
  }
  return found;
}

/** Parses indexes such as `0-2,5`. Malformed parts, and indexes from `completions` on, are ignored. */
export function parseIndexes(value: string, completions: number): Intervals {
  const parts = value.split(',').flatMap((part): Interval[] => {
    const [, from, to = from] = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(part) ?? [];
    const [first, last] = [Number(from), Math.min(Number(to), completions - 1)];
    return first <= last ? [[first, last]] : [];
  });
  return union(parts);
}

/** Formats intervals as `0-2,5`. */
export function formatIndexes(intervals: Intervals): string {
  return intervals
    .map(([first, last]) => {
      if (first === last) return String(first);
      return last === first + 1 ? `${first},${last}` : `${first}-${last}`;
    })
    .join(',');
}
