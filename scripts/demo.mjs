// The demo of the README: sample CRDs in, a client package out, and a program that uses it against an API server in memory.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

for (const args of [
  ['src/kgen/bin/kgen.js', 'crds/*.yaml', '--out', 'generated/crds'],
  ['node_modules/typescript/bin/tsc', '-b', 'examples'],
  ['examples/dist/examples/demo.js'],
]) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
