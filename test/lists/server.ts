/** A server on loopback that answers each request with the same bytes, and then does something else or nothing. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** What is sent, and what is done then. `stall` is nothing, until the client has had enough. */
export type Step = Uint8Array | 'end' | 'reset' | 'stall';

/** The beginning of an answer whose body follows in chunks. */
export function head(type: string): Uint8Array {
  return Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`);
}

/** A piece of a body. */
export function chunk(body: string | Uint8Array): Uint8Array {
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

/** The end of a body. */
export const last: Uint8Array = Buffer.from('0\r\n\r\n');

/** A server that plays the same steps for each request. */
export class ScriptServer {
  readonly #server: Server = createServer((socket) => this.#serve(socket));
  readonly #steps: readonly Step[];
  readonly #sockets: Set<Socket> = new Set();
  #asked: () => void = () => undefined;
  /** Fulfilled when something is asked for. */
  readonly asked: Promise<void> = new Promise((resolve) => {
    this.#asked = resolve;
  });
  #left: () => void = () => undefined;
  /** Fulfilled when a connection that was asked for something has ended. */
  readonly left: Promise<void> = new Promise((resolve) => {
    this.#left = resolve;
  });

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    // A server that listens on a port has an address with one.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    // What the client does to a connection is no failure of this server.
    socket.on('error', () => undefined);
    socket.once('data', () => {
      this.#asked();
      socket.once('close', this.#left);
    });
    // Requests have no bodies here, and come in one piece each.
    socket.on('data', () => this.#play(socket));
  }

  #play(socket: Socket): void {
    for (const step of this.#steps) {
      if (step === 'end') socket.end();
      // What was written before has to be on its way.
      else if (step === 'reset') socket.write('', () => setImmediate(() => socket.resetAndDestroy()));
      else if (step !== 'stall') socket.write(step);
    }
  }
}
