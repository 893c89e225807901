/**
 * Frames of WebSocket connections from a client as values: received bytes become events, messages become
 * bytes. Without extensions, and with binary messages only, as the streams of Kubernetes use them.
 * @see https://www.rfc-editor.org/rfc/rfc6455#section-5
 */

/** Types of frames. */
export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Maximum bytes of the payload of a control frame. */
const controlBytes = 125;
/** Maximum bytes of the head of a frame that a server sends, which has no mask. */
const headBytes = 10;
/** Close code of a close frame without a code. */
const noCode = 1005;

/** Received content of a connection. */
export type FrameEvent =
  /** Part of a binary message, as it arrives. `last` marks the end of the message. */
  | { readonly type: 'part'; readonly bytes: Uint8Array; readonly last: boolean }
  | { readonly type: 'ping'; readonly bytes: Uint8Array }
  | { readonly type: 'pong' }
  | { readonly type: 'close'; readonly code: number; readonly reason: string };

/** Violation of the protocol by the server: the connection must be closed with this code. */
export interface FrameFailure {
  readonly code: 1002 | 1003 | 1007 | 1009;
  readonly message: string;
}

/** A frame whose payload is being received. */
interface OpenFrame {
  readonly opcode: number;
  readonly final: boolean;
  /** Bytes of the payload that have not arrived. */
  readonly left: number;
  /** Received bytes of the payload of a control frame. */
  readonly control: Uint8Array;
}

/** State of a parser between two chunks. */
export interface FrameState {
  /** Bytes of an incomplete head. */
  readonly head: Uint8Array;
  readonly frame: OpenFrame | undefined;
  /** Bytes of the message that is being received; `undefined` between messages. */
  readonly message: number | undefined;
  /** Whether a close frame or a failure ended the connection: further bytes are ignored. */
  readonly over: boolean;
}

/** Result of one chunk. */
export interface FrameStep {
  readonly state: FrameState;
  readonly events: readonly FrameEvent[];
  /** Present if the events are followed by a violation of the protocol. */
  readonly failure?: FrameFailure;
}

const empty: Uint8Array = new Uint8Array(0);

/** State of a new connection. */
export const firstFrame: FrameState = { head: empty, frame: undefined, message: undefined, over: false };

interface Progress {
  readonly state: FrameState;
  /** Number of consumed bytes. */
  readonly used: number;
  readonly event?: FrameEvent;
  readonly failure?: FrameFailure;
}

/**
 * Parses a chunk of any length. Parts of messages refer to the bytes of the chunk and are not copied.
 * @param maxMessageBytes maximum bytes of a message, and so of a frame
 */
export function parseFrames(state: FrameState, chunk: Uint8Array, maxMessageBytes: number): FrameStep {
  const events: FrameEvent[] = [];
  let present = state;
  let rest = chunk;
  while (rest.length > 0 && !present.over) {
    const { frame } = present;
    const progress =
      frame === undefined ? readHead(present, rest, maxMessageBytes) : readPayload(present, frame, rest);
    present = progress.state;
    rest = after(rest, progress.used);
    if (progress.event !== undefined) events.push(progress.event);
    if (progress.failure !== undefined) {
      return { state: { ...present, over: true }, events, failure: progress.failure };
    }
  }
  return { state: present, events };
}

/** Returns the bytes from an index on. Views of bytes are not free: most chunks are used at once. */
function after(bytes: Uint8Array, used: number): Uint8Array {
  return used === bytes.length ? empty : bytes.subarray(used);
}

function readHead(state: FrameState, bytes: Uint8Array, maxMessageBytes: number): Progress {
  const before = state.head.length;
  const head = before === 0 ? bytes : Buffer.concat([state.head, bytes.subarray(0, headBytes - before)]);
  const length = headLength(head);
  if (head.length < length) {
    return { state: { ...state, head: Uint8Array.from(head) }, used: bytes.length };
  }
  const used = length - before;
  const [first = 0, second = 0] = head;
  const frame = {
    opcode: first & 0x0f,
    final: (first & 0x80) !== 0,
    left: payloadLength(head),
    control: empty,
  };
  const failure = violation(first, second, frame, state) ?? tooLarge(frame, state, maxMessageBytes);
  if (failure !== undefined) return { state, used, failure };
  const open = { ...state, head: empty, frame };
  if (frame.left > 0) return { state: open, used };
  return { ...readPayload(open, frame, empty), used };
}

function headLength([, second]: Uint8Array): number {
  if (second === undefined) return 2;
  const short = second & 0x7f;
  return short < 126 ? 2 : short === 126 ? 4 : 10;
}

function payloadLength(head: Uint8Array): number {
  const short = (head[1] ?? 0) & 0x7f;
  if (short < 126) return short;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  return short === 126 ? view.getUint16(2) : view.getUint32(2) * 2 ** 32 + view.getUint32(6);
}

function violation(
  first: number,
  second: number,
  { opcode, final, left }: OpenFrame,
  { message }: FrameState,
): FrameFailure | undefined {
  if ((first & 0x70) !== 0) return invalid('a frame has reserved bits');
  if ((second & 0x80) !== 0) return invalid('a frame of the server is masked');
  switch (opcode) {
    case opcodes.close:
    case opcodes.ping:
    case opcodes.pong:
      if (!final) return invalid('a control frame is fragmented');
      return left > controlBytes ? invalid(`a control frame has ${left} bytes`) : undefined;
    case opcodes.continuation:
      return message === undefined ? invalid('a continuation does not follow a message') : undefined;
    case opcodes.binary:
      return message === undefined ? undefined : invalid('a message begins within another one');
    case opcodes.text:
      return { code: 1003, message: 'the server sent a text message' };
    default:
      return invalid(`a frame has the unknown opcode ${opcode}`);
  }
}

