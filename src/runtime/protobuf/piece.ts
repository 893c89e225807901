/**
 * Bytes that an object holds until somebody looks at them. They lie beside the heap, where the collector does not copy them
 * again and again.
 */
import { asBuffer } from '../codec/as-buffer.ts';

/** Bytes within others, which nobody changes. */
export interface Piece {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** How bytes are held that are read from others. */
export type Hold = (bytes: Uint8Array, start: number, end: number) => Piece;

/** Where they lie: nobody changes the others, either. */
export function holdThere(bytes: Uint8Array, start: number, end: number): Piece {
  return { bytes, start, end };
}

/** In a copy of their own. */
export function holdAlone(bytes: Uint8Array, start: number, end: number): Piece {
  const copy = Buffer.allocUnsafeSlow(end - start);
  asBuffer(bytes).copy(copy, 0, start, end);
  return { bytes: copy, start: 0, end: copy.length };
}

const size: number = 16 * 1024;
let shared: Buffer = Buffer.alloc(0);
let used: number = size;

/**
 * In one buffer with others, which takes less time and memory. As long as one of them is held, all are: this is for objects
 * that come together, so that never more is held than came.
 */
export function holdTogether(bytes: Uint8Array, start: number, end: number): Piece {
  const length = end - start;
  if (length > size / 4) return holdAlone(bytes, start, end);
  if (used + length > size) {
    shared = Buffer.allocUnsafeSlow(size);
    used = 0;
  }
  const at = used;
  used += length;
  asBuffer(bytes).copy(shared, at, start, end);
  return { bytes: shared, start: at, end: used };
}

/** In a copy of their own, from several places one after the other: where each begins and ends. */
export function holdParts(bytes: Uint8Array, places: readonly number[]): Piece {
  const length = places.reduce((sum, place, index) => sum + (index % 2 === 0 ? -place : place), 0);
  const copy = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (let index = 0; index < places.length; index += 2)
    at += asBuffer(bytes).copy(copy, at, places[index], places[index + 1]);
  return { bytes: copy, start: 0, end: length };
}

/** The bytes of a piece, which are not to be changed. */
export function bytesOf({ bytes, start, end }: Piece): Uint8Array {
  return bytes.subarray(start, end);
}
