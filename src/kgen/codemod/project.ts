/** Programs of users: their files, and the compiler's view of them. */
import { readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { Project as Sources, ts } from 'ts-morph';
import { error, type InputProblem } from '../common/problems.ts';

/** Files of a program. */
export interface Project {
  readonly files: readonly string[];
  /** Options with which imports are resolved. */
  readonly options: ts.CompilerOptions;
  readonly problems: readonly InputProblem[];
}

const looseOptions: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ESNext,
  strict: true,
};

/** Returns the files, and the options with which their imports are resolved. */
export function projectOf(cwd: string, paths: readonly string[]): Project {
  const config = ts.findConfigFile(cwd, ts.sys.fileExists);
  const parsed = config === undefined ? undefined : parseConfig(config);
  const options = { ...(parsed?.options ?? looseOptions), allowJs: true, noEmit: true, skipLibCheck: true };
  if (paths.length === 0) {
    const isOwn = config !== undefined && relative(cwd, config) === 'tsconfig.json';
    const problem = error('the folder has no tsconfig.json: name files or folders');
    if (!isOwn || parsed === undefined) return { files: [], options, problems: [problem] };
    return { files: parsed.fileNames.filter(isSource), options, problems: [] };
  }
  const found = paths.map((path) => filesAt(resolve(cwd, path), path));
  const files = [...new Set(found.flatMap((one) => (Array.isArray(one) ? one : [])))];
  return { files, options, problems: found.flatMap((one) => (Array.isArray(one) ? [] : [one])) };
}

/** Returns a program of the files, with the libraries of the compiler, which ts-morph contains. */
export function programOf({ files, options }: Project): ts.Program {
  const sources = new Sources({ compilerOptions: options });
  for (const file of files) sources.addSourceFileAtPath(file);
  return sources.getProgram().compilerObject;
}

function parseConfig(path: string): ts.ParsedCommandLine | undefined {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  return ts.getParsedCommandLineOfConfigFile(path, {}, host);
}

/** Sources of a program; declarations are written by compilers. */
const isSource = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path) && !/\.d\.[cm]?ts$/.test(path);

function filesAt(path: string, given: string): string[] | InputProblem {
  try {
    return statSync(path).isDirectory() ? sourcesBelow(path) : [path];
  } catch {
    return error('no such file or folder', { file: given });
  }
}

/** Returns the sources of a folder at all levels, except in `node_modules` and hidden folders. */
function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^(node_modules$|\.)/.test(entry.name) ? [] : sourcesBelow(path);
    return entry.isFile() && isSource(path) ? [path] : [];
  });
}
