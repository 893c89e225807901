import { isDeepStrictEqual } from 'node:util';

/**
 * Returns the differences between two values as lines: the path, and the value of each side. Empty if they
 * are deeply equal, with the same prototypes; the order of keys does not matter. For tables of differences,
 * for which the output of `toEqual` is too long.
 */
export function differences(left: unknown, right: unknown, path = ''): readonly string[] {
  if (isDeepStrictEqual(left, right)) return [];
  if (isTree(left) && isTree(right) && Array.isArray(left) === Array.isArray(right)) {
    const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
    const inside = [...keys].flatMap((key) =>
      differences(member(left, key), member(right, key), `${path}.${key}`),
    );
    // The digits of long integers are stored under a symbol. JSON keeps those of floating-point numbers too.
    if (inside.length > 0 || Object.getPrototypeOf(left) === Object.getPrototypeOf(right)) return inside;
  }
  return [`${path || 'all of it'}: ${shown(left)} instead of ${shown(right)}`];
}

const absent = Symbol('absent');

function member(tree: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(tree, key) ? tree[key] : absent;
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string {
  if (typeof value === 'symbol') return 'nothing';
  return (JSON.stringify(value) ?? String(value)).slice(0, 200);
}
