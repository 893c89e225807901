/** Copies of files and folders from containers, as `kubectl cp`. */
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, posix } from 'node:path';
import { isApiError, isTransportError, TransportError } from '../../../api/errors.ts';
import type { Exec } from '../../../api/verbs/exec.ts';
import { type Extracted, Extraction } from './extract.ts';
import {
  type CopyOptions,
  type CopyPods,
  messagesOf,
  placeOf,
  type RemotePlace,
  tarFailure,
  trailingSlashes,
  withoutTar,
  withPods,
} from './tar-program.ts';
import { firstBlock, readTar, type TarEntry } from './tar-read.ts';

/** Options of `copyFrom`. */
export interface CopyFromOptions extends CopyOptions {
  /**
   * Number of times that a truncated transfer is resumed at its end: connections may lose the last bytes of
   * an output. Default: 3.
   */
  readonly maxRetries?: number | undefined;
  /**
   * Symbolic links in the container. `skip`: a remote path that is a link is followed, and the links in a
   * folder are listed in `skipped`. `follow`: all are followed, as in volumes of ConfigMaps. `reject`: the
   * call rejects, after the other files have been copied. Default: `skip`.
   */
  readonly links?: 'skip' | 'follow' | 'reject' | undefined;
  /**
   * Sets the permissions of the files in the container, without setuid and setgid. `false`: those of new
   * files of this process, as with `--no-preserve` of kubectl. The owner is never copied. Default: true.
   */
  readonly preservePermissions?: boolean | undefined;
  /**
   * Maximum bytes of the archive, in which a file has up to 1 KiB more than its content, and maximum bytes of
   * the files with the holes of sparse ones. More reject the call: for containers that are not trusted.
   * Default: no limit.
   */
  readonly maxBytes?: number | undefined;
}

/** Messages of GNU tar, with the exit code 1, for files that were changed or removed by another process. */
const concurrentChange = /: file changed as we read it$/;
const concurrentRemoval = /: File removed before we read it$/;

/** Maximum number of links that are followed to the requested file, as in Linux. */
const mostLinks = 40;

/** Sends the archive from a byte on, and ends with the exit code of `tar` rather than of `tail`. */
const resumeScript = `exec 4>&1
code=$({ { tar "$1" - -C "$2" "$3"; echo $? >&3; } | tail -c "+$4" >&4; } 3>&1)
exit "$code"`;

/**
 * Copies a file, or the content of a folder, from a container: `/var/log` to `./log`. The container needs the
 * program `tar`. Only regular files and folders are created, and only below the local path: links, devices
 * and paths that lead out of it are listed in `skipped`. Existing files are replaced.
 * @throws {TransportError} if the archive is damaged, or still truncated after `maxRetries`
 * @throws {Error} if `tar` fails, or the container has none; if a local folder, link or device has the path
 * of a file, or a local file that of a folder. The other files have been copied
 * @example
 * ```ts
 * import { copyFrom } from '@kgen/runtime/streams';
 *
 * const { files, skipped } = await copyFrom(clientset.coreV1.pods('shop'), 'web-0', '/var/log', './log');
 * console.log(files, skipped);
 * ```
 */
export async function copyFrom(
  pods: CopyPods,
  pod: string,
  remotePath: string,
  localPath: string,
  options: CopyFromOptions = {},
): Promise<Extracted> {
  return withPods(pods, options, (pods) => copyPath(pods, pod, remotePath, localPath, options));
}

async function copyPath(
  pods: Pick<Exec, 'exec'>,
  pod: string,
  remotePath: string,
  localPath: string,
  options: CopyFromOptions,
): Promise<Extracted> {
  const requested = placeOf(remotePath);
  let place = { ...requested, localPath, localName: requested.name };
  for (let links = 0; links <= mostLinks; links += 1) {
    const download = new Download(pods, pod, place, options);
    const result = await download.complete();
    if (typeof result !== 'string') return result;
    if (options.links === 'reject') throw new Error(`${pod}: ${remotePath} is a symbolic link to ${result}`);
    place = { ...place, ...followed(place, result) };
  }
  throw new Error(`${pod}: ${remotePath} leads to more than ${mostLinks} symbolic links`);
}

/** Remote and local names of a copy. */
interface Place extends RemotePlace {
  readonly localPath: string;
  /** Name of a file that is copied into a local folder. */
  readonly localName: string;
}

/** Returns the place to which a link leads. The container resolves `..`, as its folders may be links too. */
function followed({ parent }: RemotePlace, target: string): RemotePlace {
  const path = (target.startsWith('/') ? target : `${parent}/${target}`).replace(trailingSlashes, '');
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/^\.{0,2}$/.test(name)) return { parent: path, name: '.' };
  return { parent: path.slice(0, -name.length).replace(trailingSlashes, '') || '.', name };
}

/** One transfer, which may need several sessions. */
class Download {
  readonly #pods: Pick<Exec, 'exec'>;
  readonly #pod: string;
  readonly #place: Place;
  readonly #options: CopyFromOptions;
  #extraction: Extraction | undefined;
  /** Target of the requested path, if it is a link. */
  #link: string | undefined;
  #state = firstBlock;
  #received = 0;

  constructor(pods: Pick<Exec, 'exec'>, pod: string, place: Place, options: CopyFromOptions) {
    this.#pods = pods;
    this.#pod = pod;
    this.#place = place;
    this.#options = options;
  }

