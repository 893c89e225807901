import { readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { error, type InputProblem } from '../../common/problems.ts';
import { fileFault } from '../sources/files.ts';

/** Modules as absolute paths, each once, in the order of the arguments. */
export interface SourceFiles {
  readonly files: readonly string[];
  /** Folders whose entries decide which files belong to the result. */
  readonly folders: readonly string[];
  readonly problems: readonly InputProblem[];
}

/** Selection of the modules of folders. */
export interface SourceSelection {
  /** Returns whether a module of a folder belongs to the result. The path is relative to `cwd`. */
  readonly isIncluded: (path: string) => boolean;
  /** Message for a folder without a module. Default: such a folder is valid. */
  readonly emptyFault?: string;
}

/**
 * Returns the modules that arguments name: files, and the modules of folders at all levels, except those of
 * `node_modules` and hidden folders.
 */
export function sourceFiles(paths: readonly string[], cwd: string, selection: SourceSelection): SourceFiles {
  const files = new Set<string>();
  const folders = new Set<string>();
  const problems: InputProblem[] = [];
  for (const argument of paths) {
    const path = resolve(cwd, argument);
    folders.add(dirname(path));
    try {
      const isFolder = statSync(path).isDirectory();
      const found = isFolder
        ? filesBelow(path, folders).filter(
            (file) => isSource(file) && selection.isIncluded(relative(cwd, file)),
          )
        : [path];
      for (const file of found) files.add(file);
      if (found.length === 0 && selection.emptyFault !== undefined)
        problems.push(error(selection.emptyFault, { file: argument }));
    } catch (cause) {
      const { code = 'unknown' } = cause as NodeJS.ErrnoException; // seam: errors of node:fs have a code
      problems.push(error(fileFault(code), { file: argument }));
    }
  }
  return { files: [...files], folders: [...folders], problems };
}

function filesBelow(folder: string, visited: Set<string>): readonly string[] {
  visited.add(folder);
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^(node_modules$|\.)/.test(entry.name) ? [] : filesBelow(path, visited);
    return entry.isFile() ? [path] : [];
  });
}

/** Returns whether a file is a source of a program. Declarations are written by compilers. */
export function isSource(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path) && !/\.d\.[cm]?ts$/.test(path);
}

/** Returns whether a file, relative to the folder of its project, belongs to the tests of a program. */
export function isTest(path: string): boolean {
  return /\.(test|spec|fixture)\.[cm]?[jt]sx?$|(^|[\\/])(tests?|__tests__)[\\/]/.test(path);
}
