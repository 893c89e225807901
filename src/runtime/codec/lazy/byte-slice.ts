/**
 * Off-heap bytes that an object holds until they are accessed, so that the garbage collector does not copy
 * them.
 */
import { asBuffer } from '../as-buffer.ts';

/** A range of bytes that are not modified. */
export interface ByteSlice {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** Takes a range of a larger buffer: `borrow`, `copy` or `copyPooled`. */
export type TakeSlice = (bytes: Uint8Array, start: number, end: number) => ByteSlice;

/** References the bytes in the larger buffer, which is not modified. */
export function borrow(bytes: Uint8Array, start: number, end: number): ByteSlice {
  return { bytes, start, end };
}

/** Copies the bytes to a buffer of their own. */
export function copy(bytes: Uint8Array, start: number, end: number): ByteSlice {
  const target = Buffer.allocUnsafeSlow(end - start);
  asBuffer(bytes).copy(target, 0, start, end);
  return { bytes: target, start: 0, end: target.length };
}

const size: number = 16 * 1024;
let shared: Buffer = Buffer.alloc(0);
let used: number = size;

/**
 * Copies the bytes to a shared buffer, which takes less time and memory. The buffer is released when none of
 * its parts is used, so it is suited for objects that arrive together.
 */
export function copyPooled(bytes: Uint8Array, start: number, end: number): ByteSlice {
  const length = end - start;
  if (length > size / 4) return copy(bytes, start, end);
  if (used + length > size) {
    shared = Buffer.allocUnsafeSlow(size);
    used = 0;
  }
  const at = used;
  used += length;
  asBuffer(bytes).copy(shared, at, start, end);
  return { bytes: shared, start: at, end: used };
}

/** Copies several ranges to one buffer. `places` contains their starts and ends. */
export function copyRanges(bytes: Uint8Array, places: readonly number[]): ByteSlice {
  const length = places.reduce((sum, place, index) => sum + (index % 2 === 0 ? -place : place), 0);
  const target = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (let index = 0; index < places.length; index += 2)
    at += asBuffer(bytes).copy(target, at, places[index], places[index + 1]);
  return { bytes: target, start: 0, end: length };
}

/** Returns the bytes of a range, which must not be modified. */
export function bytesOf({ bytes, start, end }: ByteSlice): Uint8Array {
  return bytes.subarray(start, end);
}
