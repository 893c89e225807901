/**
 * Data that objects cannot hold and that encoding needs: unknown fields, and the presence of empty fields.
 * Stored beside the decoded object and released with it.
 */
interface Preserved {
  /**
   * By the fields of the message, because an object may consist of two messages, one inlined into the other.
   */
  readonly unknown: Map<string, Uint8Array>;
  readonly empty: Set<number>;
}

const preserved = new WeakMap<object, Preserved>();
/** Most programs never store anything, so that lookups can be skipped. */
let any = false;

/** Stores the unknown fields of a message with their tags. */
export function keepUnknown(message: object, fields: string, bytes: Uint8Array): void {
  preservedOf(message).unknown.set(fields, bytes);
}

function preservedOf(message: object): Preserved {
  any = true;
  const known = preserved.get(message);
  if (known !== undefined) return known;
  const made: Preserved = { unknown: new Map(), empty: new Set() };
  preserved.set(message, made);
  return made;
}

/** Stores that a field was present and empty. */
export function keepEmpty(message: object, number: number): void {
  preservedOf(message).empty.add(number);
}

/** Returns the unknown fields of a message in their original order. */
export function unknownOf(message: object, fields: string): Uint8Array | undefined {
  return any ? preserved.get(message)?.unknown.get(fields) : undefined;
}

/** Returns whether the field was present and empty. */
export function wasEmpty(message: object, number: number): boolean {
  return any && preserved.get(message)?.empty.has(number) === true;
}

/** Moves the data of one object to another one. */
export function movePreserved(from: object, to: object): void {
  const known = any ? preserved.get(from) : undefined;
  if (known !== undefined) preserved.set(to, known);
}
