// @kubernetes/client-node, the client that people use today: measured beside, never a dependency.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const name = '@kubernetes/client-node';
const version = '2.0.1';

/**
 * Folder whose `node_modules` has client-node with all that it needs: a cache folder outside the repository, filled when
 * it is not there yet. Undefined, after a line that says why, where npm cannot install it.
 */
export function clientNodeFolder() {
  const folder = join(
    process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
    'kgen',
    'bench',
    `client-node-${version}`,
  );
  if (installedVersion(folder) === version) return folder;
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
  // stdout is the report of the bench.
  const { status, error } = spawnSync('npm', [...args, `${name}@${version}`], {
    cwd: folder,
    stdio: ['ignore', process.stderr, 'inherit'],
  });
  if (status === 0) return folder;
  console.log(`without ${name}: npm could not install it${error === undefined ? '' : `, ${error.message}`}`);
  return undefined;
}

function installedVersion(folder) {
  const manifest = join(folder, 'node_modules', name, 'package.json');
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined;
}
