/** Files with definitions: a file, a folder or a glob pattern, under the rules of the kgen command. */
import { type Dirent, readdir, readdirSync, statSync } from 'node:fs';
import { basename, join, posix, relative, resolve, sep } from 'node:path';

/**
 * Finds the files of one argument, sorted by name: the file itself; the `*.yaml`, `*.yml` and `*.json` files
 * of a folder (at all levels, except in `node_modules` and hidden folders, and except files that kgen wrote);
 * or the matches of a glob pattern. Does not follow links to folders.
 * @throws {Error} a folder without such files, or a pattern without matches; errors of the file system
 */
export async function findFiles(argument: string, cwd: string = process.cwd()): Promise<readonly string[]> {
  const stats = statSync(resolve(cwd, argument), { throwIfNoEntry: false });
  if (stats === undefined && isPattern(argument)) {
    const names = (await glob(argument.split(sep).join('/'), cwd)).filter(
      (name) => !isOwnFile(basename(name)),
    );
    if (names.length === 0) throw new Error(`${argument}: no file matches the pattern`);
    return names.sort();
  }
  if (stats?.isDirectory() !== true) return [argument];
  const root = resolve(cwd, argument);
  const files = filesIn(root).map((path) => join(argument, relative(root, path)).split(sep).join('/'));
  if (files.length === 0) throw new Error(`${argument}: the folder has no *.yaml, *.yml or *.json file`);
  return files.sort();
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isIgnoredFolder(entry.name) ? [] : filesIn(path);
    return isInputFile(entry.name) ? [path] : [];
  });
}

function isIgnoredFolder(name: string): boolean {
  return name === 'node_modules' || name.startsWith('.');
}

function isInputFile(name: string): boolean {
  return /\.(?:ya?ml|json)$/i.test(name) && !name.startsWith('.') && !isOwnFile(name);
}

/** Settings and manifests of kgen are YAML or JSON without CRDs. */
function isOwnFile(name: string): boolean {
  return /^kgen\.(?:config|lock)\./.test(name);
}

function isPattern(text: string): boolean {
  return /[*?[{!(]/.test(text);
}

/**
 * Returns the matches of a pattern, each with the start of the pattern: `../x/*.yaml` matches `../x/a.yaml`.
 */
async function glob(pattern: string, cwd: string): Promise<string[]> {
  const { glob: match } = await import('tinyglobby');
  const parts = pattern.split('/');
  const first = parts.findIndex((part) => /[*?[\]{}!()+@\\]/.test(part));
  const base = parts.slice(0, first).join('/');
  const names = await match(parts.slice(first).join('/'), {
    cwd: resolve(cwd, first > 0 && base === '' ? '/' : base),
    onlyFiles: true,
    expandDirectories: false,
    followSymbolicLinks: false,
    ignore: ['**/node_modules/**'],
    fs: { readdir: listed as typeof readdir }, // The cast is safe, as it is called only with these arguments.
  });
  return names.map((name) => posix.normalize(first > 0 ? `${base}/${name}` : name));
}

type Entry = Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

/** The entries of a folder, with links to files shown as files. */
function listed(
  path: string,
  options: { readonly withFileTypes: true },
  done: (cause: Error | null, entries?: readonly Entry[]) => void,
): void {
  readdir(path, options, (cause, entries = []) => {
    done(
      cause,
      entries.map((entry) => (isLinkToFile(path, entry) ? asFile(entry) : entry)),
    );
  });
}

function isLinkToFile(path: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return false;
  try {
    return statSync(join(path, entry.name)).isFile();
  } catch {
    return false; // A link without a target matches nothing, as in a shell.
  }
}

function asFile({ name }: Dirent): Entry {
  return { name, isFile: () => true, isDirectory: () => false, isSymbolicLink: () => false };
}
