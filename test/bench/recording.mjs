// Processor time of a manager with its flight recorder, without and with a page, which requests as often as
// the real one: 20,000 objects, of which 200 change in a second, and are reconciled.
// node test/bench/recording.mjs [--seconds 30] [--rounds 3] [--objects 20000] [--changes 200]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { machine } from './measure.mjs';

const self = fileURLToPath(import.meta.url);
const options = {
  seconds: { type: 'string', default: '30' },
  rounds: { type: 'string', default: '3' },
  objects: { type: 'string', default: '20000' },
  changes: { type: 'string', default: '200' },
  role: { type: 'string', default: 'bench' },
};
const { values } = parseArgs({ options });
const [seconds, rounds, objects, changes] = ['seconds', 'rounds', 'objects', 'changes'].map((name) =>
  Number(values[name]),
);
/** Milliseconds between two requests of a page: `periodMs` of its `live.ts`. */
const pagePeriodMs = 150;
const roles = { bench, server, manager };
await roles[values.role]();

async function bench() {
  const servers = start('server');
  const [{ url, token }] = await once(servers, 'message');
  console.log(machine(process.execPath));
  console.log(`${objects} objects, ${changes} changes and reconciles a second, ${seconds} s each`);
  for (const recording of [false, true]) {
    const child = start('manager', { KGEN_BENCH: JSON.stringify({ url, token, recording }) });
    const [{ port }] = await once(child, 'message');
    await measured(child); // Warms up.
    const shares = { without: [], with: [] };
    for (let round = 0; round < rounds; round += 1) {
      shares.without.push(await measured(child));
      if (recording) shares.with.push(await measured(child, port));
    }
    const name = recording ? 'with the recorder' : 'without the recorder';
    for (const [page, list] of Object.entries(shares))
      if (list.length > 0) console.log(`${name}, ${page} a page: ${text(list)} of a core`);
    child.disconnect();
    await once(child, 'exit');
  }
  servers.disconnect();
}

function text(list) {
  const sorted = list.map(({ share }) => share * 100).sort((a, b) => a - b);
  const bytes = Math.max(...list.map((each) => each.bytes));
  const polled =
    bytes > 0
      ? `, ${Math.round(bytes / 1024)} KiB a poll, the first one ${Math.round(list[0].firstMs)} ms`
      : '';
  return `${sorted[Math.floor(sorted.length / 2)].toFixed(2)} % (${sorted.map((each) => each.toFixed(2)).join(', ')}${polled})`;
}

function start(role, env = {}) {
  const args = ['--role', role, '--objects', values.objects, '--changes', values.changes];
  return fork(self, args, { env: { ...process.env, ...env } });
}

/** Measures the processor time of a manager, while a page polls its port. */
async function measured(child, port) {
  const usage = async () => {
    child.send('usage');
    const [message] = await once(child, 'message');
    return message;
  };
  let tag = '';
  const sizes = [];
  const poll = async () => {
    const query = new URLSearchParams({ after: tag });
    const response = await fetch(`http://127.0.0.1:${port}/debug/recording?${query}`);
    const body = await response.text();
    if (tag !== '' && !body.startsWith('{"type":"kgen recording increment"'))
      throw new Error(body.slice(0, 200));
    if (tag !== '') sizes.push(body.length);
    tag = response.headers.get('etag');
  };
  // The first one is the whole recording.
  const begun = await usage();
  if (port !== undefined) await poll();
  const before = await usage();
  for (const end = performance.now() + seconds * 1_000; performance.now() < end; ) {
    await sleep(pagePeriodMs);
    if (port !== undefined) await poll();
  }
  const after = await usage();
  const share = (after.cpuMs - before.cpuMs) / (after.at - before.at);
  return {
    share,
    firstMs: before.cpuMs - begun.cpuMs,
    bytes: sizes.reduce((sum, size) => sum + size, 0) / Math.max(1, sizes.length),
  };
}

/** An API server in memory, whose objects change. */
async function server() {
  const { startTestServer } = await import('@kgen/testserver');
  const { configMaps } = await import('@kgen/kubernetes/core/v1');
  const { RESTClient, resource } = await import('@kgen/runtime');
  const data = { text: 'x'.repeat(500) };
  const items = Array.from({ length: objects }, (_, number) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `c-${number}`, namespace: 'default' },
    data,
  }));
  const running = await startTestServer({ objects: items });
  const { server: url, auth } = running.config;
  process.send({ url, token: auth.token });
  const client = resource(new RESTClient(running.config), configMaps).in('default');
  let number = 0;
  const timer = setInterval(() => {
    for (let each = 0; each < changes / 20; each += 1) {
      number += 1;
      const patch = { data: { number: String(number) } };
      client.patch(`c-${(number * 7919) % objects}`, patch, { type: 'merge' }).catch(() => undefined);
    }
  }, 50);
  process.once('disconnect', async () => {
    clearInterval(timer);
    await running.stop();
  });
}

/** A manager, whose reconciles read the object. */
async function manager() {
  const { Controller, Manager } = await import('@kgen/controller');
  const { configMaps } = await import('@kgen/kubernetes/core/v1');
  const { InformerFactory } = await import('@kgen/runtime');
  const { url, token, recording } = JSON.parse(process.env.KGEN_BENCH);
  const nothing = () => undefined;
  const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
  const metrics = { port: 0, host: '127.0.0.1', recording };
  const running = new Manager({ server: url, auth: { token } }, { metrics, log, handleSignals: false });
  const informer = new InformerFactory(running).of(configMaps, { namespace: 'default' });
  let reconciled = 0;
  running.add(
    new Controller({
      name: 'bench',
      for: informer,
      reconcile: () => {
        reconciled += 1;
      },
    }),
  );
  const stop = new AbortController();
  const ended = running.run({ signal: stop.signal });
  while (reconciled < objects) await sleep(200);
  process.send({ port: running.ports.metrics });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send({ cpuMs: (user + system) / 1_000, at: performance.now() });
  });
  process.once('disconnect', async () => {
    stop.abort();
    await ended;
  });
}
