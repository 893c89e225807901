/**
 * Data that objects cannot hold and that encoding needs: unknown fields, and the presence of empty fields.
 * Stored beside the decoded object and released with it.
 */
interface Kept {
  /**
   * By the fields of the message, because an object may consist of two messages, one inlined into the other.
   */
  readonly unknown: Map<string, Uint8Array>;
  readonly empty: Set<number>;
}

const kept = new WeakMap<object, Kept>();
/** Most programs never store anything, so that lookups can be skipped. */
let any = false;

function keptOf(message: object): Kept {
  any = true;
  const known = kept.get(message);
  if (known !== undefined) return known;
  const made: Kept = { unknown: new Map(), empty: new Set() };
  kept.set(message, made);
  return made;
}

/** Stores the unknown fields of a message with their tags. */
export function keepUnknown(message: object, fields: string, bytes: Uint8Array): void {
  keptOf(message).unknown.set(fields, bytes);
}

/** Stores that a field was present and empty. */
export function keepEmpty(message: object, number: number): void {
  keptOf(message).empty.add(number);
}

/** The unknown fields of a message, in the order they came. */
export function unknownOf(message: object, fields: string): Uint8Array | undefined {
  return any ? kept.get(message)?.unknown.get(fields) : undefined;
}

/** Whether the field was there and empty. */
export function wasEmpty(message: object, number: number): boolean {
  return any && kept.get(message)?.empty.has(number) === true;
}

/** Moves the data of one object to another one. */
export function moveKept(from: object, to: object): void {
  const known = any ? kept.get(from) : undefined;
  if (known !== undefined) kept.set(to, known);
}
