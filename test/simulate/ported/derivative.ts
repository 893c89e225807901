/** Comparisons of values, of which a derivative one ignores everything that is not set. */

/** Whether each member that is set in a value is equal in another one. Empty values count as not set. */
export function isDerivative(value: unknown, other: unknown): boolean {
  if (value === undefined || value === '' || value === 0) return true;
  if (Array.isArray(value)) {
    const others: readonly unknown[] = Array.isArray(other) ? other : [];
    return value.length <= others.length && value.every((item, index) => isDerivative(item, others[index]));
  }
  if (typeof value !== 'object' || value === null) return value === other;
  return Object.entries(value).every(([name, member]) => isDerivative(member, memberOf(other, name)));
}

/** Whether two values have the same members. */
export function isEqual(value: unknown, other: unknown): boolean {
  if (typeof value !== 'object' || typeof other !== 'object' || value === null || other === null)
    return value === other;
  const names = new Set([...Object.keys(value), ...Object.keys(other)]);
  return [...names].every((name) => isEqual(memberOf(value, name), memberOf(other, name)));
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
