/** WebSocket frames of a server, valid or not. */

/** Parts of a frame that differ from a valid, final, unmasked frame. */
export interface FrameParts {
  readonly final?: boolean;
  readonly reserved?: number;
  readonly masked?: boolean;
  /** Length that the head declares. Default: that of the payload. */
  readonly length?: number;
}

/** Returns a frame of a server. */
export function serverFrame(opcode: number, payload: Uint8Array | string, parts: FrameParts = {}): Buffer {
  const bytes = Buffer.from(payload);
  const { final = true, reserved = 0, masked = false, length = bytes.length } = parts;
  const first = (final ? 0x80 : 0) | reserved | opcode;
  const bit = masked ? 0x80 : 0;
  const mask = masked ? Buffer.alloc(4) : Buffer.alloc(0);
  if (length < 126) return Buffer.concat([Buffer.from([first, bit | length]), mask, bytes]);
  const size = length < 65_536 ? 2 : 8;
  const head = Buffer.alloc(2 + size);
  head[0] = first;
  head[1] = bit | (size === 2 ? 126 : 127);
  if (size === 2) head.writeUInt16BE(length, 2);
  else head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, mask, bytes]);
}

/** Returns a close frame. */
export function closeFrame(code: number, reason = ''): Buffer {
  const head = Buffer.alloc(2);
  head.writeUInt16BE(code);
  return serverFrame(8, Buffer.concat([head, Buffer.from(reason)]));
}
