/** Changes of a project: its files are made from templates, which are merged with the author's edits. */
import { type Checked, error, hasErrors, type InputProblem, warning } from '../common/problems.ts';
import { version } from '../common/version.ts';
import type { FileChange, Present } from '../write/plan.ts';
import { takeSnapshot } from '../write/snapshot.ts';
import { guarded, writeOutput } from '../write/write.ts';
import { type ProjectChange, type ProjectPlan, planProject } from './plan.ts';
import { type ProjectFacts, type ProjectRecord, parseRecord, printRecord, recordPath } from './record.ts';
import { templatesOf } from './templates/templates.ts';

/** How a project is changed. */
export interface ProjectOptions {
  /** Folder of the project. Default: the current one. */
  readonly cwd?: string;
  /** `dry-run` writes nothing. Default: `write`. */
  readonly mode?: 'write' | 'dry-run';
}

/** Result of a change. */
export interface ProjectResult {
  /** Whether the files are written, or could be. */
  readonly ok: boolean;
  readonly changes: readonly ProjectChange[];
  /** Files that existed before their template, and stay as they are. */
  readonly kept: readonly string[];
  readonly problems: readonly InputProblem[];
}

/** Reads the record of a project; `undefined` if the folder has none. */
export function readProject(cwd: string): Checked<ProjectRecord | undefined> {
  const { value: found, problems } = presentOf(cwd, [recordPath]);
  const record = found.get(recordPath);
  if (record === undefined || hasErrors(problems)) return { value: undefined, problems };
  if (record.kind === 'file') return parseRecord(record.text);
  return { value: undefined, problems: [occupied(recordPath, record.what)] };
}

/**
 * Writes the files of a project as its facts are now, merged with the edits of the author, or changes
 * nothing. Files that existed before their template are kept.
 */
export function changeProject(
  before: ProjectRecord | undefined,
  facts: ProjectFacts,
  { cwd = process.cwd(), mode = 'write' }: ProjectOptions = {},
): ProjectResult {
  const next = templatesOf(facts);
  const { value: present, problems } = presentOf(cwd, [...next.keys(), recordPath]);
  const clashes = [...present].flatMap(([path, found]) =>
    found.kind === 'other' ? [occupied(path, found.what)] : [],
  );
  const texts = new Map(
    [...present].flatMap(([path, found]) => (found.kind === 'file' ? [[path, found.text] as const] : [])),
  );
  const plan = planProject(texts, before?.files ?? new Map(), next);
  const { changes, kept } = plan;
  const refused = [...problems, ...clashes];
  if (hasErrors(refused)) return { ok: false, changes: [], kept: [], problems: refused };
  const record = printRecord({ facts, files: plan.files }, version);
  const written = mode === 'write' ? write(cwd, plan, texts, record) : [];
  return { ok: !hasErrors(written), changes, kept, problems: [...written, ...changes.flatMap(conflictsIn)] };
}

function presentOf(cwd: string, paths: readonly string[]): Checked<ReadonlyMap<string, Present>> {
  const none: ReadonlyMap<string, Present> = new Map();
  return guarded({ path: cwd, shown: '.' }, none, () => takeSnapshot(cwd, paths));
}

function write(
  cwd: string,
  { changes }: ProjectPlan,
  texts: ReadonlyMap<string, string>,
  record: string,
): readonly InputProblem[] {
  const all: readonly FileChange[] = [
    ...changes.map(({ path, text }) => ({ path, before: texts.get(path) ?? '', after: text })),
    { path: recordPath, before: texts.get(recordPath) ?? '', after: record },
  ].filter(({ before, after }) => before !== after);
  const [update, create] = [true, false].map((isThere) =>
    all.filter(({ path }) => texts.has(path) === isThere),
  );
  const plan = { create: create ?? [], update: update ?? [], remove: [], unchanged: [], clashes: [] };
  return writeOutput({ path: cwd, shown: '.' }, plan);
}

function occupied(path: string, what: string): InputProblem {
  return error(`kgen must write here and finds ${what}: move it away`, { file: path });
}

function conflictsIn({ path, conflicts }: ProjectChange): readonly InputProblem[] {
  if (conflicts === 0) return [];
  const places = conflicts === 1 ? 'one place was' : `${conflicts} places were`;
  const what = `${places} changed by you and by kgen: choose between the parts at <<<<<<< and >>>>>>>`;
  return [warning(what, { file: path })];
}
