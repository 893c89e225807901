/**
 * `--verify`: type-checks an output in memory under the strictest flags before it is written. Only the files
 * of the output are checked; imported files are read. ts-morph provides the compiler and its libraries and is
 * loaded when `verifyOutput` runs.
 */
import { posix } from 'node:path';
import type { ts } from 'ts-morph';
import { append, error, type InputProblem, quote } from '../common/problems.ts';
import type { EmitOptions } from '../emit/options.ts';
import { checkerOptions, looseOptions } from './flags.ts';
import { type Overlay, overlayHost } from './overlay.ts';
import { ownRuntime, resolver } from './resolution.ts';

/** Location and format of an output. */
export interface VerifyOptions extends Pick<EmitOptions, 'emit' | 'importExtension' | 'runtimeImport'> {
  /** Absolute path of the output folder, which may not exist yet. */
  readonly folder: string;
  /** Specifier with which the output's root imports `@kgen/runtime/gen/v1/protobuf`. */
  readonly protobufImport: string;
}

/** Maximum number of reported findings. Further findings are counted. */
const maxListed = 20;

/** One finding, independent of the compiler's types. */
interface Finding {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The line of code, without indentation. */
  readonly code: string;
}

/**
 * Type-checks `files`, file contents by path relative to the output folder, as the complete content of the
 * folder. Writes nothing. `@kgen/runtime` is resolved in kgen's own installation, any other `runtimeImport`
 * from the output folder. Positions are relative to the output folder. At most 20 errors are reported,
 * further ones are counted.
 */
export async function verifyOutput(
  files: ReadonlyMap<string, string>,
  options: VerifyOptions,
): Promise<readonly InputProblem[]> {
  const { Project, ts: compiler } = await import('ts-morph');
  const libraries = new Project({ useInMemoryFileSystem: true }).getModuleResolutionHost();
  const folder = options.folder.replaceAll('\\', '/').replace(/(?<!\/)\/+$/, '');
  const overlay: Overlay = { compiler, folder, files, readLibrary: (path) => libraries.readFile(path) };
  if (ownRuntime(overlay) === undefined && usesOwnRuntime(options)) return [noRuntime];
  const found = check(overlay, options, options.runtimeImport);
  if (found.length === 0) return [];
  // An error that also occurs with kgen's own runtime is an error of the output. Other errors are caused by
  // the user's module.
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

/** If `runtimeImport` is undefined, kgen's own runtime is used. */
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

/** Returns the findings in these files and in the program as a whole. */
function judge(overlay: Overlay, program: ts.Program, paths: readonly string[]): readonly Finding[] {
  const found: ts.Diagnostic[] = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()];
  for (const name of names(overlay, paths)) {
    const file = program.getSourceFile(name);
    const broken = program.getSyntacticDiagnostics(file);
    append(found, broken);
    if (broken.length > 0) continue; // Errors that follow from a syntax error add no information.
    append(
      found,
      program.getSemanticDiagnostics(file).filter((one) => isReported(one, name)),
    );
    if (program.getCompilerOptions().declaration === true)
      append(found, program.getDeclarationDiagnostics(file));
  }
  const findings = found.map((diagnostic) => finding(overlay, diagnostic));
  return [...new Map(findings.map((one) => [key(one), one])).values()];
}

/** Assignability errors in a `.js` file, whose calls lack the required type arguments. */
const untyped: ReadonlySet<number> = new Set([2322, 2344, 2345, 2769]);

function isReported({ code }: ts.Diagnostic, name: string): boolean {
  return !(name.endsWith('.js') && untyped.has(code));
}

/** Maximum length of a message, in characters. */
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
): InputProblem {
  const advice = isBug ? 'this is a bug in kgen, please report it with the input' : blame(path, options);
  const where = path === '' ? undefined : { file: path, line, column };
  return error(`${message}${code === '' ? '' : ` in ${quote(code)}`}; ${advice}`, where);
}

/** Returns the message for errors that the user's own runtime causes. */
function blame(path: string, { runtimeImport, protobufImport }: VerifyOptions): string {
  return /(?:^|\/)protobuf\.(?:[jt]s|d\.ts)$/.test(path)
    ? `${quote(protobufImport)} must export what @kgen/runtime/gen/v1/protobuf does: correct it, or add --no-protobuf`
    : `--runtime-import ${quote(runtimeImport)} must export what @kgen/runtime/gen/v1 does: correct it`;
}

function limited(
  found: readonly Finding[],
  problemOf: (finding: Finding) => InputProblem,
): readonly InputProblem[] {
  const listed = found.slice(0, maxListed).map(problemOf);
  const rest = found.length - listed.length;
  return rest === 0
    ? listed
    : [...listed, error(`the output has ${rest} more such ${rest === 1 ? 'error' : 'errors'}`)];
}
