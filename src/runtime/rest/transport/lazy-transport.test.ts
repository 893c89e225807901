import { channel } from 'node:diagnostics_channel';
import { getEventListeners } from 'node:events';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { holdTime, until } from '../../../../test/support/runtime/no-time-passes.ts';
import { isApiError, isDecodeError, isTimeoutError, isTransportError } from '../../api/errors.ts';
import type { APIRequest } from '../../api/transport.ts';
import { RESTClient } from '../client.ts';
import type { RESTClientOptions } from '../client-options.ts';
import { attemptChannel } from '../observe/observe.ts';
import { openTransport } from './lazy-transport.ts';
import { headerList, headersTimeoutOf, requestTarget } from './pooled-transport.ts';

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function listen(server: Server | HttpServer): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // A server that listens on a port has an address with a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a server that sends the same bytes on every connection, or calls `act` with it. */
function raw(act: (socket: Socket, connection: number) => void): Promise<string> {
  let connections = 0;
  return listen(
    createServer((socket) => {
      connections += 1;
      const connection = connections;
      socket.once('data', () => act(socket, connection));
    }),
  );
}

function connect(server: string, options?: RESTClientOptions): RESTClient {
  const rest = new RESTClient({ server }, options);
  cleanups.push(() => rest.close());
  return rest;
}

function reply(head: string, body = ''): string {
  return `HTTP/1.1 ${head}\r\n\r\n${body}`;
}

async function failure(promise: Promise<unknown>): Promise<Error> {
  const error: unknown = await promise.then(
    () => new Error('did not fail'),
    (reason: unknown) => reason,
  );
  if (error instanceof Error) return error;
  throw new TypeError('rejected with something that is no Error');
}

const request: APIRequest = {
  method: 'GET',
  path: '/api/v1/pods',
  query: [['labelSelector', 'a in (b,c)']],
  headers: { accept: 'application/json' },
  operation: { verb: 'list', resource: 'pods' },
};

describe('a request on the wire', () => {
  it('puts the prefix of the server before its path', () => {
    expect(requestTarget(request, '/k8s/clusters/c-1')).toBe(
      '/k8s/clusters/c-1/api/v1/pods?labelSelector=a+in+%28b%2Cc%29',
    );
    expect(requestTarget({ ...request, query: [] }, '')).toBe('/api/v1/pods');
  });

  it.each<[what: string, given: Partial<APIRequest>, want: number]>([
    ['an ordinary request', {}, 300_000],
    ['a watch', { stream: true, query: [['watch', 'true']] }, 300_000],
    ['a watch with its own timeoutMs', { stream: true, timeoutMs: 400_000 }, 0],
    ['a log', { stream: true, query: [['follow', 'false']] }, 300_000],
    ['a followed log', { stream: true, query: [['follow', 'true']] }, 0],
  ])('limits the time until the response begins: %s', (_, given, want) => {
    expect(headersTimeoutOf({ ...request, ...given })).toBe(want);
  });

  it('repeats the headers of groups, and requests gzip if enabled', () => {
    const impersonate = { user: 'jane', groups: ['a', 'b'] };
    expect(headerList({ ...request, impersonate }, true)).toEqual(
      ['accept', 'application/json', 'accept-encoding', 'gzip', 'impersonate-user', 'jane'].concat([
        'impersonate-group',
        'a',
        'impersonate-group',
        'b',
      ]),
    );
    expect(headerList(request, false)).toEqual(['accept', 'application/json']);
  });
});

