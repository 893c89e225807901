/** Access of compilers to files, and records of it. */
import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { sha256 } from '../../common/cache/cache-entry.ts';

/** Reads of files and folders. Whatever cannot be read is absent. */
export interface Disk {
  readonly readFile: (path: string) => string | undefined;
  readonly fileExists: (path: string) => boolean;
  readonly directoryExists: (path: string) => boolean;
  /** Returns the names of the folders in a folder. */
  readonly getDirectories: (path: string) => string[];
  /** Returns the path without links; the path itself if it cannot be resolved. */
  readonly realpath: (path: string) => string;
}

/** The files of the system. */
export const systemDisk: Disk = {
  readFile: (path) => attempt(() => readFileSync(path, 'utf8').replace(/^\ufeff/, ''), undefined),
  fileExists: (path) => attempt(() => statSync(path).isFile(), false),
  directoryExists: (path) => attempt(() => statSync(path).isDirectory(), false),
  getDirectories: (path) => {
    const isFolder = (entry: Dirent): boolean =>
      entry.isDirectory() || (entry.isSymbolicLink() && systemDisk.directoryExists(`${path}/${entry.name}`));
    const entries = attempt(() => readdirSync(path, { withFileTypes: true }), []);
    return entries.filter(isFolder).map(({ name }) => name);
  },
  realpath: (path) => attempt(() => realpathSync.native(path), path),
};

function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise; // The file is absent or cannot be read, which is the same to a compiler.
  }
}

/** Kind and path of a read. */
export type DiskRead = readonly [kind: keyof Disk, path: string];

/** A disk that records the result of every read, so that a later run finds out whether one has changed. */
export class RecordedDisk implements Disk {
  readonly #results = new Map<string, string>();
  #isStable = true;

  /** All reads. */
  get reads(): readonly DiskRead[] {
    return [...this.#results.keys()].map(readOf);
  }

  /** Folders of all reads. */
  get folders(): readonly string[] {
    return [...new Set(this.reads.map(([, path]) => dirname(path)))];
  }

  /** Hash of all reads with their results; `undefined` if two reads of a file had different results. */
  get hash(): string | undefined {
    return this.#isStable ? sha256(JSON.stringify([...this.#results])) : undefined;
  }

  readonly readFile: Disk['readFile'] = (path) => this.#recorded('readFile', path, systemDisk.readFile);
  readonly fileExists: Disk['fileExists'] = (path) =>
    this.#recorded('fileExists', path, systemDisk.fileExists);
  readonly directoryExists: Disk['directoryExists'] = (path) =>
    this.#recorded('directoryExists', path, systemDisk.directoryExists);
  readonly getDirectories: Disk['getDirectories'] = (path) =>
    this.#recorded('getDirectories', path, systemDisk.getDirectories);
  readonly realpath: Disk['realpath'] = (path) => this.#recorded('realpath', path, systemDisk.realpath);

  #recorded<Result>(kind: keyof Disk, path: string, read: (path: string) => Result): Result {
    const result = read(path);
    const key = `${kind} ${path}`;
    const hash = hashOf(result);
    const before = this.#results.get(key);
    if (before === undefined) this.#results.set(key, hash);
    else if (before !== hash) this.#isStable = false;
    return result;
  }
}

/** Returns the read of a key. */
function readOf(key: string): DiskRead {
  const end = key.indexOf(' ');
  return [key.slice(0, end) as keyof Disk, key.slice(end + 1)]; // seam: keys begin with their kind
}

/** Returns a text that differs for other results. A program has thousands of reads, and most are short. */
function hashOf(result: unknown): string {
  if (typeof result === 'string') return sha256(result);
  return typeof result === 'object' ? sha256(JSON.stringify(result)) : String(result);
}

/** Returns the `hash` of a disk with these reads. */
export function hashOfReads(reads: readonly DiskRead[]): string | undefined {
  const disk = new RecordedDisk();
  for (const [kind, path] of reads) disk[kind](path);
  return disk.hash;
}
