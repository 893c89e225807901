/** Cycles of imports. */
import type { Edge } from './sources.ts';

/**
 * Returns the cycles of imports: each is the sorted list of all modules that import each other, directly or
 * through others. Imports of one file by itself are not counted.
 */
export function cyclesOf(edges: readonly Edge[]): readonly (readonly string[])[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const reached = new Map([...next.keys()].map((path) => [path, reachable(path, next)] as const));
  const found = new Map<string, readonly string[]>();
  for (const [path, targets] of reached) {
    const cycle = [...targets].filter((target) => reached.get(target)?.has(path)).sort();
    if (cycle.length > 1) found.set(cycle[0] ?? '', cycle);
  }
  return [...found.values()];
}

/** Returns all modules that a module imports, directly or through others; itself only in a cycle. */
function reachable(start: string, next: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [start];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const to of next.get(at) ?? []) {
      if (seen.has(to)) continue;
      seen.add(to);
      open.push(to);
    }
  }
  return seen;
}
