/** States of files, for comparisons. */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Files at a point in time: equal states have equal stamps. */
export interface FileStamps {
  /** By path; the stamp of a file that cannot be read is empty. */
  readonly stamps: readonly (readonly [path: string, stamp: string])[];
  /** Folders in which a change may concern the files. */
  readonly folders: readonly string[];
}

/**
 * Returns the stamps of files, and of the files in folders at all levels, except those of `node_modules` and
 * hidden folders. Of a pattern, the folder before its first special character counts. Addresses are ignored.
 */
export function fileStamps(paths: readonly string[], cwd: string): FileStamps {
  const stamps = new Map<string, string>();
  const folders = new Set<string>();
  const visit = (path: string): void => {
    const { stamp, entries } = stateOf(path);
    if (entries === undefined) stamps.set(path, stamp);
    else folders.add(path);
    for (const entry of entries ?? [])
      if (entry.name !== 'node_modules' && !entry.name.startsWith('.')) visit(join(path, entry.name));
  };
  for (const path of paths.filter((each) => !/^(https?:|github:|-$)/.test(each))) {
    const start = resolve(cwd, withoutPattern(path));
    folders.add(dirname(start));
    visit(start);
  }
  return { stamps: [...stamps], folders: [...folders] };
}

interface FileState {
  readonly stamp: string;
  /** Of a folder. */
  readonly entries?: readonly Dirent[];
}

function stateOf(path: string): FileState {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return { stamp: '', entries: readdirSync(path, { withFileTypes: true }) };
    return { stamp: `${stats.mtimeMs} ${stats.size}` };
  } catch {
    return { stamp: '' }; // The file does not exist, or cannot be read: the run reports it.
  }
}

/** Returns the folder in which the pattern of a path begins; the path itself without a pattern. */
function withoutPattern(path: string): string {
  const first = path.search(/[*?[{!(]/);
  return first < 0 ? path : path.slice(0, path.lastIndexOf('/', first) + 1);
}
