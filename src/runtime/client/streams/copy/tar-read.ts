/**
 * Reader of tar archives as a step function: received bytes become events. Reads the formats ustar, pax and
 * GNU with long names. Archives are untrusted: every length is limited, and damaged headers are failures.
 * @see https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html
 */

/** Kinds of entries. `other` are devices, FIFOs and unknown kinds. */
export type TarKind = 'file' | 'directory' | 'symlink' | 'link' | 'other';

/** Header of an entry. */
export interface TarEntry {
  readonly kind: TarKind;
  /** Path as the archive has it; it may be absolute or contain `..`. */
  readonly path: string;
  readonly size: number;
  readonly mode: number;
  /** Seconds since 1970. */
  readonly mtime: number;
}

/** Received content of an archive. */
export type TarEvent =
  | { readonly type: 'entry'; readonly entry: TarEntry }
  /** Content of the file whose entry came before. */
  | { readonly type: 'data'; readonly bytes: Uint8Array }
  /** The content of the entry is complete. */
  | { readonly type: 'close' }
  /** The archive is complete: two blocks of zeros. */
  | { readonly type: 'end' };

/** Names and sizes of extended headers, for the next entry. */
interface Extended {
  readonly path?: string;
  readonly size?: number;
  readonly mtime?: number;
}

/** Content that is being received. */
interface OpenContent {
  /** `entry` is passed on, `pax` and `name` describe the next entry, `skip` is ignored. */
  readonly use: 'entry' | 'pax' | 'global' | 'name' | 'skip';
  readonly left: number;
  readonly padding: number;
  /** Received bytes of `pax` and `name`. */
  readonly kept: Uint8Array;
}

/** State of a reader between two chunks. */
export interface TarState {
  /** Bytes of an incomplete header. */
  readonly block: Uint8Array;
  readonly content: OpenContent | undefined;
  readonly next: Extended;
  readonly zeros: number;
  readonly ended: boolean;
}

/** Result of one chunk. `failure` describes damage after the events. */
export interface TarStep {
  readonly state: TarState;
  readonly events: readonly TarEvent[];
  readonly failure?: string;
}

const blockBytes = 512;
/** Maximum bytes of an extended header. */
const extendedBytes = 1024 * 1024;
const empty: Uint8Array = new Uint8Array(0);

/** State before an archive. */
export const firstBlock: TarState = { block: empty, content: undefined, next: {}, zeros: 0, ended: false };

interface Progress {
  readonly state: TarState;
  readonly used: number;
  readonly events?: readonly TarEvent[];
  readonly failure?: string;
}

/** Reads a chunk of any length. Data refers to the bytes of the chunk and is not copied. */
export function readTar(state: TarState, chunk: Uint8Array): TarStep {
  const events: TarEvent[] = [];
  let present = state;
  let rest = chunk;
  while (rest.length > 0 && !present.ended) {
    const progress =
      present.content === undefined ? readBlock(present, rest) : readContent(present, present.content, rest);
    present = progress.state;
    rest = rest.subarray(progress.used);
    for (const event of progress.events ?? []) events.push(event);
    if (progress.failure !== undefined) return { state: present, events, failure: progress.failure };
  }
  return { state: present, events };
}

function readBlock(state: TarState, bytes: Uint8Array): Progress {
  const used = Math.min(bytes.length, blockBytes - state.block.length);
  const block = Buffer.concat([state.block, bytes.subarray(0, used)]);
  if (block.length < blockBytes) return { state: { ...state, block }, used };
  const open = { ...state, block: empty, zeros: 0 };
  if (block.every((byte) => byte === 0)) {
    if (state.zeros === 1) return { state: { ...open, ended: true }, used, events: [{ type: 'end' }] };
    return { state: { ...open, zeros: 1 }, used };
  }
  if (numberAt(block, 148, 8) !== checksum(block))
    return { state: open, used, failure: 'the checksum of a header is wrong' };
  return { ...openEntry(open, block), used };
}

/** Returns the sum of the bytes of a header, with spaces in place of the checksum. */
function checksum(block: Uint8Array): number {
  return block.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 32 : byte), 0);
}

function openEntry(state: TarState, block: Buffer): Omit<Progress, 'used'> {
  const flag = String.fromCharCode(block[156] ?? 0);
  const ownSize = numberAt(block, 124, 12);
  if (ownSize === undefined) return { state, failure: 'the size of an entry is invalid' };
  const use = uses.get(flag);
  if (use !== undefined) {
    if (ownSize > extendedBytes) return { state, failure: `an extended header has ${ownSize} bytes` };
    return opened(state, use, ownSize, []);
  }
  if (flag === 'S') return { state, failure: 'the archive has a sparse file, which is not supported' };
  const kind = kinds.get(flag) ?? 'other';
  const size = kind === 'file' ? (state.next.size ?? ownSize) : ownSize;
  const path = state.next.path ?? nameOf(block);
  if (path === '' || path.includes('\0')) return { state, failure: 'the name of an entry is invalid' };
  const mode = (numberAt(block, 100, 8) ?? 0) & 0o7777;
  const mtime = state.next.mtime ?? numberAt(block, 136, 12) ?? 0;
  // A directory of old archives is a file whose name ends with a slash.
  const given = kind === 'file' && path.endsWith('/') ? 'directory' : kind;
  const entry = { kind: given, path, size: given === 'file' ? size : 0, mode, mtime } as const;
  const from = { ...state, next: {} };
  return opened(from, given === 'file' ? 'entry' : 'skip', size, [{ type: 'entry', entry }]);
}

