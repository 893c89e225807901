/** Writing a file so that nobody ever sees half of it. */
import { randomBytes } from 'node:crypto';
import { chmod, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { ConfigError } from '../errors.ts';

/** Access of a new file: it holds credentials. */
const ownerOnly = 0o600;

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** The file itself where `path` is a link to it. */
async function behindLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isMissing(error)) return path;
    throw error;
  }
}

async function modeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).mode & 0o7777;
  } catch (error) {
    if (isMissing(error)) return ownerOnly;
    throw error;
  }
}

async function writeNew(path: string, text: string, mode: number): Promise<void> {
  const handle = await open(path, 'wx', ownerOnly);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  // The mask of the process does not apply to this.
  await chmod(path, mode);
}

/**
 * Replaces a file at once: a new one is written beside it and renamed. Links are followed; the access of a file that is
 * there stays, a new one is for its owner alone.
 * @throws {ConfigError} the folder cannot be written to, or the disk is full; the file is as it was
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  let temporary: string | undefined;
  try {
    const target = await behindLinks(path);
    const mode = await modeOf(target);
    temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`;
    await writeNew(temporary, text, mode);
    await rename(temporary, target);
  } catch (cause) {
    if (temporary !== undefined) await rm(temporary, { force: true });
    const code = cause instanceof Error && 'code' in cause ? cause.code : cause;
    throw new ConfigError(`cannot write the kubeconfig ${path} (${String(code)})`, { cause });
  }
}
