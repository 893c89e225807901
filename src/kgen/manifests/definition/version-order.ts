/** Order of the versions of an API: stable ones, then beta, then alpha, newest first; others by name. */
export function byPriority(a: string, b: string): number {
  const [first, second] = [rank(a), rank(b)];
  for (const [index, value] of first.entries()) {
    const difference = (second[index] ?? 0) - value;
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

const stages: ReadonlyMap<string | undefined, number> = new Map([
  [undefined, 3],
  ['beta', 2],
  ['alpha', 1],
]);

function rank(name: string): readonly [stage: number, major: number, minor: number] {
  const [, major, stage, minor] = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(name) ?? [];
  return major === undefined ? [0, 0, 0] : [stages.get(stage) ?? 0, Number(major), Number(minor ?? 0)];
}
