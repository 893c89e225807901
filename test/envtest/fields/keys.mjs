/** The home in the key of a message: `core/v1` of `core/v1.Pod`; empty where there is none. */
export function homeOf(key) {
  return key.slice(0, Math.max(0, key.lastIndexOf('.')));
}

/** Values by key, in the order in which the keys come first. */
export function grouped(values, keyOf) {
  const groups = new Map();
  for (const value of values) {
    const key = keyOf(value);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(value);
  }
  return groups;
}

/** The same order everywhere, whatever the language of the machine. */
export function compare(a, b) {
  return a < b ? -1 : Number(a > b);
}
