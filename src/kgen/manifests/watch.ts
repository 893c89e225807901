/** Watch of the inputs of `kgen manifests`. */
import type { ParsedFiles } from '../codemod/compiler-host.ts';
import { RecordedDisk } from '../input/modules/disk.ts';
import { followChanges, recordedReads } from './follow-changes.ts';
import {
  type ConfiguredOptions,
  type ManifestsResult,
  sourcesOf,
  type writeDefinitions,
  writeManifests,
} from './manifests.ts';
import { outputOf } from './output.ts';

/** Options of a run, which are read again before each. */
export type WatchedOptions = Omit<ConfiguredOptions, 'cacheFolder'>;

/**
 * Runs `manifests` now, and after each change of a module, of a file that it imports, or of a configuration
 * of the compiler or of kgen; also if modules are added or removed. Results with errors do not end the watch.
 * Parsed files are kept between runs.
 * @param read returns the options, and reads their file through the disk
 * @param onResult called after each run
 * @param signal ends the watch, after which no result follows
 * @returns a promise that is fulfilled at the end
 * @throws {Error} with a `code` if the system cannot watch files, as with too few watches of inotify (ENOSPC)
 */
export async function watchManifests(
  read: (disk: RecordedDisk) => Promise<WatchedOptions>,
  onResult: (result: ManifestsResult) => void,
  signal: AbortSignal,
): Promise<void> {
  const parsed: ParsedFiles = new Map();
  await followChanges(async () => {
    const disk = new RecordedDisk();
    const options = await read(disk);
    const found = sourcesOf(options);
    const result = await recordedManifests(options, disk, parsed);
    if (!signal.aborted) onResult(result);
    return recordedReads([disk], found, () => sourcesOf(options));
  }, signal);
}

/**
 * Runs `manifests` with files that are read through a disk, and keeps those that the compiler has parsed.
 * @param write default: everything
 */
export async function recordedManifests(
  options: WatchedOptions,
  disk: RecordedDisk,
  parsed: ParsedFiles,
  write: typeof writeManifests | typeof writeDefinitions = writeManifests,
): Promise<ManifestsResult> {
  const found = sourcesOf(options);
  const output = await outputOf(found.value, disk, parsed);
  return write({ ...output, problems: [...found.problems, ...output.problems] }, options);
}
