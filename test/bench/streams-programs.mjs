// Programs that move bytes through exec and port-forward with kgen; each prints what it measured as JSON.
// KUBECONFIG=FILE node streams-programs.mjs NAME SETTINGS
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { Clientset } from '@kgen/kubernetes';
import { loadConfig } from '@kgen/runtime';
import { readSlowly } from './slow-reader.mjs';

const [name, text] = process.argv.slice(2);
const settings = JSON.parse(text);
const clients = new Clientset(await loadConfig());
const pods = clients.coreV1.pods('default');
const chunk = Buffer.alloc(64 * 1024, 'kgen');

const programs = {
  /** Reads the output of a process. */
  async out({ bytes }) {
    const session = await pods.exec('web', { command: ['head', '-c', String(bytes), '/dev/zero'] });
    let received = 0;
    for await (const part of session.stdout) received += part.length;
    return { received, ...(await session.exit) };
  },
  /**
   * Reads the output of a process more slowly than it is written. With the end of an output, a busy API
   * server loses the exit status, too.
   */
  async slow({ bytes }) {
    const session = await pods.exec('web', { command: ['head', '-c', String(bytes), '/dev/zero'] });
    const [received] = await Promise.all([
      readSlowly(untilLost(session.stdout)),
      session.exit.catch(expectLost),
    ]);
    return { received };
  },
  /** Writes the input of a process, which counts it. */
  async in({ bytes }) {
    const session = await pods.exec('web', { command: ['wc', '-c'], stdin: true });
    for (let sent = 0; sent < bytes; sent += chunk.length) {
      const part = chunk.subarray(0, Math.min(chunk.length, bytes - sent));
      if (!session.stdin.write(part)) await once(session.stdin, 'drain');
    }
    session.stdin.end();
    let counted = '';
    for await (const part of session.stdout) counted += part;
    return { received: Number(counted), ...(await session.exit) };
  },
  /** Forwards a port until standard input ends. */
  async forward({ port }) {
    const forwarding = await pods.portForward('web', { ports: [`:${port}`] });
    console.log(forwarding.ports[0].local);
    for await (const _ of process.stdin);
    await forwarding.close();
    return {};
  },
  /** Runs short processes one after the other, and counts what is left of them. */
  async calls({ count }) {
    await pods.execText('web', 'true');
    const before = process.getActiveResourcesInfo().length;
    for (let index = 0; index < count; index += 1) await pods.execText('web', 'true');
    await setImmediate();
    return { left: process.getActiveResourcesInfo().length - before };
  },
};

async function* untilLost(stream) {
  try {
    yield* stream;
  } catch (error) {
    expectLost(error);
  }
}

/** Throws any error but that of a lost end. */
function expectLost(error) {
  if (error.code !== 'STATUS_MISSING') throw error;
}

await pods.execText('web', 'true');
globalThis.gc?.();
const startMb = process.memoryUsage().rss / 1e6;
const started = performance.now();
const result = await programs[name](settings);
const ms = performance.now() - started;
const growthMb = (process.resourceUsage().maxRSS * 1024) / 1e6 - startMb;
console.log(JSON.stringify({ ...result, ms, growthMb }));
await clients.close();
