import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Returns distinct loopback ports that were free a moment ago. Another process may bind one before it is
 * used, so callers have to retry.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const ports = servers.map(portOf);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

async function listen(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return address.port;
}
