/** Runs that are repeated after changes of the files that they have read. */
import { type FSWatcher, statSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hashOfReads, type RecordedDisk } from '../input/modules/disk.ts';

/** Time within which an editor writes all files of a change, in milliseconds. */
const settleMs = 20;

/** Files that a run has read. */
export interface FollowedReads {
  /** Folders in which a change may concern the run. */
  readonly folders: () => readonly string[];
  /** Returns whether a run would read something else by now. */
  readonly isChanged: () => boolean;
}

/**
 * Calls `run` now, and again after each change of the files that it has read.
 * @param signal ends the watch
 * @returns a promise that is fulfilled at the end
 * @throws whatever `run` throws, and {Error} with a `code` if the system cannot watch files, as with too few
 * watches of inotify (ENOSPC)
 */
export async function followChanges(run: () => Promise<FollowedReads>, signal: AbortSignal): Promise<void> {
  const watcher = new FolderWatcher();
  const end = (): void => watcher.close();
  signal.addEventListener('abort', end);
  try {
    while (!signal.aborted) {
      const reads = await run();
      if (!signal.aborted) await changeOf(watcher, reads);
    }
  } finally {
    signal.removeEventListener('abort', end);
    watcher.close();
  }
}

/** Resolves after a change, or when the watcher is closed. Events only cause a comparison. */
async function changeOf(watcher: FolderWatcher, { folders, isChanged }: FollowedReads): Promise<void> {
  while (!watcher.isClosed) {
    const event = watcher.nextEvent();
    // New folders may have changed before they were watched.
    watcher.watch(folders());
    if (isChanged()) return;
    await event;
    await delay(settleMs);
  }
}

/**
 * Returns the reads of a run through disks that record them, and of a search for files.
 * @param found result of the search before the run: files that were added during the run are a change
 */
export function recordedReads<Found extends { readonly folders: readonly string[] }>(
  disks: readonly RecordedDisk[],
  found: Found,
  search: () => Found,
): FollowedReads {
  const before = JSON.stringify([found, disks.map(({ hash }) => hash)]);
  return {
    folders: () => [...search().folders, ...disks.flatMap((disk) => disk.folders)],
    isChanged: () => JSON.stringify([search(), disks.map(({ reads }) => hashOfReads(reads))]) !== before,
  };
}

/** Watches folders, without those in them. */
class FolderWatcher {
  /** By path; a folder that is created again has another identity. */
  readonly #watchers = new Map<string, { readonly identity: string; readonly watcher: FSWatcher }>();
  #isClosed = false;
  #notify: () => void = () => undefined;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Returns a promise of the next event, which is fulfilled by `close`, too. Replaces an earlier promise. */
  nextEvent(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#notify = resolve;
    });
  }

  /**
   * Watches exactly these folders; in place of a missing one, its nearest ancestor.
   * @throws {Error} with a `code` if the system has no more watches
   */
  watch(folders: readonly string[]): void {
    if (this.#isClosed) return;
    const present = new Map(folders.map(nearest));
    for (const [path, { identity, watcher }] of this.#watchers) {
      if (present.get(path) === identity) continue;
      watcher.close();
      this.#watchers.delete(path);
    }
    for (const [path, identity] of present) {
      if (this.#watchers.has(path)) continue;
      const watcher = watch(path, () => this.#notify());
      watcher.on('error', () => this.#notify());
      this.#watchers.set(path, { identity, watcher });
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const { watcher } of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    this.#notify();
  }
}

function nearest(path: string): readonly [path: string, identity: string] {
  try {
    const { dev, ino, birthtimeMs } = statSync(path);
    return [path, `${dev} ${ino} ${birthtimeMs}`]; // Numbers of inodes are used again.
  } catch {
    const parent = dirname(path);
    return parent === path ? [path, ''] : nearest(parent);
  }
}
