// Prepares the work tree: installs dependencies as in the lock file, and builds all packages. Skips completed
// steps.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = `${root}node_modules/.kgen-setup`;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`kgen needs Node 20.19 or later; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Runs a command in the root folder; exits if it fails. */
function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error !== undefined) console.error(`${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

const lock = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .digest('hex');
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  run('npm', ['ci', '--no-audit', '--no-fund'], { shell: process.platform === 'win32' });
  writeFileSync(stamp, lock);
}
if (!existsSync(`${root}src/testing/dist`)) console.log('Compiling all packages: minutes the first time.');
run(process.execPath, ['node_modules/typescript/bin/tsc', '-b']);
run(process.execPath, ['scripts/election-worker.mjs', 'src/runtime/dist']);
run(process.execPath, ['scripts/view-page.mjs', 'src/kgen/dist']);
