/**
 * Compares versions in the order of Kubernetes: v2, v1, v2beta1, v1beta2, v1alpha1, then other names
 * alphabetically.
 */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [rank(a), rank(b)];
  for (const [index, part] of x.entries()) {
    const other = y[index] ?? 0;
    if (part !== other) return other - part;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

function rank(version: string): readonly [stability: number, major: number, minor: number] {
  const parts = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (parts === null) return [0, 0, 0];
  const stability = parts[2] === undefined ? 3 : parts[2] === 'beta' ? 2 : 1;
  return [stability, Number(parts[1]), Number(parts[3] ?? 0)];
}
