import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { isApiError, isForbidden, isNotFound } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { closeFrame, serverFrame } from './server-frames.ts';
import {
  accepting,
  exitStatus,
  failure,
  podsOf,
  raw,
  refusing,
  respond,
  startServer,
  success,
} from './support.ts';

const v5 = 'v5.channel.k8s.io';
const v4 = 'v4.channel.k8s.io';

/** Starts a server that runs `command` in place of a process, and returns the client of its pods. */
async function running(command: (socket: WebSocket, query: URLSearchParams) => void, protocols = [v5, v4]) {
  const url = await startServer(
    accepting(protocols, (socket, request) => {
      command(socket, new URL(request.url ?? '', 'http://server').searchParams);
    }),
  );
  return podsOf(url);
}

const message = (channel: number, text: string | Uint8Array): Buffer =>
  Buffer.concat([Buffer.of(channel), Buffer.from(text)]);

/** Sends a status and closes, as servers do. */
function finish(socket: WebSocket, status: Buffer = success): void {
  socket.send(status);
  socket.close(1000);
}

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('exec', () => {
  it('requests the streams and the command, and returns output and exit code', async () => {
    let requested = '';
    const pods = await running((socket, query) => {
      requested = query.toString();
      socket.send(message(0, ''));
      socket.send(message(1, 'out'));
      socket.send(message(2, 'err'));
      finish(socket);
    });
    const session = await pods.exec('web-0', { command: ['sh', '-c', 'a b', ''], container: 'main' });
    expect(session.protocol).toBe(v5);
    expect(await Promise.all([textOf(session.stdout), textOf(session.stderr)])).toEqual(['out', 'err']);
    expect(await session.exit).toEqual({ code: 0 });
    expect(requested).toBe(
      'command=sh&command=-c&command=a+b&command=&container=main&stderr=true&stdin=false&stdout=true&tty=false',
    );
  });

  it('opens one output with a terminal, and sends its size', async () => {
    const received: string[] = [];
    const pods = await running((socket, query) => {
      received.push(`stderr ${query.get('stderr')} tty ${query.get('tty')}`);
      socket.on('message', (data: Buffer) => {
        received.push(`${data[0]} ${data.subarray(1)}`);
        finish(socket);
      });
    });
    const session = await pods.exec('web-0', { command: 'sh', tty: true });
    expect(session.stderr).toBeUndefined();
    expect(() => session.resize({ width: 0, height: 1 })).toThrow(RangeError);
    session.resize({ width: 120, height: 40 });
    await session.exit;
    expect(received).toEqual(['stderr false tty true', '4 {"Width":120,"Height":40}']);
  });

  it('half-closes stdin, and receives output after that', async () => {
    const pods = await running((socket) => {
      let input = '';
      socket.on('message', (data: Buffer) => {
        if (data[0] === 0) input += data.subarray(1).toString();
        if (data[0] !== 255) return;
        socket.send(message(1, `${input} ${data.length} ${data[1]}`));
        finish(socket);
      });
    });
    const session = await pods.exec('web-0', { command: 'cat', stdin: true });
    session.stdin.write('ab');
    session.stdin.end('c');
    expect(await textOf(session.stdout)).toBe('abc 2 0');
    expect(await session.exit).toEqual({ code: 0 });
  });

  it('fails stdin.end() with v4, and the session continues', async () => {
    const pods = await running(
      (socket) => {
        socket.on('message', () => finish(socket, exitStatus(3)));
      },
      [v4],
    );
    const session = await pods.exec('web-0', { command: 'cat', stdin: true });
    expect(session.protocol).toBe(v4);
    const failed = once(session.stdin, 'error');
    session.stdin.end('x');
    expect(String(await failed)).toMatch(/stdin cannot end before the session with v4\.channel\.k8s\.io/);
    expect(await session.exit).toMatchObject({ code: 3 });
  });

  it.each([
    [1, { code: 1 }],
    [137, { code: 137, signal: 'SIGKILL' }],
    [143, { code: 143, signal: 'SIGTERM' }],
  ])('returns the exit code %i', async (code, want) => {
    const pods = await running((socket) => finish(socket, exitStatus(code)));
    const session = await pods.exec('web-0', { command: 'x' });
    const reason = `command terminated with non-zero exit code: exit status ${code}`;
    expect(await session.exit).toEqual({ ...want, reason });
  });

  it('accepts a status without its kind, as API servers translate that of a kubelet', async () => {
    const pods = await running((socket) => finish(socket, message(3, '{"metadata":{},"status":"Success"}')));
    const session = await pods.exec('web-0', { command: 'x' });
    expect(await session.exit).toEqual({ code: 0 });
  });

  it('provides web streams', async () => {
    const pods = await running((socket) => {
      socket.on('message', (data: Buffer) => {
        if (data[0] === 0) socket.send(message(1, data.subarray(1)));
        else finish(socket);
      });
    });
    const session = await pods.exec('web-0', { command: 'cat', stdin: true });
    const writer = session.web.stdin.getWriter();
    await writer.write(Buffer.from('abc'));
    await writer.close();
    let text = '';
    for await (const chunk of session.web.stdout) text += Buffer.from(chunk).toString();
    expect(text).toBe('abc');
    expect(await session.exit).toEqual({ code: 0 });
  });

  it('attaches without a command', async () => {
    const pods = await running((socket, query) => {
      socket.send(message(1, String(query.has('command'))));
      finish(socket);
    });
    const session = await pods.attach('web-0');
    expect(await textOf(session.stdout)).toBe('false');
  });
});