  /** Copies the files. Returns the target instead if the path is a link. */
  async complete(): Promise<Extracted | string> {
    const { maxRetries = 3 } = this.#options;
    try {
      for (let retries = 0; ; retries += 1) {
        const failure = await this.#run();
        if (failure === undefined) return this.#link ?? this.#result();
        if (retries >= maxRetries) throw failure;
      }
    } finally {
      // Between two sessions a file that is not complete remains open.
      await this.#extraction?.close();
    }
  }

  /** @throws {Error} if files that were requested have not been created */
  #result(): Extracted {
    const { conflicts = [], links = [], result } = this.#extraction ?? {};
    const { links: requested = 'skip' } = this.#options;
    const rejected = requested === 'skip' ? [] : links;
    const problems = [...conflicts, ...rejected.map((path) => `${path}: is a symlink`)];
    if (problems.length > 0) {
      const more = problems.length > 10 ? `; and ${problems.length - 10} more` : '';
      const text = problems.slice(0, 10).join('; ');
      throw new Error(`${this.#pod}: ${problems.length} files were not copied: ${text}${more}`);
    }
    return result ?? { files: 0, bytes: 0, skipped: [] };
  }

  /** Receives the rest of the archive. Returns an error if it is truncated, after which it can be resumed. */
  async #run(): Promise<Error | undefined> {
    const { container, signal } = this.#options;
    const session = await this.#pods.exec(this.#pod, { command: this.#command(), container, signal });
    const errors = messagesOf(session.stderr);
    try {
      await this.#receive(session.stdout);
      const { code } = await session.exit;
      if (this.#isComplete(code, await errors)) return undefined;
      if (code !== 0) throw tarFailure(this.#pod, code, await errors);
      if (this.#state.ended) throw new Error(`${this.#pod}: tar has sent no file of ${this.#remotePath()}`);
      return new TransportError(`the archive of ${this.#pod} is truncated after ${this.#received} bytes`);
    } catch (error) {
      // Without its exit code it is unknown whether tar could read all files, even after a complete archive.
      if (isTransportError(error) && error.code === 'STATUS_MISSING') return error;
      throw isApiError(error) ? withoutTar(this.#pod, error) : error;
    } finally {
      session.close();
    }
  }

  /**
   * Whether all files were received. `tar` also ends an archive properly if the requested path does not
   * exist, or if it could not read some of the files: the exit code of GNU tar is then 2, and that of BusyBox
   * and bsdtar 1. GNU tar ends with 1 for files that changed meanwhile, and for dangling links to follow.
   */
  #isComplete(code: number, stderr: string): boolean {
    const isHarmless = (line: string): boolean =>
      concurrentChange.test(line) || (this.#options.links !== 'follow' && concurrentRemoval.test(line));
    const isRead = code === 0 || (code === 1 && stderr.trim().split('\n').every(isHarmless));
    const hasBegun = this.#extraction !== undefined || this.#link !== undefined;
    return this.#state.ended && hasBegun && isRead;
  }

  /** The name begins with `./`, so that it is not an option. */
  #command(): readonly string[] {
    const { parent, name } = this.#place;
    const source = name === '.' ? '.' : `./${name}`;
    const flags = this.#options.links === 'follow' ? 'chf' : 'cf';
    if (this.#received === 0) return ['tar', flags, '-', '-C', parent, source];
    return ['sh', '-c', resumeScript, 'sh', flags, parent, source, String(this.#received + 1)];
  }

  async #receive(stdout: AsyncIterable<Uint8Array>): Promise<void> {
    const { maxBytes = Number.POSITIVE_INFINITY, onProgress } = this.#options;
    for await (const chunk of stdout) {
      const { state, events, failure } = readTar(this.#state, chunk);
      this.#state = state;
      this.#received += chunk.length;
      if (this.#received > maxBytes)
        throw new Error(`the archive of ${this.#pod} has more than ${maxBytes} bytes (maxBytes)`);
      for (const event of events) {
        if (event.type === 'entry') await this.#begin(event.entry);
        await this.#extraction?.add(event);
      }
      if (failure !== undefined)
        throw new TransportError(`the archive of ${this.#pod} is damaged: ${failure}`);
      onProgress?.(this.#received);
    }
  }

  /** The first entry is the requested file or folder, or a link to it. */
  async #begin({ kind, target }: TarEntry): Promise<void> {
    if (this.#extraction !== undefined || this.#link !== undefined) return;
    if (kind === 'symlink' && target !== '' && !target.includes('\0')) this.#link = target;
    else if (kind !== 'file' && kind !== 'directory')
      throw new Error(`${this.#pod}: ${this.#remotePath()} is not a file or a folder`);
    else this.#extraction = await this.#extractionOf(kind === 'directory');
  }

  #remotePath(): string {
    return posix.join(this.#place.parent, this.#place.name);
  }

  /** A folder becomes the local path. A local link to a file is followed, as its path is that of the call. */
  async #extractionOf(isFolder: boolean): Promise<Extraction> {
    const { name, localPath, localName } = this.#place;
    const isInto = !isFolder && (await isDirectory(localPath));
    const path = isFolder || isInto ? localPath : await realpath(localPath).catch(() => localPath);
    const folder = isFolder || isInto ? path : dirname(path);
    const file = isFolder ? [] : [isInto ? localName : basename(path)];
    const { preservePermissions, maxBytes } = this.#options;
    const relative = (path: string): readonly string[] | undefined => {
      const parts = path.split('/').filter((part, index) => part !== '' && !(part === '.' && index === 0));
      if (name !== '.' && parts.shift() !== name) return undefined;
      return [...file, ...parts];
    };
    return new Extraction(folder, relative, { preservePermissions, maxBytes });
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
