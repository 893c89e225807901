/** Listening sockets of one exchange: a server, with or without TLS, and proxies. Tracks all connections. */
import { type AddressInfo, createServer, type Server, type Socket, connect as tcpConnect } from 'node:net';
import { createSecureContext, TLSSocket, type TlsOptions } from 'node:tls';

/** Keys and certificates of servers, in PEM. */
export interface Keys {
  readonly key: string;
  readonly cert: string;
}

type Serve = (socket: Socket) => void;

/** All listening sockets and their connections. */
export class Listeners {
  readonly #servers: Server[] = [];
  readonly #sockets: Set<Socket> = new Set();
  #stopped = false;

  /** Starts to listen. Returns the port. */
  async listen(serve: Serve): Promise<number> {
    const server = createServer((socket) => {
      this.keep(socket);
      if (this.#stopped) socket.destroy();
      else serve(socket);
    });
    this.#servers.push(server);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    // A server that listens on a port has an address with a port.
    return (server.address() as AddressInfo).port;
  }

  /** Tracks a connection until it is closed. Errors that the peer causes are not failures of a server. */
  keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
    // Unread bytes are discarded, because otherwise the end after them would not be detected.
    return socket.resume();
  }

  /** Joins two connections. If one of them ends, the other one ends too. */
  join(socket: Socket, port: number): void {
    if (socket.destroyed) return;
    const other = this.keep(tcpConnect({ port, host: '127.0.0.1' }));
    socket.pipe(other).pipe(socket);
    socket.on('close', () => other.destroy());
    other.on('close', () => socket.destroy());
  }

  get connections(): number {
    return this.#sockets.size;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

/** Returns the server side of TLS over a socket. */
export function secured(socket: Socket, keys: Keys, options: TlsOptions): TLSSocket {
  const secureContext = createSecureContext({
    ...keys,
    ...(options.maxVersion && { maxVersion: options.maxVersion }),
  });
  const secure = new TLSSocket(socket, { ...options, isServer: true, secureContext });
  secure.on('error', () => undefined);
  return secure.resume();
}
