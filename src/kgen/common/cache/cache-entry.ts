/** Format of a cached response: damaged files are recognized by their hash. */
import { createHash } from 'node:crypto';

/** A cached response of a server. */
export interface CacheEntry {
  /** Identifies the state of the resource: a hash, an ETag, or a generation. */
  readonly tag: string;
  /** The `Content-Type`. */
  readonly type: string;
  /** The unmodified body. */
  readonly body: Uint8Array;
  /** SHA-256 of the body, in hexadecimal. */
  readonly hash: string;
}

/** Upper limit for the length of the header line, in bytes. */
const maxHeaderBytes = 4096;

/** Returns the SHA-256 in hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/**
 * Returns a line that describes the body, followed by the body. Returns `undefined` if the line would exceed
 * the limit.
 */
export function encodeEntry({ tag, type, body, hash }: CacheEntry): Uint8Array | undefined {
  const header = Buffer.from(`${JSON.stringify({ tag, type, hash })}\n`);
  return header.length > maxHeaderBytes ? undefined : Buffer.concat([header, body]);
}

/**
 * Reads the result of `encodeEntry`. Returns `undefined` for any other bytes, even if a single byte differs.
 */
export function decodeEntry(bytes: Uint8Array): CacheEntry | undefined {
  const end = bytes.subarray(0, maxHeaderBytes).indexOf(0x0a);
  if (end < 0) return undefined;
  const header = parseHeader(Buffer.from(bytes.buffer, bytes.byteOffset, end).toString('utf8'));
  const body = bytes.subarray(end + 1);
  return header !== undefined && header.hash === sha256(body) ? { ...header, body } : undefined;
}

function parseHeader(line: string): Omit<CacheEntry, 'body'> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null) return undefined;
    const { tag, type, hash } = value as Readonly<Record<string, unknown>>; // seam: the file may have been written by another program
    const isWhole = typeof tag === 'string' && typeof type === 'string' && typeof hash === 'string';
    return isWhole ? { tag, type, hash } : undefined;
  } catch {
    // Not a result of `encodeEntry`, so there is no entry.
    return undefined;
  }
}
