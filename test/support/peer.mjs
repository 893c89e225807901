// Packages of other projects from npm, for comparison and as tools of tests; never dependencies.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns a folder whose `node_modules` has this version of a package with its dependencies: a cache folder
 * outside the repository that is filled if it is missing. Prints the reason and returns undefined if npm
 * cannot install it.
 *
 * @param {string} name
 * @param {string} version
 * @param {readonly string[]} [beside] packages with versions that it needs beside it
 * @returns {string | undefined}
 */
export function peerFolder(name, version, beside = []) {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kgen', 'bench');
  const folder = join(cache, `${name.slice(name.indexOf('/') + 1)}-${version}`);
  if (installedVersion(folder, name) === version) return folder;
  mkdirSync(folder, { recursive: true });
  const args = [
    'install',
    '--prefix',
    folder,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  // Standard output is reserved for reports.
  const { status, error } = spawnSync('npm', [...args, `${name}@${version}`, ...beside], {
    cwd: folder,
    stdio: ['ignore', process.stderr, 'inherit'],
  });
  if (status === 0) return folder;
  console.log(`without ${name}: npm could not install it${error === undefined ? '' : `, ${error.message}`}`);
  return undefined;
}

function installedVersion(folder, name) {
  const manifest = join(folder, 'node_modules', name, 'package.json');
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined;
}
