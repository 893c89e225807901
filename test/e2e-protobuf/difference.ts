import { isDeepStrictEqual } from 'node:util';

/**
 * Where two values differ, as lines: their paths, and what is there on each side. Empty where they are deeply equal, with the
 * same prototypes; the order of keys does not matter. For tables of differences, in which `toEqual` would say too much.
 */
export function differences(left: unknown, right: unknown, path = ''): readonly string[] {
  if (isDeepStrictEqual(left, right)) return [];
  if (isTree(left) && isTree(right) && Array.isArray(left) === Array.isArray(right)) {
    const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
    const inside = [...keys].flatMap((key) =>
      differences(member(left, key), member(right, key), `${path}.${key}`),
    );
    // Digits of long integers are under a symbol. JSON has those of floating-point numbers too.
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
