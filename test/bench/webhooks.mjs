// Webhooks on @kgen/controller and on controller-runtime, with the same reviews in turns: latency, processor
// time, and the time from the start of the process to the first response.
// KGEN_BENCH_REVIEWS: number of reviews of each measurement, 10,000 unless set; KGEN_BENCH_ROUNDS: 3 unless
// set.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { line, median } from './measure.mjs';
import { goProgram } from './operators/programs.mjs';
import { addController } from './project.mjs';
import { load, open, reviewRequest } from './webhooks/load.mjs';

const concurrencies = [1, 20, 200];

/** Measures both in turns, each as a fresh process in every round. */
export async function benchWebhooks({ node, root, folder, project }) {
  const count = Number(process.env.KGEN_BENCH_REVIEWS ?? 10_000);
  const rounds = Number(process.env.KGEN_BENCH_ROUNDS ?? 3);
  addController({ root, project });
  cpSync(join(root, 'test/bench/webhooks/kgen.mjs'), join(project, 'webhooks.mjs'));
  const { createAuthority } = await import(join(root, 'src/certificates/dist/authority.js'));
  const authority = createAuthority();
  const directory = mkdtempSync(join(folder, 'certificate-'));
  const { cert, key } = authority.issueServer('webhooks', { names: ['localhost'], addresses: ['127.0.0.1'] });
  writeFileSync(join(directory, 'tls.crt'), cert);
  writeFileSync(join(directory, 'tls.key'), key);
  const programs = {
    'controller-runtime': { command: goProgram(root, { name: 'webhook', folder: 'webhook' }), args: [] },
    kgen: { command: node, args: [join(project, 'webhooks.mjs')] },
  };
  const raw = { 'controller-runtime': [], kgen: [] };
  for (let round = 0; round < rounds; round += 1) {
    // Every second round in the other order.
    const names = Object.keys(programs);
    for (const name of round % 2 === 0 ? names : names.reverse()) {
      const measured = await measure(programs[name], { directory, ca: authority.cert, count });
      raw[name].push(measured);
      console.log(`${name}, round ${round + 1}: ${JSON.stringify(measured)}`);
    }
  }
  return results(raw);
}

async function measure({ command, args }, { directory, ca, count }) {
  const port = await freePort();
  const started = performance.now();
  const child = spawn(command, [...args, directory, String(port)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exit = once(child, 'exit');
  try {
    const first = await firstConnection({ port, ca });
    await first.send(reviewRequest('defaults'));
    const figures = { coldMs: performance.now() - started };
    first.close();
    for (const concurrency of concurrencies) {
      const connections = await Promise.all(Array.from({ length: concurrency }, () => open({ port, ca })));
      await load(connections, count / 5);
      const cpu = cpuSeconds(child.pid);
      const latencies = await load(connections, count);
      figures[`cpuUs ${concurrency}`] = ((cpuSeconds(child.pid) - cpu) / count) * 1e6;
      figures[`p50 ${concurrency}`] = latencies[Math.floor(count * 0.5)];
      figures[`p99 ${concurrency}`] = latencies[Math.floor(count * 0.99)];
      for (const connection of connections) connection.close();
    }
    return figures;
  } finally {
    child.kill();
    await exit;
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function firstConnection(target) {
  for (;;) {
    try {
      return await open(target);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
}

/** Processor time of a process, user and system, in seconds. */
function cpuSeconds(pid) {
  // The name in parentheses may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function results({ 'controller-runtime': theirs, kgen: ours }) {
  const of = (runs, name) => runs.map((run) => run[name]);
  const names = Object.keys(ours[0]);
  for (const name of names) {
    const unit = name.startsWith('cpuUs') ? 'µs' : 'ms';
    console.log(line(`webhooks, kgen, ${name}`, of(ours, name), unit));
    console.log(line(`webhooks, controller-runtime, ${name}`, of(theirs, name), unit));
  }
  const cold = of(ours, 'coldMs');
  return [
    {
      what: 'webhooks, start to first response',
      value: median(cold),
      best: Math.min(...cold),
      unit: 'ms',
    },
    ...names
      .filter((name) => name !== 'coldMs')
      .map((name) => {
        const ratios = ours.map((run, index) => run[name] / theirs[index][name]);
        return {
          what: `webhooks, ${name} at once, to controller-runtime`,
          value: median(of(ours, name)) / median(of(theirs, name)),
          best: Math.min(...ratios),
          unit: '×',
        };
      }),
  ];
}
