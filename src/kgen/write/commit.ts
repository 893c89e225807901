import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Change, Plan } from './plan.ts';

/** Staging folders in the output folder begin like this. */
export const stagingPrefix = '.kgen-staging-';

/**
 * Carries a plan out. Everything is written to a staging folder first; then folders and permissions are made sure of;
 * only then files move into place. What fails before that leaves the folder as it was, what fails during it is taken
 * back. It is synchronous, so that no signal handler runs in its middle.
 *
 * @throws errors of `node:fs`, such as EACCES or ENOSPC
 */
export function commit(out: string, plan: Plan): void {
  const undo: (() => void)[] = [];
  try {
    makeFolder(out, undo);
    sweep(out);
    const staging = mkdtempSync(join(out, stagingPrefix));
    undo.push(() => rmSync(staging, { recursive: true, force: true }));
    const changes = [...plan.create, ...plan.update];
    const staged = changes.map((change, index) => stage(change, join(staging, String(index))));
    const folders = new Set([...changes, ...plan.remove].map(({ path }) => dirname(join(out, path))));
    for (const folder of folders) prepareFolder(folder, undo);
    for (const { change, file } of staged) {
      renameSync(file, join(out, change.path));
      undo.push(() => restore(out, change, plan.create.includes(change)));
    }
    for (const change of plan.remove) {
      unlinkSync(join(out, change.path));
      undo.push(() => restore(out, change, false));
    }
    rmdirSync(staging);
  } catch (cause) {
    takeBack(undo);
    throw cause;
  }
  for (const { path } of plan.remove) removeEmptyFolders(out, path);
}

/** Staging folders older than this belong to a run that was killed: one hour. */
const abandonedAfterMs = 3_600_000;

function sweep(out: string): void {
  for (const name of readdirSync(out).filter((entry) => entry.startsWith(stagingPrefix))) {
    const path = join(out, name);
    const isAbandoned = Date.now() - lstatSync(path).mtimeMs > abandonedAfterMs;
    if (isAbandoned) rmSync(path, { recursive: true, force: true });
  }
}

interface Staged {
  readonly change: Change;
  readonly file: string;
}

function stage(change: Change, file: string): Staged {
  writeFileSync(file, change.after, { flag: 'wx' });
  return { change, file };
}

/**
 * Makes sure that files can be added and removed, by doing so: modes do not tell about all file systems. A folder that was
 * just made needs no such proof.
 */
function prepareFolder(folder: string, undo: (() => void)[]): void {
  if (!makeFolder(folder, undo)) rmdirSync(mkdtempSync(join(folder, stagingPrefix)));
}

/**
 * Creates a folder with its parents; taking that back removes them. False if it was there. One at a time: Node's own
 * `recursive` goes on for ever in a file system that makes no folders, such as `/proc`.
 */
function makeFolder(folder: string, undo: (() => void)[]): boolean {
  if (isFolder(folder)) return false;
  const above = dirname(folder);
  if (above !== folder && !existsSync(above)) makeFolder(above, undo);
  try {
    mkdirSync(folder);
  } catch (cause) {
    if (isFolder(folder)) return false; // another run has just made it
    throw cause;
  }
  undo.push(() => rmdirSync(folder));
  return true;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function restore(out: string, change: Change, created: boolean): void {
  const path = join(out, change.path);
  if (created) unlinkSync(path);
  else writeFileSync(path, change.before);
}

/** Goes on after a step that cannot be taken back: the reason for taking back is what gets reported. */
function takeBack(undo: readonly (() => void)[]): void {
  for (const step of [...undo].reverse()) {
    try {
      step();
    } catch {
      // Somebody else changed the folder meanwhile; what is left to do is the other steps.
    }
  }
}

function removeEmptyFolders(out: string, path: string): void {
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    try {
      rmdirSync(join(out, parent));
    } catch {
      return; // not empty: it holds something else
    }
  }
}
