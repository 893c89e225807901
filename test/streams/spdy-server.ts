/** A server of SPDY tunnels for port-forwards, on Node's own zlib. */
import { constants, inflateSync } from 'node:zlib';
import type { WebSocket } from 'ws';
import { dictionary, emptyBlock } from '../../src/testserver/streams/spdy/headers.ts';

/** A stream that the client opened. */
export interface ServerStream {
  readonly id: number;
  readonly headers: Readonly<Record<string, string>>;
  send(data: string | Uint8Array, last?: boolean): void;
  reset(status?: number): void;
}

/** Handlers of a tunnel. */
export interface TunnelHandlers {
  opened(stream: ServerStream): void;
  data(stream: ServerStream, bytes: Buffer, last: boolean): void;
  reset?(id: number): void;
  /** Whether streams are accepted by a reply. Default: true. */
  readonly replies?: boolean;
}

/** Returns a word of 32 bits. */
export function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Returns a control frame. */
export function control(type: number, payload: Buffer, flags = 0): Buffer {
  return Buffer.concat([
    word((0x8003 * 2 ** 16 + type) >>> 0),
    word(flags * 2 ** 24 + payload.length),
    payload,
  ]);
}

/** Returns a data frame. */
export function data(stream: number, payload: string | Uint8Array, last = false): Buffer {
  const bytes = Buffer.from(payload);
  return Buffer.concat([word(stream), word((last ? 2 ** 24 : 0) + bytes.length), bytes]);
}

/** Returns the name and value pairs of the last header block of a zlib stream. */
function lastHeaders(
  zlib: Buffer,
  known: number,
): { readonly headers: Record<string, string>; readonly end: number } {
  const all = inflateSync(zlib, { dictionary, finishFlush: constants.Z_SYNC_FLUSH });
  let at = known;
  const next = (): number => {
    at += 4;
    return all.readUInt32BE(at - 4);
  };
  const text = (): string => {
    const length = next();
    at += length;
    return all.toString('utf8', at - length, at);
  };
  const headers: Record<string, string> = {};
  for (let count = next(); count > 0; count -= 1) {
    const name = text();
    headers[name.toLowerCase()] = text();
  }
  return { headers, end: at };
}

/** Serves a tunnel. */
export function serveTunnel(socket: WebSocket, handlers: TunnelHandlers): void {
  const streams = new Map<number, ServerStream>();
  let rest = Buffer.alloc(0);
  let zlib = Buffer.alloc(0);
  let known = 0;
  const open = (payload: Buffer): void => {
    const id = payload.readUInt32BE(0);
    zlib = Buffer.concat([zlib, payload.subarray(10)]);
    const { headers, end } = lastHeaders(zlib, known);
    known = end;
    const stream: ServerStream = {
      id,
      headers,
      send: (bytes, last = false) => socket.send(data(id, bytes, last)),
      reset: (status = 1) => socket.send(control(3, Buffer.concat([word(id), word(status)]))),
    };
    streams.set(id, stream);
    if (handlers.replies !== false)
      socket.send(control(2, Buffer.concat([word(id), emptyBlock(streams.size === 1)])));
    handlers.opened(stream);
  };
  socket.on('message', (message: Buffer) => {
    rest = Buffer.concat([rest, message]);
    while (rest.length >= 8) {
      const length = rest.readUInt32BE(4) & 0xffffff;
      if (rest.length < 8 + length) return;
      const payload = rest.subarray(8, 8 + length);
      const first = rest.readUInt32BE(0);
      const stream = streams.get(first);
      if (first === (0x8003 * 2 ** 16 + 1) >>> 0) open(payload);
      else if (first === (0x8003 * 2 ** 16 + 3) >>> 0) handlers.reset?.(payload.readUInt32BE(0));
      else if (stream !== undefined) handlers.data(stream, Buffer.from(payload), (rest[4] ?? 0) === 1);
      rest = rest.subarray(8 + length);
    }
  });
}
