/**
 * Frames of SPDY/3.1 connections from a client as values: received bytes become events, and requests become
 * bytes. Header blocks of the server are not read, because port-forwarding does not depend on them; those of
 * the client are zlib streams of stored blocks, which need neither compression nor its dictionary.
 * @see https://www.chromium.org/spdy/spdy-protocol/spdy-protocol-draft3-1/
 */

/** Received content of a connection. */
export type SpdyEvent =
  /** Part of the data of a stream, as it arrives. `last` marks the end of the stream. */
  | { readonly type: 'data'; readonly stream: number; readonly bytes: Uint8Array; readonly last: boolean }
  /** The server accepted a stream. */
  | { readonly type: 'reply'; readonly stream: number; readonly last: boolean }
  | { readonly type: 'reset'; readonly stream: number; readonly status: number }
  | { readonly type: 'ping'; readonly id: number }
  /** The server accepts no further streams. */
  | { readonly type: 'goaway' }
  /** The server opened a stream, which clients of Kubernetes do not expect. */
  | { readonly type: 'opened'; readonly stream: number };

/** A frame whose payload is being received. */
interface OpenFrame {
  /** Type of a control frame; `undefined` for data. */
  readonly control: number | undefined;
  /** Stream of a data frame. */
  readonly stream: number;
  readonly last: boolean;
  readonly left: number;
  /** The first bytes of the payload of a control frame. */
  readonly kept: Uint8Array;
}

/** State of a parser between two chunks. */
export interface SpdyState {
  /** Bytes of an incomplete head. */
  readonly head: Uint8Array;
  readonly frame: OpenFrame | undefined;
}

/** Result of one chunk. `failure` describes a violation of the protocol after the events. */
export interface SpdyStep {
  readonly state: SpdyState;
  readonly events: readonly SpdyEvent[];
  readonly failure?: string;
}

const empty: Uint8Array = new Uint8Array(0);

/** State of a new connection. */
export const firstSpdyFrame: SpdyState = { head: empty, frame: undefined };

/** Bytes of the head of a frame. */
const headBytes = 8;
/** Bytes at the beginning of the payload of control frames that have a meaning here. */
const keptBytes = 8;
/** Protocol version in control frames. */
const version = 3;
const final = 0x01;

const types = {
  open: 1,
  reply: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  headers: 8,
  window: 9,
} as const;
const known: ReadonlySet<number> = new Set(Object.values(types));
/** Minimum bytes of the payload of control frames with a stream or an identifier. */
const leastBytes: ReadonlyMap<number, number> = new Map([
  [types.open, 10],
  [types.reply, 4],
  [types.reset, 8],
  [types.ping, 4],
  [types.headers, 4],
]);

/** Parses a chunk of any length. Data refers to the bytes of the chunk and is not copied. */
export function parseSpdy(state: SpdyState, chunk: Uint8Array): SpdyStep {
  const events: SpdyEvent[] = [];
  let { head, frame } = state;
  let rest = chunk;
  while (rest.length > 0) {
    if (frame === undefined) {
      const missing = headBytes - head.length;
      if (head.length > 0 || rest.length < headBytes) {
        head = Buffer.concat([head, rest.subarray(0, missing)]);
        if (head.length < headBytes) break;
      } else head = rest;
      rest = rest.subarray(missing);
      const opened = openFrame(head);
      if (typeof opened === 'string') return { state: firstSpdyFrame, events, failure: opened };
      head = empty;
      frame = opened;
    }
    const part = rest.length <= frame.left ? rest : rest.subarray(0, frame.left);
    rest = rest.subarray(part.length);
    const { event, next } = readPart(frame, part);
    frame = next;
    if (event !== undefined) events.push(event);
  }
  return { state: { head, frame }, events };
}

function openFrame(head: Uint8Array): OpenFrame | string {
  const view = viewOf(head);
  const first = view.getUint16(0);
  const left = view.getUint32(4) & 0xffffff;
  const last = (view.getUint8(4) & final) !== 0;
  if ((first & 0x8000) === 0) {
    return { control: undefined, stream: view.getUint32(0), last, left, kept: empty };
  }
  const control = view.getUint16(2);
  if ((first & 0x7fff) !== version) return `a frame has the SPDY version ${first & 0x7fff}`;
  if (!known.has(control)) return `a frame has the unknown SPDY type ${control}`;
  if (left < (leastBytes.get(control) ?? 0)) return `a SPDY frame of type ${control} has ${left} bytes`;
  return { control, stream: 0, last, left, kept: empty };
}

