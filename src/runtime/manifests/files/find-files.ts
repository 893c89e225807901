/** Manifest files of a file, a folder or a glob pattern, under the rules of the kgen command. */
import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { Glob, type Progress } from './glob.ts';

/**
 * Finds the files of an argument, sorted by name:
 * - the file itself
 * - of a folder, the `*.yaml`, `*.yml` and `*.json` files at all levels, except in `node_modules`, in hidden
 *   folders, and settings of kgen
 * - the matches of a glob pattern, except in `node_modules` and settings of kgen
 *
 * Links to files are followed, links to folders within them are not.
 * @throws {Error} the file does not exist, the folder has no such file, or the pattern matches no file
 */
export async function findFiles(argument: string, cwd: string): Promise<readonly string[]> {
  const stats = await stat(resolve(cwd, argument)).catch(() => undefined);
  if (stats?.isDirectory()) {
    const files = await filesIn(argument, cwd);
    if (files.length > 0) return files.sort();
    throw new Error(`${argument}: the folder has no *.yaml, *.yml or *.json file`);
  }
  if (stats !== undefined) return [argument];
  if (!/[*?[{]/.test(argument)) throw new Error(`${argument}: no such file or folder`);
  const files = (await matches(argument, cwd)).filter((path) => !isOwnFile(basename(path)));
  if (files.length > 0) return files.sort();
  throw new Error(`${argument}: no file matches the pattern`);
}

async function filesIn(folder: string, cwd: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await entriesOf(folder, cwd)) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.')) continue;
    if (isFolder(entry)) {
      for (const file of await filesIn(path, cwd)) found.push(file);
    } else if (isManifest(entry.name) && (await isFile(entry, path, cwd))) found.push(path);
  }
  return found;
}

function isManifest(name: string): boolean {
  return /\.(?:ya?ml|json)$/i.test(name) && !isOwnFile(name);
}

/** Returns whether a file contains settings or a lock of kgen, which are not manifests. */
function isOwnFile(name: string): boolean {
  return /^kgen\.(?:config|lock)\./.test(name);
}

async function matches(pattern: string, cwd: string): Promise<string[]> {
  const names = pattern.split('/');
  const first = names.findIndex((name) => /[*?[{\\]/.test(name));
  // The folders before the first special character are not searched, and may contain node_modules.
  const base = names.slice(0, first).join('/');
  const glob = new Glob(names.slice(first).join('/'));
  return matchesIn(first > 0 && base === '' ? '/' : base, glob.begin(), { glob, cwd });
}

interface Search {
  readonly glob: Glob;
  readonly cwd: string;
}

/** Searches only folders that the beginning of the pattern matches. */
async function matchesIn(folder: string, progress: Progress, search: Search): Promise<string[]> {
  const { glob, cwd } = search;
  const found: string[] = [];
  for (const entry of await entriesOf(folder, cwd)) {
    const path = join(folder, entry.name);
    const reached = glob.advance(progress, entry.name);
    if (isFolder(entry)) {
      const below = glob.advance(reached, '/');
      if (below.states.size > 0) for (const file of await matchesIn(path, below, search)) found.push(file);
    } else if (glob.isMatch(reached) && (await isFile(entry, path, cwd))) found.push(path);
  }
  return found;
}

async function entriesOf(folder: string, cwd: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(resolve(cwd, folder), { withFileTypes: true });
  } catch (cause) {
    // A pattern below a missing folder, or below a file, matches nothing.
    if (cause instanceof Error && 'code' in cause && /^ENO(?:ENT|TDIR)$/.test(String(cause.code))) return [];
    throw new Error(`${folder}: the folder cannot be read`, { cause });
  }
}

function isFolder(entry: Dirent): boolean {
  return entry.isDirectory() && entry.name !== 'node_modules';
}

/** As in shells, links without a target do not match. */
async function isFile(entry: Dirent, path: string, cwd: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile();
  const stats = await stat(resolve(cwd, path)).catch(() => undefined);
  return stats?.isFile() === true;
}
