/** Ports for programs of tests. */
import { freePort as freePortOr } from '../../src/kgen/project/local/ports.ts';

const first = 20_000;
const count = 10_000;

/** Tests that run at the same time begin at different places. */
let next = process.pid * 37;

/**
 * Returns a port that is free now, and that no connection takes before a program listens, or while it starts
 * again: systems choose the ports of connections from 32768 on.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    next += 1;
    const port = first + (next % count);
    if ((await freePortOr(port)) === port) return port;
  }
}
