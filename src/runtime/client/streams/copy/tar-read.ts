/**
 * Reader of tar archives as a step function: received bytes become events. Reads the formats ustar, pax and
 * GNU, with long names and sparse files. Archives are untrusted: every length is limited, and damaged headers
 * are failures. A state is used once, as some of its buffers are filled in place.
 * @see https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html
 */
import { blockBytes, decimalOf, numberAt, textAt } from './tar-fields.ts';
import {
  type MapStep,
  mapInHeader,
  type OpenMap,
  type PaxSparse,
  problemOf,
  readMapBlock,
  type SparseMap,
  sparseOf,
} from './tar-sparse.ts';

/** Kinds of entries. `other` are devices, FIFOs and unknown kinds. */
export type TarKind = 'file' | 'directory' | 'symlink' | 'link' | 'other';

/** Header of an entry. */
export interface TarEntry {
  readonly kind: TarKind;
  /** Path as the archive has it; it may be absolute or contain `..`. */
  readonly path: string;
  /** Bytes of the file, including holes, which the archive does not contain. */
  readonly size: number;
  readonly mode: number;
  /** Seconds since 1970. */
  readonly mtime: number;
  /** Target of a link: for a hard link the path of an entry, for a symbolic one any path. */
  readonly target: string;
}

/** Received content of an archive. */
export type TarEvent =
  | { readonly type: 'entry'; readonly entry: TarEntry }
  /** Content at an offset of the file whose entry came before, in the order of the file. */
  | { readonly type: 'data'; readonly bytes: Uint8Array; readonly at: number }
  /** The content of the entry is complete. */
  | { readonly type: 'close' }
  /** The archive is complete: two blocks of zeros. */
  | { readonly type: 'end' };

/** Names and sizes of extended headers, for the next entry. */
interface Extended {
  readonly path?: string;
  readonly target?: string;
  readonly size?: number;
  readonly mtime?: number;
  readonly sparse?: PaxSparse;
}

/** Part of a file of which content is being received. */
interface OpenPart {
  /** Offset in the file. */
  readonly at: number;
  readonly left: number;
  /** Parts that follow are those of the map from this index on. */
  readonly numbers: readonly number[];
  readonly next: number;
}

/** Content that is being received. */
interface OpenContent {
  /** `entry` is passed on, `pax`, `name` and `target` describe the next entry, `skip` is ignored. */
  readonly use: 'entry' | 'pax' | 'global' | 'name' | 'target' | 'skip';
  readonly left: number;
  readonly padding: number;
  readonly part: OpenPart;
  /** Room for the bytes of `pax`, `name` and `target`. */
  readonly kept: Buffer;
}

/** Map of a sparse file that is being received, and the bytes of its entry after the map. */
interface EntryMap {
  readonly map: OpenMap;
  readonly size: number;
}

/** State of a reader between two chunks. */
export interface TarState {
  /** Bytes of an incomplete header. */
  readonly block: Uint8Array;
  readonly content: OpenContent | undefined;
  readonly map: EntryMap | undefined;
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

/** Maximum bytes of an extended header. */
const extendedBytes = 8 * 1024 * 1024;
const empty: Buffer = Buffer.alloc(0);

/** State before an archive. */
export const firstBlock: TarState = {
  block: empty,
  content: undefined,
  map: undefined,
  next: {},
  zeros: 0,
  ended: false,
};

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
  if (state.map !== undefined) return { ...readMap({ ...state, block: empty }, state.map, block), used };
  const open = { ...state, block: empty, zeros: 0 };
  if (block.every((byte) => byte === 0)) {
    if (state.zeros === 1) return { state: { ...open, ended: true }, used, events: [{ type: 'end' }] };
    return { state: { ...open, zeros: 1 }, used };
  }
  if (numberAt(block, 148, 8) !== checksum(block))
    return { state: open, used, failure: 'the checksum of a header is wrong' };
  return { ...openEntry(open, block), used };
}

/** Reads a block of the map of a sparse file. The content follows a complete map. */
function readMap(state: TarState, { map, size }: EntryMap, block: Buffer): Omit<Progress, 'used'> {
  const left = map.format === 'text' ? size - blockBytes : size;
  if (left < 0) return { state, failure: 'the map of a sparse file is longer than its content' };
  return continueMap(state, readMapBlock(map, block), left);
}

function continueMap(state: TarState, step: MapStep, size: number): Omit<Progress, 'used'> {
  if (typeof step === 'string') return { state, failure: step };
  if (!step.isComplete) return { state: { ...state, map: { map: step.map, size } } };
  return openedParts({ ...state, map: undefined }, step.map, size);
}

/** Opens the content of a sparse file. */
function openedParts(state: TarState, map: SparseMap, size: number): Omit<Progress, 'used'> {
  const failure = problemOf(map, size);
  return failure === undefined ? opened(state, 'entry', size, map.numbers) : { state, failure };
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
    return opened(state, use, ownSize);
  }
  const kind = kinds.get(flag) ?? 'other';
  const size = kind === 'file' ? (state.next.size ?? ownSize) : ownSize;
  const path = state.next.path ?? nameOf(block);
  if (path === '' || path.includes('\0')) return { state, failure: 'the name of an entry is invalid' };
  const mode = (numberAt(block, 100, 8) ?? 0) & 0o7777;
  const mtime = state.next.mtime ?? numberAt(block, 136, 12) ?? 0;
  const target = state.next.target ?? textAt(block, 157, 100);
  const common = { path, mode, mtime, target };
  const from = { ...state, next: {} };
  const { sparse } = state.next;
  if (flag === 'S') return withMap(from, mapInHeader(block), common, size);
  if (kind !== 'file') return withEntry(opened(from, 'skip', size), { ...common, kind, size: 0 });
  if (sparse?.isInContent) {
    const map = { ...sparse.map, format: 'text', digits: '' } as const;
    return withMap(from, { map, isComplete: false }, common, size);
  }
  if (sparse !== undefined) {
    const file = { ...common, kind, size: sparse.map.realSize };
    return withEntry(openedParts(from, sparse.map, size), file);
  }
  // A directory of old archives is a file whose name ends with a slash.
  if (path.endsWith('/'))
    return withEntry(opened(from, 'skip', size), { ...common, kind: 'directory', size: 0 });
  return withEntry(opened(from, 'entry', size), { ...common, kind, size });
}

