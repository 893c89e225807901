/** Headers of tar archives in the formats ustar and pax. */

/** An entry of an archive. */
export interface TarHeader {
  readonly kind: 'file' | 'directory' | 'symlink';
  /** Relative path. */
  readonly path: string;
  readonly mode: number;
  /** Seconds since 1970. */
  readonly mtime: number;
  /** Bytes of the content, which follows the header and is padded to a multiple of 512. */
  readonly size: number;
  /** Target of a symbolic link. */
  readonly target?: string;
}

const blockBytes = 512;
const flags = { file: '0', directory: '5', symlink: '2' } as const;
/** Largest size that fits into a header without an extension. */
const largestSize = 0o77777777777;

/** End of an archive. */
export const tarEnd: Uint8Array = new Uint8Array(2 * blockBytes);

/** Returns the header of an entry, preceded by an extended one if it is needed. */
export function tarHeader(header: TarHeader): Uint8Array {
  const path = header.kind === 'directory' ? `${header.path}/` : header.path;
  const records = [
    ...(isShort(path, 100) ? [] : [record('path', path)]),
    ...(isShort(header.target ?? '', 100) ? [] : [record('linkpath', header.target ?? '')]),
    ...(header.size <= largestSize ? [] : [record('size', String(header.size))]),
  ];
  const own = block({ ...header, path }, flags[header.kind]);
  if (records.length === 0) return own;
  const content = Buffer.concat(records);
  const extension = { ...header, path: 'PaxHeader', size: content.length, target: '' };
  return Buffer.concat([block(extension, 'x'), content, tarPadding(content.length), own]);
}

/** Returns the bytes after a content of this size. */
export function tarPadding(size: number): Uint8Array {
  return new Uint8Array((blockBytes - (size % blockBytes)) % blockBytes);
}

/** Longer names, and those beyond ASCII, have an extended header. */
function isShort(text: string, most: number): boolean {
  return text.length <= most && /^[\x20-\x7e]*$/.test(text);
}

/** The length at the beginning of a record includes its own digits. */
function record(name: string, value: string): Buffer {
  const rest = Buffer.from(` ${name}=${value}\n`);
  const digits = [1, 2, 3, 4, 5, 6, 7].find((count) => String(rest.length + count).length === count) ?? 0;
  return Buffer.concat([Buffer.from(String(rest.length + digits)), rest]);
}

function block({ path, mode, mtime, size, target = '' }: TarHeader, flag: string): Buffer {
  const bytes = Buffer.alloc(blockBytes);
  bytes.write(path, 0, 100);
  octal(bytes, mode & 0o777, 100, 8);
  octal(bytes, 0, 108, 8);
  octal(bytes, 0, 116, 8);
  octal(bytes, size <= largestSize ? size : 0, 124, 12);
  octal(bytes, Math.min(Math.max(0, Math.floor(mtime)), largestSize), 136, 12);
  bytes.write(flag, 156);
  bytes.write(target, 157, 100);
  bytes.write('ustar\u000000', 257);
  bytes.fill(' ', 148, 156);
  octal(
    bytes,
    bytes.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return bytes;
}

/** Writes an octal number that fills a field, with a NUL at its end. */
function octal(bytes: Buffer, value: number, start: number, length: number): void {
  bytes.write(`${value.toString(8).padStart(length - 1, '0')}\0`, start, 'latin1');
}
