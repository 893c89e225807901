/** Sessions with processes over a WebSocket. */
import { type Duplex, Readable, Writable } from 'node:stream';
import type { ReadableStream, WritableStream } from 'node:stream/web';
import { TransportError } from '../../../api/errors.ts';
import type { RequestOperation } from '../../../api/operation.ts';
import type { ExecSession, ProcessExit, Terminal, TerminalSize } from '../../../api/verbs/exec.ts';
import { statedBy } from '../../../rest/abort/deadline.ts';
import { onAbort } from '../../../rest/abort/on-abort.ts';
import { type SocketEnd, type SocketTiming, WebSocketConnection } from '../websocket/connection.ts';
import { type ChannelEvent, channels, noMessage, readChannel } from './channels.ts';
import { readExit } from './status.ts';
import { inputOf, Output } from './streams.ts';

/** Subprotocols of sessions, the preferred one first. */
export const sessionProtocols: readonly ExecSession['protocol'][] = [
  'v5.channel.k8s.io',
  'v4.channel.k8s.io',
];

/** Settings of a session. */
export interface SessionSettings {
  readonly operation: RequestOperation;
  readonly protocol: ExecSession['protocol'];
  /** Streams that are open. */
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly timing?: Partial<SocketTiming> | undefined;
}

/** Web streams of a session. */
interface SessionWebStreams {
  readonly stdin: WritableStream<Uint8Array> | undefined;
  readonly stdout: ReadableStream<Uint8Array> | undefined;
  readonly stderr: ReadableStream<Uint8Array> | undefined;
}

const stdinPrefix = [channels.stdin];
/** Maximum bytes of an exit status. */
const statusBytes = 1024 * 1024;
/** Milliseconds after the exit status after which a session ends if the server does not close it. */
const lingerMs = 2_000;

/** A session whose streams depend on its settings. */
export class ProcessSession {
  readonly protocol: ExecSession['protocol'];
  readonly exit: Promise<ProcessExit>;
  readonly #settings: SessionSettings;
  readonly #connection: WebSocketConnection;
  readonly #stdin: Writable | undefined;
  readonly #outputs: ReadonlyMap<number, Output>;
  readonly #forget: (() => void) | undefined;
  #settle: { resolve(exit: ProcessExit): void; reject(reason: unknown): void };
  #message = noMessage;
  #status: Buffer = Buffer.alloc(0);
  #exit: ProcessExit | Error | undefined;
  #linger: NodeJS.Timeout | undefined;
  #web: SessionWebStreams | undefined;

