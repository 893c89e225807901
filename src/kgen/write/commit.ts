/** Replacement of an output folder as a whole, which an interruption does not leave half done. */
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { FileChange, WritePlan } from './plan.ts';
import { removeTree } from './trash.ts';

/** Prefix of staging folders in the output folder. */
export const stagingPrefix = '.kgen-staging-';

/** A signal that interrupts writing, such as an `AbortSignal`. */
export interface Interruptible {
  readonly aborted: boolean;
}

/** Thrown after the folder has been restored. */
export class Interrupted extends Error {}

/**
 * Applies a plan. All files are first written to a staging folder, then folders and permissions are verified,
 * and only then files are moved into place. A failure before the moves leaves the folder unchanged; a failure
 * during the moves is rolled back, and so is an interruption at any time. Synchronous, so that no signal
 * handler of this thread interrupts it.
 *
 * @throws {Interrupted} `signal` was aborted
 * @throws errors of `node:fs`, such as EACCES or ENOSPC
 */
export function commit(out: string, plan: WritePlan, signal?: Interruptible): void {
  const changes = [...plan.create, ...plan.update];
  const undo = new Undo(out, changes, signal);
  try {
    makeFolder(out, undo);
    sweep(out);
    undo.staging = mkdtempSync(join(out, stagingPrefix));
    for (const [index, { after }] of changes.entries()) {
      undo.proceed();
      writeFileSync(join(undo.staging, String(index)), after, { flag: 'wx' });
    }
    const folders = new Set([...changes, ...plan.remove].map(({ path }) => dirname(join(out, path))));
    for (const folder of folders) prepareFolder(folder, undo);
    for (const [index, change] of changes.entries())
      replace(join(out, change.path), change, join(undo.staging, String(index)), undo);
    for (const [index, { path }] of plan.remove.entries())
      takeAway(join(out, path), join(undo.staging, `removed-${index}`), undo);
    undo.proceed();
  } catch (cause) {
    undo.run();
    throw cause;
  }
  removeTree(undo.staging, changes.length + plan.remove.length);
  for (const { path } of plan.remove) removeEmptyFolders(out, path);
}

/** Reversal of the changes so far. Files are moved into the staging folder, as removal takes longer. */
class Undo {
  /** Folder whose content is removed at the end. */
  staging: string | undefined;
  readonly #steps: (() => void)[] = [];
  readonly #created = new Set<string>();
  /** Names in each folder that the changes need. */
  readonly #names = new Map<string, Set<string>>();
  readonly #files: number;
  readonly #signal: Interruptible | undefined;

  constructor(out: string, changes: readonly FileChange[], signal: Interruptible | undefined) {
    this.#files = changes.length;
    this.#signal = signal;
    for (const { path } of changes) {
      for (let inner = join(out, path); inner !== dirname(inner); inner = dirname(inner)) {
        const names = this.#names.get(dirname(inner)) ?? new Set();
        this.#names.set(dirname(inner), names.add(basename(inner)));
      }
    }
  }

  /** @throws {Interrupted} the signal was aborted */
  proceed(): void {
    if (this.#signal?.aborted === true) throw new Interrupted();
  }

  /** Adds a step, unless the file is in a folder that is taken back as a whole. */
  add(path: string, step: () => void): void {
    if (!this.#isInCreated(path)) this.#steps.push(step);
  }

  addFolder(folder: string): void {
    if (this.#isInCreated(folder)) return;
    this.#created.add(folder);
    this.#steps.push(() => this.#takeBack(folder));
  }

  /** Continues after a step that fails, because the original error is the one that is reported. */
  run(): void {
    const cleaning = (): void => {
      if (this.staging !== undefined) removeTree(this.staging, this.#files);
    };
    for (const step of [...[...this.#steps].reverse(), cleaning]) attempt(step);
  }

  #isInCreated(path: string): boolean {
    for (let above = dirname(path); above !== dirname(above); above = dirname(above))
      if (this.#created.has(above)) return true;
    return false;
  }

  /** Another process may have added files, which stay. */
  #takeBack(folder: string): void {
    const own = this.#names.get(folder) ?? new Set();
    const others = readdirSync(folder).filter((name) => !own.has(name) && !name.startsWith(stagingPrefix));
    if (others.length === 0) this.#discard(folder);
    else for (const name of own) attempt(() => this.#discard(join(folder, name)));
  }

  #discard(path: string): void {
    const { staging } = this;
    const isInside = staging !== undefined && !staging.startsWith(path);
    if (isInside) renameSync(path, mkdtempSync(join(staging, 'discarded-')));
    else removeTree(path, this.#files);
  }
}

function attempt(step: () => void): void {
  try {
    step();
  } catch {
    // Another process changed the folder meanwhile. The remaining steps are still applied.
  }
}

/** Moves a file into place. The former one stays in the staging folder until the end. */
function replace(path: string, { before }: FileChange, file: string, undo: Undo): void {
  undo.proceed();
  const former = `${file}-former`;
  const isKept = isLinked(path, former);
  renameSync(file, path);
  undo.add(path, () => {
    if (!isKept && before !== '') return writeFileSync(path, before);
    if (!isKept) return renameSync(path, file);
    linkSync(path, file);
    renameSync(former, path);
  });
}

/** Links a file. Returns false if it does not exist, or if the file system has no links. */
function isLinked(path: string, link: string): boolean {
  try {
    linkSync(path, link);
    return true;
  } catch {
    return false;
  }
}

function takeAway(path: string, file: string, undo: Undo): void {
  undo.proceed();
  renameSync(path, file);
  undo.add(path, () => renameSync(file, path));
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

/**
 * Verifies that files can be added and removed by doing so, because permission bits are not reliable on every
 * file system. A folder that was just created needs no check.
 */
function prepareFolder(folder: string, undo: Undo): void {
  undo.proceed();
  if (!makeFolder(folder, undo)) rmdirSync(mkdtempSync(join(folder, stagingPrefix)));
}

/**
 * Creates a folder with its parents, and registers their removal for a rollback. Returns false if it exists.
 * Folders are created one at a time, because Node's `recursive` never returns on file systems that cannot
 * create folders, such as `/proc`.
 */
function makeFolder(folder: string, undo: Undo): boolean {
  if (isFolder(folder)) return false;
  const above = dirname(folder);
  if (above !== folder && !existsSync(above)) makeFolder(above, undo);
  try {
    mkdirSync(folder);
  } catch (cause) {
    if (isFolder(folder)) return false; // Another run has just created it.
    throw cause;
  }
  undo.addFolder(folder);
  return true;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
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
