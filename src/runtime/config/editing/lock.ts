/** Lock files in the format of client-go: the process that creates `<file>.lock` may write `<file>`. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../../api/errors.ts';
import { errorCodeOf } from '../../common/error-code.ts';

/**
 * Maximum wait for the lock of another process, in milliseconds; kubectl holds one for a few milliseconds.
 */
const waitMs = 5_000;
/** Milliseconds between two attempts. */
const pauseMs = 25;

/** Codes of folders that this process may not write to: files in them need no lock. */
const readOnly: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS']);

/**
 * Runs `work` while holding the locks of files. They are acquired in the order of their names, which prevents
 * deadlocks.
 * @param work receives the locked files: those in folders that cannot be written to are missing
 * @throws {ConfigError} if another process holds a lock for longer than five seconds, or a lock cannot be
 * created
 */
export async function withLocks<T>(
  files: readonly string[],
  work: (locked: ReadonlySet<string>) => Promise<T>,
  giveUpMs: number = waitMs,
): Promise<T> {
  const locked = new Set<string>();
  try {
    for (const file of [...new Set(files)].sort()) {
      if (await lock(`${file}.lock`, giveUpMs)) locked.add(file);
    }
    return await work(locked);
  } finally {
    // The work is done: the next change reports a lock that could not be removed.
    await Promise.allSettled([...locked].map((file) => rm(`${file}.lock`, { force: true })));
  }
}

/** Returns whether the lock was acquired; false in a folder that cannot be written to. */
async function lock(path: string, giveUpMs: number): Promise<boolean> {
  const until = Date.now() + giveUpMs;
  for (;;) {
    const state = await tryLock(path);
    if (state !== 'busy') return state === 'held';
    if (Date.now() >= until) {
      throw new ConfigError(
        `${path} exists: another program is writing the kubeconfig; remove the file if no program is`,
      );
    }
    await sleep(pauseMs);
  }
}

/** Tries to acquire a lock. `busy`: another process holds it. */
async function tryLock(path: string): Promise<'held' | 'busy' | 'read-only'> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    await writeFile(path, '', { flag: 'wx', mode: 0o600 });
    return 'held';
  } catch (cause) {
    const code = errorCodeOf(cause);
    // A folder that cannot be created because a file has its name has the same code.
    if (code === 'EEXIST' && isSyscall(cause, 'open')) return 'busy';
    if (readOnly.has(code)) return 'read-only';
    throw new ConfigError(`cannot create the lock ${path} (${String(code)})`, { cause });
  }
}

function isSyscall(error: unknown, name: string): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === name;
}
