/** Converts the files of a project from @kubernetes/client-node to kgen. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ts } from 'ts-morph';
import { type InputProblem, warning } from '../../common/problems.ts';
import { type CodemodResult, placeOf, type RewrittenFile, writeAll } from '../codemod.ts';
import { programOf, projectOf } from '../project.ts';
import { convertClientNode } from './client-node.ts';

/** Options of a conversion. */
export interface ConvertOptions {
  /** Files and folders; empty for the files of `tsconfig.json`. */
  readonly paths: readonly string[];
  readonly cwd: string;
  /** Whether the files are written. */
  readonly isWritten: boolean;
}

/** Converts the files that import client-node. Nothing is written if a file cannot be found. */
export function convertFiles({ paths, cwd, isWritten }: ConvertOptions): CodemodResult {
  const project = projectOf(cwd, paths);
  if (project.problems.length > 0) return { files: [], problems: project.problems };
  const program = programOf(project);
  const results = project.files.map((path) => {
    const source = program.getSourceFile(path);
    return source === undefined ? undefined : convertFile(source, program.getTypeChecker(), cwd);
  });
  const found = results.filter((result) => result !== undefined);
  const files = found.map(({ file }) => file).filter((file) => file !== undefined);
  const problems = found.flatMap((result) => result.problems);
  return { files, problems: isWritten ? problems.concat(writeAll(cwd, files)) : problems };
}

interface FileResult {
  readonly file: RewrittenFile | undefined;
  readonly problems: readonly InputProblem[];
}

function convertFile(source: ts.SourceFile, checker: ts.TypeChecker, cwd: string): FileResult | undefined {
  const converted = convertClientNode(source, checker);
  if (converted === undefined) return undefined;
  const path = relative(cwd, source.fileName);
  if (/\.c[jt]s$/.test(path))
    return {
      file: undefined,
      problems: [
        warning('CommonJS files cannot await: rename it to .mjs or .mts, and convert it then', {
          file: path,
        }),
      ],
    };
  const place = (position: number) => placeOf(source, path, position);
  const problems = converted.problems.map(({ position, text }) =>
    warning(`${text}: change it by hand`, place(position)),
  );
  const isModule = source.impliedNodeFormat !== ts.ModuleKind.CommonJS || /\.m[jt]s$/.test(path);
  const module = isModule
    ? []
    : [warning('the file becomes an ES module: package.json needs "type": "module"', { file: path })];
  // The byte order mark, which compilers leave out, remains.
  const mark = readFileSync(join(cwd, path), 'utf8').startsWith('\uFEFF') ? '\uFEFF' : '';
  const changes = [...converted.changes].sort((a, b) => a.position - b.position);
  const file = {
    path,
    text: mark + converted.text,
    changes: changes.map(({ position, text }) => ({ place: place(position), text })),
  };
  return { file, problems: [...problems, ...module] };
}
