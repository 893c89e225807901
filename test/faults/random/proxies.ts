/** Proxies that forward a client or send it random responses. */
import type { Socket } from 'node:net';
import type { Random } from '../../support/random.ts';
import { deliver, type End, finish } from './delivery.ts';
import type { Listeners } from './listeners.ts';
import { anyBytes } from './replies.ts';

async function refuse(socket: Socket, bytes: Buffer, random: Random): Promise<void> {
  await deliver(socket, bytes, random);
  finish(socket, random.pick<End>(['keep', 'keep', 'end', 'reset', 'stall']));
}

/** Reads data of the client until `length` finds it complete, and returns it. */
function reads(socket: Socket, length: (bytes: Buffer) => boolean): Promise<Buffer> {
  return new Promise((resolve) => {
    let bytes: Buffer = Buffer.alloc(0);
    const read = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      if (!length(bytes)) return;
      socket.off('data', read);
      // Later data is for the next listener.
      socket.pause();
      resolve(bytes);
    };
    socket.on('data', read).resume();
  });
}

/**
 * Delivers bytes while data of the client is read, which is for the next reader: a socket that is paused
 * would not notice that the client has closed the connection.
 */
async function deliverReading(socket: Socket, bytes: Buffer, random: Random): Promise<void> {
  const early: Buffer[] = [];
  const read = (chunk: Buffer): void => void early.push(chunk);
  socket.on('data', read).resume();
  await deliver(socket, bytes, random);
  socket.off('data', read).pause();
  if (early.length > 0 && !socket.destroyed && !socket.readableEnded) socket.unshift(Buffer.concat(early));
}

function anyResponse(random: Random): Buffer {
  const status = random.pick([
    '407 x',
    '403 Forbidden',
    '502 Bad',
    '200',
    '199 x',
    '999 x',
    '2000 x',
    'abc',
    '',
  ]);
  const extra = random.pick([
    '',
    'proxy-authenticate: Basic\r\n',
    `x: ${'y'.repeat(80_000)}\r\n`,
    '\u0000\r\n',
  ]);
  return random.pick([
    () => anyBytes(random, 300),
    () => Buffer.from(`HTTP/1.1 ${status}\r\n${extra}\r\n`),
    () => Buffer.from(`HTTP/1.1 ${status}\r\n${extra}`),
    () => Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), anyBytes(random, 300)]),
    () => Buffer.from('SSH-2.0-OpenSSH_9.6\r\n'),
    () => Buffer.from('x'.repeat(random.int(200_000))),
    () => Buffer.alloc(0),
  ])();
}

/** An HTTP proxy: it opens a tunnel for CONNECT, and otherwise responds like the server. */
export async function serveProxy(
  socket: Socket,
  {
    listeners,
    port,
    random,
    serve,
  }: { listeners: Listeners; port: number; random: Random; serve: (socket: Socket) => void },
): Promise<void> {
  const head = await reads(socket, (bytes) => bytes.includes('\r\n\r\n'));
  if (random.chance(0.4)) return refuse(socket.resume(), anyResponse(random), random);
  if (!head.toString('latin1').startsWith('CONNECT ')) {
    serve(socket);
    socket.unshift(head);
    socket.resume();
    return;
  }
  await deliverReading(socket, Buffer.from('HTTP/1.1 200 Connection established\r\nx: y\r\n\r\n'), random);
  listeners.join(socket, port);
}

/** A SOCKS proxy. */
export async function serveSocks(
  socket: Socket,
  { listeners, port, random }: { listeners: Listeners; port: number; random: Random },
): Promise<void> {
  const garbage = (): Buffer =>
    random.pick([
      () => anyBytes(random, 50),
      () => Buffer.of(5, random.int(256)),
      () => Buffer.of(5, random.int(12), 0, random.int(6), random.int(256)),
      () => Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'),
      () => Buffer.alloc(0),
    ])();
  await reads(socket, (bytes) => bytes.length >= 3);
  if (random.chance(0.2)) return refuse(socket.resume(), garbage(), random);
  await deliverReading(socket, Buffer.of(5, 0), random);
  await reads(socket, (bytes) => bytes.length >= 7);
  if (random.chance(0.3)) return refuse(socket.resume(), garbage(), random);
  const address = random.pick([Buffer.of(1, 127, 0, 0, 1, 0, 80), Buffer.from('\x03\x01h\0\0', 'latin1')]);
  await deliverReading(socket, Buffer.concat([Buffer.of(5, 0, 0), address]), random);
  listeners.join(socket, port);
}
