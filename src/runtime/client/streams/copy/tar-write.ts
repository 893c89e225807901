/**
 * Headers of tar archives in the format ustar, with long names and large sizes as in GNU tar. GNU tar,
 * BusyBox and bsdtar read these, but BusyBox ignores the extended headers of pax.
 */

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
/** Bytes of a name or link target that fit into a header. */
const nameBytes = 100;
/** Largest size that fits into a header as an octal number. */
const largestSize = 0o77777777777;

/** End of an archive. */
export const tarEnd: Uint8Array = new Uint8Array(2 * blockBytes);

/** Returns the header of an entry, preceded by entries with its long name and link target. */
export function tarHeader(header: TarHeader): Uint8Array {
  const path = header.kind === 'directory' ? `${header.path}/` : header.path;
  const { target = '' } = header;
  return Buffer.concat([
    ...(Buffer.byteLength(target) <= nameBytes ? [] : longText('K', target)),
    ...(Buffer.byteLength(path) <= nameBytes ? [] : longText('L', path)),
    block({ ...header, path }, flags[header.kind]),
  ]);
}

/** Returns an entry whose content is the name or link target of the next one. */
function longText(flag: 'K' | 'L', text: string): readonly Uint8Array[] {
  const content = Buffer.from(`${text}\0`);
  const header = { kind: 'file', path: '././@LongLink', mode: 0, mtime: 0, size: content.length } as const;
  return [block(header, flag), content, tarPadding(content.length)];
}

/** Returns the bytes after a content of this size. */
export function tarPadding(size: number): Uint8Array {
  return new Uint8Array((blockBytes - (size % blockBytes)) % blockBytes);
}

function block({ path, mode, mtime, size, target = '' }: TarHeader, flag: string): Buffer {
  const bytes = Buffer.alloc(blockBytes);
  bytes.write(path, 0, 100);
  octal(bytes, mode & 0o777, 100, 8);
  octal(bytes, 0, 108, 8);
  octal(bytes, 0, 116, 8);
  writeSize(bytes, size);
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

/** Larger sizes are binary. */
function writeSize(bytes: Buffer, size: number): void {
  if (size <= largestSize) octal(bytes, size, 124, 12);
  else {
    bytes.writeUInt8(0x80, 124);
    bytes.writeUIntBE(size, 130, 6);
  }
}

/** Writes an octal number that fills a field, with a NUL at its end. */
function octal(bytes: Buffer, value: number, start: number, length: number): void {
  bytes.write(`${value.toString(8).padStart(length - 1, '0')}\0`, start, 'latin1');
}
