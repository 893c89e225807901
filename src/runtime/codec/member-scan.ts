/**
 * Finds members of JSON objects in bytes as fast as possible. Checks only as much as is needed to find start
 * and end of a member of valid JSON. In other cases it returns -1 or `undefined`, and the bytes have to be
 * parsed.
 */
import { skipSpace } from './json-scan.ts';

const quoteByte = 0x22;
const commaByte = 0x2c;
const colonByte = 0x3a;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** A member of an object. */
export interface Member {
  /** Position of the separator before it: a comma, or the bracket of the object. */
  readonly start: number;
  /** Start of its value. */
  readonly value: number;
}

/**
 * Returns the first member with a key, which includes its quotes, of the object at `object`. Returns
 * `undefined` if there is none before `end`.
 */
export function findMember(
  bytes: Uint8Array,
  object: number,
  end: number,
  key: Uint8Array,
): Member | undefined {
  if (bytes[object] !== openObject) return undefined;
  let start = object;
  for (;;) {
    const name = skipSpace(bytes, start + 1, end);
    const afterName = bytes[name] === quoteByte ? afterString(bytes, name, end) : -1;
    const colon = afterName === -1 ? end : skipSpace(bytes, afterName, end);
    if (colon >= end || bytes[colon] !== colonByte) return undefined;
    const value = skipSpace(bytes, colon + 1, end);
    if (sameBytes(bytes, name, afterName, key)) return { start, value };
    const after = value < end ? afterValue(bytes, value, end) : -1;
    if (after === -1) return undefined;
    start = skipSpace(bytes, after, end);
    if (bytes[start] !== commaByte) return undefined;
  }
}

/** Returns whether a range has these bytes. */
export function sameBytes(bytes: Uint8Array, from: number, to: number, want: Uint8Array): boolean {
  if (to - from !== want.length) return false;
  for (let at = from, of = 0; at < to; at += 1, of += 1) if (bytes[at] !== want[of]) return false;
  return true;
}

/** Returns the position after the string whose opening quote is at `at`. */
export function afterString(bytes: Uint8Array, at: number, end: number): number {
  for (let next = at + 1; next < end; next += 1) {
    const byte = bytes[next];
    if (byte === quoteByte) return next + 1;
    if (byte === backslash) next += 1;
  }
  return -1;
}

/** Returns the position after the value at `at`, optionally after white space; -1 if the value continues. */
export function afterValue(bytes: Uint8Array, at: number, end: number): number {
  const byte = bytes[at];
  if (byte === quoteByte) return afterString(bytes, at, end);
  if (byte === openObject || byte === openList) return afterBrackets(bytes, at, end);
  return afterScalar(bytes, at, end);
}

/** Returns the position after the list or object whose opening bracket is at `at`. */
function afterBrackets(bytes: Uint8Array, at: number, end: number): number {
  let depth = 0;
  for (let next = at; next < end; next += 1) {
    const byte = bytes[next];
    if (byte === quoteByte) {
      const after = afterString(bytes, next, end);
      if (after === -1) return -1;
      next = after - 1;
    } else if (byte === openObject || byte === openList) depth += 1;
    else if (byte === closeObject || byte === closeList) {
      depth -= 1;
      if (depth === 0) return next + 1;
    }
  }
  return -1;
}

/** Returns the position of the comma or bracket after a number, `true`, `false` or `null`. */
function afterScalar(bytes: Uint8Array, at: number, end: number): number {
  for (let next = at; next < end; next += 1) {
    const byte = bytes[next];
    if (byte === commaByte || byte === closeObject || byte === closeList) return next;
  }
  return -1;
}

/**
 * Returns the position after a member that is a list and not the only member of its object, so that its bytes
 * from `member.start` can be removed; otherwise -1.
 */
export function endOfList(bytes: Uint8Array, member: Member, end: number): number {
  return canGo(bytes, member) ? beforeNext(bytes, afterBrackets(bytes, member.value, end), end) : -1;
}

/**
 * Guesses that the end of the list is the first closing bracket, which is found many times as fast. If the
 * bytes up to `end` are a complete JSON value and the guess is wrong, the remaining bytes are malformed: they
 * have an odd number of quotes, or unbalanced brackets. This does not hold for a prefix of a value.
 */
export function guessEndOfList(bytes: Buffer, member: Member, end: number): number {
  if (!canGo(bytes, member)) return -1;
  const found = bytes.indexOf(closeList, member.value);
  // There is no guess for nested lists: if the bytes are truncated after one, the rest might be valid JSON.
  const within = bytes.indexOf(openList, member.value + 1);
  if (within !== -1 && within < found) return -1;
  // Only lists of objects are relevant.
  return found < end && bytes[found - 1] === closeObject ? beforeNext(bytes, found + 1, end) : -1;
}

/** Without the first member, the rest of the object would start with a comma. */
function canGo(bytes: Uint8Array, { start, value }: Member): boolean {
  return bytes[start] === commaByte && bytes[value] === openList;
}

/** Returns the position if another member or the end of the object follows, otherwise -1. */
function beforeNext(bytes: Uint8Array, after: number, end: number): number {
  // Other brackets do not close a list.
  if (bytes[after - 1] !== closeList) return -1;
  const next = bytes[skipSpace(bytes, after, end)];
  return next === commaByte || next === closeObject ? after : -1;
}
