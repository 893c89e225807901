/** The sockets of connections, also while they are being made: undici lets those be that it has not been given yet. */
import { Socket } from 'node:net';

/** One connection that is being made. */
export interface Dial {
  /** Whether the other side has taken it: what is left is TLS. */
  reached: boolean;
}

/** Sockets from the attempt to connect until they are closed. */
export class Dialing {
  readonly #sockets: Set<Socket> = new Set();
  readonly #dials: Set<Dial> = new Set();
  #closed = false;

  /** What a request without a connection waits for, in words that follow on `timed out after 5 ms: `. */
  readonly stage = (): string =>
    [...this.#dials].some(({ reached }) => reached)
      ? 'the TLS handshake with the server was not finished'
      : 'no connection to the server was ready';

  /** Notes that a connection is being made, until it is `over`. */
  begin(reached: boolean): Dial {
    const dial = { reached };
    this.#dials.add(dial);
    return dial;
  }

  over(dial: Dial): void {
    this.#dials.delete(dial);
  }

  /** Keeps an eye on a socket; anything else is left alone. */
  track(socket: unknown): void {
    if (!(socket instanceof Socket) || socket.destroyed) return;
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    if (this.#closed) socket.destroy(new Error('the client is closed'));
  }

  /** Closes what is open, and what will be. */
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