describe('a refused handshake', () => {
  it.each([
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [404, 'NotFound'],
    [400, 'BadRequest'],
    [500, 'InternalError'],
  ])('%i rejects with the ApiError of its Status, without another attempt', async (code, reason) => {
    let attempts = 0;
    const refuse = refusing(code, reason, 'pods "web-0": no');
    const url = await startServer((request, socket, head) => {
      attempts += 1;
      refuse(request, socket, head);
    });
    const error = await failure(podsOf(url).exec('web-0', { command: 'x' }));
    expect(isApiError(error) && error.code).toBe(code);
    expect(error.message).toMatch(/^exec pods\/exec shop\/web-0: \d+ \w+: pods "web-0": no/);
    expect(isForbidden(error)).toBe(code === 403);
    expect(isNotFound(error)).toBe(code === 404);
    expect(attempts).toBe(1);
  });

  it.each<[string, string, (protocols: string) => string]>([
    ['a response without an upgrade', 'HTTP/1.1 400 Bad Request', () => ''],
    ['426', 'HTTP/1.1 426 Upgrade Required', () => ''],
    ['a page', 'HTTP/1.1 200 OK', () => 'welcome'],
  ])('because of the protocol (%s) is followed by v4', async (_, status, body) => {
    const offers: (string | undefined)[] = [];
    const accept = accepting([v4], (socket) => finish(socket));
    const url = await startServer((request, socket, head) => {
      const offer = request.headers['sec-websocket-protocol'];
      offers.push(offer);
      if (offer === v4) return accept(request, socket, head);
      const [, code] = status.split(' ');
      respond(socket, Number(code), body(offer ?? ''));
    });
    const session = await podsOf(url).exec('web-0', { command: 'x' });
    expect(session.protocol).toBe(v4);
    expect(offers).toEqual([`${v5}, ${v4}`, v4]);
    expect(await session.exit).toEqual({ code: 0 });
  });

  it('with a protocol that was not offered names it', async () => {
    const url = await startServer(raw('other', () => undefined));
    const error = await failure(podsOf(url).exec('web-0', { command: 'x' }));
    expect(error.message).toMatch(/does not support v4\.channel\.k8s\.io; it selected "other"/);
    expect(error.code).toBe('UPGRADE_REFUSED');
  });

  it('is limited by timeoutMs', async () => {
    const url = await startServer(() => undefined);
    const error = await failure(podsOf(url).exec('web-0', { command: 'x', timeoutMs: 30 }));
    expect(error.name).toBe('TimeoutError');
  });
});

