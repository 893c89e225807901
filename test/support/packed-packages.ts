/** The packages of this repository as users install them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
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
  readonly repository?: Readonly<Record<string, string>>;
  readonly homepage?: string;
  readonly bugs?: string;
  readonly keywords?: readonly string[];
  readonly sideEffects?: boolean | readonly string[];
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

/**
 * Writes the published files of a package into a folder. Comments and internal declarations remain, except of
 * the packages that operators load.
 */
export function pack(from: string, to: string): void {
  const script = join(repository, 'scripts/pack.mjs');
  const isLoaded = ['@kgen/runtime', '@kgen/controller'].includes(manifestOf(from).name);
  const how = isLoaded ? [] : ['--readable'];
  execFileSync(process.execPath, [script, '--unpacked', ...how, '--out', to, from]);
}