const uses: ReadonlyMap<string, OpenContent['use']> = new Map([
  ['x', 'pax'],
  ['g', 'global'],
  ['L', 'name'],
  ['K', 'skip'],
]);

const kinds: ReadonlyMap<string, TarKind> = new Map([
  ['0', 'file'],
  ['\0', 'file'],
  ['7', 'file'],
  ['1', 'link'],
  ['2', 'symlink'],
  ['5', 'directory'],
]);

function opened(
  state: TarState,
  use: OpenContent['use'],
  size: number,
  events: readonly TarEvent[],
): Omit<Progress, 'used'> {
  const padding = (blockBytes - (size % blockBytes)) % blockBytes;
  const content = { use, left: size, padding, kept: empty };
  if (size > 0) return { state: { ...state, content }, events };
  const closed = use === 'entry' ? [...events, { type: 'close' } as const] : events;
  return { state, events: closed };
}

function readContent(state: TarState, content: OpenContent, bytes: Uint8Array): Progress {
  if (content.left === 0) {
    const used = Math.min(content.padding, bytes.length);
    const padding = content.padding - used;
    return { state: { ...state, content: padding === 0 ? undefined : { ...content, padding } }, used };
  }
  const part = bytes.subarray(0, content.left);
  const left = content.left - part.length;
  const isKept = content.use === 'pax' || content.use === 'name';
  const kept = isKept ? Buffer.concat([content.kept, part]) : empty;
  const isPadded = left > 0 || content.padding > 0;
  const open = { ...state, content: isPadded ? { ...content, left, kept } : undefined };
  const used = part.length;
  if (content.use === 'entry') {
    const data = { type: 'data', bytes: part } as const;
    return { state: open, used, events: left > 0 ? [data] : [data, { type: 'close' }] };
  }
  return left > 0 || !isKept ? { state: open, used } : { ...extended(open, content.use, kept), used };
}

function extended(state: TarState, use: OpenContent['use'], kept: Uint8Array): Omit<Progress, 'used'> {
  if (use === 'name') {
    const text = Buffer.from(kept).toString();
    return { state: { ...state, next: { ...state.next, path: text.replace(/\0.*$/s, '') } } };
  }
  const records = paxRecords(Buffer.from(kept));
  if (records === undefined) return { state, failure: 'an extended header is invalid' };
  const size = records.get('size');
  const mtime = Number(records.get('mtime'));
  const path = records.get('path');
  if (size !== undefined && !/^\d{1,15}$/.test(size))
    return { state, failure: 'the size of an entry is invalid' };
  if ([...records.keys()].some((key) => key.startsWith('GNU.sparse.'))) {
    return { state, failure: 'the archive has a sparse file, which is not supported' };
  }
  const next = {
    ...state.next,
    ...(path !== undefined && { path }),
    ...(size !== undefined && { size: Number(size) }),
    ...(Number.isFinite(mtime) && { mtime: Math.floor(mtime) }),
  };
  return { state: { ...state, next } };
}

/** Parses records of the form `25 path=a name with spaces\n`. */
function paxRecords(bytes: Buffer): ReadonlyMap<string, string> | undefined {
  const records = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at);
    const digits = bytes.toString('latin1', at, Math.max(at, space));
    const length = /^\d{1,7}$/.test(digits) ? Number(digits) : 0;
    const end = at + length;
    const equals = bytes.indexOf(61, space);
    if (length < digits.length + 4 || end > bytes.length || equals < 0 || equals >= end) return undefined;
    if (bytes[end - 1] !== 10) return undefined;
    records.set(bytes.toString('utf8', space + 1, equals), bytes.toString('utf8', equals + 1, end - 1));
    at = end;
  }
  return records;
}

/** Returns the name with the prefix of ustar. */
function nameOf(block: Buffer): string {
  const isUstar = block.toString('latin1', 257, 263) === 'ustar\0';
  const prefix = isUstar ? textAt(block, 345, 155) : '';
  const name = textAt(block, 0, 100);
  return prefix === '' ? name : `${prefix}/${name}`;
}

function textAt(block: Buffer, start: number, length: number): string {
  return block.toString('utf8', start, start + length).replace(/\0.*$/s, '');
}

/** Returns an octal number, or a binary one as GNU tar writes large ones; `undefined` if it is invalid. */
function numberAt(block: Buffer, start: number, length: number): number | undefined {
  if ((block[start] ?? 0) === 0x80) {
    const value = block.readUIntBE(start + length - 6, 6);
    return block.subarray(start + 1, start + length - 6).every((byte) => byte === 0) ? value : undefined;
  }
  const text = textAt(block, start, length).trim();
  return /^[0-7]*$/.test(text) ? Number.parseInt(text || '0', 8) : undefined;
}
