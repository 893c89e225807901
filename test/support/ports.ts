/** Ports for programs of tests. */
import { once } from 'node:events';
import { createServer } from 'node:net';

const first = 20_000;
const count = 10_000;
const mostAttempts = 100;

/** Tests that run at the same time begin at different places. */
let next = process.pid * 37;

/**
 * Returns a port that is free now, and that no connection takes before a program listens, or while it starts
 * again: systems choose the ports of connections from 32768 on.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    next += 1;
    const port = first + (next % count);
    const server = createServer();
    try {
      server.listen(port);
      await once(server, 'listening');
    } catch (error) {
      if (attempt === mostAttempts) throw error;
      continue;
    }
    await once(server.close(), 'close');
    return port;
  }
}
