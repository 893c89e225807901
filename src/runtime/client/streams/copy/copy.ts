/** Copies of files from and to containers over tar, as `kubectl cp`. */
import { createReadStream, type Stats } from 'node:fs';
import { lstat, readdir, readlink, stat } from 'node:fs/promises';
import { basename, dirname, join, posix } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isApiError, isTransportError, TransportError } from '../../../api/errors.ts';
import type { Exec, ExecSession } from '../../../api/verbs/exec.ts';
import { type Extracted, Extraction } from './extract.ts';
import { firstBlock, readTar } from './tar-read.ts';
import { tarEnd, tarHeader, tarPadding } from './tar-write.ts';

/** Options of copies. */
export interface CopyOptions {
  /** Container of the pod. Default: the only one, or that of its annotation `default-container`. */
  readonly container?: string | undefined;
  /** Called with the number of bytes of the archive so far. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
  /** Ends the copy with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `copyFrom`. */
export interface CopyFromOptions extends CopyOptions {
  /**
   * Number of times that a truncated transfer is resumed at its end: connections may lose the last bytes of
   * an output. Default: 3.
   */
  readonly maxRetries?: number | undefined;
}

/** Options of `copyTo`. */
export interface CopyToOptions extends CopyOptions {
  /** Sets the permissions of the local files in the container, regardless of its umask. Default: true. */
  readonly preservePermissions?: boolean | undefined;
}

/** Message with which BusyBox and bsdtar end if they could not read some of the files. */
const delayedErrors = /error exit delayed from previous errors/i;

/** Exit codes of shells for a program that cannot be run or does not exist. */
const missingCodes: ReadonlySet<number> = new Set([126, 127]);

/**
 * Copies a file, or the content of a folder, from a container: `/var/log` to `./log`. The container needs the
 * program `tar`. Only regular files and folders are created, and only below the local path: links, devices
 * and paths that lead out of it are listed in `skipped`.
 * @throws {TransportError} if the archive is damaged, or still truncated after `maxRetries`
 * @throws {Error} if `tar` fails, or the container has none. Files that it could read have been copied
 * @example
 * ```ts
 * import { copyFrom } from '@kgen/runtime/streams';
 *
 * const { files, skipped } = await copyFrom(clientset.coreV1.pods('shop'), 'web-0', '/var/log', './log');
 * console.log(files, skipped);
 * ```
 */
export async function copyFrom(
  pods: Pick<Exec, 'exec'>,
  pod: string,
  remotePath: string,
  localPath: string,
  options: CopyFromOptions = {},
): Promise<Extracted> {
  const { maxRetries = 3 } = options;
  const download = new Download(pods, pod, await placeOf(remotePath, localPath), options);
  try {
    for (let retries = 0; ; retries += 1) {
      const failure = await download.run();
      if (failure === undefined) return download.result;
      if (retries >= maxRetries) throw failure;
    }
  } finally {
    await download.close();
  }
}

/** Remote and local names of a copy. */
interface Place {
  readonly parent: string;
  readonly name: string;
  readonly localPath: string;
}

async function placeOf(remotePath: string, localPath: string): Promise<Place> {
  const path = posix.normalize(remotePath).replace(/(?!^)\/+$/, '');
  if (remotePath === '' || path.includes('\0')) throw new TypeError('the remote path is empty or invalid');
  const name = posix.basename(path) || '.';
  return { parent: name === '.' ? path : posix.dirname(path), name, localPath };
}

/** One transfer, which may need several sessions. */
class Download {
  readonly #pods: Pick<Exec, 'exec'>;
  readonly #pod: string;
  readonly #place: Place;
  readonly #options: CopyFromOptions;
  #extraction: Extraction | undefined;
  #state = firstBlock;
  #received = 0;

  constructor(pods: Pick<Exec, 'exec'>, pod: string, place: Place, options: CopyFromOptions) {
    this.#pods = pods;
    this.#pod = pod;
    this.#place = place;
    this.#options = options;
  }

