import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { type CacheEntry, decodeEntry, encodeEntry, sha256 } from './cache-entry.ts';
import { makeFolder } from './make-folder.ts';

/** Variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** `$XDG_CACHE_HOME/kgen`; `~/.cache/kgen` where the variable is not set to an absolute path. */
export function defaultCacheFolder(env: Environment): string {
  const base = env['XDG_CACHE_HOME'] ?? '';
  return join(isAbsolute(base) ? base : join(env['HOME'] || homedir(), '.cache'), 'kgen');
}

/**
 * What one server answered, below a folder of its own. One entry for each key, so that it does not grow from run to
 * run; names of files are hashes, files and folders are for their owner alone. An entry that is missing, broken or
 * not readable is as one that was never written.
 */
export class Cache {
  readonly #folder: string;
  readonly #writes: Promise<void>[] = [];
  #made: Promise<unknown> | undefined;
  #failure: unknown;

  /** `server` is the address of the server, the same for all whose answers are the same. */
  constructor(folder: string, server: string) {
    this.#folder = join(folder, sha256(server));
  }

  async read(key: string): Promise<CacheEntry | undefined> {
    try {
      return decodeEntry(await readFile(this.#file(key)));
    } catch {
      // Whatever keeps the file from being read, the server has what should be in it.
      return undefined;
    }
  }

  /** Begins to write an entry. Readers see the old one or the new one, never half of it. */
  write(key: string, entry: CacheEntry): void {
    const bytes = encodeEntry(entry);
    if (bytes === undefined || this.#failure !== undefined) return;
    this.#writes.push(
      this.#replace(this.#file(key), bytes).catch((cause: unknown) => {
        this.#failure ??= cause;
      }),
    );
  }

  /** Resolves when everything is written; gives the first failure, after which nothing more was tried. */
  async settle(): Promise<unknown> {
    await Promise.all(this.#writes);
    return this.#failure;
  }

  async #replace(file: string, bytes: Uint8Array): Promise<void> {
    this.#made ??= makeFolder(this.#folder, (path) => mkdir(path, { mode: 0o700 }));
    await this.#made;
    const temporary = `${file}.${randomBytes(6).toString('hex')}`;
    try {
      await writeFile(temporary, bytes, { flag: 'wx', mode: 0o600 });
      await rename(temporary, file);
    } catch (cause) {
      await rm(temporary, { force: true });
      throw cause;
    }
  }

  #file(key: string): string {
    return join(this.#folder, sha256(key));
  }
}
