/** Changes of a project: its files are made from templates, which are merged with the author's edits. */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Checked, error, hasErrors, type InputProblem, warning } from '../common/problems.ts';
import { version } from '../common/version.ts';
import type { FileChange, Present } from '../write/plan.ts';
import { takeSnapshot } from '../write/snapshot.ts';
import { guarded, type OutputFolder, writeOutput } from '../write/write.ts';
import { candidatesIn } from './candidates.ts';
import { conflictLine } from './merge.ts';
import { extensionOf } from './moves.ts';
import { type ProjectChange, type ProjectPlan, planProject, type Texts } from './plan.ts';
import { type ProjectFacts, type ProjectRecord, parseRecord, printRecord, recordPath } from './record.ts';
import { templatesOf } from './templates/templates.ts';
import { isLower } from './update/versions.ts';

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
  const file = found.get(recordPath);
  if (file === undefined || hasErrors(problems)) return { value: undefined, problems };
  if (file.kind === 'other') return { value: undefined, problems: [occupied(recordPath, file.what)] };
  const record = parseRecord(file.text);
  const { kgen = version } = record.value ?? {};
  if (!isLower(version, kgen)) return record;
  const what = `the project was written by kgen ${kgen}, and this is ${version}: install kgen ${kgen} or a later one`;
  return { value: undefined, problems: [error(what, { file: recordPath })] };
}

/** Reads the record of a project that is not older than this kgen. */
export function readCurrentProject(cwd: string): Checked<ProjectRecord | undefined> {
  const { value, problems } = readProject(cwd);
  if (value === undefined || !isLower(value.kgen, version)) return { value, problems };
  const what = `the project was written by kgen ${value.kgen}, and this is ${version}: run kgen update first`;
  return { value: undefined, problems: [...problems, error(what, { file: recordPath })] };
}

/** Texts that take the place of those of the folder and the record before they are merged. */
export interface RewrittenTexts {
  /** Of files of the author, also of those without a template, and new ones. */
  readonly own: Texts;
  readonly bases: Texts;
}

/**
 * Writes the files of a project as its facts are now, merged with the edits of the author, or changes
 * nothing. Files that existed before their template are kept.
 */
export function changeProject(
  before: ProjectRecord | undefined,
  facts: ProjectFacts,
  { cwd = process.cwd(), mode = 'write' }: ProjectOptions = {},
  rewritten: RewrittenTexts = { own: new Map(), bases: new Map() },
): ProjectResult {
  const templates = templatesOf(facts);
  const bases = new Map([...(before?.files ?? []), ...rewritten.bases]);
  const folder = readFolder(cwd, [...templates.keys(), ...rewritten.own.keys()], bases);
  const { present, texts, candidates } = folder.value;
  const own = new Map([...texts, ...rewritten.own]);
  const planned = planProject({ present: own, bases, templates, candidates });
  const changes = [...planned.changes, ...rewrites(planned, texts, rewritten.own)];
  const refused = [
    ...folder.problems,
    ...changes.flatMap(({ path }) => clashAt(path, present.get(path))),
    ...changedTexts(changes, { ...folder.value, bases }).flatMap((file) => unmergeable(cwd, file)),
  ];
  if (hasErrors(refused)) return { ok: false, changes: [], kept: [], problems: refused };
  const record = printRecord({ kgen: version, facts, files: planned.files });
  const written = mode === 'write' ? write(cwd, changes, new Map([...candidates, ...texts]), record) : [];
  const problems = [...written, ...changes.flatMap(conflictsIn)];
  return { ok: !hasErrors(written), changes, kept: planned.kept, problems };
}

/** Files of a project before it is changed. */
interface Folder {
  readonly present: ReadonlyMap<string, Present>;
  readonly texts: Texts;
  /** Files that may be renamed ones, if one of the files with a template is absent. */
  readonly candidates: Texts;
}

