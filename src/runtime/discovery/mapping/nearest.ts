/** Maximum length of a name that is compared. Longer names are not typing errors. */
const longestWord = 64;

/**
 * Returns the number of characters to insert, delete, replace or transpose to convert one string into
 * another.
 */
export function distance(a: string, b: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const exchanged = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(before, j - 2) + 1 : replaced;
      next.push(Math.min(at(row, j) + 1, at(next, j - 1) + 1, replaced, exchanged));
    }
    before = row;
    row = next;
  }
  return at(row, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

/** Maximum number of compared entries: more than the largest clusters have. */
const mostThings = 10_000;
/** Maximum number of compared names of one entry. */
const mostWords = 10;

/** Returns the entries with a name that is similar to a string, the most similar first. */
export function nearest<T>(
  word: string,
  things: readonly T[],
  wordsOf: (thing: T) => readonly string[],
): readonly T[] {
  const wanted = word.toLowerCase();
  if (wanted.length > longestWord) return [];
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  const distanceOf = (name: string): number =>
    Math.abs(name.length - wanted.length) > allowed ? Number.POSITIVE_INFINITY : distance(wanted, name);
  const far = (thing: T): number =>
    Math.min(
      ...wordsOf(thing)
        .slice(0, mostWords)
        .map((name) => distanceOf(name.toLowerCase())),
    );
  return things
    .slice(0, mostThings)
    .map((thing) => ({ thing, far: far(thing) }))
    .filter(({ far }) => far <= allowed)
    .sort((a, b) => a.far - b.far)
    .map(({ thing }) => thing);
}