  get result(): Extracted {
    return this.#extraction?.result ?? { files: 0, bytes: 0, skipped: [] };
  }

  /** Receives the rest of the archive. Returns an error if it is truncated, after which it can be resumed. */
  async run(): Promise<Error | undefined> {
    const { container, signal } = this.#options;
    const session = await this.#pods.exec(this.#pod, { command: this.#command(), container, signal });
    const errors = textOf(session.stderr);
    try {
      await this.#receive(session.stdout);
      const { code } = await session.exit;
      if (this.#isComplete(code, await errors)) return undefined;
      if (code !== 0) throw tarFailure(this.#pod, code, await errors);
      return new TransportError(`the archive of ${this.#pod} is truncated after ${this.#received} bytes`);
    } catch (error) {
      if (isTransportError(error) && this.#isComplete(0, '')) return undefined;
      if (isTransportError(error) && error.code === 'STATUS_MISSING') return error;
      throw isApiError(error) ? withoutTar(this.#pod, error) : error;
    } finally {
      session.close();
    }
  }

  /**
   * Whether all files were received. `tar` also ends an archive properly if the requested path does not
   * exist, or if it could not read some of the files: the exit code of GNU tar is then 2, and 1 for files
   * that changed meanwhile. That of BusyBox and of bsdtar is 1, with a message about delayed errors.
   */
  #isComplete(code: number, stderr: string): boolean {
    const isRead = code === 0 || (code === 1 && !delayedErrors.test(stderr));
    return this.#state.ended && this.#extraction !== undefined && isRead;
  }

  /** Closes a file that is not complete. Between two sessions it remains open. */
  async close(): Promise<void> {
    await this.#extraction?.close();
  }

  /** The name begins with `./`, so that it is not an option. */
  #command(): readonly string[] {
    const { parent, name } = this.#place;
    const source = name === '.' ? '.' : `./${name}`;
    if (this.#received === 0) return ['tar', 'cf', '-', '-C', parent, source];
    const script = 'tar cf - -C "$1" "$2" | tail -c "+$3"';
    return ['sh', '-c', script, 'sh', parent, source, String(this.#received + 1)];
  }

  async #receive(stdout: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of stdout) {
      const { state, events, failure } = readTar(this.#state, chunk);
      this.#state = state;
      this.#received += chunk.length;
      for (const event of events) {
        if (event.type === 'entry')
          this.#extraction ??= await this.#extractionOf(event.entry.kind === 'directory');
        await this.#extraction?.add(event);
      }
      if (failure !== undefined)
        throw new TransportError(`the archive of ${this.#pod} is damaged: ${failure}`);
      this.#options.onProgress?.(this.#received);
    }
  }

  /** The first entry is the requested file or folder: a folder becomes the local path. */
  async #extractionOf(isFolder: boolean): Promise<Extraction> {
    const { name, localPath } = this.#place;
    const isInto = !isFolder && (await isDirectory(localPath));
    const folder = isFolder || isInto ? localPath : dirname(localPath);
    const file = isFolder ? [] : [isInto ? name : basename(localPath)];
    return new Extraction(folder, (path) => {
      const parts = path.split('/').filter((part, index) => part !== '' && !(part === '.' && index === 0));
      if (name !== '.' && parts.shift() !== name) return undefined;
      return [...file, ...parts];
    });
  }
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // A path that does not exist is created.
    return false;
  }
}

function tarFailure(pod: string, code: number, stderr: string): Error {
  const said = stderr.trim().slice(0, 1000);
  if (missingCodes.has(code))
    return new Error(`${pod}: the image of the container has no tar, which copies need: ${said}`);
  return new Error(`${pod}: tar failed with the exit code ${code}${said === '' ? '' : `: ${said}`}`);
}

/** Returns the error of a container that cannot run `tar`. */
function withoutTar(pod: string, error: Error): Error {
  if (!/executable file not found|no such file or directory/.test(error.message)) return error;
  return new Error(`${pod}: the image of the container has no tar, which copies need`, { cause: error });
}

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  try {
    for await (const chunk of stream) if (text.length < 64 * 1024) text += Buffer.from(chunk).toString();
  } catch {
    // The session reports its error.
  }
  return text;
}

/**
 * Copies a local file or folder to a path in a container: `./dist` to `/srv/app`. The parent folder of the
 * remote path must exist, and the container needs the program `tar`. Symbolic links are copied as links;
 * other special files are skipped.
 * @throws {Error} if `tar` fails, or the container has none
 */
export async function copyTo(
  pods: Pick<Exec, 'exec'>,
  pod: string,
  localPath: string,
  remotePath: string,
  options: CopyToOptions = {},
): Promise<{ readonly bytes: number }> {
  const { container, signal, onProgress, preservePermissions = true } = options;
  const { parent, name } = await placeOf(remotePath, localPath);
  await lstat(localPath);
  const flags = preservePermissions ? ['-xpmf'] : ['--no-same-permissions', '--no-same-owner', '-xmf'];
  const command = ['tar', ...flags, '-', '-C', parent];
  const session = await pods.exec(pod, { command, container, signal, stdin: true });
  const errors = textOf(session.stderr);
  session.stdout.resume();
  let bytes = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of archiveOf(localPath, name)) {
      bytes += chunk.length;
      yield chunk;
      onProgress?.(bytes);
    }
  };
  try {
    const writing = pipeline(Readable.from(counted(), { objectMode: false }), session.stdin);
    await finished(pod, session, writing, errors);
    return { bytes };
  } finally {
    session.close();
  }
}