describe('a session without an exit status', () => {
  it.each<[string, readonly Buffer[], RegExp]>([
    ['a cut connection', [serverFrame(2, message(1, 'a'))], /without an exit status: the connection ended/],
    ['a truncated frame', [serverFrame(2, message(1, 'a'), { length: 100 })], /without a close frame/],
    ['a clean close', [serverFrame(2, message(1, 'a')), closeFrame(1000)], /server closed it with 1000/],
    ['a close with a reason', [closeFrame(1011, 'evicted')], /closed it with 1011: evicted/],
    ['an invalid frame', [serverFrame(3, 'x')], /invalid WebSocket frame: a frame has the unknown opcode 3/],
    ['a masked frame', [serverFrame(2, 'x', { masked: true })], /a frame of the server is masked/],
    ['an unknown channel', [serverFrame(2, message(7, 'x'))], /unknown channel 7/],
    ['half a status', [serverFrame(2, message(3, '{"kind"'), { final: false })], /without a close frame/],
  ])('rejects its exit and its output after %s', async (_, frames, want) => {
    const url = await startServer(
      raw(v5, (socket) => {
        for (const frame of frames) socket.write(frame);
        socket.end();
      }),
    );
    const session = await podsOf(url).exec('web-0', { command: 'x' });
    const output = failure(textOf(session.stdout));
    const error = await failure(session.exit);
    expect(error.message).toMatch(want);
    expect(error.code).toBe('STATUS_MISSING');
    expect(await output).toBe(error);
  });

  it('is an error for every byte at which a connection is cut before the end of the status', async () => {
    const frames = [serverFrame(2, message(1, 'out')), serverFrame(2, exitStatus(7))];
    const bytes = Buffer.concat([...frames, closeFrame(1000)]);
    const known = bytes.length - closeFrame(1000).length;
    let cut = 0;
    const url = await startServer(raw(v5, (socket) => void socket.end(bytes.subarray(0, cut))));
    const pods = podsOf(url);
    for (; cut <= bytes.length; cut += 1) {
      const session = await pods.exec('web-0', { command: 'x', stderr: false });
      const output = textOf(session.stdout).catch((error: Error & { code?: unknown }) => error.code);
      const exit = await session.exit.catch((error: Error & { code?: unknown }) => error.code);
      expect([cut, exit]).toMatchObject([cut, cut < known ? 'STATUS_MISSING' : { code: 7 }]);
      expect(await output).toBe(cut < known ? 'STATUS_MISSING' : 'out');
    }
  });

  it.each<[string, string, RegExp]>([
    ['is not JSON', '{', /the exit status that the server sent is not a Status/],
    ['is another object', '{"kind":"Pod","status":"Success"}', /is not a Status/],
    ['has no outcome', '{"metadata":{}}', /is not a Status/],
    ['is a list', '[]', /is not a Status/],
    [
      'has no exit code',
      '{"kind":"Status","status":"Failure","reason":"NonZeroExitCode"}',
      /has no exit code/,
    ],
    [
      'reports a process that could not run',
      '{"kind":"Status","status":"Failure","code":500,"reason":"InternalError","message":"no such file"}',
      /500 InternalError: no such file/,
    ],
  ])('rejects if the status %s', async (_, status, want) => {
    const pods = await running((socket) => finish(socket, message(3, status)));
    const session = await pods.exec('web-0', { command: 'x' });
    expect((await failure(session.exit)).message).toMatch(want);
  });

  it('delivers the output that preceded the error', async () => {
    const url = await startServer(
      raw(v5, (socket) => {
        for (let count = 0; count < 6; count += 1)
          socket.write(serverFrame(2, message(1, 'x'.repeat(10_000))));
        socket.end();
      }),
    );
    const session = await podsOf(url).exec('web-0', { command: 'x' });
    await failure(session.exit);
    let size = 0;
    const reading = (async () => {
      for await (const chunk of session.stdout) size += chunk.length;
    })();
    expect((await failure(reading)).code).toBe('STATUS_MISSING');
    expect(size).toBe(60_000);
  });

  it('rejects with the reason of its signal', async () => {
    const pods = await running(() => undefined);
    const controller = new AbortController();
    const session = await pods.exec('web-0', { command: 'x', signal: controller.signal });
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await failure(session.exit)).toBe(reason);
    expect(await failure(textOf(session.stdout))).toBe(reason);
  });

  it('rejects after close()', async () => {
    const pods = await running(() => undefined);
    const session = await pods.exec('web-0', { command: 'x' });
    session.close();
    expect((await failure(session.exit)).code).toBe('SESSION_CLOSED');
  });

  it('does not end the program if neither exit nor output is used', async () => {
    const pods = await running((socket) => socket.terminate());
    const session = await pods.exec('web-0', { command: 'x' });
    await delay(50);
    expect(session.stdout.destroyed || session.stdout.readable).toBe(true);
  });
});

