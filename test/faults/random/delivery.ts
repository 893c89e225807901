/** Delivery of bytes to the client: in chunks of any size, fast or slow, with any end. */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Random } from '../../support/random.ts';
import { pause } from './time.ts';

/** State of a connection after data was sent. */
export type End = 'keep' | 'end' | 'reset' | 'stall';

function write(socket: Socket, bytes: Buffer): Promise<void> {
  if (!socket.writable) return Promise.resolve();
  return new Promise((resolve) => {
    // Does not wait for a client that has disconnected or stopped reading.
    const done = (): void => {
      socket.off('close', done);
      resolve();
    };
    socket.once('close', done);
    socket.write(bytes, done);
  });
}

function pieces(bytes: Buffer, random: Random): readonly Buffer[] {
  const count = random.chance(0.6) ? 1 : 1 + random.int(8);
  const cuts = Array.from({ length: count - 1 }, () => random.int(bytes.length + 1)).sort((a, b) => a - b);
  return [0, ...cuts].map((cut, index) => bytes.subarray(cut, cuts[index] ?? bytes.length));
}

/** Sends bytes in chunks. */
export async function deliver(socket: Socket, bytes: Buffer, random: Random): Promise<void> {
  for (const piece of pieces(bytes, random)) {
    if (piece.length > 0) await write(socket, piece);
    if (random.chance(0.2)) await pause(random.int(20));
  }
}

/** Returns a random end, mostly a normal one. */
export function anyEnd(random: Random): End {
  return random.chance(0.7) ? 'keep' : random.pick(['end', 'reset', 'stall']);
}

/** Returns `false` if nothing more is sent over the connection. */
export function finish(socket: Socket, end: End): boolean {
  if (end === 'end') socket.end();
  // TLS cannot be reset without leaving its own end open.
  if (end === 'reset') socket instanceof TLSSocket ? socket.destroy() : socket.resetAndDestroy();
  return end === 'keep';
}

/** Returns bytes with some of them changed. */
export function scrambled(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  for (let left = 1 + random.int(4); left > 0 && copy.length > 0; left -= 1) {
    copy[random.int(copy.length)] = random.int(256);
  }
  return copy;
}
