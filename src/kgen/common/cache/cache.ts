/** Cache of responses on disk. Its failures never end a run, as every entry can be requested again. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { type CacheEntry, decodeEntry, encodeEntry, sha256 } from './cache-entry.ts';

/** Creates one folder, and rejects as `mkdir` of `node:fs/promises` does. */
type Make = (path: string) => Promise<unknown>;

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

/**
 * Creates a folder and its missing parents. Rejects with the error of the operating system. Each folder is
 * tried at most twice, because Node's `recursive` never returns on file systems that fail with `ENOENT` for
 * new folders, such as `/proc`.
 */
export async function makeFolder(path: string, make: Make): Promise<void> {
  const above = dirname(path);
  try {
    await makeOnce(path, make);
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT' || above === path) throw cause;
    await makeFolder(above, make);
    await makeOnce(path, make);
  }
}

/** If the path is a file, writing below it fails. */
async function makeOnce(path: string, make: Make): Promise<void> {
  try {
    await make(path);
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause;
  }
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
}
