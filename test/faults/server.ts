/** A server on loopback that runs a script on each connection, mostly with faults. */
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/**
 * Next step of a server: wait for a whole request, send bytes, end the connection, reset it, or stall until
 * the client disconnects. A finished script starts again.
 */
export type Step = 'request' | 'end' | 'reset' | 'stall' | { readonly send: string | Uint8Array };

/** Steps of a server, in order. */
export type Script = readonly Step[];

/** Returns an HTTP response, with the length of its body unless its headers contain another. */
export function response(head: string, body = ''): string {
  const length = /^(content-length|transfer-encoding):/im.test(head)
    ? ''
    : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return `HTTP/1.1 ${head}\r\n${length}\r\n${body}`;
}

/** A pod for any request. */
export const pod = '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop","uid":"1"}}';

/** Script of a server without faults. */
export const healthy: Script = [
  'request',
  { send: response('200 OK\r\ncontent-type: application/json', pod) },
];

/** Bytes of a connection and the waiters for more of them. */
class Requests {
  #bytes = Buffer.alloc(0);
  #more: (() => void) | undefined;
  #over = false;

  constructor(socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      this.#more?.();
    });
    socket.on('close', () => {
      this.#over = true;
      this.#more?.();
    });
  }

  /** Waits for a request with its body. Returns `false` if the connection ends before. */
  next(): Promise<boolean> {
    return this.#until(() => {
      const length = requestLength(this.#bytes);
      if (length === undefined || this.#bytes.length < length) return false;
      this.#bytes = this.#bytes.subarray(length);
      return true;
    });
  }

  /** Waits for the first bytes of a request. Returns `false` if the connection ends before. */
  begun(): Promise<boolean> {
    return this.#until(() => this.#bytes.length > 0);
  }

  async #until(condition: () => boolean): Promise<boolean> {
    while (!condition()) {
      if (this.#over) return false;
      await new Promise<void>((resolve) => {
        this.#more = resolve;
      });
    }
    return true;
  }
}

function requestLength(bytes: Buffer): number | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [, length = '0'] = /^content-length: *(\d+)/im.exec(bytes.toString('latin1', 0, end)) ?? [];
  return end + 4 + Number(length);
}

/** A server with faults. */
export class FaultServer {
  /** Script of each connection, read when it begins and when it is finished: at a request. */
  script: Script = healthy;
  /** Number of connections. */
  connections = 0;
  readonly #server: Server;
  readonly #scheme: string;
  readonly #sockets: Set<Socket> = new Set();
  #emptied: (() => void) | undefined;

  constructor(tls?: TlsOptions) {
    this.#scheme = tls === undefined ? 'http' : 'https';
    this.#server = tls === undefined ? createTcpServer() : createTlsServer(tls);
    // Some scripts test failed handshakes, which are checked at the client.
    this.#server.on('tlsClientError', () => undefined);
    this.#server.on('connection', (socket: Socket) => this.#remember(socket));
    this.#server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
      this.connections += 1;
      void this.#play(socket);
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get port(): number {
    // A server that listens on a port has an address with a port.
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.port}`;
  }

  /** Waits until no connection is open. */
  async emptied(): Promise<void> {
    if (this.#sockets.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#emptied = resolve;
    });
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #remember(socket: Socket): void {
    this.#sockets.add(socket);
    // Errors that the client causes are not failures of this server.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      if (this.#sockets.size === 0) this.#emptied?.();
    });
  }

  async #play(socket: Socket): Promise<void> {
    socket.on('error', () => undefined);
    const requests = new Requests(socket);
    while (!socket.destroyed) {
      // A request runs the script that is set when it arrives: a call may end while its connection is made.
      if (this.script[0] === 'request' && !(await requests.begun())) return;
      for (const step of this.script) {
        if (!(await perform(step, socket, requests))) return;
      }
      if (!(await requests.begun())) return;
    }
  }
}

/** Performs a step. Returns `false` if no step follows. */
async function perform(step: Step, socket: Socket, requests: Requests): Promise<boolean> {
  if (step === 'request') return requests.next();
  if (step === 'stall') return false;
  if (step === 'end') socket.end();
  else if (step === 'reset') socket.resetAndDestroy();
  else
    return new Promise((resolve) =>
      socket.write(step.send, (error) => resolve(error === undefined || error === null)),
    );
  return false;
}
