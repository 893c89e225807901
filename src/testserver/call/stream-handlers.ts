/** Handlers of a test for streams of pods. */
import type { Duplex, Readable, Writable } from 'node:stream';

/** A request to attach to the main process of a container. */
export interface AttachRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** Whether the process has a terminal, which merges both outputs. */
  readonly tty: boolean;
  /**
   * Input of the client, which is read only as fast as the handler reads it. It ends when the client closes
   * its input or disconnects, and at once if the client sends none.
   */
  readonly stdin: Readable;
  /** Output, which waits for a client that does not read. Discarded if the client does not receive it. */
  readonly stdout: Writable;
  /** Output of errors. With `tty`, the same output as `stdout`. */
  readonly stderr: Writable;
  /** Sizes of the terminal of the client, in characters: the first one, and later ones. */
  readonly resizes: AsyncIterable<{ readonly width: number; readonly height: number }>;
  /** Aborted when the client disconnects, the pod is deleted, or the server stops. */
  readonly signal: AbortSignal;
  /** Name of the user who sent the request. */
  readonly user: string;
}

/** A request to run a command in a container. */
export interface ExecRequest extends AttachRequest {
  readonly command: readonly string[];
}

/** Exit of a process that a handler has run. */
export interface ExecResult {
  /** Exit code, an integer from 0 to 255. */
  readonly code: number;
}

/**
 * Runs a command. The server ends its outputs, and then sends the exit code. If the handler throws, the
 * client receives the error of a process that could not run.
 */
export type ExecHandler = (request: ExecRequest) => ExecResult | Promise<ExecResult>;

/** Attaches to the main process of a container, as `ExecHandler` runs a command. */
export type AttachHandler = (request: AttachRequest) => ExecResult | Promise<ExecResult>;

/** A connection to a port of a pod. */
export interface PortForwardRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
  /** The connection, which ends when both sides have ended, or when one side is destroyed. */
  readonly stream: Duplex;
  /** Aborted when the client disconnects, the pod is deleted, or the server stops. */
  readonly signal: AbortSignal;
  /** Name of the user who sent the request. */
  readonly user: string;
}

/**
 * Handles a connection to a port. If the handler throws, or destroys the stream with an error, the client
 * receives the error.
 */
export type PortForwardHandler = (request: PortForwardRequest) => void | Promise<void>;

/** A request for the log of a container. */
export interface LogRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** Whether the client waits for lines that are written later. */
  readonly follow: boolean;
  /** Whether the log of the container before its last restart is requested. */
  readonly previous: boolean;
  /** Aborted when the client disconnects, the pod is deleted, or the server stops. */
  readonly signal: AbortSignal;
}

/** A line without its end, with the time at which it was written. Default: the time at which it is sent. */
export type LogLine = string | { readonly text: string; readonly time?: Date };

/**
 * Returns the lines of a log, oldest first. The server selects lines by `tailLines`, `sinceSeconds` and
 * `sinceTime`, adds timestamps, and limits the bytes. With `follow`, an asynchronous iterable may wait for
 * later lines; `tailLines` then applies to lines with a time before the request.
 */
export type LogHandler = (request: LogRequest) => Iterable<LogLine> | AsyncIterable<LogLine>;

/** Handlers by stream. */
export interface HandlersByStream {
  readonly logs: LogHandler;
  readonly exec: ExecHandler;
  readonly attach: AttachHandler;
  readonly portForward: PortForwardHandler;
}

/** The handlers of a server. */
export class StreamHandlers {
  #registered: Partial<HandlersByStream> = {};
  #defaults: Partial<HandlersByStream> = {};

  /** Returns the handler of a stream, if there is one. */
  get<Stream extends keyof HandlersByStream>(stream: Stream): HandlersByStream[Stream] | undefined {
    return this.#registered[stream] ?? this.#defaults[stream];
  }

  /** Replaces the handler of a stream. */
  set<Stream extends keyof HandlersByStream>(stream: Stream, handler: HandlersByStream[Stream]): void {
    this.#registered = { ...this.#registered, [stream]: handler };
  }

  /** Sets the handler of a stream for which the test has none. */
  setDefault<Stream extends keyof HandlersByStream>(stream: Stream, handler: HandlersByStream[Stream]): void {
    this.#defaults = { ...this.#defaults, [stream]: handler };
  }
}
