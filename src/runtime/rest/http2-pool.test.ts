import { once } from 'node:events';
import { createServer } from 'node:http2';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { http2Pool } from './http2-pool.ts';
import type { Connector, Dispatching } from './pool.ts';

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
