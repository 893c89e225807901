import { createHash } from 'node:crypto';

/** An answer of a server, as it is kept. */
export interface CacheEntry {
  /** What the server calls this state of the answer: its hash, its ETag, a generation. */
  readonly tag: string;
  /** The `Content-Type`. */
  readonly type: string;
  /** As it came. */
  readonly body: Uint8Array;
  /** SHA-256 of the body, in hexadecimal. */
  readonly hash: string;
}

/** More than any header of ours has. */
const maxHeaderBytes = 4096;

/** SHA-256, in hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** A line that describes the body, then the body. Undefined where the line would be too long to be read again. */
export function encodeEntry({ tag, type, body, hash }: CacheEntry): Uint8Array | undefined {
  const header = Buffer.from(`${JSON.stringify({ tag, type, hash })}\n`);
  return header.length > maxHeaderBytes ? undefined : Buffer.concat([header, body]);
}

/** Reads what `encodeEntry` wrote; undefined for anything else, down to a single changed byte. */
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
    const { tag, type, hash } = value as Readonly<Record<string, unknown>>; // seam: a file that anybody may have written
    const isWhole = typeof tag === 'string' && typeof type === 'string' && typeof hash === 'string';
    return isWhole ? { tag, type, hash } : undefined;
  } catch {
    // Not written by `encodeEntry`: then there is no entry.
    return undefined;
  }
}
