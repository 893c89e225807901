/** The one way to change an output folder: plan, then commit. */
import { sep } from 'node:path';
import { type Checked, error, type InputProblem } from '../common/problems.ts';
import { commit, Interrupted, type Interruptible, stagingPrefix } from './commit.ts';
import { emptyManifest, type Manifest, manifestName } from './manifest.ts';
import {
  type DesiredOutput,
  emptyPlan,
  type FileClash,
  isUpToDate,
  planChanges,
  type WritePlan,
} from './plan.ts';
import { readManifest, takeSnapshot } from './snapshot.ts';

export type { Interruptible } from './commit.ts';

/** The output folder. */
export interface OutputFolder {
  /** Absolute path. */
  readonly path: string;
  /** Path as the user wrote it, for messages. */
  readonly shown: string;
  /** Action in messages about a folder that cannot be written. Default: `give another folder with --out`. */
  readonly remedy?: string;
}

/** Returns the record of the last run. An unreadable one is reported by `planOutput`. */
export function recordOf(out: OutputFolder): Manifest {
  return guarded(out, emptyManifest, () => readManifest(out.path)).value;
}

/** Compares the folder with its desired content, without changing it. Clashes are errors. */
export function planOutput(out: OutputFolder, requested: DesiredOutput): Checked<WritePlan> {
  const planned = guarded(out, emptyPlan, () => {
    const before = readManifest(out.path);
    const paths = [...requested.files.keys(), ...before.files, manifestName];
    return planChanges(takeSnapshot(out.path, paths), before, requested);
  });
  const clashes = planned.value.clashes.map((clash) => clashProblem(out, clash));
  return { value: planned.value, problems: [...planned.problems, ...clashes] };
}

/** Applies a plan without clashes completely, or changes nothing and returns the problem. */
export function writeOutput(
  out: OutputFolder,
  plan: WritePlan,
  signal?: Interruptible,
): readonly InputProblem[] {
  if (plan.clashes.length > 0 || isUpToDate(plan)) return [];
  try {
    return guarded(out, undefined, () => commit(out.path, plan, signal)).problems;
  } catch (cause) {
    if (cause instanceof Interrupted) return [interrupted];
    throw cause;
  }
}

const interrupted = error('the run was interrupted, and nothing was changed: start it again');

function clashProblem(out: OutputFolder, clash: FileClash): InputProblem {
  const what = `kgen must write here and finds ${clash.what}: move it away, or give another folder with --out`;
  return error(what, { file: `${out.shown}/${clash.path}` });
}

/** Converts errors of the operating system to problems. Other errors are bugs and are thrown. */
export function guarded<T>(out: OutputFolder, fallback: T, act: () => T): Checked<T> {
  try {
    return { value: act(), problems: [] };
  } catch (cause) {
    const { code, path } = cause as NodeJS.ErrnoException; // seam: errors of node:fs have a code
    if (code === undefined || !(cause instanceof Error)) throw cause;
    const file = isNoFolder(code) ? out.shown : shown(path ?? out.path, out);
    return { value: fallback, problems: [error(sentence(code, out.remedy), { file })] };
  }
}

function isNoFolder(code: string): boolean {
  return code === 'ENOTDIR' || code === 'EEXIST';
}

/**
 * Returns a path as the user would write it. The name of a staging folder is replaced by that of its parent.
 */
function shown(path: string, out: OutputFolder): string {
  const staging = path.indexOf(`${sep}${stagingPrefix}`);
  const plain = staging === -1 ? path : path.slice(0, staging);
  const isInside = plain === out.path || plain.startsWith(`${out.path}${sep}`);
  return isInside ? `${out.shown}${plain.slice(out.path.length)}` : plain;
}

function sentence(code: string, remedy = 'give another folder with --out'): string {
  const fault = faults.get(code);
  return fault === undefined
    ? `the output cannot be written (${code}): check the folder and the disk; nothing was changed`
    : `${fault[0]}: ${fault[1].replace('%', remedy)}`;
}

/** Cause of an error, and an action in which `%` is the remedy of the folder. */
type Fault = readonly [cause: string, action: string];

const denied: Fault = ['permission to write here is denied', 'change the mode of the folder or %'];
const occupied: Fault = ['a file exists at the path of the output folder', '%'];

/** Errors of the operating system by code. */
const faults: ReadonlyMap<string, Fault> = new Map([
  ['EACCES', denied],
  ['EPERM', denied],
  ['EROFS', ['the file system is read-only', '%']],
  ['ENOSPC', ['the disk is full', 'make room; nothing was changed']],
  ['ENOTDIR', occupied],
  ['EEXIST', occupied],
  ['ENOENT', ['the output folder cannot be created here', '%']],
]);
