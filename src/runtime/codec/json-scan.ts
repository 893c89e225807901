/** Finds start and end of JSON values in bytes, without validation: the bytes are parsed afterwards. */

const quoteByte = 0x22;
const commaByte = 0x2c;
const colonByte = 0x3a;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Returns the first position at or after `at` that is not white space; `end` if there is none. */
export function skipSpace(bytes: Uint8Array, at: number, end: number): number {
  let next = at;
  while (next < end && isSpace(bytes[next])) next += 1;
  return next;
}

/** Returns whether a byte is one of the four white space characters of JSON. */
function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Finds the end of one value whose bytes arrive in chunks. Each byte is scanned once. */
export class ValueScanner {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #inScalar = false;

  /**
   * Returns the position after the value, scanning from `from` to `to`; -1 if the value continues. Start at
   * its first byte.
   */
  scan(bytes: Uint8Array, from: number, to: number): number {
    for (let at = from; at < to; at += 1) {
      const byte = bytes[at];
      if (this.#inString) {
        if (this.#endsString(byte) && this.#depth === 0) return at + 1;
      } else if (this.#inScalar) {
        if (endsScalar(byte)) return at;
      } else if (this.#closes(byte)) return at + 1;
    }
    return -1;
  }

  #endsString(byte: number | undefined): boolean {
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quoteByte) {
      this.#inString = false;
      return true;
    }
    return false;
  }

  /** Handles a byte outside of strings. Returns whether it ends the value. */
  #closes(byte: number | undefined): boolean {
    if (byte === quoteByte) this.#inString = true;
    else if (byte === openObject || byte === openList) this.#depth += 1;
    else if (byte === closeObject || byte === closeList) {
      this.#depth -= 1;
      return this.#depth <= 0;
    } else if (this.#depth === 0) this.#inScalar = true;
    return false;
  }
}

function endsScalar(byte: number | undefined): boolean {
  return byte === commaByte || byte === closeList || byte === closeObject || isSpace(byte);
}

/** Members that may be long lists: of every list, and of a table. */
const names = ['items', 'rows'] as const;
const keys: readonly (readonly [name: ItemsName, key: Buffer])[] = names.map((name) => [
  name,
  Buffer.from(JSON.stringify(name)),
]);

/** The name of a member that may be a long list. */
export type ItemsName = (typeof names)[number];

/** A list that is a member of the outermost object. */
export interface FoundItems {
  readonly name: ItemsName;
  /** Start of its bytes, after its bracket. */
  readonly start: number;
}

/**
 * Returns the first list that is the member `items` or `rows` of the outermost object, if it starts within
 * these bytes.
 */
export function findItems(bytes: Uint8Array): FoundItems | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Most bodies without items are excluded by this check.
  if (!keys.some(([, key]) => buffer.includes(key))) return undefined;
  const end = buffer.length;
  let at = skipSpace(buffer, 0, end);
  if (buffer[at] !== openObject) return undefined;
  at += 1;
  for (;;) {
    // A key, its colon, its value, and the comma after it.
    const key = skipSpace(buffer, at, end);
    const afterKey = buffer[key] === quoteByte ? new ValueScanner().scan(buffer, key, end) : -1;
    if (afterKey === -1) return undefined;
    const colon = skipSpace(buffer, afterKey, end);
    const value = skipSpace(buffer, colon + 1, end);
    if (buffer[colon] !== colonByte || value === end) return undefined;
    const known = keys.find(([, bytesOfKey]) => bytesOfKey.equals(buffer.subarray(key, afterKey)));
    if (buffer[value] === openList && known !== undefined) return { name: known[0], start: value + 1 };
    const afterValue = new ValueScanner().scan(buffer, value, end);
    if (afterValue === -1) return undefined;
    at = skipSpace(buffer, afterValue, end);
    if (buffer[at] !== commaByte) return undefined;
    at += 1;
  }
}