const uses: ReadonlyMap<string, OpenContent['use']> = new Map([
  ['x', 'pax'],
  ['g', 'global'],
  ['L', 'name'],
  ['K', 'target'],
]);

const kinds: ReadonlyMap<string, TarKind> = new Map([
  ['0', 'file'],
  ['\0', 'file'],
  ['7', 'file'],
  ['1', 'link'],
  ['2', 'symlink'],
  ['5', 'directory'],
]);

/** Begins an entry of which blocks with a map precede the content. */
function withMap(
  state: TarState,
  step: MapStep,
  entry: Omit<TarEntry, 'kind' | 'size'>,
  size: number,
): Omit<Progress, 'used'> {
  if (typeof step === 'string') return { state, failure: step };
  return withEntry(continueMap(state, step, size), { ...entry, kind: 'file', size: step.map.realSize });
}

function withEntry(progress: Omit<Progress, 'used'>, entry: TarEntry): Omit<Progress, 'used'> {
  return { ...progress, events: [{ type: 'entry', entry }, ...(progress.events ?? [])] };
}

/** @param numbers offsets and lengths of the parts of a sparse file */
function opened(
  state: TarState,
  use: OpenContent['use'],
  size: number,
  numbers: readonly number[] = [0, size],
): Omit<Progress, 'used'> {
  if (size === 0) return { state, events: use === 'entry' ? [{ type: 'close' }] : [] };
  const padding = (blockBytes - (size % blockBytes)) % blockBytes;
  const kept = keptUses.has(use) ? Buffer.alloc(size) : empty;
  const content = { use, left: size, padding, kept, part: partAt(numbers, 0) };
  return { state: { ...state, content } };
}

const keptUses: ReadonlySet<OpenContent['use']> = new Set(['pax', 'name', 'target']);

/** Returns the part with this index, or the first one after it that is not empty. */
function partAt(numbers: readonly number[], index: number): OpenPart {
  let next = index;
  while (next < numbers.length && numbers[next + 1] === 0) next += 2;
  return { at: numbers[next] ?? 0, left: numbers[next + 1] ?? 0, numbers, next: next + 2 };
}

function readContent(state: TarState, content: OpenContent, bytes: Uint8Array): Progress {
  if (content.left === 0) {
    const used = Math.min(content.padding, bytes.length);
    const padding = content.padding - used;
    return { state: { ...state, content: padding === 0 ? undefined : { ...content, padding } }, used };
  }
  const { use, part, kept } = content;
  const received = bytes.subarray(0, part.left);
  const used = received.length;
  const left = content.left - used;
  const rest = used < part.left ? { ...part, at: part.at + used, left: part.left - used } : undefined;
  const isPadded = left > 0 || content.padding > 0;
  const remaining = { ...content, left, part: rest ?? partAt(part.numbers, part.next) };
  const open = { ...state, content: isPadded ? remaining : undefined };
  if (use === 'entry') {
    const data = { type: 'data', bytes: received, at: part.at } as const;
    return { state: open, used, events: left > 0 ? [data] : [data, { type: 'close' }] };
  }
  if (kept.length > 0) kept.set(received, part.at);
  return left > 0 || kept.length === 0 ? { state: open, used } : { ...extended(open, use, kept), used };
}

function extended(state: TarState, use: OpenContent['use'], kept: Buffer): Omit<Progress, 'used'> {
  if (use === 'name' || use === 'target') {
    const text = textAt(kept, 0, kept.length);
    const next = use === 'name' ? { path: text } : { target: text };
    return { state: { ...state, next: { ...state.next, ...next } } };
  }
  const list = paxRecords(kept);
  if (list === undefined) return { state, failure: 'an extended header is invalid' };
  const records = new Map(list);
  const size = decimalOf(records.get('size') ?? '');
  if (records.has('size') && size === undefined) return { state, failure: 'the size of an entry is invalid' };
  const sparse = sparseOf(list);
  if (typeof sparse === 'string') return { state, failure: sparse };
  const mtime = Number(records.get('mtime'));
  const path = sparse?.name ?? records.get('path');
  const target = records.get('linkpath');
  const next = {
    ...state.next,
    ...(target !== undefined && { target }),
    ...(path !== undefined && { path }),
    ...(size !== undefined && { size }),
    ...(Number.isFinite(mtime) && { mtime: Math.floor(mtime) }),
    ...(sparse !== undefined && { sparse }),
  };
  return { state: { ...state, next } };
}

/** Parses records of the form `25 path=a name with spaces\n`. */
function paxRecords(bytes: Buffer): readonly (readonly [key: string, value: string])[] | undefined {
  const records: [string, string][] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at);
    const digits = bytes.toString('latin1', at, Math.max(at, space));
    const length = /^\d{1,7}$/.test(digits) ? Number(digits) : 0;
    const end = at + length;
    const equals = bytes.indexOf(61, space);
    if (length < digits.length + 4 || end > bytes.length || equals < 0 || equals >= end) return undefined;
    if (bytes[end - 1] !== 10) return undefined;
    records.push([bytes.toString('utf8', space + 1, equals), bytes.toString('utf8', equals + 1, end - 1)]);
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
