/** Copies of local files and folders to containers, as `kubectl cp`. */
import { lstat } from 'node:fs/promises';
import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isApiError } from '../../../api/errors.ts';
import type { Exec, ExecSession } from '../../../api/verbs/exec.ts';
import { LocalArchive } from './archive.ts';
import { lookScript, RemoteLook } from './look.ts';
import { type CopyPlan, type Local, localKindOf, planOf, unchanged } from './plan.ts';
import {
  type CopyOptions,
  type CopyPods,
  isMissingProgram,
  messagesOf,
  placeOf,
  type RemotePlace,
  tarFailure,
  withoutTar,
  withPods,
} from './tar-program.ts';
import { firstBlock, readTar, type TarKind } from './tar-read.ts';

/** Options of `copyTo`. */
export interface CopyToOptions extends CopyOptions {
  /** Sets the permissions of the local files in the container, regardless of its umask. Default: true. */
  readonly preservePermissions?: boolean | undefined;
}

/** Result of `copyTo`. */
export interface CopiedTo {
  /** Size of the archive that was sent to the container, in bytes. */
  readonly bytes: number;
  /** Paths of local devices, FIFOs and sockets, which are not copied. */
  readonly skipped: readonly string[];
}

/** The pod of a copy, and the options of its sessions. */
interface Destination {
  readonly pods: Pick<Exec, 'exec'>;
  readonly pod: string;
  readonly options: CopyToOptions;
}

/**
 * Copies a local file, or the content of a folder, to a path in a container: `./dist` to `/srv/app`. The
 * parent folder of the remote path must exist, and the container needs the programs `tar` and `sh`. A file is
 * copied into a folder that exists. Folders that exist keep their mode, their owner and the links that lead
 * to them. Files that exist are replaced; a link to a file is kept, and that file is replaced. Symbolic links
 * are copied as links.
 * @throws {Error} if a file would replace a folder or a device, or a folder a file: nothing is changed then
 * @throws {Error} if `tar` fails, or the container has none
 */
export async function copyTo(
  pods: CopyPods,
  pod: string,
  localPath: string,
  remotePath: string,
  options: CopyToOptions = {},
): Promise<CopiedTo> {
  const place = placeOf(remotePath);
  const kind = localKindOf(await lstat(localPath));
  if (kind === undefined) throw new TypeError(`${localPath} is not a file, a folder or a link`);
  return withPods(pods, options, async (pods) => {
    const destination = { pods, pod, options };
    const plan = await planned(destination, { path: localPath, kind }, place);
    return send(destination, localPath, plan);
  });
}

/** Compares the local files with the container: by a shell, or by `tar` if it has none. */
async function planned(destination: Destination, local: Local, place: RemotePlace): Promise<CopyPlan> {
  const { pods, pod, options } = destination;
  const { parent, name } = place;
  const path = name === '.' ? parent : posix.join(parent, name);
  const command = ['sh', '-c', lookScript, 'sh', argumentOf(path), argumentOf(parent)];
  const { container, signal } = options;
  const session = await pods.exec(pod, { command, container, signal, stdin: true });
  const errors = messagesOf(session.stderr);
  let hasShell = true;
  const look = new RemoteLook(session, async (code) => {
    hasShell = !isMissingProgram(code);
    return new Error(`${pod}: sh failed with the exit code ${code}: ${(await errors).trim().slice(0, 1000)}`);
  });
  try {
    return await planOf(pod, look, local, path);
  } catch (error) {
    if (hasShell && !(isApiError(error) && isMissingProgram(error))) throw error;
    return planWithoutShell(destination, local, place);
  } finally {
    look.end();
  }
}

/** Returns a path that is not an option of a program. */
function argumentOf(path: string): string {
  return path.startsWith('/') ? path : `./${path}`;
}

/**
 * Plans a copy to a path that does not exist, or of a file to a file: they need no other paths, and `tar`
 * itself shows the kind of one.
 */
async function planWithoutShell(
  destination: Destination,
  { kind }: Local,
  { parent, name }: RemotePlace,
): Promise<CopyPlan> {
  const { pod } = destination;
  const present = await kindWithTar(destination, parent, name);
  if (present !== undefined && (kind === 'folder' || present !== 'file')) {
    const path = posix.join(parent, name);
    throw unchanged(pod, `${path} exists, and the container has no sh to compare it with the local files`);
  }
  return { base: parent, root: name, existing: new Map() };
}

/** Returns the kind of a path; `undefined` if it does not exist. */
async function kindWithTar(
  { pods, pod, options: { container, signal } }: Destination,
  parent: string,
  name: string,
): Promise<TarKind | undefined> {
  const command = ['tar', 'cf', '-', '--no-recursion', '-C', parent, `./${name}`];
  const session = await pods.exec(pod, { command, container, signal });
  const errors = messagesOf(session.stderr);
  try {
    for await (const chunk of entriesIn(session.stdout)) return chunk;
    const { code } = await session.exit;
    const messages = await errors;
    if ((code === 0 && messages === '') || /no such file/i.test(messages)) return undefined;
    throw tarFailure(pod, code, messages);
  } catch (error) {
    throw isApiError(error) ? withoutTar(pod, error) : error;
  } finally {
    session.close();
  }
}

async function* entriesIn(archive: AsyncIterable<Uint8Array>): AsyncGenerator<TarKind, void> {
  let state = firstBlock;
  for await (const chunk of archive) {
    const step = readTar(state, chunk);
    state = step.state;
    for (const event of step.events) if (event.type === 'entry') yield event.entry.kind;
  }
}

async function send(
  { pods, pod, options }: Destination,
  localPath: string,
  plan: CopyPlan,
): Promise<CopiedTo> {
  const { container, signal, onProgress, preservePermissions = true } = options;
  // Without the owner, which the archive does not have: files belong to the process, as if it created them.
  const flags = preservePermissions ? ['-xpomf'] : ['--no-same-permissions', '--no-same-owner', '-xmf'];
  const command = ['tar', ...flags, '-', '-C', plan.base];
  const session = await pods.exec(pod, { command, container, signal, stdin: true });
  const errors = messagesOf(session.stderr);
  session.stdout.resume();
  const archive = new LocalArchive(plan);
  let bytes = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of archive.bytes(localPath)) {
      bytes += chunk.length;
      yield chunk;
      onProgress?.(bytes);
    }
  };
  try {
    const writing = pipeline(Readable.from(counted(), { objectMode: false }), session.stdin);
    await finished(pod, session, writing, errors);
    return { bytes, skipped: archive.skipped };
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
