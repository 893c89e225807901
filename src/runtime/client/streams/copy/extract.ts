/**
 * Extraction of an untrusted archive into a folder. Only regular files and directories are created; nothing
 * is written outside of the folder, nor through a link.
 */
import { constants } from 'node:fs';
import { copyFile, type FileHandle, link, lstat, mkdir, open, unlink } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { errorCodeOf } from '../../../common/error-code.ts';
import type { TarEntry, TarEvent, TarKind } from './tar-read.ts';

/** Numbers of extracted files and bytes, and the entries that were skipped. */
export interface Extracted {
  readonly files: number;
  readonly bytes: number;
  /** Entries that were not created, with the reason. */
  readonly skipped: readonly string[];
}

/** Options of an extraction. */
export interface ExtractionOptions {
  /** Whether files have the permissions of the archive. Default: true. */
  readonly preservePermissions?: boolean | undefined;
  /** Maximum sum of the sizes of files. Default: no limit. */
  readonly maxBytes?: number | undefined;
}

const notFollowed: number = constants.O_NOFOLLOW ?? 0;
const created = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | notFollowed;

/** Characters of a path in messages, as many as Linux allows. */
const pathCharacters = 4096;

/** Creates the entries of an archive. */
export class Extraction {
  /** Entries that were not created because of a local file, with the reason. Part of the skipped ones. */
  readonly conflicts: string[] = [];
  /** Symbolic links that were not created. Part of the skipped ones. */
  readonly links: string[] = [];
  readonly #folder: string;
  readonly #relative: (path: string) => readonly string[] | undefined;
  readonly #options: ExtractionOptions;
  readonly #skipped: string[] = [];
  /** Files of this extraction. */
  readonly #created: Set<string> = new Set();
  /** Files of this extraction by device and inode: on some file systems two names are one file. */
  readonly #inodes: Map<string, string> = new Map();
  #file: FileHandle | undefined;
  /** Bytes of the open file, and the end of the data that has been written. */
  #size = 0;
  #end = 0;
  #files = 0;
  #bytes = 0;
  #announced = 0;

  /**
   * @param relative returns the parts of the path below the folder for the path of an entry; an empty list
   * for the folder itself, and `undefined` for a path that does not belong to the archive
   */
  constructor(
    folder: string,
    relative: (path: string) => readonly string[] | undefined,
    options: ExtractionOptions = {},
  ) {
    this.#folder = folder;
    this.#relative = relative;
    this.#options = options;
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

  async #begin(entry: TarEntry): Promise<void> {
    const { kind, path, size } = entry;
    const parts = this.#relative(path);
    if (parts === undefined)
      throw new Error(`the archive contains ${JSON.stringify(shortened(path))}, which was not requested`);
    const source = kind === 'link' ? this.#sourceOf(entry.target) : undefined;
    const isKnown = kind === 'file' || kind === 'directory' || source !== undefined;
    const problem = isKnown ? invalidPart(parts, kind) : `is a ${kind}`;
    if (kind === 'symlink') this.links.push(shortened(path));
    if (problem !== undefined) return this.#skip(path, problem);
    this.#announce(size);
    const folders = kind === 'directory' ? parts : parts.slice(0, -1);
    const folder = await this.#enter(folders, path);
    const name = parts.at(-1);
    if (folder === undefined || kind === 'directory' || name === undefined) return;
    this.#size = size;
    this.#end = 0;
    const target = join(folder, name);
    if (source === target || !(await this.#isFree(target, path))) return;
    await (source === undefined ? this.#create(target, entry) : linkOrCopy(source, target));
    await this.#record(target);
  }

  /** Returns the file of this extraction to which a hard link refers. */
  #sourceOf(target: string): string | undefined {
    const parts = this.#relative(target);
    const source = parts && join(this.#folder, ...parts);
    return source !== undefined && this.#created.has(source) ? source : undefined;
  }

  /** The size precedes the content, so that nothing is written of a file that is too large. */
  #announce(size: number): void {
    const { maxBytes = Number.POSITIVE_INFINITY } = this.#options;
    this.#announced += size;
    if (this.#announced > maxBytes) throw new Error(`the files have more than ${maxBytes} bytes (maxBytes)`);
  }

  #skip(path: string, problem: string): void {
    this.#skipped.push(`${shortened(path)}: ${problem}`);
  }

  /** Skips an entry because of a local file. */
  #keep(path: string, problem: string): false {
    this.#skip(path, problem);
    this.conflicts.push(`${shortened(path)}: ${problem}`);
    return false;
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
          this.#keep(path, `${part} exists and is not a folder`);
          return undefined;
        }
      }
    }
    return folder;
  }

  /** Removes a file that an entry replaces. Returns false for anything else, which is kept. */
  async #isFree(target: string, path: string): Promise<boolean> {
    const existing = await lstat(target).catch(() => undefined);
    if (existing === undefined) return true;
    if (!existing.isFile()) return this.#keep(path, 'exists and is not a regular file');
    const other = this.#inodes.get(`${existing.dev} ${existing.ino}`);
    if (other !== undefined && !this.#created.has(target))
      return this.#keep(path, `is the same file as ${other} here`);
    await unlink(target);
    return true;
  }

  async #create(target: string, { mode }: TarEntry): Promise<void> {
    const { preservePermissions = true } = this.#options;
    this.#file = await open(target, created, preservePermissions ? mode & 0o777 : 0o666);
  }

  async #record(target: string): Promise<void> {
    const { dev, ino } = await (this.#file?.stat() ?? lstat(target));
    const inode = `${dev} ${ino}`;
    if (!this.#inodes.has(inode)) this.#inodes.set(inode, target);
    this.#created.add(target);
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
function invalidPart(parts: readonly string[], kind: TarKind): string | undefined {
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
  if (invalid === undefined && (parts.length > 0 || kind === 'directory')) return undefined;
  return 'leads out of the folder';
}

/** Creates a name of a file that has been extracted. Not all file systems have hard links. */
async function linkOrCopy(source: string, target: string): Promise<void> {
  try {
    await link(source, target);
  } catch {
    await copyFile(source, target, constants.COPYFILE_EXCL);
  }
}

/** Returns a path for messages, which programs may keep. */
function shortened(path: string): string {
  return path.length <= pathCharacters ? path : `${path.slice(0, pathCharacters)}…`;
}
