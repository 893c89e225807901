// Finds Chromium for the tests of pages. As a program, it installs that of Debian if there is none, and
// prints its path: `.ci/run` and `node scripts/test.mjs ci` run it, other commands install no packages of the
// system.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

function find() {
  const paths = [process.env.KGEN_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'];
  return paths.find((path) => path && existsSync(path));
}

/**
 * Returns the path of Chromium: that of KGEN_CHROMIUM, or the one of Debian.
 * @throws {Error} if it is missing
 */
export function chromiumPath() {
  const path = find();
  if (path !== undefined) return path;
  throw new Error('Chromium is missing: run node scripts/chromium.mjs, or set KGEN_CHROMIUM to its path');
}

function install() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const commands = [['update'], ['install', '--yes', '--no-install-recommends', 'chromium']];
  for (const args of commands) {
    const { error } = spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    if (error !== undefined) console.error(`apt-get: ${error.message}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (find() === undefined) install();
  const path = find();
  if (path === undefined) {
    console.error('Chromium cannot be installed: install it, and set KGEN_CHROMIUM to its path');
    process.exit(1);
  }
  console.log(path);
}
