/** A server of streams, with `ws` or raw sockets as the other end. Closed after each test. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type PodClient, pods } from '@kgen/kubernetes/core/v1';
import { RESTClient, resource } from '@kgen/runtime';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ClusterConfig } from '../../src/runtime/exports/index.ts';

/** Handles an upgrade request. */
export type OnUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Starts a server on loopback until the end of the test, and returns its URL. */
export async function startServer(
  onUpgrade: OnUpgrade,
  tls?: ServerOptions,
  onRequest?: RequestListener,
  onConnect?: OnUpgrade,
): Promise<string> {
  const { url, close } = await listening(onUpgrade, tls, onRequest, onConnect);
  onTestFinished(close);
  return url;
}

/** Starts a server on loopback until the end of the program, and returns its URL. */
export async function startLasting(
  onUpgrade: OnUpgrade,
  tls?: ServerOptions,
  onRequest?: RequestListener,
): Promise<string> {
  return (await listening(onUpgrade, tls, onRequest)).url;
}

/** The response to requests for objects of a server that has none. */
const notFound: RequestListener = (_request, response) => {
  response.writeHead(404, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ kind: 'Status', status: 'Failure', code: 404, reason: 'NotFound' }));
};

async function listening(
  onUpgrade: OnUpgrade,
  tls?: ServerOptions,
  onRequest?: RequestListener,
  onConnect?: OnUpgrade,
): Promise<{ readonly url: string; readonly close: () => void }> {
  const server: Server = tls === undefined ? createServer() : createHttpsServer(tls);
  server.on('upgrade', onUpgrade);
  server.on('request', onRequest ?? notFound);
  if (onConnect !== undefined) server.on('connect', onConnect);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`, close };
}

/**
 * Returns a handler of upgrades that accepts one of the protocols with `ws`. The name of the tunnel protocol
 * contains a slash, which `ws` rejects; it does not see the protocols of requests.
 */
export function accepting(
  protocols: readonly string[],
  connected: (socket: WebSocket, request: IncomingMessage) => void,
): OnUpgrade {
  const server = new WebSocketServer({ noServer: true });
  server.on('headers', (headers, request) => {
    const offered = String(request.headers['x-offered']).split(', ');
    const protocol = protocols.find((one) => offered.includes(one));
    if (protocol !== undefined) headers.push(`Sec-WebSocket-Protocol: ${protocol}`);
  });
  return (request, socket, head) => {
    request.headers['x-offered'] = request.headers['sec-websocket-protocol'];
    delete request.headers['sec-websocket-protocol'];
    server.handleUpgrade(request, socket, head, (accepted) => connected(accepted, request));
  };
}

/** Returns the head of a response that accepts an upgrade, for raw sockets. */
export function acceptance(request: IncomingMessage, protocol: string): string {
  const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(key).digest('base64');
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
  return [...lines, `Sec-WebSocket-Accept: ${accept}`, `Sec-WebSocket-Protocol: ${protocol}`, '', ''].join(
    '\r\n',
  );
}

/** Returns a handler that accepts an upgrade and then writes bytes without a WebSocket library. */
export function raw(protocol: string, connected: (socket: Duplex) => void): OnUpgrade {
  return (request, socket) => {
    socket.write(acceptance(request, protocol));
    connected(socket);
  };
}

/** Returns a handler that refuses an upgrade with a `Status`. */
export function refusing(code: number, reason: string, message = reason): OnUpgrade {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message };
  return (_request, socket) => respond(socket, code, JSON.stringify(status), 'application/json');
}

/** Responds to an upgrade request without an upgrade. */
export function respond(socket: Duplex, code: number, body: string, type = 'text/plain'): void {
  const head = [`HTTP/1.1 ${code} No`, `content-type: ${type}`, `content-length: ${Buffer.byteLength(body)}`];
  socket.end([...head, 'connection: close', '', body].join('\r\n'));
}

/** Creates the client of pods of a server. */
export function podsOf(server: string, config: Partial<ClusterConfig> = {}): PodClient {
  const rest = new RESTClient({ server, ...config });
  onTestFinished(() => rest.close());
  return resource(rest, pods).in('shop');
}

/** Success in a message on the status channel, without a kind, as kubelets send it. */
export const success: Buffer = Buffer.from(`\u0003${JSON.stringify({ metadata: {}, status: 'Success' })}`);

/** Returns a message on the status channel for an exit code. */
export function exitStatus(code: number | string): Buffer {
  const message = `command terminated with non-zero exit code: exit status ${code}`;
  const details = { causes: [{ reason: 'ExitCode', message: String(code) }] };
  const status = { metadata: {}, status: 'Failure', reason: 'NonZeroExitCode', message, details };
  return Buffer.from(`\u0003${JSON.stringify(status)}`);
}

/** Returns the rejection of a promise. */
export async function failure(promise: Promise<unknown>): Promise<Error & { readonly code?: unknown }> {
  const error: unknown = await promise.then(
    (value) => new Error(`did not fail: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof Error) return error;
  throw new TypeError('rejected with a value that is not an Error');
}
