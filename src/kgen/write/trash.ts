/** Removal of file trees that does not delay the end of a run. */
import { spawn } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Number of files that are removed at once: some file systems take more than a millisecond for each. */
const manyFiles = 50;

/**
 * Removes a folder with its content. A large one is moved to the folder of temporary files, if that is on the
 * same file system, and another process removes it there.
 */
export function removeTree(path: string, files: number): void {
  const trash = files > manyFiles ? moved(path) : undefined;
  if (trash === undefined) {
    rmSync(path, { recursive: true, force: true });
    return;
  }
  const script = 'require("node:fs").rmSync(process.argv[1], { recursive: true, force: true })';
  const child = spawn(process.execPath, ['-e', script, trash], { detached: true, stdio: 'ignore' });
  // Without a new process, the system removes temporary files.
  child.on('error', () => undefined);
  child.unref();
}

/** Returns the temporary folder of the tree; `undefined` if it cannot be moved. */
function moved(path: string): string | undefined {
  let trash: string | undefined;
  try {
    trash = mkdtempSync(join(tmpdir(), 'kgen-removed-'));
    renameSync(path, join(trash, 'tree'));
    return trash;
  } catch {
    if (trash !== undefined) rmSync(trash, { recursive: true, force: true });
    return undefined;
  }
}
