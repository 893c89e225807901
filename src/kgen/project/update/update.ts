/** `kgen update`: a project that an earlier kgen has written. */
import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { type CodemodResult, codemod, rewriteTexts } from '../../codemod/codemod.ts';
import { projectOf } from '../../codemod/project.ts';
import type { Rename } from '../../codemod/renames.ts';
import { error, hasErrors, type InputProblem } from '../../common/problems.ts';
import { version } from '../../common/version.ts';
import { systemDisk } from '../../input/modules/disk.ts';
import {
  changeProject,
  conflictsOf,
  type ProjectOptions,
  type ProjectResult,
  presentOf,
  readProject,
} from '../project.ts';
import { raiseVersions } from './versions.ts';

/** Options of `updateProject`. */
export interface UpdateOptions extends ProjectOptions {
  /** Exports that have moved or were renamed. Default: those of this package. */
  readonly renames?: readonly Rename[];
}

/** Result of an update. */
export interface UpdateResult extends ProjectResult {
  /** Version of the kgen that has written the project before. */
  readonly from: string;
}

/**
 * Brings a project to this version of kgen: renamed exports first, then the versions of its packages, then
 * the merge of its files with the templates of this version. All files are written, or none.
 */
export function updateProject({ renames, ...options }: UpdateOptions = {}): UpdateResult {
  const { cwd = process.cwd() } = options;
  const { value: project, problems } = readProject(cwd);
  const refused = (wrong: readonly InputProblem[]): UpdateResult => ({
    ok: false,
    from: project?.kgen ?? version,
    changes: [],
    kept: [],
    problems: wrong,
  });
  if (hasErrors(problems)) return refused(problems);
  if (project === undefined)
    return refused([error('this folder is not a project: run kgen init --domain DOMAIN first')]);
  const given = { cwd, ...(renames !== undefined && { renames }) };
  const moved = rewriteProgram(given);
  if (hasErrors(moved.problems)) return refused(moved.problems);
  const own = moved.files.map(({ path, text }) => [path.split(sep).join('/'), text] as const);
  const result = changeProject(project, project.facts, options, {
    own: withVersions(new Map(own), manifestOf(cwd)),
    bases: withVersions(rewriteTexts(project.files, given), project.files.get(manifest)),
  });
  return { ...result, from: project.kgen, problems: [...moved.problems, ...result.problems] };
}

/** Applies the codemods to the program of the author, without writing. */
function rewriteProgram(options: Pick<UpdateOptions, 'renames'> & { readonly cwd: string }): CodemodResult {
  const { cwd } = options;
  const paths = programPaths(cwd);
  if (paths.length === 0) return { files: [], problems: [] };
  const marked = paths.flatMap((path) => conflictsOf(path, systemDisk.readFile(join(cwd, path)) ?? ''));
  return hasErrors(marked) ? { files: [], problems: marked } : codemod({ ...options, paths, isCheck: true });
}

/** Returns the files of the program: those of `tsconfig.json`, or those of the usual folders. */
function programPaths(cwd: string): readonly string[] {
  const own = projectOf(cwd, []);
  const folders = ['api', 'src', 'test'].filter((folder) => existsSync(join(cwd, folder)));
  const { files } = own.problems.length === 0 || folders.length === 0 ? own : projectOf(cwd, folders);
  return files.map((file) => relative(cwd, file)).filter((path) => !path.startsWith('..'));
}

const manifest = 'package.json';

function manifestOf(cwd: string): string | undefined {
  // An error is reported when the files are read.
  const found = presentOf(cwd, [manifest]).value.get(manifest);
  return found?.kind === 'file' ? found.text : undefined;
}

function withVersions(
  texts: ReadonlyMap<string, string>,
  text: string | undefined,
): ReadonlyMap<string, string> {
  return text === undefined ? texts : new Map([...texts, [manifest, raiseVersions(text, version)]]);
}
