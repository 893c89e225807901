/**
 * `--verify`: type-checks an output in memory, under the strictest flags, before a byte of it is written. Only the
 * output's own files are judged; what they import is read, not checked. ts-morph brings the compiler and its libraries
 * and is loaded when `verifyOutput` runs.
 */
import { posix } from 'node:path';
import type { ts } from 'ts-morph';
import type { EmitOptions } from '../emit/options.ts';
import { append, error, type Problem, quote } from '../problems.ts';
import { checkerOptions, looseOptions } from './flags.ts';
import { type Overlay, overlayHost } from './overlay.ts';
import { ownRuntime, resolver } from './resolution.ts';

/** Where an output is to stand, and how it was printed. */
export interface VerifyOptions extends Pick<EmitOptions, 'emit' | 'importExtension' | 'runtimeImport'> {
  /** The output folder, absolute; it need not exist. */
  readonly folder: string;
  /** What takes the place of `@kgen/runtime/gen/v1/protobuf`, as the output's root imports it. */
  readonly protobufImport: string;
}

/** How many findings are told; the rest is counted. */
const maxTold = 20;

/** One finding of the compiler, free of its types. */
interface Finding {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The line of code, without indentation. */
  readonly code: string;
}

/**
 * Type-checks `files`, texts by path relative to the output folder, as if they were all that the folder holds. Nothing
 * is written. `@kgen/runtime` is the one of kgen's own installation; any other `runtimeImport` is found from the output
 * folder. Places are relative to the output folder; at most 20 errors are told and the rest is counted.
 */
export async function verifyOutput(
  files: ReadonlyMap<string, string>,
  options: VerifyOptions,
): Promise<readonly Problem[]> {
  const { Project, ts: compiler } = await import('ts-morph');
  const libraries = new Project({ useInMemoryFileSystem: true }).getModuleResolutionHost();
  const folder = options.folder.replaceAll('\\', '/').replace(/(?<!\/)\/+$/, '');
  const overlay: Overlay = { compiler, folder, files, readLibrary: (path) => libraries.readFile(path) };
  if (ownRuntime(overlay) === undefined && usesOwnRuntime(options)) return [noRuntime];
  const found = check(overlay, options, options.runtimeImport);
  if (found.length === 0) return [];
  // What is wrong with kgen's own runtime too is a fault of the output; anything else is a fault of the user's module.
  const own = usesOwnRuntime(options) ? found : check(overlay, options, undefined);
  const known = new Set(own.map(key));
  return limited(found, (finding) => problem(finding, options, known.has(key(finding))));
}

function usesOwnRuntime({ runtimeImport }: VerifyOptions): boolean {
  return /^@kgen\/runtime(?:\/|$)/.test(runtimeImport);
}

const noRuntime = error(
  'the output cannot be verified, because kgen finds no @kgen/runtime in its own installation: install it beside kgen',
);

/** `runtimeImport` undefined: kgen's own runtime stands in for the user's. */
function check(
  overlay: Overlay,
  options: VerifyOptions,
  runtimeImport: string | undefined,
): readonly Finding[] {
  const resolve = resolver(overlay, options, runtimeImport === undefined);
  const host = overlayHost(overlay, resolve);
  const typed = [...overlay.files.keys()].filter((path) => path.endsWith('.ts'));
  const { compiler } = overlay;
  const strict = checkerOptions(compiler, options);
  const found = judge(overlay, compiler.createProgram(names(overlay, typed), strict, host), typed);
  const plain = [...overlay.files.keys()].filter((path) => path.endsWith('.js'));
  if (plain.length === 0) return found;
  const loose = { ...strict, ...looseOptions };
  const program = compiler.createProgram(names(overlay, plain), loose, host);
  return [...found, ...judge(overlay, program, plain)];
}

function names({ folder }: Overlay, paths: readonly string[]): string[] {
  return paths.map((path) => `${folder}/${path}`);
}

/** What the compiler says of these files, and of the program as a whole. */
function judge(overlay: Overlay, program: ts.Program, paths: readonly string[]): readonly Finding[] {
  const found: ts.Diagnostic[] = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()];
  for (const name of names(overlay, paths)) {
    const file = program.getSourceFile(name);
    const broken = program.getSyntacticDiagnostics(file);
    append(found, broken);
    if (broken.length > 0) continue; // what follows from it says nothing more
    append(
      found,
      program.getSemanticDiagnostics(file).filter((one) => isSaid(one, name)),
    );
    if (program.getCompilerOptions().declaration === true)
      append(found, program.getDeclarationDiagnostics(file));
  }
  const findings = found.map((diagnostic) => finding(overlay, diagnostic));
  return [...new Map(findings.map((one) => [key(one), one])).values()];
}

/** Assignability, in a `.js` file: calls there lack the type arguments that would make it right. */
const untyped: ReadonlySet<number> = new Set([2322, 2344, 2345, 2769]);

function isSaid({ code }: ts.Diagnostic, name: string): boolean {
  return !(name.endsWith('.js') && untyped.has(code));
}

/** Longest message, in characters. */
const longest = 400;

function finding({ compiler, folder }: Overlay, { code, file, start, messageText }: ts.Diagnostic): Finding {
  const text = compiler.flattenDiagnosticMessageText(messageText, ' ').replace(/\s+/g, ' ');
  const message = `TS${code}: ${text.length > longest ? `${text.slice(0, longest - 1)}…` : text}`;
  if (file === undefined) return { path: '', line: 0, column: 0, message, code: '' };
  const { line, character } = file.getLineAndCharacterOfPosition(start ?? 0);
  const source = file.text.split('\n', line + 1)[line] ?? '';
  const path = posix.relative(folder, file.fileName);
  return { path, line: line + 1, column: character + 1, message, code: source.trim() };
}

function key({ path, line, column, message }: Finding): string {
  return `${path}:${line}:${column}:${message}`;
}

function problem(
  { path, line, column, message, code }: Finding,
  options: VerifyOptions,
  isBug: boolean,
): Problem {
  const advice = isBug ? 'this is a bug in kgen, please report it with the input' : blame(path, options);
  const where = path === '' ? undefined : { file: path, line, column };
  return error(`${message}${code === '' ? '' : ` in ${quote(code)}`}; ${advice}`, where);
}

/** What is wrong with the user's own runtime. */
function blame(path: string, { runtimeImport, protobufImport }: VerifyOptions): string {
  return /(?:^|\/)protobuf\.(?:[jt]s|d\.ts)$/.test(path)
    ? `${quote(protobufImport)} has to export what @kgen/runtime/gen/v1/protobuf does: correct it, or add --no-protobuf`
    : `--runtime-import ${quote(runtimeImport)} has to export what @kgen/runtime/gen/v1 does: correct it`;
}

function limited(found: readonly Finding[], tell: (finding: Finding) => Problem): readonly Problem[] {
  const told = found.slice(0, maxTold).map(tell);
  const rest = found.length - told.length;
  return rest === 0
    ? told
    : [...told, error(`the output has ${rest} more such ${rest === 1 ? 'error' : 'errors'}`)];
}
