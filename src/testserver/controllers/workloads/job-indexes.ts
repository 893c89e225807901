/** Completion indexes of Jobs. */
import { type JsonObject, text } from '@kgen/schema/values/json';

/** Label and annotation of a pod with its index. */
export const indexLabel = 'batch.kubernetes.io/job-completion-index';

/** Returns the index of a pod. `undefined` without one. */
export function indexOf(pod: JsonObject): number | undefined {
  const index = Number.parseInt(text(pod, 'metadata', 'annotations', indexLabel), 10);
  return Number.isNaN(index) ? undefined : index;
}

/** Returns the indexes that succeeded: those of the status, and those of pods that ended since. */
export function succeededIndexes(status: JsonObject, ended: readonly JsonObject[]): readonly number[] {
  const added = ended.map(indexOf).filter((index) => index !== undefined);
  return [...new Set([...parseIndexes(text(status, 'completedIndexes')), ...added])].sort((a, b) => a - b);
}

/** Returns the indexes without a pod that is active or succeeded. */
export function missingIndexes(
  completions: number,
  succeeded: readonly number[],
  active: readonly JsonObject[],
): readonly number[] {
  const taken = new Set([...succeeded, ...active.map(indexOf)]);
  return Array.from({ length: completions }, (_, index) => index).filter((index) => !taken.has(index));
}

/** Parses indexes such as `0-2,5`. */
export function parseIndexes(text: string): readonly number[] {
  return text
    .split(',')
    .filter(Boolean)
    .flatMap((part) => {
      const [first = 0, last = first] = part.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}

/** Formats sorted indexes as `0-2,5`. */
export function formatIndexes(indexes: readonly number[]): string {
  const ranges: { readonly first: number; last: number }[] = [];
  for (const index of indexes) {
    const range = ranges.at(-1);
    if (range !== undefined && range.last === index - 1) range.last = index;
    else ranges.push({ first: index, last: index });
  }
  return ranges
    .map(({ first, last }) => {
      if (first === last) return String(first);
      return last === first + 1 ? `${first},${last}` : `${first}-${last}`;
    })
    .join(',');
}
