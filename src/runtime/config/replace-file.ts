/** Writing a file so that nobody ever sees half of it. */
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
import { codeIn, errorCodeOf } from '../error-code.ts';
import { ConfigError } from '../errors.ts';

/** Access of a new file: it holds credentials. */
const ownerOnly = 0o600;

function isMissing(error: unknown): boolean {
  return errorCodeOf(error) === 'ENOENT';
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

/** What a file that is there is like, so that the one that replaces it is like it. */
interface Access {
  readonly mode: number;
  /** `undefined` for a new file, which is whose process makes it. */
  readonly owner?: { readonly uid: number; readonly gid: number };
}

/** @throws {Error} it is there and may not be written to, whatever its folder allows */
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

/** An administrator who writes the file of a user leaves it to the user. */
async function give(fd: FileHandle, owner: Access['owner']): Promise<void> {
  const { uid, gid } = await fd.stat();
  if (owner !== undefined && (owner.uid !== uid || owner.gid !== gid)) await fd.chown(owner.uid, owner.gid);
}

async function writeNew(path: string, text: string, { mode, owner }: Access): Promise<void> {
  const fd = await open(path, 'wx', ownerOnly);
  try {
    await fd.writeFile(text);
    await give(fd, owner);
    // The mask of the process does not apply to this. After the owner: a change of that may take rights away.
    await fd.chmod(mode);
    await fd.sync();
  } finally {
    await fd.close();
  }
}

/** Codes of files that no other can take the place of: mounted ones, and those whose owner this process cannot name. */
const irreplaceable: ReadonlySet<string | undefined> = new Set(['EBUSY', 'EPERM']);

/** What is done with files; tests let it fail. */
export interface FileSystem {
  readonly rename: (from: string, to: string) => Promise<void>;
}

async function swap(target: string, text: string, { rename }: FileSystem): Promise<void> {
  const like = await accessOf(target);
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeNew(temporary, text, like);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    // What is left is to write it where it is, as kubectl always does.
    if (like.owner === undefined || !irreplaceable.has(errorCodeOf(error))) throw error;
    await writeFile(target, text, { flag: 'r+', flush: true });
    await truncate(target, Buffer.byteLength(text));
  }
}

/**
 * Replaces a file at once: a new one is written beside it and renamed. Links are followed; the owner and the access of a
 * file that is there stay, a new one is for its owner alone. A file that cannot be replaced, as one that is mounted into
 * a container, is written in place.
 * @throws {ConfigError} the file or its folder may not be written to, or the disk is full; the file is as it was,
 * unless it was being written in place
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
