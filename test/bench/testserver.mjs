// The API server in memory: writes, watches, memory and start-up, each in processes of their own.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { line, median } from './measure.mjs';
import { benchTenTests } from './testserver-ten.mjs';

const programs = fileURLToPath(new URL('testserver-programs.mjs', import.meta.url));

/** Measures the server. */
export async function benchTestServer({ node, root, rounds }) {
  const module = pathToFileURL(join(root, 'src/testserver/dist/index.js')).href;
  const run = (name, settings = {}) => runProgram(node, [name, module, JSON.stringify(settings)]);
  const repeat = (measure) => Array.from({ length: rounds }, measure);
  const starts = repeat(() => run('start'));
  const creates = repeat(() => run('creates', { count: 20_000 }).perSecond);
  const fanouts = repeat(() => run('fanout', { watchers: 1_000, changes: 1_000 }).ms);
  const http = await overHttp({ node, module, run, rounds });
  const memory = run('memory', { count: 10_000 });
  return [
    lowest(
      'test server: first response after the import',
      starts.map(({ first }) => first),
    ),
    lowest(
      'test server: first response of the second server',
      starts.map(({ second }) => second),
    ),
    highest('test server: creates within the process', creates),
    highest('test server: creates over HTTP', http.creates),
    lowest('test server: 1,000 watches see 1,000 changes within the process', fanouts),
    lowest('test server: 1,000 watches see 1,000 changes over HTTP', http.fanouts),
    commandStart({ node, root, rounds }),
    { what: 'test server: heap per stored pod, of its JSON', value: memory.ratio, unit: '×' },
    ...(await benchTenTests({ node, root, rounds })),
  ];
}

/** Time until `kgen-testserver` is ready, as a ratio to the start of Node.js itself. */
function commandStart({ node, root, rounds }) {
  const command = join(root, 'src/testserver/bin/kgen-testserver.js');
  const program = `
    const { spawn, spawnSync } = require('node:child_process');
    const begun = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    const node = performance.now() - begun;
    const started = performance.now();
    const child = spawn(process.execPath, [${JSON.stringify(command)}, '--quiet']);
    child.stdout.once('data', () => {
      console.log(JSON.stringify({ ms: performance.now() - started, node }));
      child.kill('SIGINT');
    });`;
  const starts = Array.from({ length: rounds }, () =>
    JSON.parse(spawnSync(node, ['-e', program], { encoding: 'utf8' }).stdout),
  );
  const what = 'kgen-testserver: ready, of the start of Node.js';
  console.log(
    line(
      what,
      starts.map(({ ms }) => ms),
      'ms',
    ),
  );
  return { what, value: median(starts.map(({ ms, node: own }) => ms / own)), unit: '×' };
}

async function overHttp({ node, module, run, rounds }) {
  const creates = [];
  const fanouts = [];
  for (let round = 0; round < rounds; round += 1) {
    creates.push(
      await withServer({ node, module }, (server) => run('http', { ...server, count: 10_000 }).perSecond),
    );
    const settings = { watchers: 1_000, changes: 1_000 };
    fanouts.push(
      await withServer({ node, module }, (server) => run('http-fanout', { ...server, ...settings }).ms),
    );
  }
  return { creates, fanouts };
}

/** Runs a server in a process, whose first line has its address and token. */
async function withServer({ node, module }, measure) {
  const child = spawn(node, [programs, 'serve', module], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const first = await new Promise((resolve, reject) => {
      child.stdout.once('data', resolve);
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    });
    return measure(JSON.parse(String(first)));
  } finally {
    child.kill();
  }
}

function runProgram(node, args) {
  const { status, stdout, stderr } = spawnSync(node, ['--expose-gc', programs, ...args], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${args[0]} ended with ${status}:\n${stderr}`);
  return JSON.parse(stdout);
}

function lowest(what, values) {
  console.log(line(what, values, 'ms'));
  return { what, value: median(values), best: Math.min(...values), unit: 'ms' };
}

function highest(what, values) {
  console.log(line(what, values, 'a second'));
  return { what, value: median(values), best: Math.max(...values), unit: 'a second' };
}
