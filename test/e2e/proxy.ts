import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { ClusterConfig } from '@kgen/runtime';
import { Clientset } from '../../generated/crds/index.ts';
import type { Finished } from '../support/cluster-tests.ts';

/** A proxy between a client and its server that forwards bytes, encrypted or not. */
export interface ConnectionProxy {
  /** Configuration of the server, with the address of the proxy. */
  readonly config: ClusterConfig;
  /** Number of open connections. */
  readonly connections: number;
  /** Resets all connections; new ones are accepted. */
  cut(): void;
  /** Resets all connections, and each new one until `restore`. */
  block(): void;
  restore(): void;
  /** Resolves once a connection has been rejected since `block`. */
  turnedAway(): Promise<void>;
}

/** Creates a clientset behind a proxy; both are closed at the end of the test that owns `onTestFinished`. */
export async function connectBehindProxy(
  target: ClusterConfig,
  finished: Finished,
): Promise<{ readonly proxy: ConnectionProxy; readonly behind: Clientset }> {
  const proxy = await startProxy(target, finished);
  const behind = new Clientset(proxy.config);
  finished(() => behind.close());
  return { proxy, behind };
}

/** Starts a proxy that is closed at the end of the test that owns `onTestFinished`. */
async function startProxy(target: ClusterConfig, finished: Finished): Promise<ConnectionProxy> {
  const url = new URL(target.server);
  const pairs = new Set<Socket>();
  const gate = { blocked: false, refusals: 0 };
  const server = createServer((client) => {
    if (!gate.blocked) return join(client, upstreamOf(url), pairs);
    gate.refusals += 1;
    client.destroy();
  });
  const cut = (): void => {
    for (const socket of pairs) socket.destroy();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  finished(() => close(server, cut));
  return {
    config: configBehind(target, server),
    get connections() {
      return pairs.size / 2;
    },
    cut,
    block: () => {
      gate.blocked = true;
      gate.refusals = 0;
      cut();
    },
    restore: () => {
      gate.blocked = false;
    },
    turnedAway: async () => {
      while (gate.refusals === 0) await once(server, 'connection');
    },
  };
}

function upstreamOf(url: URL): Socket {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return connect({ port, host: url.hostname.replace(/^\[|\]$/g, '') });
}

function join(client: Socket, upstream: Socket, pairs: Set<Socket>): void {
  for (const [socket, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    pairs.add(socket);
    socket.setNoDelay(true);
    socket.pipe(other);
    // The proxy resets connections on purpose: an error on one side closes both, and the client under test
    // reports it.
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      pairs.delete(socket);
      other.destroy();
    });
  }
}

function configBehind(target: ClusterConfig, server: Server): ClusterConfig {
  const url = new URL(target.server);
  const serverName = target.tls?.serverName ?? url.hostname;
  // Only Unix sockets have a string as their address.
  const { port } = server.address() as AddressInfo;
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const address = url.href.replace(/\/$/, '');
  if (target.tls === undefined || serverName === '127.0.0.1') return { ...target, server: address };
  return { ...target, server: address, tls: { ...target.tls, serverName } };
}

async function close(server: Server, cut: () => void): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  cut();
  await closed;
}
