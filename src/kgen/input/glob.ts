import { type Dirent, readdir, statSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';

/** True for texts that may be patterns. */
export function isPattern(text: string): boolean {
  return /[*?[{!(]/.test(text);
}

/**
 * Files that a pattern with `/` matches, links to files included, with the pattern's own beginning: `../x/*.yaml` gives
 * `../x/a.yaml`. As in folders, links to folders are not followed below that beginning, nor is `node_modules` entered.
 * Unsorted.
 */
export async function glob(pattern: string, cwd: string): Promise<readonly string[]> {
  const { glob: match } = await import('tinyglobby'); // late, since most runs have no pattern
  const parts = pattern.split('/');
  const first = parts.findIndex((part) => /[*?[\]{}!()+@\\]/.test(part));
  const base = parts.slice(0, first).join('/');
  const names = await match(parts.slice(first).join('/'), {
    cwd: resolve(cwd, first > 0 && base === '' ? '/' : base),
    onlyFiles: true,
    expandDirectories: false,
    followSymbolicLinks: false,
    ignore: ['**/node_modules/**'],
    fs: { readdir: listed as typeof readdir }, // the cast: it is called in this one form only
  });
  return names.map((name) => posix.normalize(first > 0 ? `${base}/${name}` : name));
}

/** What stands in a folder, links to files as if they were files. */
function listed(
  path: string,
  options: { readonly withFileTypes: true },
  done: (cause: Error | null, entries?: readonly Entry[]) => void,
): void {
  readdir(path, options, (cause, entries = []) => {
    done(
      cause,
      entries.map((entry) => seen(path, entry)),
    );
  });
}

type Entry = Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

function seen(path: string, entry: Dirent): Entry {
  const isFile = entry.isSymbolicLink() && isFileAt(join(path, entry.name));
  if (!isFile) return entry;
  return { name: entry.name, isFile: () => true, isDirectory: () => false, isSymbolicLink: () => false };
}

function isFileAt(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false; // a link to nowhere matches nothing, as in the shell
  }
}
