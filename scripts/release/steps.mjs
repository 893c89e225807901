// Steps that pass in each environment: an installation, then all that users do with the packages.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { moduleSettings } from './project.mjs';

/** Limit of one command in milliseconds. */
const timeoutMs = 300_000;

/** Steps that also work with the packages in one file. Others need the packages themselves. */
const program = (name, file) => ({
  ...{ name, isBundled: true, isSampled: true },
  run: (context) => context.program(file),
});

const bundles = ({ bundler }) => bundler !== undefined;
/** Node.js 20 does not resolve `require()` of an ES module with the hooks of Plug'n'Play. */
const requiresModules = ({ node, linker }) => node > 20 || linker !== 'pnp';

const runsTypeScript = ({ node, runtime }) => node > 20 || runtime !== undefined;

/**
 * Steps in the order in which they run. `isBundled`: also with a bundler; `isSampled`: also in `.ci/run`;
 * `applies`: whether an environment has the step.
 */
export const steps = [
  {
    ...{ name: 'install', isBundled: true, isSampled: true },
    run: (context) => context.command(...context.environment.install),
  },
  { name: 'import of every entry point', isSampled: true, run: (context) => context.node('imports.mjs') },
  {
    name: '`require()` of every entry point',
    isSampled: true,
    applies: requiresModules,
    run: (context) => context.node('requires.cjs'),
  },
  ...Object.keys(moduleSettings).map((name) => ({
    name: `types, \`${name}\``,
    run: (context) => context.exec('tsc', '--project', `tsconfig.${name}.json`),
  })),
  { name: '`kgen --help`', isSampled: true, run: (context) => context.exec('kgen', '--help') },
  { name: '`kgen crds/*.yaml`, `--check`', isBundled: true, run: generate },
  {
    ...{ name: '`kgen-testserver`', isBundled: true, isSampled: true },
    run: (context) => context.startServer(),
  },
  { name: 'generated client, compiled', isBundled: true, run: compiledClient },
  {
    name: 'generated client, as TypeScript',
    applies: runsTypeScript,
    run: (context) => context.node('client.ts'),
  },
  program('list of Pods', 'list.mjs'),
  program('watch', 'watch.mjs'),
  program('informer', 'informer.mjs'),
  program('controller, lease, metrics', 'controller.mjs'),
  program('manifests in YAML', 'manifests.mjs'),
  { name: 'server in `node:test`', run: (context) => context.test('memory.test.mjs') },
  {
    name: '`kgen simulate`',
    run: (context) => {
      const options = ['--crds', 'crds/myapp.yaml', '--seeds', '2'];
      return context.exec('kgen', 'simulate', 'operator.ts', ...options);
    },
  },
  { name: 'vitest', run: (context) => context.exec('vitest', 'run') },
  {
    name: 'jest, ES modules',
    applies: ({ runtime }) => runtime === undefined,
    run: (context) => context.exec('jest', 'jest.test.mjs', esModules),
  },
  {
    name: 'jest, CommonJS',
    applies: ({ node, runtime }) => node >= 24 && runtime === undefined,
    run: (context) => context.exec('jest', 'jest.test.cjs', esModules),
  },
].map(({ applies = () => true, isBundled = false, ...step }) => ({
  ...step,
  applies: (environment) => applies(environment) && (isBundled || !bundles(environment)),
}));

/** Variables with which jest loads ES modules, from Node.js 24.9 also by `require()`. */
const esModules = { NODE_OPTIONS: '--experimental-vm-modules' };

async function generate(context) {
  for (const more of [[], ['--check']]) {
    await context.exec('kgen', 'crds/*.yaml', '--out', 'generated', ...more);
    await context.exec('kgen', 'crds/*.yaml', '--out', 'stripped', '--import-extension', '.ts', ...more);
  }
}

async function compiledClient(context) {
  await context.exec('tsc');
  await context.program('compiled/src/client.js');
}

/**
 * Runs commands of one environment in its project.
 *
 * @param {object} environment from `prepared`
 * @param {{ readonly folder: string, readonly report: (text: string) => void }} project
 */
export function contextOf(environment, { folder, report }) {
  const kubeconfig = join(folder, 'kubeconfig');
  const env = { ...environment.env, KUBECONFIG: kubeconfig };
  let server;
  const command = async (...words) => {
    const more = typeof words.at(-1) === 'object' ? words.pop() : {};
    report(`$ ${words.join(' ')}\n`);
    await completed(start(words, { cwd: folder, env: { ...env, ...more } }), report);
  };
  const node = (...words) => command(...environment.run, ...words);
  const exec = (name, ...words) => command(...executable(environment, name), ...words);
  return {
    environment,
    command,
    node,
    exec,
    test: (file) => command(...testRunner(environment), file),
    program: async (file) => {
      if (environment.bundler === undefined) return node(file);
      // Outside of the project, in which packages would be found.
      const out = join(folder, '../bundles', environment.bundler, file);
      await command('node', 'bundle.mjs', environment.bundler, file, out);
      return node(join(out, 'main.mjs'));
    },
    startServer: async () => {
      const words = ['--crds', 'crds', '--namespaces', 'shop', '--kubeconfig', kubeconfig];
      server = start([...executable(environment, 'kgen-testserver'), ...words], { cwd: folder, env });
      const ended = completed(server, report);
      const ready = async () => {
        while (!existsSync(kubeconfig)) await delay(100);
      };
      await Promise.race([ready(), ended]);
      ended.catch(() => undefined);
    },
    end: async () => {
      if (server !== undefined && server.exitCode === null) {
        const closed = once(server, 'close');
        endGroup(server, 'SIGTERM');
        await closed;
      }
      rmSync(kubeconfig, { force: true });
    },
  };
}

/** Returns the words that start a program of the packages. */
function executable({ exec, run, runtime }, name) {
  if (runtime !== 'deno') return [...exec, name];
  const paths = {
    kgen: 'kgen/bin/kgen.js',
    'kgen-testserver': '@kgen/testserver/bin/kgen-testserver.js',
    tsc: 'typescript/bin/tsc',
    vitest: 'vitest/vitest.mjs',
  };
  return [...run, `node_modules/${paths[name]}`];
}

function testRunner({ run, runtime }) {
  if (runtime === 'deno') return ['deno', 'test', '--allow-all'];
  return runtime === 'bun' ? ['bun', 'test'] : [...run, '--test'];
}

/** Starts a command as a group of processes, which end together. */
function start([file, ...words], options) {
  return spawn(file, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
}

async function completed(child, report) {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-8000);
      report(text);
    });
  const timer = setTimeout(() => endGroup(child, 'SIGKILL'), timeoutMs);
  try {
    const [code, signal] = await once(child, 'close');
    if (code !== 0) throw new Error(`${child.spawnargs.join(' ')}: ended with ${signal ?? code}\n${output}`);
  } finally {
    clearTimeout(timer);
  }
}

function endGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended.
  }
}
