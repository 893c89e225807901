#!/usr/bin/env node
// Load of many objects, watches and writes: the server in memory, and etcd with kube-apiserver, in turn.
// Prints a line per minute and a result: memory, latencies of requests, and whether each watch received every
// change in order.
// The objects and watches are spread over the namespaces, so that a watch receives the changes of one.
// Usage: node test/bench/testserver-load.mjs [--seconds 300] [--objects 20000] [--watches 200] [--writes 500]
//        [--namespaces 20] [--only memory|real]
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { RESTClient } from '@kgen/runtime';
import { parseKubeconfig } from '@kgen/runtime/kubeconfig';
import { startControlPlane } from '@kgen/testing';

const group = 'load.example.com';
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `items.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind: 'Item', plural: 'items' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

async function main() {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '300' },
      objects: { type: 'string', default: '20000' },
      watches: { type: 'string', default: '200' },
      writes: { type: 'string', default: '500' },
      namespaces: { type: 'string', default: '20' },
      only: { type: 'string' },
    },
  });
  const load = {
    seconds: Number(values.seconds),
    objects: Number(values.objects),
    watches: Number(values.watches),
    writes: Number(values.writes),
    namespaces: Number(values.namespaces),
  };
  console.log(load);
  const servers = { memory: memoryServer, real: realServer };
  for (const [name, start] of Object.entries(servers)) {
    if (values.only !== undefined && values.only !== name) continue;
    const server = await start();
    try {
      console.log(name, await measure(server, load));
    } finally {
      await server.stop();
    }
  }
}

/** Starts the server in memory in a process of its own, which prints its heap after a collection. */
async function memoryServer() {
  const program = `
    import { startTestServer } from '@kgen/testserver';
    const server = await startTestServer({ https: true });
    process.stdout.write(JSON.stringify(server.kubeconfig) + '\\n');
    process.stdin.on('data', () => {
      globalThis.gc();
      process.stdout.write(JSON.stringify(process.memoryUsage()) + '\\n');
    });`;
  const args = ['--expose-gc', '--input-type=module', '-e', program];
  const child = spawn(process.execPath, args, {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = linesOf(child.stdout);
  const next = async () => JSON.parse((await lines.next()).value);
  return {
    config: await parseKubeconfig(await next()),
    async megabytes() {
      child.stdin.write('gc\n');
      return (await next()).heapUsed / 1e6;
    },
    stop: async () => void child.kill(),
  };
}

async function* linesOf(stream) {
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    yield* lines;
  }
}

/** Starts etcd and kube-apiserver. Their memory is the resident one of both processes. */
async function realServer() {
  const plane = await startControlPlane();
  const pids = childrenOf(process.pid).filter((pid) => /etcd|kube-apiserver/.test(commandOf(pid)));
  return {
    config: plane.config,
    megabytes: async () => pids.reduce((sum, pid) => sum + residentOf(pid), 0),
    stop: () => plane.stop(),
  };
}

function childrenOf(pid) {
  const direct = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  return direct.flatMap((child) => [child, ...childrenOf(child)]);
}

function commandOf(pid) {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0];
}

function residentOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1e3;
}

/** Creates the objects, then writes and watches for some time. */
async function measure({ config, megabytes }, load) {
  const rest = new RESTClient(config);
  await rest.request(post(definitionsPath, definition));
  const names = Array.from({ length: load.objects }, (_, index) => `item-${index}`);
  const paths = names.map((name, index) => `${collection(index % load.namespaces)}/${name}`);
  for (let index = 0; index < load.namespaces; index += 1)
    await rest.request(post('/api/v1/namespaces', namespace(index)));
  await established(rest);
  const begun = performance.now();
  await inParallel(names, 50, (name, index) =>
    rest.request(post(collection(index % load.namespaces), item(name))),
  );
  const createsPerSecond = Math.round(load.objects / ((performance.now() - begun) / 1000));
  const watches = await Promise.all(
    Array.from({ length: load.watches }, (_, index) => watch(rest, index % load.namespaces)),
  );
  const writer = new Writer(rest, paths, load);
  const memory = [await megabytes()];
  const report = async () => {
    memory.push(await megabytes());
    console.log(
      `  ${Math.round(writer.seconds)} s: ${Math.round(memory.at(-1))} MB, ${JSON.stringify(writer.figures())}`,
    );
  };
  const timer = setInterval(report, Math.min(60_000, (load.seconds * 1000) / 3));
  await writer.run();
  clearInterval(timer);
  await settled(watches, writer);
  await report();
  const result = {
    createsPerSecond,
    ...writer.figures(),
    memoryMB: memory.map(Math.round),
    events: watches.reduce((sum, { count }) => sum + count, 0),
    completeWatches: watches.filter((one) => writer.isComplete(one)).length,
    eventsOutOfOrder: watches.reduce((sum, { disorders }) => sum + disorders, 0),
    endedWatches: watches.filter(({ hasEnded }) => hasEnded).length,
  };
  await rest.close();
  return result;
}

function post(path, object) {
  return {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(object),
  };
}

function collection(index) {
  return `/apis/${group}/v1/namespaces/load-${index}/items`;
}

function namespace(index) {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `load-${index}` } };
}

function item(name) {
  const spec = { value: 0, image: 'registry.example.com/web:1.27', text: 'x'.repeat(500) };
  return { apiVersion: `${group}/v1`, kind: 'Item', metadata: { name, labels: { app: 'web' } }, spec };
}

/** Waits until the definition is served. */
async function established(rest) {
  for (;;) {
    const found = await rest.request({ path: collection(0) }).catch(() => undefined);
    if (found !== undefined) return;
    await sleep(100);
  }
}

async function inParallel(values, limit, work) {
  let next = 0;
  const worker = async () => {
    while (next < values.length) {
      const index = next;
      next += 1;
      await work(values[index], index);
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
}

/** Watches a namespace: counts its events, and adds their resourceVersions. */
async function watch(rest, index) {
  const list = await rest.request({ path: collection(index), query: [['limit', '1']] });
  const seen = {
    index,
    count: 0,
    sum: 0,
    last: Number(list.metadata.resourceVersion),
    disorders: 0,
    hasEnded: false,
  };
  const query = [
    ['watch', 'true'],
    ['resourceVersion', list.metadata.resourceVersion],
  ];
  const { body } = await rest.stream({ path: collection(index), query });
  const read = async () => {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of body) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        const version = Number(/"resourceVersion":"(\d+)"/.exec(line)?.[1]);
        seen.count += 1;
        seen.sum += version;
        if (!(version > seen.last)) seen.disorders += 1;
        seen.last = version;
      }
    }
  };
  read()
    .catch(() => {})
    .finally(() => {
      seen.hasEnded = true;
    });
  return seen;
}

/** Patches the objects in turn, at a constant rate, whether or not earlier requests have ended. */
class Writer {
  constructor(rest, paths, load) {
    Object.assign(this, {
      rest,
      paths,
      load,
      latencies: [],
      failures: 0,
      sent: 0,
      running: 0,
      started: performance.now(),
    });
    this.expected = Array.from({ length: load.namespaces }, () => ({ count: 0, sum: 0 }));
  }

  get seconds() {
    return (performance.now() - this.started) / 1000;
  }

  async run() {
    this.started = performance.now();
    while (this.seconds < this.load.seconds) {
      const due = Math.floor(this.seconds * this.load.writes);
      while (this.sent < due) void this.write(this.sent++);
      await sleep(5);
    }
    while (this.running > 0) await sleep(20);
  }

  async write(number) {
    const index = number % this.paths.length;
    const begun = performance.now();
    this.running += 1;
    try {
      const { metadata } = await this.rest.request({
        method: 'PATCH',
        path: this.paths[index],
        headers: { 'content-type': 'application/merge-patch+json' },
        body: JSON.stringify({ spec: { value: number + 1 } }),
      });
      const expected = this.expected[index % this.load.namespaces];
      expected.count += 1;
      expected.sum += Number(metadata.resourceVersion);
    } catch {
      this.failures += 1;
    }
    this.running -= 1;
    this.latencies.push(performance.now() - begun);
  }

  isComplete({ index, count, sum }) {
    const expected = this.expected[index];
    return count === expected.count && sum === expected.sum;
  }

  figures() {
    const sorted = Float64Array.from(this.latencies).sort();
    const at = (part) =>
      Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0) * 10) / 10;
    const perSecond = Math.round(this.latencies.length / this.seconds);
    return { writesPerSecond: perSecond, p50: at(0.5), p99: at(0.99), maxMs: at(1), failures: this.failures };
  }
}

/** Waits until the watches have received every change, for at most 30 seconds. */
async function settled(watches, writer) {
  for (let tries = 0; tries < 300 && !watches.every((one) => writer.isComplete(one)); tries += 1)
    await sleep(100);
}

await main();
