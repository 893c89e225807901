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
import { type AddressInfo, createServer as createTcpServer, isIP, type Server, type Socket } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
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

/** Address of a port. */
export interface ListenAddress {
  /** Address or name of an interface of this machine. Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Default: a free one. */
  readonly port?: number | undefined;
}

/** Handlers of all requests, and of those that request another protocol on their connection. */
export interface PortHandlers {
  readonly request: RequestHandler;
  readonly upgrade: UpgradeHandler;
}

/** Opens a port for HTTP/1.1. */
export function openPlain({ request, upgrade }: PortHandlers): Promise<OpenPort> {
  return open('http', createHttpServer(limits, request).on('upgrade', upgrade), {});
}

/**
 * Opens a port for TLS with ALPN. The certificate is issued for the first connection: most tests open none.
 * @see serverAuthority
 */
export function openSecure(handlers: PortHandlers, address: ListenAddress = {}): Promise<OpenPort> {
  let secure: Promise<Server> | undefined;
  const server = createTcpServer((socket) => {
    socket.on('error', ignore);
    secure ??= secureServer(handlers, address.host);
    secure.then(
      (target) => target.emit('connection', socket),
      (error: unknown) => socket.destroy(error instanceof Error ? error : undefined),
    );
  });
  return open('https', server, address);
}

function ignore(): void {}

async function secureServer({ request, upgrade }: PortHandlers, host?: string): Promise<Server> {
  const { constants, createSecureServer } = await import('node:http2');
  const settings = { maxConcurrentStreams: streamLimit };
  // A certificate of a client is optional, and whether it is valid is a matter of authentication.
  const clients = { requestCert: true, rejectUnauthorized: false, ca: serverAuthority().cert };
  const server = createSecureServer({ ...serverPair(host), ...clients, allowHTTP1: true, settings });
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
const pairs = new Map<string, KeyPair>();

/** Returns the authority of this process. */
export function serverAuthority(): CertificateAuthority {
  authority ??= createAuthority();
  return authority;
}

function serverPair(host: string = loopback): KeyPair {
  const present = pairs.get(host);
  if (present !== undefined) return present;
  const { names, addresses } = reachableAs(host);
  const pair = serverAuthority().issueServer('kgen-test-server', {
    names: ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', ...names],
    addresses: [...new Set([loopback, ...addresses])],
  });
  pairs.set(host, pair);
  return pair;
}

const loopback = '127.0.0.1';

/** Hosts that stand for every interface. */
const everyInterface: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Returns the names and addresses by which clients reach a host. */
function reachableAs(host: string): {
  readonly names: readonly string[];
  readonly addresses: readonly string[];
} {
  if (!everyInterface.has(host))
    return isIP(host) === 0 ? { names: [host], addresses: [] } : { names: [], addresses: [host] };
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  return {
    // Containers reach the machine by the second name.
    names: [hostname(), 'host.docker.internal'].filter((name) => /^[a-z0-9.-]+$/i.test(name)),
    addresses: interfaces.map(({ address }) => address).filter((address) => !address.includes('%')),
  };
}

async function open(scheme: string, server: Server, address: ListenAddress): Promise<OpenPort> {
  const { host = loopback, port: requested = 0 } = address;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen({ port: requested, host, backlog: 4096 });
  await once(server, 'listening');
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;
  const name = everyInterface.has(host) ? loopback : host.includes(':') ? `[${host}]` : host;
  return { url: `${scheme}://${name}:${port}`, close: () => close(server, sockets) };
}

async function close(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  for (const socket of sockets) socket.destroy();
  await closed;
}
