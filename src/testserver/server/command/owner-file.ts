/** Files with credentials or Secrets, which only their owner may read. */
import { accessSync, constants, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '@kgen/schema/values/thrown';

/**
 * Replaces a file atomically.
 * @throws {Error} names the file; an earlier one is unchanged
 */
export function writeOwnerFile(path: string, content: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    rmSync(temporary, { force: true });
    writeFileSync(temporary, content, { flag: 'wx', mode: 0o600, flush: true });
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw new Error(`cannot write ${path}: ${messageOf(cause)}`, { cause });
  }
}

/**
 * Checks that a state can be written at the end of the process.
 * @throws {Error} the folder is not writable, or the file is not a state
 */
export function checkState(path: string): void {
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch (cause) {
    throw new Error(`cannot write ${path}: ${messageOf(cause)}`, { cause });
  }
  if (!existsSync(path) || /^\s*\{\s*"kind"\s*:\s*"TestServerState"/.test(readFileSync(path, 'utf8'))) return;
  throw new Error(`${path} is not a state that --save has written: remove it, or choose another file`);
}
