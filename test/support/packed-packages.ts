/** The packages of this repository as users install them. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repository } from './emitted.ts';

/** Manifest of a package. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly files?: readonly string[];
  readonly scripts?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
}

/** Returns the manifest of the package in a folder. */
export function manifestOf(folder: string): Manifest {
  // seam: the project's own and installed manifests
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** Folder of a project in which packages are installed; disposing of it deletes the folder. */
export interface InstalledPackages {
  readonly folder: string;
  dispose(): void;
}

/**
 * Installs packages of this repository into the `node_modules` of a new folder, as `npm pack` prepares them,
 * and links packages of others.
 */
export function installPacked(packages: readonly string[], others: readonly string[]): InstalledPackages {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-packed-'));
  for (const path of packages) {
    pack(join(repository, path), join(folder, 'node_modules', manifestOf(join(repository, path)).name));
  }
  for (const name of others) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(repository, 'node_modules', name), link, 'junction');
  }
  return { folder, dispose: () => rmSync(folder, { recursive: true }) };
}

/** Copies the published files of a package, and prepares them if the package does so before it is packed. */
export function pack(from: string, to: string): void {
  const { files = [], scripts } = manifestOf(from);
  const single = files.filter((path) => existsSync(join(from, path)) && !['bin', 'dist'].includes(path));
  for (const path of ['package.json', ...single]) cpSync(join(from, path), join(to, path));
  for (const folder of ['bin', 'dist'].filter((name) => existsSync(join(from, name)))) {
    for (const path of readdirSync(join(from, folder), { recursive: true, encoding: 'utf8' })) {
      if (/\.(js|d\.ts)$/.test(path)) cpSync(join(from, folder, path), join(to, folder, path));
    }
  }
  const [, script] = /^node \.\.\/\.\.\/(scripts\/.+) dist$/.exec(scripts?.['prepack'] ?? '') ?? [];
  if (script !== undefined) execFileSync(process.execPath, [join(repository, script), join(to, 'dist')]);
}
