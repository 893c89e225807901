import { sep } from 'node:path';
import { type Checked, error, type Problem } from '../problems.ts';
import { commit, stagingPrefix } from './commit.ts';
import { emptyManifest, manifestName } from './manifest.ts';
import { type Clash, emptyPlan, isUpToDate, type Plan, planChanges, type Wanted } from './plan.ts';
import { readManifest, takeSnapshot } from './snapshot.ts';

/** Where the output goes. */
export interface OutputFolder {
  /** Absolute. */
  readonly path: string;
  /** As the user wrote it, for messages. */
  readonly shown: string;
}

/** Accessors that earlier runs gave, by group; for the model, so that names stay. */
export function recordedAccessors(out: OutputFolder): ReadonlyMap<string, string> {
  // What cannot be read here cannot be read by planOutput either, which reports it.
  return guard(out, emptyManifest, () => readManifest(out.path)).value.accessors;
}

/** Compares the folder with what is wanted; touches nothing. Clashes are errors. */
export function planOutput(out: OutputFolder, wanted: Wanted): Checked<Plan> {
  const planned = guard(out, emptyPlan, () => {
    const before = readManifest(out.path);
    const paths = [...wanted.files.keys(), ...before.files, manifestName];
    return planChanges(takeSnapshot(out.path, paths), before, wanted);
  });
  const clashes = planned.value.clashes.map((clash) => clashProblem(out, clash));
  return { value: planned.value, problems: [...planned.problems, ...clashes] };
}

/** Carries out a plan without clashes: all of it, or nothing and a problem that says why. */
export function writeOutput(out: OutputFolder, plan: Plan): readonly Problem[] {
  if (plan.clashes.length > 0 || isUpToDate(plan)) return [];
  return guard(out, undefined, () => commit(out.path, plan)).problems;
}

function clashProblem(out: OutputFolder, clash: Clash): Problem {
  const what = `kgen must write here and finds ${clash.what}: move it away, or give another folder with --out`;
  return error(what, { file: `${out.shown}/${clash.path}` });
}

/** Failures of the operating system become problems; others are kgen's own and are thrown. */
function guard<T>(out: OutputFolder, fallback: T, act: () => T): Checked<T> {
  try {
    return { value: act(), problems: [] };
  } catch (cause) {
    const { code, path } = cause as NodeJS.ErrnoException; // seam: errors of node:fs have a code
    if (code === undefined || !(cause instanceof Error)) throw cause;
    const file = isNoFolder(code) ? out.shown : shown(path ?? out.path, out);
    return { value: fallback, problems: [error(sentence(code), { file })] };
  }
}

function isNoFolder(code: string): boolean {
  return code === 'ENOTDIR' || code === 'EEXIST';
}

/** As the user would write it. Staging names mean nothing to a user: the folder that holds them stands for them. */
function shown(path: string, out: OutputFolder): string {
  const staging = path.indexOf(`${sep}${stagingPrefix}`);
  const plain = staging === -1 ? path : path.slice(0, staging);
  const isInside = plain === out.path || plain.startsWith(`${out.path}${sep}`);
  return isInside ? `${out.shown}${plain.slice(out.path.length)}` : plain;
}

function sentence(code: string): string {
  return (
    faults.get(code) ??
    `the output cannot be written (${code}): check the folder and the disk; nothing was changed`
  );
}

const faults: ReadonlyMap<string, string> = new Map([
  [
    'EACCES',
    'there is no permission to write here: change the mode of the folder or give another one with --out',
  ],
  [
    'EPERM',
    'there is no permission to write here: change the mode of the folder or give another one with --out',
  ],
  ['EROFS', 'the file system is read-only: give another folder with --out'],
  ['ENOSPC', 'the disk is full: make room; nothing was changed'],
  ['ENOTDIR', 'a file stands where the output folder should be: give another folder with --out'],
  ['EEXIST', 'a file stands where the output folder should be: give another folder with --out'],
  ['ENOENT', 'the output folder cannot be made here: give another one with --out'],
]);