/** Waits for the input and the exit. If `tar` ends before the input does, its exit explains why. */
async function finished(
  pod: string,
  session: ExecSession<{ readonly stdin: true }>,
  writing: Promise<void>,
  errors: Promise<string>,
): Promise<void> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  session.exit.then(over, over);
  try {
    await writing;
  } catch (error) {
    // A local error, or a server that cannot end stdin: tar waits for the rest.
    if (!isOver) throw error;
  }
  try {
    const { code } = await session.exit;
    if (code !== 0) throw tarFailure(pod, code, await errors);
  } catch (error) {
    throw isApiError(error) ? withoutTar(pod, error) : error;
  }
}

/** Yields the archive of a local file or folder under a name. */
async function* archiveOf(path: string, name: string): AsyncGenerator<Uint8Array, void> {
  yield* entriesOf(path, name);
  yield tarEnd;
}

async function* entriesOf(path: string, name: string): AsyncGenerator<Uint8Array, void> {
  const stats = await lstat(path);
  const common = { path: name, mode: stats.mode, mtime: stats.mtimeMs / 1000 };
  if (stats.isSymbolicLink()) {
    yield tarHeader({ ...common, kind: 'symlink', size: 0, target: await readlink(path) });
  } else if (stats.isDirectory()) {
    yield tarHeader({ ...common, kind: 'directory', size: 0 });
    for (const entry of await readdir(path)) yield* entriesOf(join(path, entry), `${name}/${entry}`);
  } else if (stats.isFile()) {
    yield tarHeader({ ...common, kind: 'file', size: stats.size });
    yield* contentOf(path, stats);
    yield tarPadding(stats.size);
  }
}

/** A file that grows is cut off, and one that shrinks is an error: its header has been sent. */
async function* contentOf(path: string, { size }: Stats): AsyncGenerator<Uint8Array, void> {
  if (size === 0) return;
  let left = size;
  for await (const chunk of createReadStream(path, { end: size - 1, highWaterMark: 256 * 1024 })) {
    left -= chunk.length;
    yield chunk;
  }
  if (left > 0) throw new Error(`the file ${path} became shorter while it was copied`);
}
