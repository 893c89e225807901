/** An HTTP/2 server with random responses, frame by frame. */
import type { Socket } from 'node:net';
import type { Random } from '../../support/random.ts';
import { anyEnd, deliver, finish, scrambled } from './delivery.ts';
import { anyBytes, anyReply } from './replies.ts';

const kinds = { data: 0, headers: 1, reset: 3, settings: 4, push: 5, ping: 6, goaway: 7, window: 8, more: 9 };
const endStream = 1;
const endHeaders = 4;
const prefaceLength = 24;
const frameLength = 16_384;

function frame(kind: number, flags: number, stream: number, payload: Uint8Array = new Uint8Array()): Buffer {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header.writeUInt8(kind, 3);
  header.writeUInt8(flags & 255, 4);
  header.writeUInt32BE(stream >>> 0, 5);
  return Buffer.concat([header, payload]);
}

function word(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => void bytes.writeUInt32BE(value >>> 0, index * 4));
  return bytes;
}

/** Encodes a string with its length, as HPACK does without Huffman codes. */
function counted(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  if (bytes.length < 127) return Buffer.concat([Buffer.of(bytes.length), bytes]);
  const length = [127];
  let rest = bytes.length - 127;
  for (; rest > 127; rest >>>= 7) length.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([...length, rest]), bytes]);
}

function block(headers: readonly (readonly [string, string])[]): Buffer {
  return Buffer.concat(headers.flatMap(([name, value]) => [Buffer.of(0), counted(name), counted(value)]));
}

function settings(random: Random): Buffer {
  const setting = (): Buffer => {
    const bytes = Buffer.alloc(6);
    bytes.writeUInt16BE(random.pick([1, 2, 3, 3, 4, 5, 6, 8, 99]));
    bytes.writeUInt32BE(random.pick([0, 1, 2, 100, 16_384, 65_535, 2 ** 31, 2 ** 32 - 1]), 2);
    return bytes;
  };
  if (random.chance(0.6)) return frame(kinds.settings, 0, 0);
  return frame(kinds.settings, 0, 0, Buffer.concat(Array.from({ length: random.int(4) }, setting)));
}

/** Returns an unexpected frame. */
function oddity(stream: number, random: Random): Buffer {
  const code = random.int(16);
  return random.pick([
    () => frame(kinds.reset, 0, stream, word(code)),
    () => frame(kinds.reset, 0, stream, word(7)),
    () => frame(kinds.reset, 0, stream, word(0)),
    () =>
      frame(
        kinds.goaway,
        0,
        0,
        Buffer.concat([word(random.pick([0, stream, 2 ** 31 - 1]), code), anyBytes(random, 9)]),
      ),
    () => frame(kinds.goaway, 0, 0, word(stream, 0)),
    () => Buffer.concat(Array.from({ length: random.int(2000) }, () => frame(kinds.ping, 0, 0, word(1, 2)))),
    () => Buffer.concat(Array.from({ length: random.int(2000) }, () => frame(kinds.settings, 0, 0))),
    () => settings(random),
    () => frame(kinds.settings, 0, 0, anyBytes(random, 20)),
    () => frame(kinds.ping, 1, 0, word(9, 9)),
    () => frame(kinds.push, endHeaders, stream, Buffer.concat([word(2), block([[':status', '200']])])),
    () => frame(kinds.more, endHeaders, stream, block([['x', 'y']])),
    () => frame(kinds.window, 0, random.pick([0, stream, 99]), word(random.pick([0, 1, 2 ** 31 - 1]))),
    () => frame(kinds.data, endStream, random.pick([0, 2, 99, stream]), anyBytes(random, 50)),
    () =>
      frame(kinds.headers, endHeaders | endStream, random.pick([stream, 2, 99]), block([[':status', '200']])),
    () => frame(kinds.headers, endHeaders, stream, anyBytes(random, 60)),
    () => frame(random.int(256), random.int(256), random.pick([0, stream]), anyBytes(random, 60)),
    () => anyBytes(random, 200),
  ])();
}

function answer(stream: number, random: Random): Buffer {
  const { status, headers, body } = anyReply(random);
  const first: readonly (readonly [string, string])[] = random.chance(0.95) ? [[':status', status]] : [];
  const odd = random.pick<readonly [string, string]>([
    ['X', 'y'],
    [':x', ''],
    ['connection', 'close'],
    ['', ''],
  ]);
  const all = [...first, ...headers, ...(random.chance(0.05) ? [odd] : [])];
  const length = random.chance(0.1) ? [['content-length', String(random.int(body.length + 9))] as const] : [];
  const ends = random.chance(0.05);
  const parts = [
    frame(kinds.headers, endHeaders | (ends ? endStream : 0), stream, block([...all, ...length])),
  ];
  if (random.chance(0.05))
    parts.unshift(frame(kinds.headers, endHeaders, stream, block([[':status', '103']])));
  for (let at = 0; at < body.length; at += frameLength) {
    parts.push(frame(kinds.data, 0, stream, body.subarray(at, at + frameLength)));
  }
  if (random.chance(0.85)) parts.push(frame(kinds.data, endStream, stream));
  else if (random.chance(0.3)) {
    parts.push(frame(kinds.headers, endHeaders | endStream, stream, block([['trailer', 'x']])));
  }
  if (random.chance(0.2)) parts.splice(random.int(parts.length + 1), 0, oddity(stream, random));
  const bytes = Buffer.concat(parts);
  return random.chance(0.05) ? scrambled(bytes, random) : bytes;
}

/** Responds to every request of a connection. Calls `answered` before each response. */
export function serveHttp2(socket: Socket, random: Random, answered: () => void): void {
  const acknowledges = random.chance(0.9);
  let turn = Promise.resolve(true);
  let bytes: Buffer = Buffer.alloc(0);
  let skipped = 0;
  const send = (make: () => Buffer): void => {
    turn = turn.then(async (open) => {
      if (!open) return false;
      await deliver(socket, make(), random);
      return finish(socket, random.chance(0.9) ? 'keep' : anyEnd(random));
    });
  };
  send(() => (random.chance(0.95) ? settings(random) : oddity(1, random)));
  socket.on('data', (chunk: Buffer) => {
    const rest = chunk.subarray(Math.min(prefaceLength - skipped, chunk.length));
    skipped += chunk.length - rest.length;
    bytes = Buffer.concat([bytes, rest]);
    while (bytes.length >= 9 && bytes.length >= 9 + bytes.readUIntBE(0, 3)) {
      const [length, kind, flags, stream] = [
        bytes.readUIntBE(0, 3),
        bytes[3],
        bytes[4] ?? 0,
        bytes.readUInt32BE(5),
      ];
      const payload = Buffer.from(bytes.subarray(9, 9 + length));
      bytes = bytes.subarray(9 + length);
      if (kind === kinds.settings && (flags & 1) === 0 && acknowledges)
        send(() => frame(kinds.settings, 1, 0));
      if (kind === kinds.ping && (flags & 1) === 0 && acknowledges)
        send(() => frame(kinds.ping, 1, 0, payload));
      if (kind !== kinds.headers) continue;
      answered();
      if (random.chance(0.95)) send(() => answer(stream, random));
    }
  });
}
