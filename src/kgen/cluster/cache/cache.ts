import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { type CacheEntry, decodeEntry, encodeEntry, sha256 } from './cache-entry.ts';
import { makeFolder } from './make-folder.ts';

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns `$XDG_CACHE_HOME/kgen`, or `~/.cache/kgen` if the variable is not set to an absolute path. */
export function defaultCacheFolder(env: Environment): string {
  const base = env['XDG_CACHE_HOME'] ?? '';
  return join(isAbsolute(base) ? base : join(env['HOME'] || homedir(), '.cache'), 'kgen');
}

/**
 * Cached responses of one server, in a folder of its own. There is one entry per key, so that the cache does
 * not grow with every run. File names are hashes, and files and folders are accessible to their owner only. A
 * missing, corrupt or unreadable entry counts as absent.
 */
export class Cache {
  readonly #folder: string;
  readonly #writes: Promise<void>[] = [];
  #made: Promise<unknown> | undefined;
  #failure: unknown;

  /** `server` is the address of the server, equal for all clients with equal responses. */
  constructor(folder: string, server: string) {
    this.#folder = join(folder, sha256(server));
  }

  async read(key: string): Promise<CacheEntry | undefined> {
    try {
      return decodeEntry(await readFile(this.#file(key)));
    } catch {
      // If the file cannot be read, the response is fetched again.
      return undefined;
    }
  }

  /** Starts to write an entry. Readers see either the old or the new entry. */
  write(key: string, entry: CacheEntry): void {
    const bytes = encodeEntry(entry);
    if (bytes === undefined || this.#failure !== undefined) return;
    this.#writes.push(
      this.#replace(this.#file(key), bytes).catch((cause: unknown) => {
        this.#failure ??= cause;
      }),
    );
  }

  /**
   * Resolves when all entries are written. Returns the first error, after which no further write is
   * attempted.
   */
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
