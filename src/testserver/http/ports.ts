/**
 * Ports of a server on the loopback interface: one for HTTP/1.1, and one for TLS with HTTP/2 and HTTP/1.1.
 */
import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { type CertificateAuthority, createAuthority, type KeyPair } from '@kgen/certificates/authority';
import type { RequestHandler, UpgradeHandler } from './listener.ts';

/** A port that accepts connections. */
export interface OpenPort {
  /** Base URL, without a path. */
  readonly url: string;
  /** Closes the port and all connections. Has no effect after the first call. */
  close(): Promise<void>;
}

/** Limits of a connection, equal to those of a real API server. */
const limits = {
  maxHeaderSize: 1024 * 1024,
  headersTimeout: 32_000,
  keepAliveTimeout: 90_000,
} as const satisfies ServerOptions;

/** Maximum number of concurrent requests of a connection, equal to that of a real API server. */
const streamLimit = 1000;

/** Handlers of all requests, and of those that request another protocol on their connection. */
export interface PortHandlers {
  readonly request: RequestHandler;
  readonly upgrade: UpgradeHandler;
}

/** Opens a port for HTTP/1.1. */
export function openPlain({ request, upgrade }: PortHandlers): Promise<OpenPort> {
  return open('http', createHttpServer(limits, request).on('upgrade', upgrade));
}

/**
 * Opens a port for TLS with ALPN. The certificate is issued for the first connection: most tests open none.
 * @see serverAuthority
 */
export function openSecure(handlers: PortHandlers): Promise<OpenPort> {
  let secure: Promise<Server> | undefined;
  const server = createTcpServer((socket) => {
    socket.on('error', ignore);
    secure ??= secureServer(handlers);
    secure.then(
      (target) => target.emit('connection', socket),
      (error: unknown) => socket.destroy(error instanceof Error ? error : undefined),
    );
  });
  return open('https', server);
}

function ignore(): void {}

async function secureServer({ request, upgrade }: PortHandlers): Promise<Server> {
  const { constants, createSecureServer } = await import('node:http2');
  const settings = { maxConcurrentStreams: streamLimit };
  const server = createSecureServer({ ...serverPair(), allowHTTP1: true, settings });
  // The constructor ignores the limits of HTTP/1.1.
  Object.assign(server, limits);
  // A failed handshake or a broken connection concerns the client alone.
  for (const event of ['error', 'tlsClientError', 'sessionError']) server.on(event, ignore);
  server.on('upgrade', upgrade);
  return server.on('request', (message, response) => {
    if (message.httpVersionMajor > 1) {
      // As a destroyed response of HTTP/1.1, a destroyed stream is an error for the client.
      response.destroy = () => {
        response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
        return response;
      };
    }
    // The compatibility API of HTTP/2 has the members of the HTTP/1.1 objects that the handler uses.
    request(message as unknown as IncomingMessage, response as unknown as ServerResponse);
  });
}

let authority: CertificateAuthority | undefined;
let pair: KeyPair | undefined;

/** Returns the authority of this process. */
export function serverAuthority(): CertificateAuthority {
  authority ??= createAuthority();
  return authority;
}

function serverPair(): KeyPair {
  pair ??= serverAuthority().issueServer('kgen-test-server', {
    names: ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'],
    addresses: ['127.0.0.1'],
  });
  return pair;
}

async function open(scheme: string, server: Server): Promise<OpenPort> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
  await once(server, 'listening');
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;
  return { url: `${scheme}://127.0.0.1:${port}`, close: () => close(server, sockets) };
}

async function close(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  for (const socket of sockets) socket.destroy();
  await closed;
}
