// Runs the tests: `node scripts/test.mjs <memory|portable|ci|corpus|server|all> [arguments of vitest]`. First
// prepares the work tree, and builds the programs that the tests of real servers need.
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { portable } from './portable.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [which = 'memory', ...rest] = process.argv.slice(2);

const memory = ['unit', 'memory', 'alone', 'types'];
/** One more than processors: tests wait a third of their time for timers, sockets, processes and servers. */
const workers = availableParallelism() + 1;
const programs = [
  ['test/envtest/build.mjs', '--controller-manager'],
  ['test/protobuf/build.mjs'],
  ['test/client-go/build.mjs'],
];
/** Older and newer releases than the pinned one. */
const otherReleases = ['1.33.13', '1.37.1'].map((version) => [
  ...['test/envtest/build.mjs', '--version', version],
  ...['kube-apiserver', 'etcd'],
]);

/**
 * Requirements of each run: programs to build, projects of `vitest.config.ts` (default: all), files,
 * environment variables.
 */
const runs = {
  memory: { projects: memory },
  portable: { projects: ['unit', 'memory', 'alone'], files: portable },
  ci: { build: [['scripts/chromium.mjs'], ['site/build.mjs', '--install']], projects: ['ci'] },
  corpus: { projects: ['corpus'] },
  server: { build: programs, projects: ['server', 'shared'] },
  all: { build: [...programs, ...otherReleases], env: { KGEN_SEEDS: 'all' } },
};

/** Runs a script or program with Node in the root folder; exits if it fails. */
function run(args, env = {}) {
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } };
  const { status } = spawnSync(process.execPath, args, options);
  if (status !== 0) process.exit(status ?? 1);
}

if (!Object.hasOwn(runs, which)) {
  console.error(`usage: node scripts/test.mjs <${Object.keys(runs).join('|')}> [arguments of vitest]`);
  process.exit(2);
}
const { build = [], projects = [], files = [], env = {} } = runs[which];
run(['scripts/setup.mjs']);
for (const args of build) run(args);
const options = projects.map((name) => `--project=${name}`);
if (!rest.some((arg) => arg.startsWith('--maxWorkers'))) options.push(`--maxWorkers=${workers}`);
// Without file names `test/support/times.ts` prints the omitted tests.
const whole = rest.every((arg) => arg.startsWith('-')) ? { KGEN_TEST_WHOLE: '1' } : {};
run(['node_modules/vitest/vitest.mjs', 'run', ...options, ...files, ...rest], { ...env, ...whole });
