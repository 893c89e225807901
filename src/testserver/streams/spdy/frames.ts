/**
 * Frames of SPDY/3.1 on the server's side of a tunnel.
 * @see https://www.chromium.org/spdy/spdy-protocol/spdy-protocol-draft3-1/
 */

/** A frame of a client. */
export type ClientFrame =
  | { readonly type: 'open'; readonly stream: number; readonly block: Uint8Array; readonly last: boolean }
  | { readonly type: 'data'; readonly stream: number; readonly bytes: Uint8Array; readonly last: boolean }
  | { readonly type: 'reset'; readonly stream: number }
  | { readonly type: 'ping'; readonly id: number }
  | { readonly type: 'goaway' };

/** Types of control frames. */
const types = { open: 1, reply: 2, reset: 3, ping: 6, goaway: 7 } as const;
/** Minimum bytes of the payload of control frames. */
const leastBytes: ReadonlyMap<number, number> = new Map([
  [types.open, 10],
  [types.reset, 8],
  [types.ping, 4],
]);
/** Maximum bytes of a control frame. */
const controlLimit = 64 * 1024;
/** Bytes of the head of a frame. */
const headBytes = 8;

/**
 * Reads the frames of a tunnel. Frames without a meaning for tunnels, such as settings, are omitted.
 * @throws {Error} for an invalid frame
 */
export async function* readFrames(chunks: AsyncIterable<Buffer>): AsyncGenerator<ClientFrame> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= headBytes) {
      const isControl = (rest[0] ?? 0) >= 0x80;
      const length = rest.readUIntBE(5, 3);
      if (isControl) checkHead(rest, length);
      if (rest.length < headBytes + length) break;
      const payload = rest.subarray(headBytes, headBytes + length);
      const frame = isControl ? controlFrame(rest, payload) : dataFrame(rest, payload);
      if (frame !== undefined) yield frame;
      rest = rest.subarray(headBytes + length);
    }
  }
}

function dataFrame(head: Buffer, bytes: Buffer): ClientFrame {
  return { type: 'data', stream: head.readUInt32BE(0), bytes, last: isLast(head) };
}

function isLast(head: Buffer): boolean {
  return ((head[4] ?? 0) & 1) !== 0;
}

/** @throws {Error} for another version, or a frame that is too short or too long */
function checkHead(head: Buffer, length: number): void {
  const [version, type] = [head.readUInt16BE(0) & 0x7fff, head.readUInt16BE(2)];
  if (version !== 3) throw new Error(`a frame has the SPDY version ${version}`);
  if (length < (leastBytes.get(type) ?? 0) || length > controlLimit)
    throw new Error(`a SPDY frame of type ${type} has ${length} bytes`);
}

function controlFrame(head: Buffer, payload: Buffer): ClientFrame | undefined {
  switch (head.readUInt16BE(2)) {
    case types.open:
      return { type: 'open', stream: streamOf(payload), block: payload.subarray(10), last: isLast(head) };
    case types.reset:
      return { type: 'reset', stream: streamOf(payload) };
    case types.ping:
      return { type: 'ping', id: payload.readUInt32BE(0) };
    case types.goaway:
      return { type: 'goaway' };
    default:
      return undefined;
  }
}

function streamOf(payload: Buffer): number {
  return payload.readUInt32BE(0) & 0x7fffffff;
}

/** Returns the frame that accepts a stream. */
export function replyFrame(stream: number, block: Uint8Array): Uint8Array {
  return control(types.reply, Buffer.concat([word(stream), block]));
}

/** Returns a data frame of at most 16 MiB. */
export function serverData(stream: number, bytes: Uint8Array, last: boolean): Uint8Array {
  return Buffer.concat([word(stream), word((last ? 0x1000000 : 0) + bytes.length), bytes]);
}

/** Returns the frame that resets a stream because of an internal error. */
export function serverReset(stream: number): Uint8Array {
  return control(types.reset, Buffer.concat([word(stream), word(6)]));
}

/** Returns the response to a ping. */
export function pong(id: number): Uint8Array {
  return control(types.ping, word(id));
}

function control(type: number, payload: Uint8Array): Uint8Array {
  return Buffer.concat([word(0x80030000 + type), word(payload.length), payload]);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
