/** Atomic replacement of files. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import {
  access,
  type FileHandle,
  open,
  realpath,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { ConfigError } from '../../api/errors.ts';
import { codeIn, errorCodeOf } from '../../common/error-code.ts';

/** Mode of a new file: it contains credentials. */
const ownerOnly = 0o600;

/** Mode and owner of an existing file, which its replacement keeps. */
interface Access {
  readonly mode: number;
  /** `undefined` for a new file, which belongs to the user of this process. */
  readonly owner?: { readonly uid: number; readonly gid: number };
}

/** Codes of files that cannot be replaced: mounted ones, and those whose owner this process cannot set. */
const irreplaceable: ReadonlySet<string | undefined> = new Set(['EBUSY', 'EPERM']);

/** File operations, replaceable in tests. */
export interface FileSystem {
  readonly rename: (from: string, to: string) => Promise<void>;
}

/**
 * Replaces a file atomically: writes a new file in its folder and renames it. Links are followed; owner and
 * mode of an existing file are kept, a new one is accessible only by its owner. A file that cannot be
 * replaced, such as one mounted into a container, is written in place.
 * @throws {ConfigError} if the file or its folder may not be written to, or the disk is full; the file is
 * unchanged then, unless it was being written in place
 */
export async function replaceFile(
  path: string,
  text: string,
  fileSystem: FileSystem = { rename },
): Promise<void> {
  try {
    await swap(await behindLinks(path), text, fileSystem);
  } catch (cause) {
    throw new ConfigError(`cannot write the kubeconfig ${path}${codeIn(cause)}`, { cause });
  }
}

async function swap(target: string, text: string, { rename }: FileSystem): Promise<void> {
  const like = await accessOf(target);
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeNew(temporary, text, like);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    // The remaining way is to write the file in place, as kubectl always does.
    if (like.owner === undefined || !irreplaceable.has(errorCodeOf(error))) throw error;
    await writeFile(target, text, { flag: 'r+', flush: true });
    await truncate(target, Buffer.byteLength(text));
  }
}

/** @throws {Error} if the file exists and may not be written to, even if its folder may */
async function accessOf(path: string): Promise<Access> {
  try {
    const { mode, uid, gid } = await stat(path);
    await access(path, constants.W_OK);
    return { mode: mode & 0o7777, owner: { uid, gid } };
  } catch (error) {
    if (isMissing(error)) return { mode: ownerOnly };
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return errorCodeOf(error) === 'ENOENT';
}

async function writeNew(path: string, text: string, { mode, owner }: Access): Promise<void> {
  const fd = await open(path, 'wx', ownerOnly);
  try {
    await fd.writeFile(text);
    await give(fd, owner);
    // The umask does not apply to chmod. Called after chown, which may clear mode bits.
    await fd.chmod(mode);
    await fd.sync();
  } finally {
    await fd.close();
  }
}

/** An administrator who writes the file of a user keeps its owner. */
async function give(fd: FileHandle, owner: Access['owner']): Promise<void> {
  const { uid, gid } = await fd.stat();
  if (owner !== undefined && (owner.uid !== uid || owner.gid !== gid)) await fd.chown(owner.uid, owner.gid);
}

/** Returns the target of `path` if it is a symbolic link. */
async function behindLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isMissing(error)) return path;
    throw error;
  }
}
