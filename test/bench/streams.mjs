// exec and port-forward beside kubectl: through a real API server, to a kubelet on Kubernetes' streaming
// library.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { line, median, wallMs } from './measure.mjs';
import { restClient, startKubernetes } from './servers.mjs';
import { readSlowly } from './slow-reader.mjs';

const connections = 100;
/** A slow reader receives a fifth of the bytes, at most 40 MB/s. */
const slowPart = 5;

/** Measures throughput and memory of streams, if a control plane, Go and kubectl are available. */
export async function benchStreams({ node, root, folder, rounds }) {
  const bytes = Number(process.env.KGEN_BENCH_STREAM_BYTES ?? 1e9);
  const plane = await startKubernetes(root);
  if (plane === undefined) return [];
  const kubectl = join(plane.assets, 'kubectl');
  const kubelet = await startKubelet({ root, folder });
  try {
    if (kubelet === undefined || !existsSync(kubectl)) {
      console.log('without streams: Go or kubectl is not available');
      return [];
    }
    await addPod({ root, plane, port: kubelet.port });
    const kubeconfig = join(folder, 'streams.kubeconfig');
    writeFileSync(kubeconfig, plane.kubeconfig);
    process.env.KUBECONFIG = kubeconfig;
    const programs = new Programs({ node, root, kubectl });
    return await measure({ programs, bytes, rounds });
  } finally {
    kubelet?.child.kill();
    await plane.stop();
  }
}

async function measure({ programs, bytes, rounds }) {
  const source = await startSource(Math.floor(bytes / connections));
  const slowBytes = Math.floor(bytes / slowPart);
  const raw = { out: [], in: [], forward: [] };
  const slow = [];
  for (let round = 0; round < rounds; round += 1) {
    raw.out.push({ kgen: programs.run('out', { bytes }, bytes), kubectl: programs.kubectlOut(bytes) });
    raw.in.push({ kgen: programs.run('in', { bytes }, bytes), kubectl: programs.kubectlIn(bytes) });
    raw.forward.push({
      kgen: await programs.forward(source.port),
      kubectl: await programs.kubectlForward(source.port),
    });
    slow.push({
      kgen: programs.run('slow', { bytes: slowBytes }, slowBytes),
      kubectl: await programs.kubectlSlow(slowBytes),
    });
  }
  source.server.close();
  const { left } = programs.run('calls', { count: 1_000 });
  return [
    ...Object.entries(raw).flatMap(([name, pairs]) => compared(names[name], pairs, bytes)),
    slowReader(slow),
    { what: 'streams: handles left by 1,000 execs', value: left, unit: '' },
  ];
}

/**
 * Throws if a client received only a part. A busy API server loses up to 4 MB at the end of an output, with
 * the exit code 0: kubectl prints as much less. Such a run counts: its rate hardly differs.
 */
function expectAll(name, received, bytes) {
  if (received === bytes) return;
  const text = `${name}: ${received} of ${bytes} bytes`;
  if (received > bytes || received < bytes - 4e6) throw new Error(text);
  console.log(text);
}

/** Memory of clients whose output is read slowly: without backpressure, all of the output would be in it. */
function slowReader(pairs) {
  const growths = pairs.map(({ kgen }) => kgen.growthMb);
  const peaks = pairs.map(({ kubectl }) => kubectl.peakMb);
  console.log(line('streams: slow reader of exec, kgen, over the start', growths, 'MB'));
  console.log(line('streams: slow reader of exec, kubectl, in all', peaks, 'MB'));
  const what = 'streams: memory of exec with a slow reader, over the start';
  return { what, value: median(growths), unit: 'MB' };
}

const names = {
  out: 'exec, output',
  in: 'exec, input',
  forward: `port-forward, ${connections} connections`,
};

/** Throughput as a ratio of both in the same round, and growth of memory. */
function compared(what, pairs, bytes) {
  const rate = (ms) => bytes / 1e6 / (ms / 1e3);
  for (const peer of ['kgen', 'kubectl']) {
    const rates = pairs.map((pair) => rate(pair[peer].ms));
    console.log(line(`streams: ${what}, ${peer}`, rates, 'MB/s'));
  }
  const ratios = pairs.map(({ kgen, kubectl }) => kubectl.ms / kgen.ms);
  const growths = pairs.map(({ kgen }) => kgen.growthMb);
  return [
    { what: `streams: throughput of ${what}, of kubectl's`, value: median(ratios), unit: '×' },
    { what: `streams: memory of ${what}, over the start`, value: median(growths), unit: 'MB' },
  ];
}

/** Clients of the pod, each in a process of its own. */
class Programs {
  #node;
  #root;
  #kubectl;

  constructor({ node, root, kubectl }) {
    this.#node = node;
    this.#root = root;
    this.#kubectl = kubectl;
  }

  #args(name, settings) {
    const program = join(this.#root, 'test/bench/streams-programs.mjs');
    return ['--expose-gc', program, name, JSON.stringify(settings)];
  }

