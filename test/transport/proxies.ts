/** Proxies that record their requests. */
import { createServer as createHttpServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import { joined, listen, reach } from './support.ts';

/** A running proxy. */
export interface RunningProxy {
  readonly port: number;
  /** Requests so far, in order. */
  readonly seen: string[];
}

/** Options of an HTTP proxy, which supports tunnels and plain requests. */
export interface HttpProxyOptions {
  /** Required `user:password`. */
  readonly login?: string;
  /** Certificate for TLS to the proxy itself. */
  readonly pair?: { readonly cert: string; readonly key: string };
  /** Status of its responses to CONNECT. */
  readonly status?: number;
}

function mayPass(request: IncomingMessage, login: string | undefined): boolean {
  const expected = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
  return expected === undefined || request.headers['proxy-authorization'] === expected;
}

/** Starts an HTTP proxy that forwards all requests to `target` on loopback. */
export async function httpProxy(target: number, options: HttpProxyOptions = {}): Promise<RunningProxy> {
  const seen: string[] = [];
  const server: Server = options.pair === undefined ? createHttpServer() : createHttpsServer(options.pair);
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    seen.push(`CONNECT ${request.url}`);
    const status = mayPass(request, options.login) ? (options.status ?? 200) : 407;
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    socket.write('HTTP/1.1 200 Connection established\r\nvia: test\r\n\r\n');
    joined(socket, reach(target));
  });
  server.on('request', (request: IncomingMessage, response) => {
    seen.push(`${request.method} ${request.url}`);
    if (!mayPass(request, options.login)) return void response.writeHead(407).end();
    const { pathname } = new URL(request.url ?? '');
    const onward = httpRequest({ port: target, path: pathname, headers: request.headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 0, reply.headers);
      reply.pipe(response);
    });
    request.pipe(onward);
  });
  return { port: await listen(server), seen };
}

async function* bytesOf(socket: Socket): AsyncGenerator<number, void> {
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) yield* chunk as Buffer;
}

/**
 * Starts a SOCKS 5 proxy that forwards all connections to `target` on loopback, and optionally requires
 * `login`.
 */
export async function socksProxy(target: number, login?: string, reply = 0): Promise<RunningProxy> {
  const seen: string[] = [];
  const server = createServer((socket) => {
    serve(socket).catch(() => socket.destroy());
  });
  async function serve(socket: Socket): Promise<void> {
    const bytes = bytesOf(socket);
    const take = async (count: number): Promise<Buffer> => {
      const taken: number[] = [];
      while (taken.length < count) taken.push((await bytes.next()).value ?? 0);
      return Buffer.from(taken);
    };
    const [, methods = 0] = await take(2);
    const offered = [...(await take(methods))];
    socket.write(Buffer.of(5, login === undefined ? 0 : offered.includes(2) ? 2 : 255));
    if (login !== undefined) {
      const [, nameLength = 0] = await take(2);
      const name = await take(nameLength);
      const password = await take((await take(1))[0] ?? 0);
      const isRight = `${name}:${password}` === login;
      socket.write(Buffer.of(1, isRight ? 0 : 1));
      if (!isRight) return void socket.end();
    }
    const [, , , kind] = await take(4);
    const length = kind === 3 ? ((await take(1))[0] ?? 0) : kind === 1 ? 4 : 16;
    const address = await take(length);
    const port = (await take(2)).readUInt16BE();
    seen.push(`${kind === 3 ? address.toString() : address.toString('hex')}:${port}`);
    await bytes.return();
    if (reply === 0) joined(socket, reach(target));
    socket.write(Buffer.of(5, reply, 0, 1, 0, 0, 0, 0, 0, 0));
  }
  return { port: await listen(server), seen };
}
