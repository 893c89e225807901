/** Functions on identifiers, for the modules that choose names and those that print them. */

/** Returns whether a string can be written as an identifier, reserved words included. */
export function isIdentifier(text: string): boolean {
  return /^[A-Za-z_$][0-9A-Za-z_$]*$/.test(text);
}

/** Returns the string with its first letter in upper case, independent of the locale. */
export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Returns the string with its leading capitals in lower case: an acronym as a whole, without the capital that
 * starts the next word (`HTTPRoute` -> `httpRoute`, `IP` -> `ip`, `NetworkPolicy` -> `networkPolicy`).
 */
export function lowerAcronym(text: string): string {
  const run = /^[A-Z]+/.exec(text)?.[0] ?? '';
  const wholeRun = run.length <= 1 || run.length === text.length || !/[a-z]/.test(text.charAt(run.length));
  const end = wholeRun ? run.length : run.length - 1;
  return text.slice(0, end).toLowerCase() + text.slice(end);
}

/** Compares strings by UTF-16 units, independent of the locale. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Returns the candidate that differs from `name` by the fewest edits (insertions, deletions, substitutions
 * and swaps of neighbours, upper and lower case being equal), or `undefined` if each differs by more than a
 * third of its length, and by more than two.
 */
export function closestName(name: string, candidates: Iterable<string>): string | undefined {
  let closest: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const most = Math.min(2, Math.floor(Math.max(name.length, candidate.length) / 3));
    if (Math.abs(name.length - candidate.length) > most) continue;
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (edits <= most && edits < fewest) [closest, fewest] = [candidate, edits];
  }
  return closest;
}

/** Returns the number of edits that turn `a` into `b` (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost, swap));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
