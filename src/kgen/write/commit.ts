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
import type { FileChange, WritePlan } from './plan.ts';

/** Prefix of staging folders in the output folder. */
export const stagingPrefix = '.kgen-staging-';

/**
 * Applies a plan. All files are first written to a staging folder, then folders and permissions are verified,
 * and only then files are moved into place. A failure before the moves leaves the folder unchanged; a failure
 * during the moves is rolled back. Synchronous, so that no signal handler interrupts it.
 *
 * @throws errors of `node:fs`, such as EACCES or ENOSPC
 */
export function commit(out: string, plan: WritePlan): void {
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

/** Age in milliseconds after which a staging folder belongs to a killed run: one hour. */
const abandonedAfterMs = 3_600_000;

function sweep(out: string): void {
  for (const name of readdirSync(out).filter((entry) => entry.startsWith(stagingPrefix))) {
    const path = join(out, name);
    const isAbandoned = Date.now() - lstatSync(path).mtimeMs > abandonedAfterMs;
    if (isAbandoned) rmSync(path, { recursive: true, force: true });
  }
}

interface Staged {
  readonly change: FileChange;
  readonly file: string;
}

function stage(change: FileChange, file: string): Staged {
  writeFileSync(file, change.after, { flag: 'wx' });
  return { change, file };
}

/**
 * Verifies that files can be added and removed by doing so, because permission bits are not reliable on every
 * file system. A folder that was just created needs no check.
 */
function prepareFolder(folder: string, undo: (() => void)[]): void {
  if (!makeFolder(folder, undo)) rmdirSync(mkdtempSync(join(folder, stagingPrefix)));
}

/**
 * Creates a folder with its parents, and registers their removal for a rollback. Returns false if it exists.
 * Folders are created one at a time, because Node's `recursive` never returns on file systems that cannot
 * create folders, such as `/proc`.
 */
function makeFolder(folder: string, undo: (() => void)[]): boolean {
  if (isFolder(folder)) return false;
  const above = dirname(folder);
  if (above !== folder && !existsSync(above)) makeFolder(above, undo);
  try {
    mkdirSync(folder);
  } catch (cause) {
    if (isFolder(folder)) return false; // Another run has just created it.
    throw cause;
  }
  undo.push(() => rmdirSync(folder));
  return true;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function restore(out: string, change: FileChange, created: boolean): void {
  const path = join(out, change.path);
  if (created) unlinkSync(path);
  else writeFileSync(path, change.before);
}

/** Rolls back. Continues after a step that fails, because the original error is the one that is reported. */
function takeBack(undo: readonly (() => void)[]): void {
  for (const step of [...undo].reverse()) {
    try {
      step();
    } catch {
      // Another process changed the folder meanwhile. The remaining steps are still applied.
    }
  }
}

function removeEmptyFolders(out: string, path: string): void {
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    try {
      rmdirSync(join(out, parent));
    } catch {
      return; // The folder is not empty, so it is kept.
    }
  }
}