  constructor(stream: Duplex, settings: SessionSettings) {
    const { protocol, operation, timing, signal } = settings;
    this.#settings = settings;
    this.protocol = protocol;
    this.#settle = { resolve: () => undefined, reject: () => undefined };
    this.exit = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // A program that does not use the exit must not end because of it; its streams have the error too.
    this.exit.catch(() => undefined);
    this.#stdin = settings.stdin ? this.#input() : undefined;
    this.#outputs = new Map(
      [...(settings.stdout ? [channels.stdout] : []), ...(settings.stderr ? [channels.stderr] : [])].map(
        (channel) => [channel, new Output(() => this.#drained())],
      ),
    );
    const events = {
      part: (bytes: Uint8Array, last: boolean) => this.#receive(bytes, last),
      closed: (end: SocketEnd) => this.#closed(end),
    };
    this.#connection = new WebSocketConnection(stream, events, { operation, ...(timing && { timing }) });
    this.#forget = signal && onAbort(signal, (reason) => this.#abort(reason));
    if (signal?.aborted) this.#abort(signal.reason);
  }

  get stdin(): Writable | undefined {
    return this.#stdin;
  }

  get stdout(): Readable | undefined {
    return this.#outputs.get(channels.stdout)?.stream;
  }

  get stderr(): Readable | undefined {
    return this.#outputs.get(channels.stderr)?.stream;
  }

  get web(): SessionWebStreams {
    this.#web ??= webStreamsOf(this);
    return this.#web;
  }

  resize({ width, height }: TerminalSize): void {
    for (const size of [width, height]) {
      if (!Number.isInteger(size) || size < 1 || size > 65_535) {
        throw new RangeError(
          `the size of a terminal must be integers from 1 to 65535, got ${width}x${height}`,
        );
      }
    }
    if (!this.#settings.tty) throw new TypeError('a session without tty has no terminal to resize');
    this.#connection.send([channels.resize], Buffer.from(JSON.stringify({ Width: width, Height: height })));
  }

  async connectTerminal(terminal: Terminal = {}): Promise<ProcessExit> {
    if (!this.#settings.tty) throw new TypeError('a session without tty cannot be connected to a terminal');
    const { joinTerminal } = await import('./terminal.ts');
    return joinTerminal(this, terminal);
  }

  close(): void {
    this.#fail(this.#error('the session was closed', 'SESSION_CLOSED'));
    this.#connection.close();
  }

  #input(): Writable {
    return inputOf({
      write: (bytes, sent) => this.#connection.send(stdinPrefix, bytes, sent),
      end: (sent) => {
        if (this.protocol === 'v5.channel.k8s.io') {
          this.#connection.send([channels.close], Uint8Array.of(channels.stdin), sent);
          return;
        }
        const message = `stdin cannot end before the session with ${this.protocol}, the protocol of this server`;
        sent(this.#error(`${message}; call close() to end both`, 'STDIN_END'));
      },
    });
  }

  #receive(bytes: Uint8Array, last: boolean): void {
    const { state, event } = readChannel(this.#message, bytes, last);
    this.#message = state;
    if (event === undefined) return;
    this.#handle(event);
    if ([...this.#outputs.values()].some(({ queue }) => queue.full)) this.#connection.pause();
  }

  #handle(event: ChannelEvent): void {
    if ('failure' in event) {
      this.#connection.destroy(this.#error(event.failure, 'CHANNEL'));
    } else if ('closed' in event) {
      this.#outputs.get(event.closed)?.queue.end();
    } else if (event.channel === channels.status) {
      this.#addStatus(event.bytes);
    } else {
      this.#outputs.get(event.channel)?.queue.push(event.bytes);
    }
  }

  #drained(): void {
    if ([...this.#outputs.values()].every(({ queue }) => !queue.full)) this.#connection.resume();
  }

  /** The status is one message. The server closes the connection after it. */
  #addStatus(bytes: Uint8Array): void {
    this.#status = Buffer.concat([this.#status, bytes]);
    if (this.#status.length > statusBytes) {
      this.#connection.destroy(this.#error(`the exit status has more than ${statusBytes} bytes`, 'STATUS'));
    } else if (this.#message === noMessage) {
      this.#exit ??= readExit(this.#status, this.#settings.operation);
      this.#linger ??= setTimeout(() => this.#connection.close(), lingerMs);
    }
  }

  #closed(end: SocketEnd): void {
    if (this.#exit === undefined) this.#fail(this.#missing(end));
    else if (this.#exit instanceof Error) this.#fail(this.#exit);
    else this.#finish(this.#exit);
  }

  #missing(end: SocketEnd): Error {
    const without = 'the session ended without an exit status';
    if ('code' in end) {
      const { code, reason } = end;
      const words = `${without}; the server closed it with ${code}${reason === '' ? '' : `: ${reason}`}`;
      return this.#error(words, 'STATUS_MISSING');
    }
    const { error } = end;
    const { operation } = this.#settings;
    return new TransportError(`${without}: ${statedBy(error, operation)}`, operation, {
      cause: error,
      code: 'STATUS_MISSING',
    });
  }

  #abort(reason: unknown): void {
    this.#fail(reason);
    this.#connection.destroy(reason instanceof Error ? reason : new Error('aborted', { cause: reason }));
  }

  #finish(exit: ProcessExit): void {
    this.#settle.resolve(exit);
    for (const output of this.#outputs.values()) output.queue.end();
    this.#release(undefined);
  }

  #fail(reason: unknown): void {
    const error = reason instanceof Error ? reason : new Error('aborted', { cause: reason });
    this.#settle.reject(reason);
    for (const output of this.#outputs.values()) output.queue.end(error);
    this.#release(error);
  }

  #release(error: Error | undefined): void {
    clearTimeout(this.#linger);
    this.#forget?.();
    if (this.#stdin === undefined || this.#stdin.writableFinished) return;
    this.#stdin.destroy(error ?? this.#error('the process has ended', 'EPIPE'));
  }

  #error(message: string, code: string): TransportError {
    return new TransportError(message, this.#settings.operation, { code });
  }
}

function webStreamsOf({ stdin, stdout, stderr }: ProcessSession): SessionWebStreams {
  return {
    stdin: stdin && Writable.toWeb(stdin),
    stdout: stdout && Readable.toWeb(stdout),
    stderr: stderr && Readable.toWeb(stderr),
  };
}
