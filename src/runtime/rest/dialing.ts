/** The sockets of connections, also while they are being made: undici lets those be that it has not been given yet. */
import { Socket } from 'node:net';

/** Sockets from the attempt to connect until they are closed. */
export class Dialing {
  readonly #sockets: Set<Socket> = new Set();
  #closed = false;

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
