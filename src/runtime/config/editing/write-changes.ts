/** Writes changes to kubeconfig files that other programs write too. */
import { access } from 'node:fs/promises';
import { ConfigError } from '../../api/errors.ts';
import { type KubeconfigFile, openKubeconfigFile } from '../kubeconfig/files.ts';
import { type Change, contentsOf } from './change.ts';
import { withLocks } from './lock.ts';
import { replaceFile } from './replace-file.ts';

/**
 * Applies changes to the current content of files, while holding their locks.
 * @returns the files after the changes
 * @throws {ConfigError} if a change is not possible, or a file cannot be read, locked or written
 */
export async function writeChanges(
  paths: readonly string[],
  changes: readonly Change[],
): Promise<readonly KubeconfigFile[]> {
  const requested = await toLock(paths);
  return withLocks(requested, async (locked) => {
    const files = await Promise.all(paths.map(openKubeconfigFile));
    // Throws for a file that is not a kubeconfig, before it is written to.
    contentsOf(files);
    for (const change of changes) change(files);
    const changed = files.filter(({ document }) => document.changed);
    for (const { path } of changed) {
      if (!locked.has(path)) {
        throw new ConfigError(`cannot write the kubeconfig ${path}: ${whyUnlocked(path, requested)}`);
      }
    }
    for (const { path, document } of changed) await replaceFile(path, document.toString());
    return Promise.all(files.map((file) => (file.document.changed ? openKubeconfigFile(file.path) : file)));
  });
}

function whyUnlocked(path: string, requested: readonly string[]): string {
  return requested.includes(path)
    ? 'its folder, which needs a lock file, is not writable for this process'
    : 'another program has just created it; write again';
}

/**
 * Returns the files to lock: all that exist, since kubectl does not write atomically; if none exists, the one
 * to create.
 */
async function toLock(paths: readonly string[]): Promise<readonly string[]> {
  const there = await Promise.all(paths.map(isThere));
  const found = paths.filter((_, index) => there[index]);
  return found.length > 0 ? found : paths.slice(-1);
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    // Reading the file reports other errors than its absence.
    () => false,
  );
}