describe('a connection that misbehaves', () => {
  interface Case {
    readonly given: (socket: Socket) => void;
    readonly want: readonly [is: (error: unknown) => boolean, message: RegExp];
  }
  const half = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"kind":';
  const html = '<html><head><style>p{}</style></head><body><h1>502 Bad\nGateway</h1></body></html>';
  const post: APIRequest = { ...request, method: 'POST', operation: { verb: 'create', resource: 'things' } };
  const cases: Readonly<Record<string, Case>> = {
    'resets before a response': {
      given: (socket) => socket.resetAndDestroy(),
      want: [isTransportError, /^create things: the connection was reset .*ECONNRESET/],
    },
    'closes before a response': {
      given: (socket) => socket.end(),
      want: [isTransportError, /^create things: the server closed the connection/],
    },
    'closes in the middle of a body': {
      given: (socket) => socket.end(half),
      want: [
        isTransportError,
        /^create things: the server closed the connection, in the middle of the response \(/,
      ],
    },
    'resets in the middle of a body': {
      given: (socket) => socket.write(half, () => socket.resetAndDestroy()),
      want: [
        isTransportError,
        /^create things: the (connection was reset|server closed the connection), in the middle/,
      ],
    },
    'does not speak HTTP': {
      given: (socket) => socket.end('220 smtp.example.com ESMTP\r\n'),
      want: [isTransportError, /does not speak HTTP/],
    },
    'continues with invalid HTTP': {
      given: (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nsecret\r\n'),
      want: [isTransportError, /the server sent invalid HTTP, in the middle of the response/],
    },
    'sends truncated JSON': {
      given: (socket) => socket.end(reply('200 OK\r\ncontent-length: 8', '{"kind":')),
      want: [isDecodeError, /^create things: the response is incomplete or not JSON \(8 bytes\)$/],
    },
    'sends nothing': {
      given: (socket) => socket.end(reply('200 OK\r\ncontent-length: 0')),
      want: [isDecodeError, /^create things: the response is empty$/],
    },
    'sends a login page with success': {
      given: (socket) => socket.end(reply('200 OK\r\ncontent-type: text/html', '<html>log in</html>')),
      want: [isDecodeError, /the response is text\/html, not JSON/],
    },
    'sends the page of a proxy': {
      given: (socket) => socket.end(reply('502 Bad Gateway\r\ncontent-type: text/html', html)),
      want: [isApiError, /^create things: 502 InternalError: internal server error: 502 Bad Gateway$/],
    },
    redirects: {
      given: (socket) => socket.end(reply('302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0')),
      want: [isApiError, /^create things: 302 Unknown: the server redirects/],
    },
    'declares gzip for another encoding': {
      given: (socket) => socket.end(reply('200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4', 'abcd')),
      want: [isDecodeError, /not gzip/],
    },
    'has a header named like a prototype': {
      given: (socket) => socket.end(reply('200 OK\r\n__proto__: x\r\n__proto__: y\r\ncontent-length: 0')),
      want: [isDecodeError, /the response is empty/],
    },
  };

  it.each(Object.entries(cases))('%s', async (_, { given, want: [is, message] }) => {
    const rest = connect(await raw(given));
    const error = await failure(rest.request(post));
    expect(error.message).toMatch(message);
    expect(is(error)).toBe(true);
    expect(error.cause ?? {}).not.toHaveProperty('data');
  });

  it('times out if it never responds', async () => {
    holdTime();
    let isRequested = false;
    const rest = connect(
      await raw(() => {
        isRequested = true;
      }),
    );
    const failed = failure(rest.request({ ...post, timeoutMs: 500 }));
    await until(() => isRequested);
    vi.advanceTimersByTime(500);
    const error = await failed;
    expect(error.message).toBe('create things: timed out after 500 ms: no response from the server');
    expect(isTimeoutError(error)).toBe(true);
  });

  it('times out if it stops in the middle of a body', async () => {
    holdTime();
    let hasBegun = false;
    const begun = (): void => {
      hasBegun = true;
    };
    channel(attemptChannel).subscribe(begun);
    cleanups.push(() => void channel(attemptChannel).unsubscribe(begun));
    const rest = connect(await raw((socket) => void socket.write(half)));
    const failed = failure(rest.request({ ...post, timeoutMs: 500 }));
    await until(() => hasBegun);
    vi.advanceTimersByTime(500);
    const error = await failed;
    expect(error.message).toBe('create things: timed out after 500 ms: the response was not complete');
    expect(isTimeoutError(error)).toBe(true);
  });

  it('is refused', async () => {
    const server = createServer();
    const address = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const error = await failure(connect(address).get('/version'));
    expect(error.message).toMatch(/^get \/version: the connection was refused.*ECONNREFUSED\)$/);
    expect(error.cause).toBeInstanceOf(Error);
  });

  it('retries a read on a new connection after a reset', async () => {
    const server = await raw((socket, connection) => {
      if (connection === 1) socket.resetAndDestroy();
      else socket.end(reply('200 OK\r\ncontent-length: 2', '{}'));
    });
    await expect(connect(server).get('/version')).resolves.toEqual({});
  });
});

describe('gzip', () => {
  it('is decoded', async () => {
    const body = gzipSync(JSON.stringify({ items: Array.from({ length: 20_000 }, (_, index) => index) }));
    const server = await listen(
      createHttpServer((_, response) => response.setHeader('content-encoding', 'gzip').end(body)),
    );
    await expect(connect(server).get('/api')).resolves.toHaveProperty('items.length', 20_000);
  });

  it('throws for a truncated body', async () => {
    const body = gzipSync(JSON.stringify({ text: 'x'.repeat(1000) })).subarray(0, -20);
    const server = await listen(
      createHttpServer((_, response) => response.setHeader('content-encoding', 'gzip').end(body)),
    );
    expect(isDecodeError(await failure(connect(server).get('/api')))).toBe(true);
  });
});

describe('abort', () => {
  it('rejects with the reason of the signal in every stage of a request', async () => {
    const server = await raw(() => undefined);
    const rest = connect(server);
    const reason = new Error('enough');
    await expect(rest.get('/a', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const pending = failure(rest.get('/b', { signal: controller.signal }));
    controller.abort(reason);
    expect(await pending).toBe(reason);
  });

  it('ends a stream with the reason, after the received bytes', async () => {
    const server = await raw((socket) => void socket.write(reply('200 OK', 'one')));
    const controller = new AbortController();
    const reason = new Error('enough');
    const response = await connect(server).stream({ ...request, signal: controller.signal });
    const body = response.body[Symbol.asyncIterator]();
    expect(Buffer.from((await body.next()).value).toString()).toBe('one');
    const next = failure(body.next());
    controller.abort(reason);
    expect(await next).toBe(reason);
  });
});

describe('many requests', () => {
  it('never wait behind streams', async () => {
    const server = await listen(
      createHttpServer((incoming, response) => {
        if (incoming.url === '/stream') response.write('x');
        else response.end('{}');
      }),
    );
    const rest = connect(server);
    const streams = await Promise.all(
      Array.from({ length: 200 }, () => rest.stream({ ...request, path: '/stream', query: [] })),
    );
    await expect(rest.get('/quick')).resolves.toEqual({});
    for (const stream of streams) stream.cancel();
  });

  it('share connections between clients, and close leaves none', async () => {
    let opened = 0;
    let open = 0;
    const http = createHttpServer((_, response) => response.end('{}'));
    http.on('connection', (socket) => {
      opened += 1;
      open += 1;
      socket.on('close', () => {
        open -= 1;
        if (open === 0) http.emit('all-closed');
      });
    });
    const server = await listen(http);
    const [first, second] = [new RESTClient({ server }), new RESTClient({ server })];
    for (let round = 0; round < 10; round += 1) {
      await first.get('/');
      await second.get('/');
    }
    expect(opened).toBeLessThanOrEqual(2);
    await first.close();
    await second.get('/');
    expect(opened).toBeLessThanOrEqual(2);
    const closed = new Promise((resolve) => http.once('all-closed', resolve));
    await second.close();
    await closed;
    expect(open).toBe(0);
    expect((await failure(second.get('/'))).message).toBe('get /: the client is closed');
  });

  it('leave no connection of a client that was closed before its first request', async () => {
    const http = createHttpServer((_, response) => response.end('{}'));
    const closed = new Promise((resolve) => http.on('connection', (socket) => socket.on('close', resolve)));
    const server = await listen(http);
    const early = new RESTClient({ server });
    await early.close();
    expect(await failure(early.get('/'))).toMatchObject({ code: 'CLIENT_CLOSED' });
    const late = new RESTClient({ server });
    await late.get('/');
    await late.close();
    await closed;
  });

  it('are aborted by close', async () => {
    const rest = connect(await raw(() => undefined));
    const pending = failure(rest.get('/slow'));
    await new Promise((resolve) => setImmediate(resolve));
    await rest.close();
    expect((await pending).message).toMatch(/^get \/slow: the client (was|is) closed$/);
  });
});

describe('a slow reader', () => {
  it('pauses the server, and receives every byte', async () => {
    const size = 8 * 1024 * 1024;
    const server = await listen(createHttpServer((_, response) => response.end(Buffer.alloc(size, 'x'))));
    const response = await connect(server).stream({ ...request, path: '/', query: [] });
    let read = 0;
    for await (const chunk of response.body) {
      read += chunk.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(read).toBe(size);
  });
});

it('a request with an invalid header leaves no listener on the signal', async () => {
  const server = await listen(createHttpServer((_, response) => response.end('{}')));
  const { signal } = new AbortController();
  const wire = openTransport({ server });
  cleanups.push(() => wire.close());
  await expect(wire.send({ ...request, signal, impersonate: { user: '' } })).rejects.toThrow(/needs a user/);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('opens no connection before the first request', async () => {
  const wire = openTransport({ server: 'https://127.0.0.1:1', tls: { ca: 'nonsense' } });
  await wire.close();
  await expect(wire.send(request)).rejects.toThrow();
});
