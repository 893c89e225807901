/** Search and reading of input files, with the errors of the operating system as problems. */
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { type Checked, error, type InputProblem, warning } from '../../common/problems.ts';
import { glob, isPattern } from './glob.ts';
import type { SourceBytes } from './url.ts';

/** Maximum size of a file: 64 MiB, seven times the size of large sets of CRDs. */
export const maxFileBytes: number = 64 * 1024 * 1024;

/** A file to read: its path, and the name under which it is reported. */
export interface Found {
  readonly path: string;
  readonly file: string;
  /** Whether the file was found in a folder or by a pattern, where files of any content may be. */
  readonly isSearched: boolean;
}

/**
 * Returns the files of one argument: the file itself, the *.yaml, *.yml and *.json files of a folder
 * (recursively, without `node_modules`, hidden folders, kgen's own files and links to folders), or the
 * matches of a glob pattern under the same rules. Sorted by name.
 */
export async function findFiles(argument: string, cwd: string): Promise<Checked<readonly Found[]>> {
  const path = resolve(cwd, argument);
  const stats = statOrCode(path);
  if (typeof stats !== 'string')
    return stats.isDirectory()
      ? folder(argument, path)
      : found([{ path, file: argument, isSearched: false }]);
  if (isMissing(stats) && isPattern(argument)) return matching(argument, cwd);
  return { value: [], problems: [error(fileFault(stats), { file: argument })] };
}

/**
 * Reads a file, or a pipe such as the shell's `<(…)`. Files that were searched for are skipped with a
 * warning if they are too large or links to nothing.
 */
export function readFile(found: Found): Checked<SourceBytes | undefined> {
  const { isSearched, file } = found;
  const refuse = (what: string): Checked<undefined> => {
    const isHarmless = isSearched && (what === tooLarge || what === fileFault('ENOENT'));
    const problem = isHarmless ? warning(`${what}; it is skipped`, { file }) : error(what, { file });
    return { value: undefined, problems: [problem] };
  };
  try {
    const stats = statSync(found.path);
    if (!stats.isFile() && !stats.isFIFO())
      return refuse('this is a device or a socket: give a file or a folder');
    const bytes = stats.isFIFO()
      ? readPipe(found.path)
      : stats.size <= maxFileBytes && readFileSync(found.path);
    return bytes ? { value: { file: found.file, bytes }, problems: [] } : refuse(tooLarge);
  } catch (cause) {
    return refuse(fileFault(codeOf(cause)));
  }
}

/**
 * Returns the path with links resolved, which is equal for all names of a file. Returns the path itself if it
 * cannot be resolved, as for pipes.
 */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // Reading the file reports the error, if there is one.
  }
}

/** The message for a file that is too large. */
export const tooLarge: string = `the file has more than ${maxFileBytes / 1024 / 1024} MiB: split it`;

/** Returns the message for an error code of the operating system. */
export function fileFault(code: string): string {
  return fileFaults.get(code) ?? `the file cannot be read (${code}): check the path and the disk`;
}

const fileFaults: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'file or folder not found: check the path'],
  ['ENOTDIR', 'file not found: a part of its path is a file, not a folder'],
  ['EACCES', 'permission to read it is denied: change its mode or run kgen as its owner'],
  ['EPERM', 'permission to read it is denied: change its mode or run kgen as its owner'],
  ['EISDIR', 'this is a folder and not a file: give a file'],
  ['ELOOP', 'symbolic links lead in a circle here: repair them'],
  ['EMFILE', 'too many files are open: raise the limit of open files'],
  ['ENAMETOOLONG', 'the path is too long: check it'],
]);

function folder(argument: string, root: string): Checked<readonly Found[]> {
  const problems: InputProblem[] = [];
  const files: Found[] = [];
  const named = (path: string): string => toPosix(join(argument, relative(root, path)));
  const visit = (path: string): void => {
    try {
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        const inner = join(path, entry.name);
        if (entry.isDirectory()) isIgnoredFolder(entry.name) || visit(inner);
        else if (isInputFile(entry.name)) files.push({ path: inner, file: named(inner), isSearched: true });
      }
    } catch (cause) {
      problems.push(error(fileFault(codeOf(cause)), { file: named(path) }));
    }
  };
  visit(root);
  if (files.length === 0 && problems.length === 0) {
    problems.push(
      error('the folder has no *.yaml, *.yml or *.json file: give another folder', { file: argument }),
    );
  }
  return { value: byName(files), problems };
}

/** The shell does not expand a quoted pattern, and some shells expand none. */
async function matching(pattern: string, cwd: string): Promise<Checked<readonly Found[]>> {
  const names = (await glob(toPosix(pattern), cwd)).filter((name) => !isOwnFile(basename(name)));
  const files = names.map((name) => ({ path: resolve(cwd, name), file: name, isSearched: true }));
  if (files.length > 0) return found(byName(files));
  return { value: [], problems: [error('no file matches the pattern: check it', { file: pattern })] };
}

function isIgnoredFolder(name: string): boolean {
  return name === 'node_modules' || name.startsWith('.');
}

/** Returns whether a folder search would find the file at a path. */
export function isInputPath(path: string): boolean {
  const [name = '', ...folders] = path.split('/').reverse();
  return isInputFile(name) && !folders.some(isIgnoredFolder);
}

function isInputFile(name: string): boolean {
  return /\.(?:ya?ml|json)$/i.test(name) && !name.startsWith('.') && !isOwnFile(name);
}

/**
 * Returns whether a file contains settings or a manifest of kgen, which are not input although they are YAML
 * or JSON.
 */
function isOwnFile(name: string): boolean {
  return /^kgen\.(?:config|lock)\./.test(name);
}

function byName(files: readonly Found[]): readonly Found[] {
  return [...files].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
}

function statOrCode(path: string): Stats | string {
  try {
    return statSync(path);
  } catch (cause) {
    return codeOf(cause);
  }
}

function isMissing(code: string): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EINVAL' || code === 'ENAMETOOLONG';
}

/** A pipe has no size, so the limit is enforced while reading. */
function readPipe(path: string): Uint8Array | undefined {
  const descriptor = openSync(path, 'r');
  try {
    const parts: Buffer[] = [];
    for (let total = 0; total <= maxFileBytes; ) {
      const part = Buffer.allocUnsafe(1 << 16);
      const size = readSync(descriptor, part);
      if (size === 0) return Buffer.concat(parts);
      parts.push(part.subarray(0, size));
      total += size;
    }
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the error code of the operating system; for other errors, their message. */
export function codeOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : String(cause);
}

function toPosix(path: string): string {
  return path.split(sep).join('/');
}

function found(files: readonly Found[]): Checked<readonly Found[]> {
  return { value: files, problems: [] };
}
