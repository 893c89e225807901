/** Differences between two values of JSON, from which one is computed with the other. */
import { isRecord } from '../../secrets.ts';

/** Turns one value into another one. It is itself a value of JSON. */
export type Delta = Replacement | Members;

/** The other value; absent for `undefined`. */
interface Replacement {
  readonly v?: unknown;
}

/** Members, or items of an array of the same length, that differ; those that the other value does not have. */
interface Members {
  readonly m: { readonly [name: string]: Delta };
  readonly d?: readonly string[];
}

/** Returns the delta that turns `from` into `to`; `undefined` if they are equal. */
export function deltaOf(from: unknown, to: unknown): Delta | undefined {
  if (Object.is(from, to)) return undefined;
  const isArray = Array.isArray(from);
  const isComparable = isArray
    ? Array.isArray(to) && from.length === to.length
    : isRecord(from) && isRecord(to);
  if (!isComparable || Array.isArray(to) !== isArray) return to === undefined ? {} : { v: to };
  const [one, other] = [entriesOf(from), entriesOf(to)];
  const changed: (readonly [string, Delta])[] = [];
  for (const [name, value] of other) {
    const delta = one.has(name) ? deltaOf(one.get(name), value) : { v: value };
    if (delta !== undefined) changed.push([name, delta]);
  }
  const removed = [...one.keys()].filter((name) => !other.has(name));
  if (changed.length === 0 && removed.length === 0) return undefined;
  return { m: Object.fromEntries(changed), ...(removed.length > 0 && { d: removed }) };
}

function entriesOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(value ?? {}));
}

/** Returns the value that a delta creates. */
export function applied(delta: Delta | undefined, from: unknown): unknown {
  if (delta === undefined) return from;
  if (!('m' in delta)) return delta.v;
  const entries = new Map(Object.entries(from ?? {}));
  for (const name of delta.d ?? []) entries.delete(name);
  for (const [name, inner] of Object.entries(delta.m)) entries.set(name, applied(inner, entries.get(name)));
  return Array.isArray(from) ? [...entries.values()] : Object.fromEntries(entries);
}
