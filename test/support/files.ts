/** Files of the repository and of the folders that tests read. */
import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Folders that are not part of the sources. */
const foreign: ReadonlySet<string> = new Set(['node_modules', 'dist', '.git', 'coverage']);

/**
 * Returns the paths of all files below a folder with this ending, relative to it, with `/`, sorted. Built and
 * installed files are excluded.
 */
export function filesBelow(folder: string, ending = ''): readonly string[] {
  const paths: string[] = [];
  const visit = (at: string): void => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory() && !foreign.has(entry.name)) visit(path);
      if (entry.isFile() && entry.name.endsWith(ending))
        paths.push(relative(folder, path).split(sep).join('/'));
    }
  };
  visit(folder);
  return paths.sort();
}
