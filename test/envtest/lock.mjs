import { rm, stat, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const beatMs = 5_000;
const staleMs = 60_000;
const pollMs = 1_000;

/**
 * Runs `work` while it holds the lock file `path`, which the holder touches every few seconds. A lock that
 * has not been touched for a minute belongs to a terminated process, and is taken over.
 *
 * The lock only avoids duplicate work: builds rename finished files into place, so two concurrent builds
 * would be slow, not wrong.
 *
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 * @param {{ onWait?: () => void, signal?: AbortSignal }} [options] `onWait` is called once if another process
 * holds the lock; `signal` ends the wait.
 * @returns {Promise<T>}
 */
export async function withLock(path, work, options = {}) {
  await acquire(path, options);
  const beat = setInterval(() => void touch(path), beatMs);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await rm(path, { force: true });
  }
}

async function acquire(path, { onWait, signal }) {
  for (let waited = false; !(await create(path)); waited = true) {
    if (!waited) onWait?.();
    if (await isStale(path)) await rm(path, { force: true });
    else await delay(pollMs, undefined, { signal });
  }
}

async function create(path) {
  try {
    await writeFile(path, `${process.pid}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

async function isStale(path) {
  try {
    return Date.now() - (await stat(path)).mtimeMs > staleMs;
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

async function touch(path) {
  const now = new Date();
  // A lock that another process took over or removed is not restored: the build continues without it.
  await utimes(path, now, now).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
