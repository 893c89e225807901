/**
 * What objects cannot hold and encoding needs again: unknown fields, and that a field was there although it was empty. It
 * is kept beside the object that was decoded, and goes with it.
 */
interface Kept {
  /** By what the fields of the message are called: an object may be two messages, one in the place of the other. */
  readonly unknown: Map<string, Uint8Array>;
  readonly empty: Set<number>;
}

const kept = new WeakMap<object, Kept>();
/** Most programs never keep anything: they need not look. */
let any = false;

function keptOf(message: object): Kept {
  any = true;
  const known = kept.get(message);
  if (known !== undefined) return known;
  const made: Kept = { unknown: new Map(), empty: new Set() };
  kept.set(message, made);
  return made;
}

/** Keeps the fields that the message does not know, with their tags. */
export function keepUnknown(message: object, fields: string, bytes: Uint8Array): void {
  keptOf(message).unknown.set(fields, bytes);
}

/** Keeps that a field was there and empty. */
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

/** What was kept with one object goes with another one. */
export function moveKept(from: object, to: object): void {
  const known = any ? kept.get(from) : undefined;
  if (known !== undefined) kept.set(to, known);
}
