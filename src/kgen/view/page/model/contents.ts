/** Contents of the states of one object. */
import { parsed } from '../../recording-lines.ts';
import { isRecord } from '../../secrets.ts';

/** Contents, oldest first. */
export interface Contents {
  /** Adds the newest one. Returns the bytes that the one before needs. */
  add(content: unknown): number;
  at(index: number): unknown;
  /** Drops the oldest one. Returns the bytes that it needed; 0 for the newest one. */
  drop(): number;
}

/** Contents as they are. */
export class PlainContents implements Contents {
  readonly #contents: unknown[] = [];

  add(content: unknown): number {
    this.#contents.push(content);
    return 0;
  }

  at(index: number): unknown {
    return this.#contents[index];
  }

  drop(): number {
    this.#contents.shift();
    return 0;
  }
}

/** The newest content as text; of the others, differences to the next one: a fraction of the memory. */
export class CompactContents implements Contents {
  /** JSON; empty for `undefined`. */
  #newest: string | undefined;
  readonly #deltas: string[] = [];

  add(content: unknown): number {
    const text = textOf(content);
    if (this.#newest === undefined) {
      this.#newest = text;
      return 0;
    }
    const delta = textOf(deltaOf(content, contentIn(this.#newest)));
    this.#deltas.push(delta);
    this.#newest = text;
    return delta.length;
  }

  at(index: number): unknown {
    let content = contentIn(this.#newest ?? '');
    for (let place = this.#deltas.length - 1; place >= index; place -= 1) {
      const delta = contentIn(this.#deltas[place] ?? '');
      // seam: `add` has written it.
      content = applied(delta as Delta | undefined, content);
    }
    return content;
  }

  drop(): number {
    const delta = this.#deltas.shift();
    if (delta === undefined) this.#newest = undefined;
    return delta?.length ?? 0;
  }
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

function contentIn(text: string): unknown {
  return text === '' ? undefined : parsed(text);
}

/** Turns one value into another one. It is itself a value of JSON. */
export type Delta = Replacement | Members;

/** The other value; absent for `undefined`. */
interface Replacement {
  readonly v?: unknown;
}

/** Members, or items of an array of the same length, that differ, and those that the other value lacks. */
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