describe('back-pressure', () => {
  it('stops the server while output is not read', async () => {
    let socket: WebSocket | undefined;
    const pods = await running((opened) => {
      socket = opened;
      const chunk = message(1, Buffer.alloc(65_535, 'x'));
      for (let count = 0; count < 400; count += 1) opened.send(chunk);
      finish(opened);
    });
    const session = await pods.exec('web-0', { command: 'x' });
    let before = -1;
    await expect
      .poll(() => {
        const same = socket?.bufferedAmount === before && before > 0;
        before = socket?.bufferedAmount ?? 0;
        return same;
      })
      .toBe(true);
    let size = 0;
    for await (const chunk of session.stdout) size += chunk.length;
    expect(size).toBe(400 * 65_535);
    expect(await session.exit).toEqual({ code: 0 });
  });

  it('stops the writer of stdin while the server does not read', async () => {
    const url = await startServer(raw(v5, () => undefined));
    const session = await podsOf(url).exec('web-0', { command: 'x', stdin: true });
    const chunk = Buffer.alloc(1024 * 1024);
    let written = 0;
    while (written < 100 && session.stdin.write(chunk)) written += 1;
    expect(written).toBeLessThan(100);
    expect(session.stdin.writableNeedDrain).toBe(true);
    session.close();
  });

  it('discards output that is not read any more', async () => {
    const pods = await running((socket) => {
      for (let count = 0; count < 100; count += 1) socket.send(message(1, Buffer.alloc(65_535)));
      finish(socket, exitStatus(2));
    });
    const session = await pods.exec('web-0', { command: 'x' });
    for await (const _ of session.stdout) break;
    expect(await session.exit).toMatchObject({ code: 2 });
  });
});

describe('execText', () => {
  it('returns output and code, and sends stdin', async () => {
    const pods = await running((socket, query) => {
      socket.on('message', (data: Buffer) => {
        if (data[0] === 0) socket.send(message(1, `${query.get('command')} ${data.subarray(1)}`));
        if (data[0] === 255) finish(socket, exitStatus(4));
      });
    });
    const result = await pods.execText('web-0', 'cat', { stdin: 'ä' });
    expect(result).toEqual({ stdout: 'cat ä', stderr: '', code: 4 });
  });

  it('rejects stdin for a server without v5', async () => {
    const pods = await running(() => undefined, [v4]);
    const error = await failure(pods.execText('web-0', 'cat', { stdin: 'x' }));
    expect(error.message).toMatch(/cannot end stdin, as it supports only v4/);
  });

  it('limits the time and the output', async () => {
    const pods = await running((socket) => socket.send(message(1, 'abc')));
    const late = await failure(pods.execText('web-0', 'x', { timeoutMs: 50 }));
    expect(late.message).toMatch(/timed out after 50 ms: the command had not ended/);
    const long = await failure(pods.execText('web-0', 'x', { maxOutputBytes: 2 }));
    expect(long.message).toMatch(/the output exceeds 2 bytes \(maxOutputBytes\)/);
  });

  it('rejects an empty command', async () => {
    const pods = podsOf('http://127.0.0.1:1');
    await expect(pods.execText('web-0', [])).rejects.toThrow(TypeError);
  });
});