  run(name, settings, bytes) {
    const { status, stdout, stderr } = spawnSync(this.#node, this.#args(name, settings), {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${name} ended with ${status}:\n${stderr}`);
    const result = JSON.parse(stdout);
    if (bytes !== undefined) expectAll(`${name}, kgen`, result.received, bytes);
    return result;
  }

  kubectlOut(bytes) {
    const command = ['exec', 'web', '--', 'head', '-c', String(bytes), '/dev/zero'];
    return { ms: wallMs(this.#kubectl, command, { stdio: ['ignore', 'ignore', 'pipe'] }) };
  }

  async kubectlSlow(bytes) {
    const command = ['exec', 'web', '--', 'head', '-c', String(bytes), '/dev/zero'];
    const child = spawn(this.#kubectl, command, { stdio: ['ignore', 'pipe', 'inherit'] });
    let peakMb = 0;
    const received = await readSlowly(child.stdout, () => {
      peakMb = Math.max(peakMb, residentMb(child.pid));
    });
    expectAll('slow, kubectl', received, bytes);
    return { peakMb };
  }

  kubectlIn(bytes) {
    const command = `head -c ${bytes} /dev/zero | ${this.#kubectl} exec -i web -- wc -c`;
    return { ms: wallMs('sh', ['-c', command]) };
  }

  async forward(port) {
    const child = spawn(this.#node, this.#args('forward', { port }), { stdio: ['pipe', 'pipe', 'inherit'] });
    const [local] = await firstLine(child);
    const ms = await readAll(Number(String(local)));
    child.stdin.end();
    const [result] = await once(child.stdout, 'data');
    return { ...JSON.parse(String(result)), ms };
  }

  async kubectlForward(port) {
    const child = spawn(this.#kubectl, ['port-forward', 'web', `:${port}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [first] = await firstLine(child);
    const local = /127\.0\.0\.1:(\d+)/.exec(String(first))?.[1];
    child.stdout.resume();
    const ms = await readAll(Number(local));
    child.kill();
    await once(child, 'exit');
    return { ms };
  }
}

/** Returns the memory of a process; 0 if it has ended. */
function residentMb(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024) / 1e6;
  } catch {
    // The last output may be read after the end of the process.
    return 0;
  }
}

/** Rejects if the program ends before its first line. */
function firstLine(child) {
  const ended = once(child, 'exit').then(([status]) => {
    throw new Error(`${child.spawnfile} ended with ${status}`);
  });
  return Promise.race([once(child.stdout, 'data'), ended]);
}

/** Reads everything that a port sends to each of many connections, and returns the milliseconds. */
async function readAll(port) {
  const started = performance.now();
  const counts = await Promise.all(
    Array.from({ length: connections }, async () => {
      let received = 0;
      for await (const part of connect({ port, host: '127.0.0.1' })) received += part.length;
      return received;
    }),
  );
  if (new Set(counts).size > 1 || counts[0] === 0) throw new Error(`connections received ${new Set(counts)}`);
  return performance.now() - started;
}

/** Starts a server that sends the same number of bytes to each connection. */
async function startSource(bytes) {
  const chunk = Buffer.alloc(64 * 1024, 'kgen');
  const server = createServer(async (socket) => {
    socket.on('error', () => undefined);
    for (let sent = 0; sent < bytes && !socket.destroyed; sent += chunk.length) {
      if (!socket.write(chunk.subarray(0, Math.min(chunk.length, bytes - sent)))) await drained(socket);
    }
    socket.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: server.address().port };
}

function drained(socket) {
  return new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
}

async function startKubelet({ root, folder }) {
  const program = join(folder, 'kubelet');
  const { status } = spawnSync('go', ['build', '-o', program, '.'], {
    cwd: join(root, 'test/streams/kubelet'),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) return undefined;
  const testing = join(root, 'src/certificates/dist/authority.js');
  const authority = await (await import(testing)).createAuthority();
  const pair = await authority.issueServer('kubelet', { names: [], addresses: ['127.0.0.1'] });
  writeFileSync(join(folder, 'kubelet.cert'), pair.cert);
  writeFileSync(join(folder, 'kubelet.key'), pair.key);
  const args = [folder, join(folder, 'kubelet.cert'), join(folder, 'kubelet.key')];
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout, 'data');
  return { child, port: Number(String(port)) };
}

async function addPod({ root, plane, port }) {
  const rest = await restClient(root, plane.config);
  const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }];
  const daemonEndpoints = { kubeletEndpoint: { Port: port } };
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node' } };
  await rest.post('/api/v1/nodes', { body: { ...node, status: { addresses, daemonEndpoints } } });
  const spec = {
    nodeName: 'node',
    automountServiceAccountToken: false,
    containers: [{ name: 'main', image: 'none' }],
  };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec };
  await rest.post('/api/v1/namespaces/default/pods', { body: pod });
  // kubectl forwards ports of running pods only.
  await rest.patch('/api/v1/namespaces/default/pods/web/status', {
    body: { status: { phase: 'Running' } },
    headers: { 'content-type': 'application/merge-patch+json' },
  });
  await rest.close();
}
