/** Size of changes in lines, for reports. */
import type { FileChange } from './plan.ts';

/** Number of lines that a change adds and removes. */
export interface LineCount {
  readonly added: number;
  readonly removed: number;
}

/**
 * Counts lines that only one of the two versions contains, between their common start and end. If lines were
 * only moved, they count on both sides.
 */
export function countLines(change: FileChange): LineCount {
  const before = lines(change.before);
  const after = lines(change.after);
  const head = shared(before, after);
  const tail = shared(before.slice(head).reverse(), after.slice(head).reverse());
  const removed = before.slice(head, before.length - tail);
  const added = after.slice(head, after.length - tail);
  const counts = { added: surplus(added, removed), removed: surplus(removed, added) };
  return counts.added + counts.removed > 0 ? counts : { added: added.length, removed: removed.length };
}

function lines(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function shared(a: readonly string[], b: readonly string[]): number {
  const end = Math.min(a.length, b.length);
  let count = 0;
  while (count < end && a[count] === b[count]) count += 1;
  return count;
}

/** Returns the number of lines in `a` without a counterpart in `b`. */
function surplus(a: readonly string[], b: readonly string[]): number {
  const partners = new Map<string, number>();
  for (const line of b) partners.set(line, (partners.get(line) ?? 0) + 1);
  return a.filter((line) => {
    const left = partners.get(line) ?? 0;
    partners.set(line, left - 1);
    return left <= 0;
  }).length;
}
