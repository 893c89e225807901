/** The programs of a container that copies need, and their failures. */
import { posix } from 'node:path';
import type { Exec } from '../../../api/verbs/exec.ts';
import { isFields } from '../../../common/fields.ts';
import { type ClientConnection, withConnection } from '../../../rest/connection.ts';
import { builtIn } from '../../built-in.ts';

/** The client of the pods of a namespace, `clientset.coreV1.pods('shop')`, or a connection to the server. */
export type CopyPods = Pick<Exec, 'exec'> | ClientConnection;

/** Options of copies. */
export interface CopyOptions {
  /** Namespace of the pod, if the first argument is a connection. Default: that of the configuration. */
  readonly namespace?: string | undefined;
  /** Container of the pod. Default: the only one, or that of its annotation `default-container`. */
  readonly container?: string | undefined;
  /** Called with the number of bytes of the archive so far. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
  /** Interrupts the copy, which rejects with `signal.reason`. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls a function with a client of pods.
 * @throws {TypeError} if there is a namespace in addition to the client of one
 */
export async function withPods<T>(
  pods: CopyPods,
  { namespace }: Pick<CopyOptions, 'namespace'>,
  work: (pods: Pick<Exec, 'exec'>) => Promise<T>,
): Promise<T> {
  if (!isFields(pods) || !('exec' in pods))
    return withConnection(pods, (rest) => work(builtIn(rest, ['', 'Pod'], namespace)));
  if (namespace === undefined) return work(pods);
  throw new TypeError('namespace is an option for connections; a client of pods has its own');
}

/** Folder and name of a remote path. */
export interface RemotePlace {
  /** Relative or absolute path of the folder. */
  readonly parent: string;
  /** `.` for the folder itself. */
  readonly name: string;
}

/** Slashes that end a path, but the one of the root. */
export const trailingSlashes: RegExp = /(?<=^\/|[^/])\/+$/;

/** @throws {TypeError} if the path is empty or contains a NUL */
export function placeOf(remotePath: string): RemotePlace {
  const path = posix.normalize(remotePath).replace(trailingSlashes, '');
  if (remotePath === '' || path.includes('\0')) throw new TypeError('the remote path is empty or invalid');
  const name = posix.basename(path);
  return /^\.{0,2}$/.test(name) ? { parent: path, name: '.' } : { parent: posix.dirname(path), name };
}

/** Exit codes of shells for a program that cannot be run or does not exist. */
const missingCodes: ReadonlySet<number> = new Set([126, 127]);

/** Returns whether an error or an exit code is that of a program that the image does not have. */
export function isMissingProgram(failure: unknown): boolean {
  if (typeof failure === 'number') return missingCodes.has(failure);
  return (
    failure instanceof Error && /executable file not found|no such file or directory/.test(failure.message)
  );
}

/** Returns the error of `tar` for its exit code and messages. */
export function tarFailure(pod: string, code: number, stderr: string): Error {
  const stated = stderr.trim().slice(0, 1000);
  if (isMissingProgram(code))
    return new Error(`${pod}: the image of the container has no tar, which copies need: ${stated}`);
  return new Error(`${pod}: tar failed with the exit code ${code}${stated === '' ? '' : `: ${stated}`}`);
}

/** Returns the error of a container that cannot run `tar`. */
export function withoutTar(pod: string, error: Error): Error {
  if (!isMissingProgram(error)) return error;
  return new Error(`${pod}: the image of the container has no tar, which copies need`, { cause: error });
}

/** Returns the messages of a process, at most 64 Ki characters. */
export async function messagesOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  try {
    for await (const chunk of stream) if (text.length < 64 * 1024) text += Buffer.from(chunk).toString();
  } catch {
    // The session reports its error.
  }
  return text;
}
