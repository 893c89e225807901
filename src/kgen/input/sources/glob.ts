/** Glob patterns, for shells that do not expand them. */
import { type Dirent, readdir, statSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';

/** Returns whether a string may be a pattern. */
export function isPattern(text: string): boolean {
  return /[*?[{!(]/.test(text);
}

/**
 * Returns the files that a pattern with `/` matches, links to files included, with the prefix of the pattern:
 * `../x/*.yaml` returns `../x/a.yaml`. As for folders, links to folders below that prefix and `node_modules`
 * are skipped. Unsorted.
 */
export async function glob(pattern: string, cwd: string): Promise<readonly string[]> {
  const { glob: match } = await import('tinyglobby'); // Loaded on demand, because most runs have no pattern.
  const parts = pattern.split('/');
  const first = parts.findIndex((part) => /[*?[\]{}!()+@\\]/.test(part));
  const base = parts.slice(0, first).join('/');
  const names = await match(parts.slice(first).join('/'), {
    cwd: resolve(cwd, first > 0 && base === '' ? '/' : base),
    onlyFiles: true,
    expandDirectories: false,
    followSymbolicLinks: false,
    ignore: ['**/node_modules/**'],
    fs: { readdir: listed as typeof readdir }, // The cast is safe because it is called with this signature only.
  });
  return names.map((name) => posix.normalize(first > 0 ? `${base}/${name}` : name));
}

/** Returns the entries of a folder, with links to files as files. */
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
    return false; // As in the shell, a dangling link does not match.
  }
}
