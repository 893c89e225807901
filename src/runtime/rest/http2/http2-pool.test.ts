import { once } from 'node:events';
import { createServer } from 'node:http2';
import { type AddressInfo, connect, Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { afterEach, expect, it } from 'vitest';
import type { Connector, Dispatching } from '../transport/pool.ts';
import { http2Pool, pingLimits } from './http2-pool.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function poolOf(connector: Connector, origin = 'http://127.0.0.1'): Dispatching {
  const fallback = (): never => {
    throw new Error('no fallback is expected');
  };
  const pool = http2Pool({ origin, connector, fallback, maxConnections: 1 });
  cleanups.push(() => pool.destroy());
  return pool;
}

/**
 * Returns a socket to a server on loopback that responds to all requests; it claims to have negotiated
 * HTTP/2.
 */
async function served(): Promise<{ readonly socket: Socket; readonly origin: string }> {
  const server = createServer();
  server.on('stream', (stream) => {
    stream.respond({ ':status': 200 });
    stream.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address with a port.
  const { port } = server.address() as AddressInfo;
  const socket = Object.assign(connect(port, '127.0.0.1'), { alpnProtocol: 'h2' });
  await once(socket, 'connect');
  cleanups.push(() => server.close());
  cleanups.push(() => socket.destroy());
  return { socket, origin: `http://127.0.0.1:${port}` };
}

/** Resolves with the error of a request, or with `undefined`. */
function sent(pool: Dispatching, onRequestStart: () => void = () => undefined): Promise<unknown> {
  return new Promise((resolve) => {
    pool.dispatch(
      { method: 'GET', path: '/' },
      {
        onRequestStart,
        onResponseEnd: () => resolve(undefined),
        onResponseError: (_, error) => resolve(error),
      },
    );
  });
}

const ended: Dispatcher.DispatchController = {
  aborted: true,
  paused: false,
  reason: null,
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
};

function aborted(): never {
  throw new Error('aborted');
}

it('sends requests queued behind 10,000 requests that were aborted before the connection was open', async () => {
  const { socket, origin } = await served();
  let connected: () => void = () => undefined;
  const pool = poolOf((_, callback) => {
    connected = () => callback(null, socket);
  }, origin);
  const errors = Array.from({ length: 10_000 }, () => sent(pool, aborted));
  const last = sent(pool);
  connected();
  expect(await last).toBe(undefined);
  expect(new Set((await Promise.all(errors)).map(String))).toEqual(new Set(['Error: aborted']));
});

it('fails queued requests if the session cannot be created', async () => {
  const { origin } = await served();
  let connected: () => void = () => undefined;
  const pool = poolOf((_, callback) => {
    connected = () =>
      // Not a socket: the constructor of a session throws for it.
      callback(
        null,
        Object.assign({ destroy: () => undefined }, { alpnProtocol: 'h2' }) as unknown as Socket,
      );
  }, origin);
  const first = sent(pool);
  connected();
  expect(await first).toBeInstanceOf(Error);
  const second = sent(pool);
  connected();
  expect(await second).toBeInstanceOf(Error);
});

it('fails all requests that wait when no connection can be made, and connects again for the next', async () => {
  const attempts: ((error: Error) => void)[] = [];
  const pool = poolOf((_, callback) => {
    attempts.push((error) => callback(error, null));
  });
  const all = [sent(pool), sent(pool)];
  expect(attempts).toHaveLength(1);
  attempts[0]?.(new Error('unreachable'));
  expect((await Promise.all(all)).map(String)).toEqual(['Error: unreachable', 'Error: unreachable']);
  const next = sent(pool);
  expect(attempts).toHaveLength(2);
  attempts[1]?.(new Error('still unreachable'));
  expect(String(await next)).toBe('Error: still unreachable');
});

it('hands the requests over to the fallback where the server does not speak HTTP/2', async () => {
  const dispatched: string[] = [];
  let connected: () => void = () => undefined;
  const socket = Object.assign(new Socket(), { alpnProtocol: 'http/1.1' });
  const fallback: Dispatching = {
    dispatch: ({ path }, handler) => {
      dispatched.push(path);
      handler.onResponseError?.(ended, new Error('by the fallback'));
    },
    destroy: () => Promise.resolve(),
  };
  const connector: Connector = (_, callback) => {
    connected = () => callback(null, socket);
  };
  const pool = http2Pool({ origin: 'https://api.test', connector, fallback: () => fallback });
  const all = [sent(pool), sent(pool)];
  connected();
  all.push(sent(pool));
  expect((await Promise.all(all)).map(String)).toEqual(Array(3).fill('Error: by the fallback'));
  expect(dispatched).toEqual(['/', '/', '/']);
  expect(socket.destroyed).toBe(true);
});

it('closes a connection that is made after the pool was destroyed', async () => {
  let connected: () => void = () => undefined;
  const socket = new Socket();
  const pool = poolOf((_, callback) => {
    connected = () => callback(null, socket);
  });
  const waiting = sent(pool);
  await pool.destroy();
  expect(String(await waiting)).toBe('Error: the connections are closed');
  connected();
  expect(socket.destroyed).toBe(true);
});

it.each([
  [{}, 30_000, 15_000],
  [{ HTTP2_READ_IDLE_TIMEOUT_SECONDS: '0', HTTP2_PING_TIMEOUT_SECONDS: '7' }, 0, 7000],
  [{ HTTP2_READ_IDLE_TIMEOUT_SECONDS: '', HTTP2_PING_TIMEOUT_SECONDS: '1.5' }, 30_000, 15_000],
  [{ HTTP2_READ_IDLE_TIMEOUT_SECONDS: '-1', HTTP2_PING_TIMEOUT_SECONDS: 'x' }, 30_000, 15_000],
])('reads the limits of pings from %j', (environment, readIdleMs, pingMs) => {
  expect(pingLimits(environment)).toEqual({ readIdleMs, pingMs });
});
