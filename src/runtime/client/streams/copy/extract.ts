/**
 * Extraction of an untrusted archive into a folder. Only regular files and directories are created; nothing
 * is written outside of the folder, nor through a link.
 */
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, unlink } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { errorCodeOf } from '../../../common/error-code.ts';
import type { TarEntry, TarEvent } from './tar-read.ts';

/** Result of an extraction. */
export interface Extracted {
  readonly files: number;
  readonly bytes: number;
  /** Entries that were not created, with the reason. */
  readonly skipped: readonly string[];
}

const notFollowed: number = constants.O_NOFOLLOW ?? 0;
const created = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | notFollowed;

/** Creates the entries of an archive. */
export class Extraction {
  readonly #folder: string;
  readonly #relative: (path: string) => readonly string[] | undefined;
  readonly #skipped: string[] = [];
  /** Files of this extraction by device and inode: on some file systems two names are one file. */
  readonly #inodes: Map<string, string> = new Map();
  #file: FileHandle | undefined;
  /** Bytes of the open file, and the end of the data that has been written. */
  #size = 0;
  #end = 0;
  #files = 0;
  #bytes = 0;

  /**
   * @param relative returns the parts of the path below the folder for the path of an entry; an empty list
   * for the folder itself, and `undefined` for a path that does not belong to the archive
   */
  constructor(folder: string, relative: (path: string) => readonly string[] | undefined) {
    this.#folder = folder;
    this.#relative = relative;
  }

  get result(): Extracted {
    return { files: this.#files, bytes: this.#bytes, skipped: this.#skipped };
  }

  /** @throws {Error} for an entry that does not belong to the archive, and for errors of the file system */
  async add(event: TarEvent): Promise<void> {
    if (event.type === 'entry') await this.#begin(event.entry);
    else if (event.type === 'data') await this.#write(event.bytes, event.at);
    else if (event.type === 'close') await this.#complete();
  }

  /** A file that ends with a hole is extended to its size, and the hole needs no space. */
  async #complete(): Promise<void> {
    if (this.#end < this.#size) await this.#file?.truncate(this.#size);
    await this.close();
  }

  /** Closes the open file. */
  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  async #begin({ kind, path, mode, size }: TarEntry): Promise<void> {
    const parts = this.#relative(path);
    if (parts === undefined)
      throw new Error(`the archive contains ${JSON.stringify(path)}, which was not requested`);
    const problem = kind === 'file' || kind === 'directory' ? invalidPart(parts) : `is a ${kind}`;
    if (problem !== undefined) return this.#skip(path, problem);
    const folders = kind === 'directory' ? parts : parts.slice(0, -1);
    const target = await this.#enter(folders, path);
    const name = parts.at(-1);
    if (target === undefined || kind === 'directory' || name === undefined) return;
    this.#size = size;
    this.#end = 0;
    await this.#create(join(target, name), path, mode);
  }

  #skip(path: string, problem: string): void {
    this.#skipped.push(`${path}: ${problem}`);
  }

  /** Creates the missing folders of a path. An existing one must be a folder, and not a link to one. */
  async #enter(parts: readonly string[], path: string): Promise<string | undefined> {
    let folder = this.#folder;
    await mkdir(folder, { recursive: true, mode: 0o755 });
    for (const part of parts) {
      folder = join(folder, part);
      try {
        await mkdir(folder, { mode: 0o755 });
      } catch (error) {
        if (errorCodeOf(error) !== 'EEXIST') throw error;
        if (!(await lstat(folder)).isDirectory()) {
          this.#skip(path, `${part} exists and is not a folder`);
          return undefined;
        }
      }
    }
    return folder;
  }

  async #create(target: string, path: string, mode: number): Promise<void> {
    try {
      this.#file = await open(target, created, mode & 0o777);
    } catch (error) {
      if (errorCodeOf(error) !== 'EEXIST') throw error;
      const existing = await lstat(target);
      if (!existing.isFile()) return this.#skip(path, 'exists and is not a regular file');
      const other = this.#inodes.get(`${existing.dev} ${existing.ino}`);
      if (other !== undefined && other !== target)
        return this.#skip(path, `is the same file as ${other} here`);
      await unlink(target);
      this.#file = await open(target, created, mode & 0o777);
    }
    const { dev, ino } = await this.#file.stat();
    this.#inodes.set(`${dev} ${ino}`, target);
    this.#files += 1;
  }

  /** Content of skipped files is ignored. */
  async #write(bytes: Uint8Array, at: number): Promise<void> {
    if (this.#file === undefined) return;
    this.#bytes += bytes.length;
    this.#end = at + bytes.length;
    for (let rest = bytes; rest.length > 0; ) {
      const { bytesWritten } = await this.#file.write(rest, 0, rest.length, this.#end - rest.length);
      rest = rest.subarray(bytesWritten);
    }
  }
}

/** Returns why a path cannot be created below a folder on any system. */
function invalidPart(parts: readonly string[]): string | undefined {
  const invalid = parts.find(
    (part) =>
      part === '' ||
      part === '.' ||
      part === '..' ||
      part.includes('\0') ||
      part.includes('/') ||
      part.includes(sep) ||
      (sep === '\\' && part.includes(':')),
  );
  return invalid === undefined ? undefined : 'leads out of the folder';
}
