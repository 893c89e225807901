/** Watch of the inputs of `kgen manifests`. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ParsedFiles } from '../codemod/compiler-host.ts';
import { hashOfReads, RecordedDisk } from '../input/modules/disk.ts';
import { FolderWatcher } from '../input/modules/folder-watcher.ts';
import { type ManifestsOptions, type ManifestsResult, sourcesOf, writeManifests } from './manifests.ts';
import { outputOf } from './output.ts';

/** Time within which an editor writes all files of a change, in milliseconds. */
const settleMs = 20;

/**
 * Runs `manifests` now, and after each change of a module, of a file that it imports, or of a configuration
 * of the compiler; also if modules are added or removed. Results with errors do not end the watch. Parsed
 * files are kept between runs. The configuration of kgen is not read again.
 * @param onResult called after each run
 * @param signal ends the watch, after which no result follows
 * @returns a promise that is fulfilled at the end
 * @throws {Error} with a `code` if the system cannot watch files, as with too few watches of inotify (ENOSPC)
 */
export async function watchManifests(
  options: Omit<ManifestsOptions, 'cacheFolder'>,
  onResult: (result: ManifestsResult) => void,
  signal: AbortSignal,
): Promise<void> {
  const parsed: ParsedFiles = new Map();
  const watcher = new FolderWatcher();
  const end = (): void => watcher.close();
  signal.addEventListener('abort', end);
  try {
    while (!signal.aborted) {
      const found = sourcesOf(options);
      const disk = new RecordedDisk();
      const output = await outputOf(found.value, disk, parsed);
      if (signal.aborted) return;
      onResult(writeManifests({ ...output, problems: [...found.problems, ...output.problems] }, options));
      const before = JSON.stringify([found, disk.hash]);
      const isChanged = (): boolean =>
        JSON.stringify([sourcesOf(options), hashOfReads(disk.reads)]) !== before;
      await changeOf(watcher, () => [...sourcesOf(options).folders, ...disk.folders], isChanged);
    }
  } finally {
    signal.removeEventListener('abort', end);
    watcher.close();
  }
}

/** Resolves after a change, or when the watcher is closed. Events only cause a comparison. */
async function changeOf(
  watcher: FolderWatcher,
  folders: () => readonly string[],
  isChanged: () => boolean,
): Promise<void> {
  while (!watcher.isClosed) {
    const event = watcher.nextEvent();
    // New folders may have changed before they were watched.
    watcher.watch(folders());
    if (isChanged()) return;
    await event;
    await delay(settleMs);
  }
}
