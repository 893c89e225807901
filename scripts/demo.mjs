// The demo of the README: generates a client package from the sample CRDs of crds/, and runs
// examples/demo/demo.ts, which uses the package on an API server in memory.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { run } from '../src/kgen/dist/cli/run.js';

const root = fileURLToPath(new URL('..', import.meta.url));

const paint = (text) => text;

/** Always prints the table of generated files, also if the output is not a terminal. */
const console = {
  cwd: root,
  stdin: process.stdin,
  stdout: { isTerminal: true, write: (text) => process.stdout.write(text), paint },
  stderr: { isTerminal: false, hasCursor: false, write: (text) => process.stderr.write(text), paint },
  now: () => performance.now(),
};
process.stdout.write('$ kgen crds/*.yaml --out generated/crds\n\n');
const status = await run(['crds/*.yaml', '--out', 'generated/crds'], console);
if (status !== 0) process.exit(status);

for (const args of [
  ['node_modules/typescript/bin/tsc', '-b', 'examples'],
  ['--enable-source-maps', 'examples/dist/examples/demo/demo.js'],
]) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
