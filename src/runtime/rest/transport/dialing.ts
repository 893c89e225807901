/** Sockets of connections, including those that are still connecting, which undici does not destroy. */
import { Socket } from 'node:net';

/** One connection attempt. */
export interface Dial {
  /** Whether the TCP connection is established: only TLS is left. */
  reached: boolean;
}

/** Tracks sockets from the connection attempt until they are closed. */
export class Dialing {
  readonly #sockets: Set<Socket> = new Set();
  readonly #dials: Set<Dial> = new Set();
  #closed = false;

  /** Returns the stage of a request without a connection, as words that follow `timed out after 5 ms: `. */
  readonly stage = (): string =>
    [...this.#dials].some(({ reached }) => reached)
      ? 'the TLS handshake with the server was not finished'
      : 'no connection to the server was ready';

  /** Notes a connection attempt until it is `over`. */
  begin(reached: boolean): Dial {
    const dial = { reached };
    this.#dials.add(dial);
    return dial;
  }

  /** Notes that the TCP connection of an attempt is established. */
  connected(dial: Dial): void {
    dial.reached = true;
  }

  over(dial: Dial): void {
    this.#dials.delete(dial);
  }

  /** Tracks a socket; ignores other values. */
  track(socket: unknown): void {
    if (!(socket instanceof Socket) || socket.destroyed) return;
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    if (this.#closed) socket.destroy(new Error('the client is closed'));
  }

  /** Closes open sockets, and sockets that are still connecting. */
  async destroy(): Promise<void> {
    this.#closed = true;
    await Promise.all(
      [...this.#sockets].map(
        (socket) =>
          new Promise<void>((closed) => {
            socket.once('close', () => closed());
            socket.destroy(new Error('the client is closed'));
          }),
      ),
    );
  }
}
