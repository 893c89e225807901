/** A server on loopback that responds to each request with the same bytes and then applies a fault. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** Bytes to send, or the next action. `stall` does nothing until the client disconnects. */
export type Step = Uint8Array | 'end' | 'reset' | 'stall';

/** Returns the head of a response with a chunked body. */
export function head(type: string): Uint8Array {
  return Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`);
}

/** Returns a chunk of a body. */
export function chunk(body: string | Uint8Array): Uint8Array {
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

/** End of a body. */
export const last: Uint8Array = Buffer.from('0\r\n\r\n');

/** A server that runs the same steps for each request. */
export class ScriptServer {
  readonly #server: Server = createServer((socket) => this.#serve(socket));
  readonly #steps: readonly Step[];
  readonly #sockets: Set<Socket> = new Set();
  #requested: () => void = () => undefined;
  /** Resolves on the first request. */
  readonly requested: Promise<void> = new Promise((resolve) => {
    this.#requested = resolve;
  });
  #left: () => void = () => undefined;
  /** Resolves when the connection of a request has ended. */
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
    // A server that listens on a port has an address with a port.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    // Connection errors caused by the client are not failures of this server.
    socket.on('error', () => undefined);
    socket.once('data', () => {
      this.#requested();
      socket.once('close', this.#left);
    });
    // Requests have no bodies here and arrive in one chunk each.
    socket.on('data', () => this.#play(socket));
  }

  #play(socket: Socket): void {
    for (const step of this.#steps) {
      if (step === 'end') socket.end();
      // The data written before must be sent first.
      else if (step === 'reset') socket.write('', () => setImmediate(() => socket.resetAndDestroy()));
      else if (step !== 'stall') socket.write(step);
    }
  }
}
