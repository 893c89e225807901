/** The TypeScript checker in this process, for tests of single lines. */
import { join } from 'node:path';
import ts from 'typescript';
import { type Options, resolutions, strictest } from './compilers.ts';

/** A diagnostic of the compiler. */
export interface Complaint {
  /** Path of the file, relative to the project. */
  readonly file: string;
  /** Index of the line, from 0. */
  readonly line: number;
  readonly code: number;
  readonly text: string;
}

/** Returns the strictest options, in the form of the compiler API. */
export function compilerOptions(folder: string, options: Options = {}): ts.CompilerOptions {
  const json = {
    target: 'es2022',
    lib: ['es2023'],
    types: ['node'],
    noEmit: true,
    declaration: true,
    skipLibCheck: true,
    ...resolutions.nodenext,
    ...strictest('5.9'),
    ...options,
  };
  const parsed = ts.convertCompilerOptionsFromJson(json, folder);
  if (parsed.errors.length > 0) throw new Error(parsed.errors.map(messageOf).join('\n'));
  return parsed.options;
}

/** Creates a program of `files`, relative to `folder`. */
export function programOf(folder: string, files: readonly string[], options: Options = {}): ts.Program {
  const roots = files.map((file) => join(folder, file));
  const settings = compilerOptions(folder, options);
  return ts.createProgram({ rootNames: roots, options: settings, host: hostOf(settings) });
}

/** Parsed files of TypeScript's own library and of Node's types, shared by all programs. */
const libraries = new Map<string, ts.SourceFile | undefined>();

/** Creates the default host, which parses each library once. */
function hostOf(settings: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(settings);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (path, version, ...rest) => {
    if (!/\/node_modules\/(typescript\/lib|@types\/node|undici-types)\//.test(path))
      return read(path, version, ...rest);
    const key = JSON.stringify([path, version]);
    const known = libraries.get(key) ?? read(path, version, ...rest);
    libraries.set(key, known);
    return known;
  };
  return host;
}

/** Returns all diagnostics of the program. */
export function complaints(program: ts.Program, folder: string): readonly Complaint[] {
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => {
    const { file, start = 0, code } = diagnostic;
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line;
    return { file: relative(file?.fileName ?? '', folder), line, code, text: messageOf(diagnostic) };
  });
}

function relative(path: string, folder: string): string {
  return path.startsWith(folder) ? path.slice(folder.length + 1) : path;
}

function messageOf(diagnostic: ts.Diagnostic): string {
  return ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n');
}
