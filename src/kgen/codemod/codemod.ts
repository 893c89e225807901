/** Rewrites programs that import names which have moved, or use names that were renamed. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { ts } from 'ts-morph';
import { error, type InputProblem, type SourcePlace, warning } from '../common/problems.ts';
import { type Disk, systemDisk } from '../input/modules/disk.ts';
import { isSource } from '../input/modules/source-files.ts';
import { rewriteMembers } from './members.ts';
import { rewriteNamespaces } from './namespaces.ts';
import { optionsOf, programOf, projectOf } from './project.ts';
import { installedRenames, type Rename, renameTable } from './renames.ts';
import { editedText, type Remark, type Rewriting, startRewriting } from './rewriting.ts';
import { rewriteNamed } from './static-imports.ts';

/** Options of a run. */
export interface CodemodOptions {
  /** Files and folders; empty for the files of `tsconfig.json`. */
  readonly paths: readonly string[];
  readonly cwd: string;
  /** Whether files are left as they are. */
  readonly isCheck: boolean;
  /** Default: the table of this package. */
  readonly renames?: readonly Rename[];
}

/** A changed file. */
export interface RewrittenFile {
  /** Path relative to `cwd`. */
  readonly path: string;
  readonly text: string;
  readonly changes: readonly { readonly place: SourcePlace; readonly text: string }[];
}

/** Result of a run. */
export interface CodemodResult {
  readonly files: readonly RewrittenFile[];
  /** Errors, and warnings for places that must be changed by hand. */
  readonly problems: readonly InputProblem[];
}

/** Rewrites the files of a project. Nothing is written if a file cannot be found. */
export function codemod({
  paths,
  cwd,
  isCheck,
  renames = installedRenames(),
}: CodemodOptions): CodemodResult {
  const project = projectOf(cwd, paths);
  if (project.problems.length > 0) return { files: [], problems: project.problems };
  const { files, problems } = rewriteAll(programOf(project), project.files, cwd, renames);
  const marked = files.map((file) => ({ ...file, text: markOf(cwd, file) + file.text }));
  return { files: marked, problems: isCheck ? problems : problems.concat(writeAll(cwd, marked)) };
}

/** Returns texts as `codemod` rewrites them, if they were the files at their paths. */
export function rewriteTexts(
  texts: ReadonlyMap<string, string>,
  { cwd, renames = installedRenames() }: Pick<CodemodOptions, 'cwd' | 'renames'>,
): ReadonlyMap<string, string> {
  const overlay = new Map([...texts].map(([path, text]) => [join(cwd, path), text]));
  const disk: Disk = {
    ...systemDisk,
    readFile: (path) => overlay.get(path) ?? systemDisk.readFile(path),
    fileExists: (path) => overlay.has(path) || systemDisk.fileExists(path),
  };
  const files = [...overlay.keys()].filter(isSource);
  const program = programOf({ files, options: optionsOf(cwd, systemDisk) }, disk);
  const rewritten = rewriteAll(program, files, cwd, renames).files;
  return new Map([...texts, ...rewritten.map(({ path, text }) => [path, text] as const)]);
}

function rewriteAll(
  program: ts.Program,
  paths: readonly string[],
  cwd: string,
  renames: readonly Rename[],
): CodemodResult {
  const table = renameTable(renames);
  const results = paths.flatMap((path) => {
    const source = program.getSourceFile(path);
    return source === undefined
      ? []
      : [rewrite(startRewriting(source, program.getTypeChecker(), table), cwd)];
  });
  const files = results.map(({ file }) => file).filter(({ changes }) => changes.length > 0);
  return { files, problems: results.flatMap(({ problems }) => problems) };
}

function rewrite(rewriting: Rewriting, cwd: string) {
  rewriteNamed(rewriting);
  rewriteNamespaces(rewriting);
  rewriteMembers(rewriting);
  const { source, edits, changes, warnings } = rewriting;
  const path = relative(cwd, source.fileName);
  const placed = ({ position, text }: Remark) => ({ place: placeOf(source, path, position), text });
  const ordered = [...changes].sort((a, b) => a.position - b.position).map(placed);
  const problems = warnings
    .map(placed)
    .map(({ place, text }) => warning(`${text}: change it by hand`, place));
  return { file: { path, text: editedText(source.text, edits), changes: ordered }, problems };
}

/** Returns the line and column of a position. */
export function placeOf(source: ts.SourceFile, file: string, position: number): SourcePlace {
  const { line, character } = source.getLineAndCharacterOfPosition(position);
  return { file, line: line + 1, column: character + 1 };
}

/** Returns the byte order mark of a file, which compilers leave out. */
function markOf(cwd: string, { path }: RewrittenFile): string {
  return readFileSync(join(cwd, path), 'utf8').startsWith('\uFEFF') ? '\uFEFF' : '';
}

/** Writes files. Those that cannot be written are errors. */
export function writeAll(
  cwd: string,
  files: readonly Pick<RewrittenFile, 'path' | 'text'>[],
): readonly InputProblem[] {
  return files.flatMap(({ path, text }) => {
    try {
      writeFileSync(join(cwd, path), text);
      return [];
    } catch (cause) {
      return [error(`the file cannot be written: ${messageOf(cause)}`, { file: path })];
    }
  });
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
