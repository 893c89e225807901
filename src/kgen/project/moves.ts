/** Files that were renamed: recognized by their lines, as by git. Pure. */

/**
 * Returns the new path of each file that has one: that of the most similar candidate, of which at least half
 * of the lines are equal. Each candidate is the new path of one file.
 */
export function findMoves(
  missing: ReadonlyMap<string, string>,
  candidates: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const pairs = [...missing].flatMap(([from, text]) =>
    [...candidates]
      .filter(([to]) => extensionOf(to) === extensionOf(from))
      .map(([to, other]) => ({ from, to, score: similarity(text, other) + bonus(from, to) })),
  );
  const moves = new Map<string, string>();
  const taken = new Set<string>();
  for (const { from, to, score } of pairs.sort((a, b) => b.score - a.score)) {
    if (score < least || moves.has(from) || taken.has(to)) continue;
    moves.set(from, to);
    taken.add(to);
  }
  return moves;
}

const least = 0.5;

/** Of equally similar files, the one with the same name in another folder is the file. */
function bonus(from: string, to: string): number {
  return from.split('/').at(-1) === to.split('/').at(-1) ? 0.01 : 0;
}

/** Returns the part of the lines that two texts have in common, from 0 to 1. Blank lines do not count. */
function similarity(one: string, other: string): number {
  const [lines, others] = [linesOf(one), linesOf(other)];
  const rest = new Map<string, number>();
  for (const line of others) rest.set(line, (rest.get(line) ?? 0) + 1);
  let common = 0;
  for (const line of lines) {
    const count = rest.get(line) ?? 0;
    if (count === 0) continue;
    rest.set(line, count - 1);
    common += 1;
  }
  return common / Math.max(lines.length, others.length, 1);
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '');
}

/** Returns the last extension of a path, with its dot; the name of a file without one. */
export function extensionOf(path: string): string {
  return /(?:\.|(?<![^./]))[^./]+$/.exec(path)?.[0] ?? '';
}