interface Progress {
  readonly event: SpdyEvent | undefined;
  readonly next: OpenFrame | undefined;
}

function readPart(frame: OpenFrame, part: Uint8Array): Progress {
  const left = frame.left - part.length;
  if (frame.control === undefined) {
    const last = left === 0 && frame.last;
    const isNews = part.length > 0 || last;
    const event = { type: 'data', stream: frame.stream, bytes: part, last } as const;
    return { event: isNews ? event : undefined, next: left > 0 ? { ...frame, left } : undefined };
  }
  const missing = keptBytes - frame.kept.length;
  const kept = missing > 0 ? Buffer.concat([frame.kept, part.subarray(0, missing)]) : frame.kept;
  if (left > 0) return { event: undefined, next: { ...frame, left, kept } };
  return { event: controlEvent(frame, kept), next: undefined };
}

function controlEvent({ control, last }: OpenFrame, kept: Uint8Array): SpdyEvent | undefined {
  const view = viewOf(kept);
  if (control === types.goaway) return { type: 'goaway' };
  if (control === types.ping) return { type: 'ping', id: view.getUint32(0) };
  if (control === types.settings || control === types.window) return undefined;
  const stream = view.getUint32(0) & 0x7fffffff;
  if (control === types.open) return { type: 'opened', stream };
  if (control === types.reset) return { type: 'reset', stream, status: view.getUint32(4) };
  // Further headers matter only if they end the stream.
  if (control === types.headers) return last ? { type: 'data', stream, bytes: empty, last } : undefined;
  return { type: 'reply', stream, last };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Beginning of a zlib stream without a dictionary. */
const zlibHead: Uint8Array = Uint8Array.of(0x78, 0x01);

/** Priority of streams in bits 5 to 7, of which 0 is the highest; the rest of the two bytes is unused. */
const priority: Uint8Array = Uint8Array.of(0, 0);

/**
 * Returns the frame that opens a stream.
 * @param isFirst whether this is the first stream of the connection: all header blocks are one zlib stream
 * @param headers names in lower case, with values
 */
export function openStreamFrame(
  stream: number,
  headers: Readonly<Record<string, string>>,
  isFirst: boolean,
): Uint8Array {
  // Go's decompressor returns bytes at an empty block only, with which compressors end a flush.
  const block = Buffer.concat([storedBlock(headerBlock(headers)), storedBlock(empty)]);
  const zlib = isFirst ? [zlibHead, block] : [block];
  return controlFrame(types.open, Buffer.concat([word(stream), word(0), priority, ...zlib]));
}

function headerBlock(headers: Readonly<Record<string, string>>): Uint8Array {
  const entries = Object.entries(headers);
  const texts = entries.flat().flatMap((text) => [word(Buffer.byteLength(text)), Buffer.from(text)]);
  return Buffer.concat([word(entries.length), ...texts]);
}

/** An empty block of DEFLATE. Go's decompressor returns the bytes before it without waiting for more. */
const flush: Uint8Array = Uint8Array.of(0, 0, 0, 0xff, 0xff);

/** Returns a stored block of DEFLATE, at most 65,535 bytes. Such blocks begin and end at full bytes. */
function storedBlock(bytes: Uint8Array): Uint8Array {
  const head = Buffer.alloc(5);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(bytes.length ^ 0xffff, 3);
  return Buffer.concat([head, bytes, flush]);
}

/** Maximum bytes of a data frame. */
const dataBytes = 0xffffff;

/** Returns the head of a data frame, which its bytes follow. */
export function dataHead(stream: number, length: number, last: boolean): Uint8Array {
  if (length > dataBytes) throw new RangeError(`a SPDY frame has at most ${dataBytes} bytes, got ${length}`);
  const head = Buffer.allocUnsafe(headBytes);
  head.writeUInt32BE(stream);
  head.writeUInt32BE((last ? final * 2 ** 24 : 0) + length, 4);
  return head;
}

/** Returns the frame that resets a stream. */
export function resetFrame(stream: number, status: number): Uint8Array {
  return controlFrame(types.reset, Buffer.concat([word(stream), word(status)]));
}

/** Returns a ping, or the response to one. */
export function pingFrame(id: number): Uint8Array {
  return controlFrame(types.ping, word(id));
}

function controlFrame(type: number, payload: Uint8Array): Uint8Array {
  return Buffer.concat([word((0x8000 + version) * 2 ** 16 + type), word(payload.length), payload]);
}

function word(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
