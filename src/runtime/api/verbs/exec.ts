/** The `exec` and `attach` subresources of a pod: sessions with the processes of its containers. */
import type { Readable, Writable } from 'node:stream';
import type { ReadableStream, WritableStream } from 'node:stream/web';
import type { RequestOptions } from '../options.ts';

/** Streams of a session with a process. */
export interface SessionOptions extends Omit<RequestOptions, 'timeoutMs' | 'maxResponseBytes'> {
  /**
   * Container of the pod. Default: that of its annotation `kubectl.kubernetes.io/default-container`, for
   * which the pod is requested first; otherwise the only one.
   */
  readonly container?: string | undefined;
  /** Opens the standard input of the process. Default: false. */
  readonly stdin?: boolean | undefined;
  /** Opens the standard output of the process. Default: true. */
  readonly stdout?: boolean | undefined;
  /**
   * Opens the standard error of the process. Default: true; without effect with `tty`, which has one output.
   */
  readonly stderr?: boolean | undefined;
  /** Allocates a terminal for the process. Default: false. */
  readonly tty?: boolean | undefined;
  /** Ends the session with the signal's reason. A process without a terminal may continue to run. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the session must have begun. Default: no limit. */
  readonly timeoutMs?: number | undefined;
}

/** Options of a session with a process that is already running, the main one of a container. */
export interface AttachOptions extends SessionOptions {}

/** Options of a session with a new process. */
export interface ExecOptions extends SessionOptions {
  /** Program and arguments. A string is the name of a program, not a line for a shell. */
  readonly command: string | readonly string[];
}

/** Exit of a process: its code, and the signal that ended it. */
export interface ProcessExit {
  /** Exit code; 128 + n after signal n, as shells report it. */
  readonly code: number;
  /** Name of the signal that the exit code stands for, such as `SIGKILL`. */
  readonly signal?: string;
  /** Message of the server, for a code other than 0. */
  readonly reason?: string;
}

/** Dimensions of a terminal in characters. */
export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** Streams of a terminal, such as `process.stdin` and `process.stdout`. */
export interface Terminal {
  /** Terminal that is read, in raw mode during the session. Default: `process.stdin`. */
  readonly input?: NodeJS.ReadStream | undefined;
  /** Terminal that is written. Default: `process.stdout`. */
  readonly output?: NodeJS.WriteStream | undefined;
}

/** The streams of a session as web streams. */
export interface WebStreams<Options extends SessionOptions = SessionOptions> {
  readonly stdin: Options['stdin'] extends true ? WritableStream<Uint8Array> : undefined;
  readonly stdout: Options['stdout'] extends false ? undefined : ReadableStream<Uint8Array>;
  readonly stderr: Options extends { readonly stderr: false } | { readonly tty: true }
    ? undefined
    : ReadableStream<Uint8Array>;
}

/**
 * A session with a process in a container. Output is received only as fast as it is read, as from a child
 * process: read every stream that is open, or do not open it. An interrupted session ends its streams with
 * an error, so that incomplete output does not look complete.
 */
export interface ExecSession<Options extends SessionOptions = SessionOptions> {
  /**
   * Protocol that the server selected. With `v4.channel.k8s.io`, of servers before 1.30, `stdin` cannot end
   * before the session does: `stdin.end()` then fails.
   */
  readonly protocol: 'v5.channel.k8s.io' | 'v4.channel.k8s.io';
  /** Standard input; `end()` closes it, and the output remains open. */
  readonly stdin: Options['stdin'] extends true ? Writable : undefined;
  readonly stdout: Options['stdout'] extends false ? undefined : Readable;
  readonly stderr: Options extends { readonly stderr: false } | { readonly tty: true } ? undefined : Readable;
  /** The streams as web streams, in place of those of Node.js. */
  readonly web: WebStreams<Options>;
  /**
   * End of the process, once its output has been received. Rejects with `ApiError` if the process could not
   * run, with `TransportError` if the connection ended without an exit status, and with the reason of
   * `signal`. A missing status is never the exit code 0.
   */
  readonly exit: Promise<ProcessExit>;
  /** Sets the size of the terminal of a session with `tty`. */
  resize(size: TerminalSize): void;
  /**
   * Connects the session to the terminal of this program until the process ends: raw mode, sizes, and the
   * previous mode afterwards, also if the program exits. Returns `exit` when the output has been written.
   * @throws {TypeError} without `tty`
   * @throws {Error} if the output cannot be written, such as with the code `EPIPE`; the session is closed
   */
  connectTerminal(terminal?: Terminal): Promise<ProcessExit>;
  /** Closes the connection. `exit` rejects unless the process had ended. */
  close(): void;
}

/** Options of a command whose output is collected. */
export interface ExecTextOptions extends Omit<RequestOptions, 'maxResponseBytes'> {
  /** Container of the pod. Default: the only one, or that of its annotation `default-container`. */
  readonly container?: string | undefined;
  /** Content of standard input. Requires a server with the protocol v5, of 1.30 or later. */
  readonly stdin?: string | Uint8Array | undefined;
  /** Maximum bytes of each output; more reject the call. Default: 64 MiB. */
  readonly maxOutputBytes?: number | undefined;
}

/** Result of a command that has exited: its output and exit code. */
export interface ExecText {
  /** Standard output, decoded as UTF-8. */
  readonly stdout: string;
  /** Standard error, decoded as UTF-8. */
  readonly stderr: string;
  /** Exit code of the command; 0 after a success. */
  readonly code: number;
}

/** Methods for the `exec` subresource of a pod. */
export interface Exec {
  /**
   * Runs a command in a container and returns the session when it has begun.
   * @throws {ApiError} `isNotFound` if the pod does not exist, `isForbidden` without permission to `get` and
   * `create` `pods/exec`, `isBadRequest` if the container does not exist, or one of several must be named
   * @example
   * ```ts
   * const pods = clientset.coreV1.pods('shop');
   * const session = await pods.exec('web-0', { command: ['tail', '-f', '/var/log/web.log'] });
   * session.stdout.pipe(process.stdout);
   * console.log((await session.exit).code);
   * ```
   */
  exec<const Options extends ExecOptions>(name: string, options: Options): Promise<ExecSession<Options>>;
  /**
   * Runs a command and returns its output and exit code, whatever that is. `timeoutMs` limits the whole call.
   * @example
   * ```ts
   * const { stdout, code } = await clientset.coreV1.pods('shop').execText('web-0', ['cat', '/etc/hosts']);
   * console.log(code, stdout);
   * ```
   */
  execText(name: string, command: string | readonly string[], options?: ExecTextOptions): Promise<ExecText>;
}

/** Methods for the `attach` subresource of a pod. */
export interface Attach {
  /** Connects to the main process of a container, and returns the session when it has begun. */
  attach<const Options extends AttachOptions>(name: string, options?: Options): Promise<ExecSession<Options>>;
}
