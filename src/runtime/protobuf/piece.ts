/**
 * Bytes that an object holds until somebody looks at them. They lie beside the heap, where the collector does not copy them,
 * and many of them in one buffer: an object that is kept keeps at most that.
 */

const size: number = 16 * 1024;
/** Longer ones have a buffer of their own. */
const longest: number = size / 4;

let shared: Buffer = Buffer.alloc(0);
let used = 0;

/** Bytes within others, which nobody changes. */
export interface Piece {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** A copy of some bytes. */
export function copyOf(bytes: Buffer, start: number, end: number): Piece {
  const length = end - start;
  if (length > longest) return whole(Buffer.concat([bytes.subarray(start, end)]));
  if (used + length > shared.length) {
    shared = Buffer.allocUnsafeSlow(size);
    used = 0;
  }
  const at = used;
  used += length;
  bytes.copy(shared, at, start, end);
  return { bytes: shared, start: at, end: used };
}

/** Several pieces after one another. */
export function joined(pieces: readonly Piece[]): Piece {
  return whole(Buffer.concat(pieces.map(bytesOf)));
}

function whole(bytes: Buffer): Piece {
  return { bytes, start: 0, end: bytes.length };
}

/** The bytes of a piece, which are not to be changed. */
export function bytesOf({ bytes, start, end }: Piece): Buffer {
  return bytes.subarray(start, end);
}
