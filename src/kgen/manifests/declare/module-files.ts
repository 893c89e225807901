import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { error, type InputProblem } from '../../common/problems.ts';
import { fileFault } from '../../input/reading/files.ts';

/** Modules as absolute paths, sorted. */
export interface ModuleFiles {
  readonly files: readonly string[];
  readonly problems: readonly InputProblem[];
}

/**
 * Returns the TypeScript modules that arguments name: files, and all modules of folders, except tests,
 * declarations and `node_modules`.
 */
export function moduleFiles(input: readonly string[], cwd: string): ModuleFiles {
  const files = new Set<string>();
  const problems: InputProblem[] = [];
  for (const argument of input) {
    const path = resolve(cwd, argument);
    try {
      const found = statSync(path).isDirectory() ? modulesIn(path) : [path];
      if (found.length === 0)
        problems.push(error('the folder has no TypeScript module: add one', { file: argument }));
      for (const file of found) files.add(file);
    } catch (cause) {
      const { code = 'unknown' } = cause as NodeJS.ErrnoException; // seam: errors of node:fs have a code
      problems.push(error(fileFault(code), { file: argument }));
    }
  }
  return { files: [...files].sort(), problems };
}

function modulesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return entry.name === 'node_modules' || entry.name.startsWith('.') ? [] : modulesIn(path);
    return /\.[cm]?ts$/.test(entry.name) && !/\.(?:d|test|spec|fixture)\.[cm]?ts$/.test(entry.name)
      ? [path]
      : [];
  });
}
