/** Versions of one resource are ordered if both are decimal numbers, as Kubernetes guarantees. */
const decimalPattern = /^[1-9][0-9]*$/;

/** Returns whether a version can be compared with others. */
export function isOrdered(version: string): boolean {
  return decimalPattern.test(version);
}

/** Returns whether version `a` is certainly not newer than `b`: false for versions without an order. */
export function isNotNewer(a: string, b: string): boolean {
  if (!isOrdered(a) || !isOrdered(b)) return false;
  return a.length === b.length ? a <= b : a.length < b.length;
}

/** Returns whether version `a` is certainly older than `b`. */
export function isOlder(a: string, b: string): boolean {
  return a !== b && isNotNewer(a, b);
}
