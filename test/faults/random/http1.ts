/** An HTTP/1.1 server with random responses. */
import type { Socket } from 'node:net';
import type { Random } from '../../support/random.ts';
import { anyEnd, deliver, finish, scrambled } from './delivery.ts';
import { anyBytes, anyReply, type Reply } from './replies.ts';

function chunked(body: Buffer, random: Random): Buffer {
  const size = random.chance(0.9)
    ? body.length.toString(16)
    : random.pick(['zz', '-1', 'ffffffffffffffffff', '']);
  const last = random.chance(0.85) ? '0\r\n\r\n' : random.pick(['0\r\nx: y\r\n\r\n', '0\r\n', '', 'x']);
  const first = body.length === 0 ? [] : [Buffer.from(`${size}\r\n`), body, Buffer.from('\r\n')];
  return Buffer.concat([...first, Buffer.from(last)]);
}

/** Returns the headers that describe the length of a body, correctly or not, and the body in that framing. */
function framed(body: Buffer, random: Random): readonly [head: string, body: Buffer] {
  const length = `content-length: ${body.length}\r\n`;
  const isChunked = 'transfer-encoding: chunked\r\n';
  if (random.chance(0.5)) return [length, body];
  if (random.chance(0.5)) return [isChunked, chunked(body, random)];
  return random.pick<readonly [string, Buffer]>([
    [`content-length: ${body.length + 1 + random.int(99)}\r\n`, body],
    [`content-length: ${random.int(body.length + 1)}\r\n`, body],
    [`content-length: ${random.pick(['-1', 'x', '9'.repeat(30), '', '1, 2'])}\r\n`, body],
    [length + length, body],
    [length + isChunked, chunked(body, random)],
    ['transfer-encoding: gzip, chunked\r\n', chunked(body, random)],
    ['transfer-encoding: x\r\n', body],
    ['connection: close\r\n', body],
    ['', body],
  ]);
}

const oddLines: readonly [string, ...string[]] = [
  'no colon\r\n',
  ' folded: x\r\n',
  'a b: c\r\n',
  ': empty\r\n',
  'x: \u0000\u0001\r\n',
  'keep-alive: timeout=0, max=-1\r\n',
  'keep-alive: timeout=99999999999\r\n',
  'connection: upgrade, close, keep-alive\r\nupgrade: websocket\r\n',
  `x: ${'y'.repeat(100_000)}\r\n`,
  'x: y\r\n'.repeat(3000),
  'lone: cr\r',
  'lone: lf\n',
];

function head({ status, headers }: Reply, random: Random): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  if (random.chance(0.1)) lines.push(random.pick(oddLines));
  const version = random.chance(0.97) ? '1.1' : random.pick(['1.0', '2.0', '0.9', '9.9', 'x']);
  const early = random.chance(0.05)
    ? 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'.repeat(1 + random.int(50))
    : '';
  return `${early}HTTP/${version} ${status} OK\r\n${lines.join('')}`;
}

function response(random: Random): Buffer {
  if (random.chance(0.05)) return anyBytes(random, 300);
  const reply = anyReply(random);
  const [framing, body] = framed(reply.body, random);
  const bytes = Buffer.concat([Buffer.from(`${head(reply, random)}${framing}\r\n`, 'latin1'), body]);
  if (random.chance(0.05)) return scrambled(bytes, random);
  return random.chance(0.05) ? bytes.subarray(0, random.int(bytes.length)) : bytes;
}

/** Responds to every request of a connection. Calls `answered` before each response. */
export function serveHttp1(socket: Socket, random: Random, responded: () => void): void {
  let turn = Promise.resolve(true);
  let seen = '';
  const next = (): void => {
    turn = turn.then(async (open) => {
      if (!open) return false;
      responded();
      if (random.chance(0.05)) return finish(socket, anyEnd(random));
      await deliver(socket, response(random), random);
      return finish(socket, anyEnd(random));
    });
  };
  if (random.chance(0.03)) next();
  socket.on('data', (chunk: Buffer) => {
    // Bodies are JSON or protobuf, in which an empty line is rare: an additional response is an additional
    // fault.
    seen += chunk.toString('latin1');
    for (let end = seen.indexOf('\r\n\r\n'); end >= 0; end = seen.indexOf('\r\n\r\n')) {
      seen = seen.slice(end + 4);
      next();
    }
  });
}
