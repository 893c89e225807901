/** JSON that violates every schema: a server validates little of a custom resource with an open schema. */
import type { RandomSource } from '../../../src/runtime/common/clock.ts';

/** Values that break code which converts, compares or iterates without a check. */
export const hostileValues: readonly unknown[] = [
  null,
  0,
  -1,
  1e308,
  true,
  '',
  'x',
  '\u001b[2J\r\n\u009b',
  [],
  [null],
  [[]],
  ['x', 1, { toString: 1 }],
  {},
  { toString: 1, valueOf: 1 },
  { toString: null, valueOf: {} },
  { toJSON: 1, length: -1 },
  { constructor: { name: 1 }, hasOwnProperty: 1 },
  { message: { toString: 1 }, name: 1, stack: [] },
];

function pick<T>(random: RandomSource, from: readonly T[]): T | undefined {
  return from[Math.floor(random() * from.length)];
}

/**
 * Yields copies of a JSON value in which each place in turn, at any depth, is replaced by each hostile value,
 * or removed.
 */
export function* corruptions(value: unknown): Generator<{ readonly path: string; readonly value: unknown }> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    for (const bad of hostileValues)
      yield { path: `${key}=${JSON.stringify(bad)}`, value: withChild(value, key, bad) };
    yield { path: `without ${key}`, value: withChild(value, key, undefined) };
    for (const inner of corruptions(child)) {
      yield { path: `${key}.${inner.path}`, value: withChild(value, key, inner.value) };
    }
  }
}

/** Returns a copy in which about one place in six is replaced by a hostile value. */
export function corrupted(value: unknown, random: RandomSource): unknown {
  if (random() < 1 / 6) return pick(random, hostileValues);
  if (Array.isArray(value)) return value.map((child) => corrupted(child, random));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, corrupted(child, random)]));
}

function withChild(value: object, key: string, child: unknown): unknown {
  if (Array.isArray(value)) return value.map((each, index) => (String(index) === key ? child : each));
  const { [key]: _, ...others } = { ...value } as Record<string, unknown>;
  return child === undefined ? others : { ...others, [key]: child };
}
