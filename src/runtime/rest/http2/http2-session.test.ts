import { once } from 'node:events';
import { createServer, type ServerHttp2Session } from 'node:http2';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Http2Session, type PingLimits } from './http2-session.ts';
import type { Dispatched } from './http2-stream.ts';

const cleanups: (() => void)[] = [];
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => {
  vi.useRealTimers();
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

const usual: PingLimits = { readIdleMs: 30_000, pingMs: 15_000 };
const events = { changed: () => undefined, refused: () => undefined };

interface Running {
  readonly session: Http2Session;
  readonly origin: string;
  readonly socket: Socket;
  /** Sessions of the server. */
  readonly served: ServerHttp2Session[];
}

/**
 * Starts a session with a server on loopback that begins each response with `x` and ends it when `/end` is
 * requested.
 */
async function start(limits: PingLimits = usual): Promise<Running> {
  const served: ServerHttp2Session[] = [];
  const server = createServer();
  server.on('session', (session) => served.push(session));
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    stream.respond({ ':status': 200 });
    if (headers[':path'] === '/end') stream.end('x');
    else stream.write('x');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address with a port.
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const origin = `http://127.0.0.1:${port}`;
  const session = new Http2Session(socket, origin, limits, events);
  cleanups.push(() => {
    socket.destroy();
    for (const one of served) one.destroy();
    server.close();
  });
  return { session, origin, socket, served };
}

/**
 * Creates a request: `began` resolves with the first bytes of its response, `over` with its error or
 * `undefined`.
 */
function request(path: string): { dispatched: Dispatched; began: Promise<void>; over: Promise<unknown> } {
  let begin: () => void = () => undefined;
  let end: (error: unknown) => void = () => undefined;
  const began = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const over = new Promise<unknown>((resolve) => {
    end = resolve;
  });
  const handler = {
    onResponseData: () => begin(),
    onResponseEnd: () => end(undefined),
    onResponseError: (_: unknown, error: unknown) => end(error),
  };
  return { dispatched: { options: { method: 'GET', path }, handler }, began, over };
}

/** Waits until `holds`, on the real event loop. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits until received data is processed. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Returns the uncaught errors during `work`, and in the event-loop turns after it. */
async function uncaught(work: () => Promise<void>): Promise<unknown[]> {
  const errors: unknown[] = [];
  const before = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => errors.push(error));
  try {
    await work();
    await settled();
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const listener of before) process.on('uncaughtException', listener);
  }
  return errors;
}

