/** Listening sockets of one exchange: a server, with or without TLS, and proxies. Knows each of their connections. */
import { type AddressInfo, createServer, type Server, type Socket, connect as tcpConnect } from 'node:net';
import { createSecureContext, TLSSocket, type TlsOptions } from 'node:tls';

/** Keys and certificates of servers, as PEM text. */
export interface Keys {
  readonly key: string;
  readonly cert: string;
}

type Serve = (socket: Socket) => void;

/** Everything that listens, and all connections to it. */
export class Place {
  readonly #servers: Server[] = [];
  readonly #sockets: Set<Socket> = new Set();
  #stopped = false;

  /** Begins to listen; gives the port. */
  async listen(serve: Serve): Promise<number> {
    const server = createServer((socket) => {
      this.keep(socket);
      if (this.#stopped) socket.destroy();
      else serve(socket);
    });
    this.#servers.push(server);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    // A server that listens on a port has an address with one.
    return (server.address() as AddressInfo).port;
  }

  /** Remembers a connection until it is closed. What the other side does to it is no failure of a server. */
  keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
    // Bytes that nobody waits for are read all the same, or the end behind them would not be seen.
    return socket.resume();
  }

  /** Makes both connections one. Where one of them ends, so does the other. */
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

/** The server's side of TLS over a socket. */
export function secured(socket: Socket, keys: Keys, options: TlsOptions): TLSSocket {
  const secureContext = createSecureContext({
    ...keys,
    ...(options.maxVersion && { maxVersion: options.maxVersion }),
  });
  const secure = new TLSSocket(socket, { ...options, isServer: true, secureContext });
  secure.on('error', () => undefined);
  return secure.resume();
}
