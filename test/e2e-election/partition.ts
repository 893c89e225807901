import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { ClusterConfig } from '@kgen/runtime';

/** A proxy in front of a server that forwards bytes until it is partitioned. */
export class Partition {
  /** Configuration of the server, with the address of the proxy. */
  readonly config: ClusterConfig;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isPartitioned = false;

  static async start(target: ClusterConfig): Promise<Partition> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Partition(target, server);
  }

  private constructor(target: ClusterConfig, server: Server) {
    const url = new URL(target.server);
    const port = Number(url.port);
    // A server that listens on a port has an address with one.
    url.port = String((server.address() as AddressInfo).port);
    this.config = { ...target, server: url.href.replace(/\/$/, '') };
    this.#server = server;
    server.on('connection', (client: Socket) => this.#join(client, connect(port, '127.0.0.1')));
  }

  /** Stops forwarding: connections stay open without a byte, and new ones too. */
  cut(): void {
    this.#isPartitioned = true;
    for (const socket of this.#sockets) socket.pause();
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #join(client: Socket, server: Socket): void {
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#isPartitioned) from.pause();
    }
  }
}