describe('a session', () => {
  it('sends no ping between its destruction by the idle timer and `close`', async () => {
    const { session, socket } = await start({ ...usual, readIdleMs: 30_001 });
    const { dispatched, over } = request('/end');
    session.start(dispatched);
    expect(await over).toBe(undefined);
    // Node ends the socket of a session that it has destroyed, and emits `close` when the socket is closed.
    const end = vi.spyOn(socket, 'end').mockReturnValue(socket);
    await until(() => vi.getTimerCount() === 2);
    vi.advanceTimersByTime(30_000);
    await until(() => end.mock.calls.length === 1);
    vi.advanceTimersByTime(30_000);
    socket.destroy();
    await until(() => vi.getTimerCount() === 0);
  });

  it('keeps the process alive while it has requests, and closes when it has had none for 30 s', async () => {
    const { session, socket } = await start({ ...usual, readIdleMs: 0 });
    const calls: string[] = [];
    vi.spyOn(socket, 'ref').mockImplementation(() => {
      calls.push('ref');
      return socket;
    });
    vi.spyOn(socket, 'unref').mockImplementation(() => {
      calls.push('unref');
      return socket;
    });
    const both = [request('/end'), request('/end')];
    for (const { dispatched } of both) {
      session.start(dispatched);
      expect(calls).toEqual(['ref']);
    }
    for (const { over } of both) expect(await over).toBe(undefined);
    await until(() => vi.getTimerCount() === 1);
    expect(calls).toEqual(['ref', 'unref']);
    vi.advanceTimersByTime(29_999);
    expect(session.over).toBe(false);
    vi.advanceTimersByTime(1);
    expect(session.over).toBe(true);
  });

  it('that never has a request closes after 30 s', async () => {
    const { session } = await start({ ...usual, readIdleMs: 0 });
    vi.advanceTimersByTime(30_000);
    expect(session.over).toBe(true);
  });

  it('lets the server send 1 GiB that nobody reads', async () => {
    const { served } = await start();
    await until(() => (served[0]?.state.remoteWindowSize ?? 0) > 2 ** 29);
    expect(served[0]?.state.remoteWindowSize).toBe(2 ** 30);
  });

  it('has room for as many requests as the server allows', async () => {
    const { session, served } = await start();
    await until(() => served.length === 1);
    served[0]?.settings({ maxConcurrentStreams: 2 });
    const running = [request('/watch'), request('/watch')];
    expect(session.hasRoom).toBe(true);
    for (const { dispatched } of running) session.start(dispatched);
    for (const { began } of running) await began;
    await until(() => !session.hasRoom);
    await session.destroy();
    expect(session.hasRoom).toBe(false);
  });

  it('measures silence from the last bytes', async () => {
    const { session, socket, served } = await start();
    await until(() => served.length === 1);
    const pings: unknown[] = [];
    served[0]?.on('ping', (payload) => pings.push(payload));
    vi.advanceTimersByTime(10_000);
    const { dispatched, began, over } = request('/watch');
    session.start(dispatched);
    await began;
    vi.advanceTimersByTime(29_999);
    await settled();
    expect(pings).toEqual([]);
    socket.pause();
    vi.advanceTimersByTime(1);
    await until(() => pings.length === 1);
    vi.advanceTimersByTime(14_999);
    expect(socket.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    const message = 'the server did not acknowledge an HTTP/2 ping within 15 s';
    expect(await over).toMatchObject({ code: 'ECONNABORTED', message });
  });

  it('fails running requests when it is destroyed, so that a partial body is not complete', async () => {
    const { session } = await start();
    const { dispatched, began, over } = request('/watch');
    session.start(dispatched);
    await began;
    await session.destroy();
    expect(await over).toBeInstanceOf(Error);
  });

  it('does not throw if it is destroyed before Node emits `connect`', async () => {
    const errors = await uncaught(async () => {
      const { session } = await start();
      await session.destroy();
    });
    expect(errors).toEqual([]);
  });

  it('leaves no timer when the server closes it', async () => {
    const { session, served } = await start();
    await until(() => served.length === 1);
    served[0]?.destroy();
    await until(() => session.over);
    await until(() => vi.getTimerCount() === 0);
    vi.advanceTimersByTime(120_000);
  });

  it('keeps its streams after GOAWAY for as long as the server acknowledges', async () => {
    const { session, served, socket } = await start();
    const { dispatched, began, over } = request('/watch');
    session.start(dispatched);
    await began;
    served[0]?.goaway(0);
    await until(() => session.over);
    for (let round = 0; round < 3; round += 1) {
      const received = socket.bytesRead;
      vi.advanceTimersByTime(30_000);
      await until(() => socket.bytesRead > received);
      await settled();
    }
    vi.advanceTimersByTime(15_000);
    await settled();
    expect(socket.destroyed).toBe(false);
    socket.destroy();
    expect(await over).toBeInstanceOf(Error);
  });

  it('is destroyed while closing if the server acknowledges no ping', async () => {
    const { session, served, socket } = await start();
    const { dispatched, began, over } = request('/watch');
    session.start(dispatched);
    await began;
    served[0]?.goaway(0);
    await until(() => session.over);
    socket.pause();
    vi.advanceTimersByTime(45_000);
    expect(await over).toMatchObject({
      message: expect.stringMatching(/did not acknowledge an HTTP\/2 ping/),
    });
  });

  it('caps time-outs to the maximum of Node timers', async () => {
    const warned = vi.fn();
    process.on('warning', warned);
    cleanups.push(() => process.off('warning', warned));
    vi.useRealTimers();
    const { session } = await start({ readIdleMs: 2 ** 40, pingMs: 2 ** 40 });
    await new Promise((resolve) => setImmediate(resolve));
    await session.destroy();
    expect(warned).not.toHaveBeenCalled();
  });
});
