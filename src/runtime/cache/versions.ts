/** Versions of one resource are ordered where both are decimal numbers, as Kubernetes promises them to be. */
const DECIMAL = /^[1-9][0-9]*$/;

/**
 * Whether version `a` is certainly not newer than `b`. Versions of another form say nothing about their order, and then
 * this is false.
 */
export function isNotNewer(a: string, b: string): boolean {
  if (!DECIMAL.test(a) || !DECIMAL.test(b)) return false;
  return a.length === b.length ? a <= b : a.length < b.length;
}

/** Whether version `a` is certainly older than `b`. */
export function isOlder(a: string, b: string): boolean {
  return a !== b && isNotNewer(a, b);
}