function readFolder(cwd: string, paths: readonly string[], bases: Texts): Checked<Folder> {
  return guarded(folderAt(cwd), { present: new Map(), texts: new Map(), candidates: new Map() }, () => {
    const present = takeSnapshot(cwd, new Set([...paths, ...bases.keys(), recordPath]));
    const files = [...present].flatMap(([path, found]) =>
      found.kind === 'file' ? [[path, found.text] as const] : [],
    );
    const absent = [...bases.keys()].filter((path) => present.get(path)?.kind !== 'file');
    return {
      present,
      texts: new Map(files),
      candidates: candidatesIn(cwd, new Set(absent.map(extensionOf))),
    };
  });
}

/** Returns the files that are only rewritten. */
function rewrites({ changes }: ProjectPlan, texts: Texts, own: Texts): readonly ProjectChange[] {
  const merged = new Set(changes.map(({ path, from = path }) => from));
  return [...own]
    .filter(([path, text]) => !merged.has(path) && texts.get(path) !== text)
    .map(([path, text]) => ({ path, kind: texts.has(path) ? 'rewritten' : 'created', text, conflicts: 0 }));
}

/** Returns the files that are merged or have a template, as they are in the folder. */
function changedTexts(
  changes: readonly ProjectChange[],
  { texts, candidates, bases }: Pick<Folder, 'texts' | 'candidates'> & { readonly bases: Texts },
): readonly (readonly [path: string, text: string])[] {
  const paths = new Set([...bases.keys(), ...changes.map(({ path, from = path }) => from)]);
  return [...paths].flatMap((path) => {
    const text = texts.get(path) ?? candidates.get(path);
    return text === undefined ? [] : [[path, text] as const];
  });
}

/** Returns the reason why a file cannot be merged. */
function unmergeable(
  cwd: string,
  [file, text]: readonly [path: string, text: string],
): readonly InputProblem[] {
  const isText = !text.includes('\uFFFD') || isUtf8(readFileSync(join(cwd, file)));
  return isText ? conflictsOf(file, text) : [error('the file is not UTF-8 text: convert it first', { file })];
}

/** Returns the first conflict that an earlier merge has left in a file. */
export function conflictsOf(file: string, text: string): readonly InputProblem[] {
  const line = conflictLine(text);
  if (line === undefined) return [];
  return [
    error('the file has conflicts: choose between the parts at <<<<<<< and >>>>>>> first', { file, line }),
  ];
}

function folderAt(cwd: string): OutputFolder {
  return { path: cwd, shown: '.', remedy: 'run the command in another folder' };
}

/** Returns the state of paths of a project. */
export function presentOf(cwd: string, paths: readonly string[]): Checked<ReadonlyMap<string, Present>> {
  const none: ReadonlyMap<string, Present> = new Map();
  return guarded(folderAt(cwd), none, () => takeSnapshot(cwd, paths));
}

function write(
  cwd: string,
  changes: readonly ProjectChange[],
  texts: Texts,
  record: string,
): readonly InputProblem[] {
  const all: readonly FileChange[] = [
    ...changes.map(({ path, text }) => ({ path, before: texts.get(path) ?? '', after: text })),
    { path: recordPath, before: texts.get(recordPath) ?? '', after: record },
  ].filter(({ before, after }) => before !== after);
  const gone = changes.flatMap(({ kind, path, from }) =>
    kind === 'removed' ? [path] : from === undefined ? [] : [from],
  );
  const [update = [], create = []] = [true, false].map((isThere) =>
    all.filter(({ path }) => texts.has(path) === isThere && !gone.includes(path)),
  );
  const remove = gone.map((path) => ({ path, before: texts.get(path) ?? '', after: '' }));
  return writeOutput(folderAt(cwd), { create, update, remove, unchanged: [], clashes: [] });
}

function clashAt(path: string, found: Present | undefined): readonly InputProblem[] {
  return found?.kind === 'other' ? [occupied(path, found.what)] : [];
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
