// From an empty folder to the first reconcile in memory, and the reload of kgen dev after changes, with the
// packages as they are published.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const packages = [
  ['create-kgen', 'src/create-kgen'],
  ['kgen', 'src/kgen'],
  ['@kgen/certificates', 'src/certificates'],
  ['@kgen/schema', 'src/schema'],
  ['@kgen/runtime', 'src/runtime'],
  ['@kgen/controller', 'src/controller'],
  ['@kgen/testserver', 'src/testserver'],
  ['@kgen/testing', 'src/testing'],
  ['@kgen/kubernetes', 'generated/kubernetes'],
];

/** Changes of each kind. */
const changes = Number(process.env.KGEN_BENCH_CHANGES ?? 20);

/** Measures the start of a project and the reloads of kgen dev, and prints each. */
export async function benchProjectStart({ node, root, folder }) {
  const parent = mkdtempSync(join(folder, 'start-'));
  install(root, join(parent, 'node_modules'));
  const cwd = join(parent, 'my-operator');
  const bin = (name) => join(parent, 'node_modules', name, `bin/${name}.js`);
  const begun = performance.now();
  run(node, [bin('create-kgen'), 'my-operator', '--domain', 'example.com', '--no-install'], parent);
  const api = ['create', 'api', '--group', 'shop', '--version', 'v1alpha1', '--kind', 'Cart'];
  run(node, [bin('kgen'), ...api], cwd);
  const dev = spawn(node, [bin('kgen'), 'dev'], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const lines = createInterface({ input: dev.stdout })[Symbol.asyncIterator]();
    await lineWith(lines, 'reconciled cart-sample');
    const start = (performance.now() - begun) / 1000;
    const controller = await reloads(lines, (index) =>
      edit(join(cwd, 'src/controllers/cart.ts'), /`reconciled.*?`|'run \d+'/, () => `'run ${index}'`),
    );
    const type = await reloads(lines, (index) =>
      edit(join(cwd, 'api/cart.ts'), /@maximum \d+/, () => `@maximum ${100 + index}`),
    );
    return [
      figure('empty folder to first reconcile in memory, 3 commands', start),
      ...percentiles('reload after a change of a controller', controller),
      ...percentiles('reload after a change of a type', type),
    ];
  } finally {
    dev.kill('SIGTERM');
    if (dev.exitCode === null) await once(dev, 'exit');
  }
}

/** Installs the packages of this repository as published, and links those of others. */
function install(root, modules) {
  for (const [name, path] of packages) {
    for (const part of ['package.json', 'bin', 'dist', 'renames.json', 'controlplane/watchdog.mjs']) {
      const from = join(root, path, part);
      // As published: without the compiler's build information.
      const filter = (file) => !file.endsWith('.tsbuildinfo');
      if (existsSync(from)) cpSync(from, join(modules, name, part), { recursive: true, filter });
    }
  }
  const names = new Set();
  const add = (name, from) => {
    if (names.has(name) || packages.some(([own]) => own === name)) return;
    names.add(name);
    const found = [join(root, from, 'node_modules', name), join(root, 'node_modules', name)];
    const target = join(modules, name);
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(realpathSync(found.find((path) => existsSync(path))), target);
  };
  for (const [, path] of packages) {
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    for (const name of Object.keys(dependencies)) add(name, path);
  }
  for (const name of ['@opentelemetry/api', '@types/node', 'typescript']) add(name, '.');
}

function run(program, args, cwd) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')}:\n${stdout}${stderr}`);
}

function edit(path, from, to) {
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
}

/** Returns the seconds from each change until the operator runs with it. */
async function reloads(lines, change) {
  const seconds = [];
  for (let index = 1; index <= changes; index++) {
    const begun = performance.now();
    change(index);
    await lineWith(lines, 'runs with the present files');
    seconds.push((performance.now() - begun) / 1000);
  }
  return seconds;
}

async function lineWith(lines, text) {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error(`kgen dev has ended before it printed: ${text}`);
    if (value.includes(text)) return;
  }
}

function percentiles(what, seconds) {
  const sorted = seconds.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  console.log(`${what}: ${sorted.map((each) => each.toFixed(2)).join(' ')}`);
  return [figure(`${what}, p50 of ${changes}`, at(0.5)), figure(`${what}, p90`, at(0.9))];
}

function figure(what, value) {
  return { what, value, unit: 's' };
}
