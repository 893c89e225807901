/** Files with definitions: a file, a folder or a glob pattern, under the rules of the kgen command. */
import { type Dirent, readdir, readdirSync, statSync } from 'node:fs';
import { basename, join, posix, relative, resolve, sep } from 'node:path';

/**
 * The paths of the files behind one argument, sorted by name: the file itself; the `*.yaml`, `*.yml` and `*.json` of a
 * folder (at all levels, but not in `node_modules` or hidden folders, and not kgen's own files); or the matches of a glob
 * pattern. Links to folders are not followed.
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

/** Settings and manifests of kgen are YAML or JSON without definitions. */
function isOwnFile(name: string): boolean {
  return /^kgen\.(?:config|lock)\./.test(name);
}

function isPattern(text: string): boolean {
  return /[*?[{!(]/.test(text);
}

/** The matches of a pattern, each with the pattern's own beginning: `../x/*.yaml` matches `../x/a.yaml`. */
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
    fs: { readdir: listed as typeof readdir }, // the cast: it is called in this one form only
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
    return false; // a link without a target matches nothing, as in the shell
  }
}

function asFile({ name }: Dirent): Entry {
  return { name, isFile: () => true, isDirectory: () => false, isSymbolicLink: () => false };
}
