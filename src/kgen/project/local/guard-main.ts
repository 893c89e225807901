/** Program of the guard: waits for the end of its standard input, then restores the last state in it. */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from '../cluster/cluster.ts';
import type { GuardedState } from './guard.ts';
import { restore } from './restore.ts';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
// The terminal may be gone.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const input = Buffer.concat(await process.stdin.toArray()).toString();
// A line that was cut by SIGKILL is not complete.
const last = input.split('\n').slice(0, -1).at(-1);
if (last !== undefined) {
  const { plan, folders }: GuardedState = JSON.parse(last);
  const isRestored = await restore(plan, {
    open: () => Cluster.open({}, () => undefined),
    print: (line) => void process.stdout.write(`${line}\n`),
    sleep: (ms) => sleep(ms),
  });
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  process.exitCode = isRestored ? 0 : 1;
}
