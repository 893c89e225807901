/** Writing changes into files that others write too. */
import { access } from 'node:fs/promises';
import { ConfigError } from '../errors.ts';
import { type Change, contentsOf } from './change.ts';
import { type KubeconfigFile, openKubeconfigFile } from './files.ts';
import { withLocks } from './lock.ts';
import { replaceFile } from './replace-file.ts';

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    // Reading it will say what is wrong, if it is not just absent.
    () => false,
  );
}

/** The files to lock: all that are there, since kubectl does not write at once; where none is, the one to be made. */
async function toLock(paths: readonly string[]): Promise<readonly string[]> {
  const there = await Promise.all(paths.map(isThere));
  const found = paths.filter((_, index) => there[index]);
  return found.length > 0 ? found : paths.slice(-1);
}

function whyUnlocked(path: string, wanted: readonly string[]): string {
  return wanted.includes(path)
    ? 'this process may not write to its folder, where the lock goes that others wait for'
    : 'another program has made it just now; write again';
}

/**
 * Makes changes in files as they are on disk now, under their locks.
 * @returns the files as they are afterwards
 * @throws {ConfigError} a change is not possible, or a file cannot be read, locked or written
 */
export async function writeChanges(
  paths: readonly string[],
  changes: readonly Change[],
): Promise<readonly KubeconfigFile[]> {
  const wanted = await toLock(paths);
  return withLocks(wanted, async (locked) => {
    const files = await Promise.all(paths.map(openKubeconfigFile));
    // A file that is no kubeconfig is not written to.
    contentsOf(files);
    for (const change of changes) change(files);
    const changed = files.filter(({ document }) => document.changed);
    for (const { path } of changed) {
      if (!locked.has(path)) {
        throw new ConfigError(`cannot write the kubeconfig ${path}: ${whyUnlocked(path, wanted)}`);
      }
    }
    for (const { path, document } of changed) await replaceFile(path, document.toString());
    return Promise.all(files.map((file) => (file.document.changed ? openKubeconfigFile(file.path) : file)));
  });
}
