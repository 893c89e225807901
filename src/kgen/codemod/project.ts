/** Programs of users: their files, and the compiler's view of them. */
import { relative } from 'node:path';
import { ts } from 'ts-morph';
import { error, type InputProblem } from '../common/problems.ts';
import { type Disk, systemDisk } from '../input/modules/disk.ts';
import { isSource, sourceFiles } from '../input/modules/source-files.ts';
import { compilerHost } from './compiler-host.ts';

/** Files of a program. */
export interface Project {
  readonly files: readonly string[];
  /** Options with which imports are resolved. */
  readonly options: ts.CompilerOptions;
  readonly problems: readonly InputProblem[];
}

const defaultOptions: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ESNext,
  strict: true,
};

/** The program is read, and not emitted. Unused names do not matter to readers. */
const readOptions: ts.CompilerOptions = {
  allowJs: true,
  noEmit: true,
  skipLibCheck: true,
  composite: false,
  incremental: false,
  declaration: false,
  isolatedDeclarations: false,
  noUnusedLocals: false,
  noUnusedParameters: false,
};

/** Returns the files, and the options with which their imports are resolved. */
export function projectOf(cwd: string, paths: readonly string[]): Project {
  if (paths.length > 0)
    return { options: optionsOf(cwd, systemDisk), ...sourceFiles(paths, cwd, { isIncluded: () => true }) };
  const options = optionsOf(cwd, systemDisk);
  const config = ts.findConfigFile(cwd, ts.sys.fileExists);
  const isOwn = config !== undefined && relative(cwd, config) === 'tsconfig.json';
  const parsed = isOwn ? parseConfig(config, ts.sys) : undefined;
  const problem = error('the folder has no tsconfig.json: name files or folders');
  if (parsed === undefined) return { files: [], options, problems: [problem] };
  return { files: parsed.fileNames.filter(isSource), options, problems: [] };
}

/** Returns the options of the nearest tsconfig.json. */
export function optionsOf(cwd: string, disk: Disk): ts.CompilerOptions {
  const chosen = { ...defaultOptions, ...ownOptions(cwd, disk) };
  // Releases of TypeScript before 6 include all types by default.
  return { ...chosen, ...readOptions, types: chosen.types ?? ['*'] };
}

/** Returns whether the author requests all errors: with `strict`, or without tsconfig.json. */
export function isStrict(cwd: string, disk: Disk): boolean {
  return (ownOptions(cwd, disk) ?? defaultOptions).strict === true;
}

function ownOptions(cwd: string, disk: Disk): ts.CompilerOptions | undefined {
  const config = ts.findConfigFile(cwd, disk.fileExists);
  const host = { ...ts.sys, ...disk, readDirectory: () => [] };
  return config === undefined ? undefined : parseConfig(config, host)?.options;
}

/** Returns a program of the files. */
export function programOf(
  { files, options }: Omit<Project, 'problems'>,
  disk: Disk = systemDisk,
): ts.Program {
  return ts.createProgram(files, options, compilerHost(options, disk));
}

function parseConfig(path: string, host: ts.ParseConfigHost): ts.ParsedCommandLine | undefined {
  return ts.getParsedCommandLineOfConfigFile(
    path,
    {},
    {
      ...host,
      getCurrentDirectory: ts.sys.getCurrentDirectory,
      onUnRecoverableConfigFileDiagnostic: () => undefined,
    },
  );
}
