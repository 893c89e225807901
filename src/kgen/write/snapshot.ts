/** State of an output folder before it is changed. */
import { lstatSync, readFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { emptyManifest, type Manifest, manifestName, parseManifest } from './manifest.ts';
import type { Present } from './plan.ts';

/**
 * Reads the manifest of an output folder. Returns an empty manifest if the file is absent or is not a
 * manifest.
 */
export function readManifest(out: string): Manifest {
  const found = look(out, manifestName, new Map());
  return (found?.kind === 'file' ? parseManifest(found.text) : undefined) ?? emptyManifest;
}

/**
 * Returns the current state of the paths. Symbolic links inside the folder are reported and never followed;
 * the folder itself may be a link.
 *
 * @throws errors of `node:fs`, such as EACCES
 */
export function takeSnapshot(out: string, paths: Iterable<string>): ReadonlyMap<string, Present> {
  const folders = new Map<string, Present | 'folder' | undefined>();
  const present = new Map<string, Present>();
  for (const path of paths) {
    const found = look(out, path, folders);
    if (found !== undefined) present.set(path, found);
  }
  return present;
}

function look(
  out: string,
  path: string,
  folders: Map<string, Present | 'folder' | undefined>,
): Present | undefined {
  const parts = path.split('/');
  for (let depth = 1; depth < parts.length; depth += 1) {
    const parent = parts.slice(0, depth).join('/');
    if (!folders.has(parent)) folders.set(parent, lookAtFolder(out, parent));
    const found = folders.get(parent);
    if (found !== 'folder') return found;
  }
  const stats = statsOf(join(out, path));
  if (stats === undefined) return undefined;
  if (stats.isFile()) return { kind: 'file', text: readFileSync(join(out, path), 'utf8') };
  return { kind: 'other', what: sortOf(stats) };
}

function lookAtFolder(out: string, path: string): Present | 'folder' | undefined {
  const stats = statsOf(join(out, path));
  if (stats === undefined || stats.isDirectory()) return stats && 'folder';
  return { kind: 'other', what: `${sortOf(stats)} where a folder is needed (${path})` };
}

function statsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function sortOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a symbolic link';
  if (stats.isDirectory()) return 'a folder';
  return stats.isFile() ? 'a file' : 'a device or socket';
}