function invalid(message: string): FrameFailure {
  return { code: 1002, message };
}

function tooLarge(
  { opcode, left }: OpenFrame,
  { message = 0 }: FrameState,
  most: number,
): FrameFailure | undefined {
  if (isControl(opcode) || message + left <= most) return undefined;
  return { code: 1009, message: `a message has more than ${most} bytes` };
}

function isControl(opcode: number): boolean {
  return (opcode & 8) !== 0;
}

function readPayload(state: FrameState, frame: OpenFrame, bytes: Uint8Array): Progress {
  const part = bytes.length <= frame.left ? bytes : bytes.subarray(0, frame.left);
  const left = frame.left - part.length;
  const used = part.length;
  if (isControl(frame.opcode)) {
    const control = used === 0 ? frame.control : Buffer.concat([frame.control, part]);
    if (left > 0) return { state: { ...state, frame: { ...frame, left, control } }, used };
    return { ...controlEvent({ ...state, frame: undefined }, frame.opcode, control), used };
  }
  const last = left === 0 && frame.final;
  const message = last ? undefined : (state.message ?? 0) + used;
  const next = { ...state, message, frame: left > 0 ? { ...frame, left } : undefined };
  return { state: next, used, event: { type: 'part', bytes: part, last } };
}

function controlEvent(state: FrameState, opcode: number, bytes: Uint8Array): Omit<Progress, 'used'> {
  if (opcode === opcodes.ping) return { state, event: { type: 'ping', bytes } };
  if (opcode === opcodes.pong) return { state, event: { type: 'pong' } };
  const event = closeEvent(bytes);
  if (event === undefined) return { state, failure: invalid('a close frame is invalid') };
  return { state: { ...state, over: true }, event };
}

function closeEvent(bytes: Uint8Array): FrameEvent | undefined {
  if (bytes.length === 0) return { type: 'close', code: noCode, reason: '' };
  if (bytes.length === 1) return undefined;
  const code = new DataView(bytes.buffer, bytes.byteOffset).getUint16(0);
  const isKnown = (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014);
  if (!isKnown && !(code >= 3000 && code <= 4999)) return undefined;
  try {
    return {
      type: 'close',
      code,
      reason: new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(2)),
    };
  } catch {
    return undefined;
  }
}

/** Bytes before the payload in the memory of a frame: the head of at most 14 bytes, aligned to words. */
const room = 16;

/** Memory of a frame that is sent, in bytes and in words. */
export interface FrameMemory {
  readonly bytes: Buffer;
  readonly words: Uint32Array;
}

/** Allocates memory for a frame with a payload of this length. */
export function frameMemory(length: number): FrameMemory {
  const bytes = Buffer.allocUnsafeSlow(Math.ceil((room + length) / 4) * 4);
  return { bytes, words: new Uint32Array(bytes.buffer) };
}

/** Returns whether a payload of this length fits. */
export function fits({ bytes }: FrameMemory, length: number): boolean {
  return bytes.length >= room + length;
}

/**
 * Returns a final frame with a masked payload.
 * @param prefix first bytes of the payload, before `payload`
 * @param mask four unpredictable bytes
 * @param memory memory of the returned frame
 */
export function encodeFrame(
  opcode: number,
  prefix: ArrayLike<number>,
  payload: Uint8Array,
  mask: Uint8Array,
  memory: FrameMemory = frameMemory(prefix.length + payload.length),
): Uint8Array {
  const { bytes, words } = memory;
  const length = prefix.length + payload.length;
  bytes.set(mask, room - 4);
  bytes.set(prefix, room);
  bytes.set(payload, room + prefix.length);
  maskWords(words, Math.ceil((room + length) / 4));
  return bytes.subarray(writeHead(bytes, opcode, length), room + length);
}

/** Applies the mask, which is the word before the payload, to the payload. */
function maskWords(words: Uint32Array, end: number): void {
  const first = room / 4;
  const mask = words[first - 1] ?? 0;
  for (let index = first; index < end; index += 1) words[index] = (words[index] ?? 0) ^ mask;
}

/** Writes the head before the mask, and returns the offset at which it begins. */
function writeHead(buffer: Buffer, opcode: number, length: number): number {
  const size = length < 126 ? 2 : length < 2 ** 16 ? 4 : 10;
  const start = room - 4 - size;
  buffer[start] = 0x80 | opcode;
  buffer[start + 1] = 0x80 | (size === 2 ? length : size === 4 ? 126 : 127);
  if (size === 4) buffer.writeUInt16BE(length, start + 2);
  if (size === 10) buffer.writeBigUInt64BE(BigInt(length), start + 2);
  return start;
}

/** Returns the payload of a close frame. */
export function closePayload(code: number, reason = ''): Uint8Array {
  const payload = Buffer.alloc(2 + Buffer.byteLength(reason));
  payload.writeUInt16BE(code);
  payload.write(reason, 2);
  return payload.subarray(0, controlBytes);
}
