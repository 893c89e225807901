/** A balancer of TCP connections, as Services are for API servers. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A balancer of this machine. */
export interface Balancer {
  readonly port: number;
  /** Ports of new connections, which take turns. */
  targets: readonly number[];
}

/** Starts a balancer that forwards each connection to one of its targets. It ends with the test. */
export async function startBalancer(): Promise<Balancer> {
  const sockets = new Set<Socket>();
  const state: { targets: readonly number[] } = { targets: [] };
  let connections = 0;
  const server = createServer((from) => {
    const to = connect(state.targets[connections % state.targets.length] ?? 0, '127.0.0.1');
    connections += 1;
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one);
      one
        .on('error', () => other.destroy())
        .on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  return Object.assign(state, { port: address instanceof Object ? address.port : 0 });
}
