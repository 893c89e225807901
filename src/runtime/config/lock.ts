/** Locks beside files, as client-go makes them: whoever creates `<file>.lock` may write `<file>`. */
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCodeOf } from '../error-code.ts';
import { ConfigError } from '../errors.ts';

/** Milliseconds that a lock of somebody else is waited for; kubectl holds one for a few of them. */
const waitMs = 5_000;
/** Milliseconds between two tries. */
const pauseMs = 25;

function isSyscall(error: unknown, name: string): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === name;
}

/** Codes of folders that nobody may write to, us included: what is in them needs no lock. */
const readOnly: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** `busy`: somebody else has the lock. */
async function tryLock(path: string): Promise<'held' | 'busy' | 'read-only'> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    const handle = await open(path, 'wx', 0o600);
    await handle.close();
    return 'held';
  } catch (cause) {
    const code = errorCodeOf(cause);
    // A folder that cannot be made because a file has its name is called the same.
    if (code === 'EEXIST' && isSyscall(cause, 'open')) return 'busy';
    if (readOnly.has(code)) return 'read-only';
    throw new ConfigError(`cannot make the lock ${path} (${String(code)})`, { cause });
  }
}

/** Whether the lock is held now; no where it cannot be. */
async function lock(path: string, giveUpMs: number): Promise<boolean> {
  const until = Date.now() + giveUpMs;
  for (;;) {
    const state = await tryLock(path);
    if (state !== 'busy') return state === 'held';
    if (Date.now() >= until) {
      throw new ConfigError(
        `${path} is there: another program is writing the kubeconfig; remove it if there is none`,
      );
    }
    await sleep(pauseMs);
  }
}

/**
 * Does something while holding the locks of files. They are taken in the order of their names, so that two who want the
 * same ones do not wait for each other.
 * @param work is told which files are locked: not those in folders that cannot be written to
 * @throws {ConfigError} a lock is held by somebody else for longer than five seconds, or cannot be made
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
    // What was done is done: a lock that stays behind is named by the next change, which waits for it.
    await Promise.allSettled([...locked].map((file) => rm(`${file}.lock`, { force: true })));
  }
}
