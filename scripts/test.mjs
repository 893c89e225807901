// Runs the tests: `node scripts/test.mjs <memory|portable|corpus|server|all> [arguments of vitest]`. Makes the work tree
// ready first, and builds the programs that the tests of real servers need.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [which = 'memory', ...rest] = process.argv.slice(2);

const memory = ['unit', 'memory', 'types'];
const programs = [['test/envtest/build.mjs', '--controller-manager'], ['test/protobuf/build.mjs']];
/** Older and newer releases than the pinned one. */
const otherReleases = ['1.33.13', '1.37.1'].map((version) => [
  ...['test/envtest/build.mjs', '--version', version],
  ...['kube-apiserver', 'etcd'],
]);

/** What each run needs: programs to build, projects of `vitest.config.ts` (none: all), settings. */
const runs = {
  memory: { build: [], projects: memory, env: {} },
  /** What another version of Node can change. */
  portable: { build: [], projects: ['unit', 'memory'], env: {} },
  corpus: { build: [], projects: ['corpus'], env: {} },
  server: { build: programs, projects: ['server', 'shared'], env: {} },
  all: { build: [...programs, ...otherReleases], projects: [], env: { KGEN_SEEDS: 'all' } },
};

/** Runs a script or program with Node in the root folder; ends this process when it fails. */
function run(args, env = {}) {
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } };
  const { status } = spawnSync(process.execPath, args, options);
  if (status !== 0) process.exit(status ?? 1);
}

if (!Object.hasOwn(runs, which)) {
  console.error(`usage: node scripts/test.mjs <${Object.keys(runs).join('|')}> [arguments of vitest]`);
  process.exit(2);
}
const { build, projects, env } = runs[which];
run(['scripts/setup.mjs']);
for (const args of build) run(args);
const chosen = projects.map((name) => `--project=${name}`);
// The default of vitest leaves one processor out: on two, everything would run one after the other.
const workers = rest.some((arg) => arg.startsWith('--maxWorkers')) ? [] : ['--maxWorkers=100%'];
// Without names of files: `test/support/times.ts` then prints which tests were left out.
const whole = rest.every((arg) => arg.startsWith('-')) ? { KGEN_TEST_WHOLE: '1' } : {};
run(['node_modules/vitest/vitest.mjs', 'run', ...chosen, ...workers, ...rest], { ...env, ...whole });
