/**
 * Strings from bytes. Names and values recur in the objects of a cluster: recent strings are found by their
 * bytes and shared, which is faster than creating them again and saves memory.
 */
import { isUtf8 } from 'node:buffer';

/** Each set has two places. */
const setBits = 11;
const places: number = 2 ** (setBits + 1);
/** Maximum length of a string that is looked up, in bytes. */
const longest = 128;
const notAscii: number = 0x80808080 | 0;

const strings: string[] = new Array<string>(places).fill('');
const hashes: Int32Array = new Int32Array(places);
/** Whether the string of a place recurred since another one claimed the place. */
const recurring: Uint8Array = new Uint8Array(places);
const arena: DataView = new DataView(new ArrayBuffer(places * longest));

const factor: number = 0x9e3779b1 | 0;
const otherFactor: number = 0x85ebca6b | 0;

/** Bytes, with a view that reads them as numbers. */
export interface Source {
  readonly bytes: Buffer;
  readonly view: DataView;
}

const shortBits = 10;
const shortStrings: string[] = new Array<string>(2 ** shortBits).fill('');
const firstWords: Int32Array = new Int32Array(2 ** shortBits);
const secondWords: Int32Array = new Int32Array(2 ** shortBits);

/**
 * Returns the string of these bytes; `undefined` if they are not UTF-8.
 *
 * All code is in one function on purpose: it is too large to be inlined into each function that reads a
 * message, which would take longer to compile.
 */
export function textOf(source: Source, start: number, end: number): string | undefined {
  const length = end - start;
  if (length === 0) return '';
  const { bytes, view } = source;
  if (length < 8) {
    // Two numbers and their count hold the whole string.
    let first = 0;
    let second = 0;
    if (length >= 4) {
      first = view.getInt32(start, true);
      if (length > 4) second = view.getInt32(end - 4, true) >>> (8 * (8 - length));
    } else {
      for (let at = end - 1; at >= start; at -= 1) first = (first << 8) | (bytes[at] ?? 0);
    }
    if (((first | second) & notAscii) !== 0) return anyText(bytes, start, end);
    second |= length << 24;
    const place = (Math.imul(first, factor) ^ Math.imul(second, otherFactor)) >>> (32 - shortBits);
    if (firstWords[place] === first && secondWords[place] === second) return shortStrings[place];
    return rememberShort(place, first, second, bytes.toString('latin1', start, end));
  }
  if (length > longest) return uniqueText(source, start, end);
  const last = end - 8;
  let hash = length;
  let other = hash;
  for (let at = start; at < last; at += 8) {
    hash = Math.imul(hash ^ view.getInt32(at, true), factor);
    other = Math.imul(other ^ view.getInt32(at + 4, true), otherFactor);
  }
  hash = Math.imul(hash ^ view.getInt32(last, true), factor);
  other = Math.imul(other ^ view.getInt32(last + 4, true), otherFactor);
  hash ^= other ^ (other >>> 15);
  const place = (hash >>> (31 - setBits)) & ~1;
  if (hashes[place] === hash && isAt(place, view, start, end)) return again(place);
  if (hashes[place + 1] === hash && isAt(place + 1, view, start, end)) return again(place + 1);
  if (!isAscii(view, start, end)) return anyText(bytes, start, end);
  const text = bytes.toString('latin1', start, end);
  remember(place, hash, text, view, start);
  return text;
}

/** Returns any string; `undefined` if the bytes are not UTF-8. */
function anyText(bytes: Buffer, start: number, end: number): string | undefined {
  return isUtf8(bytes.subarray(start, end)) ? bytes.toString('utf8', start, end) : undefined;
}

function isAscii(view: DataView, start: number, end: number): boolean {
  let all = 0;
  const last = end - 4;
  for (let at = start; at < last; at += 4) all |= view.getInt32(at, true);
  return ((all | view.getInt32(last, true)) & notAscii) === 0;
}

function again(place: number): string {
  recurring[place] = 1;
  return strings[place] ?? '';
}

/** Of two strings that claim one place, a recurring string takes precedence. */
function remember(first: number, hash: number, text: string, view: DataView, start: number): void {
  const place = freePlace(first);
  if (place === -1) return;
  strings[place] = '';
  const base = place * longest - start;
  const last = start + text.length - 8;
  for (let at = start; at < last; at += 8) if (!keepWord(base + at, view.getFloat64(at, true))) return;
  if (!keepWord(base + last, view.getFloat64(last, true))) return;
  strings[place] = text;
  hashes[place] = hash;
}

/** Returns the place of a set whose string did not recur; -1 if both did, and resets their marks. */
function freePlace(first: number): number {
  if (recurring[first + 1] === 0) return first + 1;
  recurring[first + 1] = 0;
  if (recurring[first] === 0) return first;
  recurring[first] = 0;
  return -1;
}

/** Stores eight bytes of a string. Returns false if all are 0. */
function keepWord(at: number, word: number): boolean {
  arena.setFloat64(at, word, true);
  return word !== 0;
}

/**
 * Returns whether a place has these bytes, of which there are at least 8. They are compared in groups of
 * eight as numbers: ASCII bytes are never NaN or minus zero, and no stored number is zero, so equal numbers
 * are equal bytes.
 */
function isAt(place: number, view: DataView, start: number, end: number): boolean {
  if (strings[place]?.length !== end - start) return false;
  const base = place * longest - start;
  const last = end - 8;
  for (let at = start; at < last; at += 8) {
    if (view.getFloat64(at, true) !== arena.getFloat64(base + at, true)) return false;
  }
  return view.getFloat64(last, true) === arena.getFloat64(base + last, true);
}

function rememberShort(place: number, first: number, second: number, text: string): string {
  firstWords[place] = first;
  secondWords[place] = second;
  shortStrings[place] = text;
  return text;
}

/** Returns a string that rarely recurs; `undefined` if the bytes are not UTF-8. */
export function uniqueText(source: Source, start: number, end: number): string | undefined {
  if (end - start < 8) return textOf(source, start, end);
  const { bytes, view } = source;
  return isAscii(view, start, end) ? bytes.toString('latin1', start, end) : anyText(bytes, start, end);
}

/** Returns whether these bytes are UTF-8. */
export function isText({ bytes, view }: Source, start: number, end: number): boolean {
  const ascii = end - start >= 4 ? isAscii(view, start, end) : areAscii(bytes, start, end);
  return ascii || isUtf8(bytes.subarray(start, end));
}

function areAscii(bytes: Buffer, start: number, end: number): boolean {
  let all = 0;
  for (let at = start; at < end; at += 1) all |= bytes[at] ?? 0;
  return all < 0x80;
}
