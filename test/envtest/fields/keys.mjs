/** Returns the home in the key of a message: `core/v1` of `core/v1.Pod`; empty if it has none. */
export function homeOf(key) {
  return key.slice(0, Math.max(0, key.lastIndexOf('.')));
}

/** Returns values by key, in the order of the first occurrence of each key. */
export function grouped(values, keyOf) {
  const groups = new Map();
  for (const value of values) {
    const key = keyOf(value);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(value);
  }
  return groups;
}

/** Compares strings by code unit, independent of the locale. */
export function compare(a, b) {
  return a < b ? -1 : Number(a > b);
}
