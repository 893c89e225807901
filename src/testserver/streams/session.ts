/**
 * The server's side of a session with a process: channels of one WebSocket, whose number is the first byte of
 * each message.
 */

import { Readable, Writable } from 'node:stream';
import { messageOf } from '@kgen/schema/values/thrown';
import type { AttachRequest, ExecResult } from '../call/stream-handlers.ts';
import { closeCodes, type MessageSocket } from '../request/socket.ts';
import { exitStatus, internalStatus, type SessionStatus } from './status.ts';

const channels = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4, close: 255 } as const;

/** Bytes of a message, as a kubelet sends them. */
const messageBytes = 32 * 1024;

/** Sizes of a terminal that may wait for the handler. */
const resizeLimit = 1000;

/** The streams that a client opened. */
export interface SessionStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** A session with a process. */
export class ProcessSession {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly #resizes: Readable;
  readonly #socket: MessageSocket;
  readonly #streams: SessionStreams;
  readonly #ended = new AbortController();
  readonly #protocol: string;
  #isFinished = false;
  #isInputEnded = false;

  /** @param protocol one with `v5` has a message that closes the input; one without a version, no status */
  constructor(socket: MessageSocket, streams: SessionStreams, protocol: string) {
    this.#socket = socket;
    this.#streams = streams;
    this.#protocol = protocol;
    // Errors are those of handlers that read or write after the end, which they need not notice.
    this.stdin = new Readable({ read: () => socket.resume() }).on('error', ignore);
    this.#resizes = new Readable({ objectMode: true, read: ignore }).on('error', ignore);
    this.stdout = this.#output(streams.stdout ? channels.stdout : undefined);
    const second = streams.stderr ? channels.stderr : undefined;
    this.stderr = this.#output(streams.tty && streams.stdout ? channels.stdout : second);
    if (!streams.stdin) this.#endInput();
    socket.onMessage((bytes) => this.#receive(bytes));
    socket.onClose(() => this.#close());
    this.#announce();
  }

  /** Aborted when the connection or the pod has ended. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  get resizes(): AttachRequest['resizes'] {
    return this.#resizes;
  }

  /** Runs a handler, and sends its result. Never rejects. */
  async run(action: string, handler: () => ExecResult | Promise<ExecResult>): Promise<void> {
    try {
      const result = await handler();
      await Promise.all([ended(this.stdout), ended(this.stderr)]);
      this.finish(result);
    } catch (error) {
      await Promise.all([ended(this.stdout), ended(this.stderr)]);
      this.#finish(internalStatus(`${action}: ${messageOf(error)}`));
    }
  }

  /** Sends the exit code and closes the connection. Has no effect after the first call. */
  finish(result: ExecResult): void {
    this.#finish(exitStatus(result));
  }

  #finish(status: SessionStatus): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#sendStatus(status);
    this.#socket.close(closeCodes.normal);
    // The response to the close frame may follow input that nobody reads.
    this.#socket.resume();
    this.#end();
  }

  #sendStatus(status: SessionStatus): void {
    const isVersioned = this.#protocol.startsWith('v');
    const content = isVersioned ? JSON.stringify(status) : (status.message ?? '');
    if (content !== '') this.#send(channels.status, Buffer.from(content));
  }

  /** As a kubelet, an empty message reports to the client that the connection is established. */
  #announce(): void {
    const { stdout, stderr } = this.#streams;
    this.#send(stdout ? channels.stdout : stderr ? channels.stderr : channels.status, Buffer.alloc(0));
  }

  #receive(message: Buffer): void {
    if (this.#isFinished) return;
    const [channel, ...more] = message.subarray(0, 3);
    const content = message.subarray(1);
    if (channel === channels.stdin) this.#input(content);
    else if (channel === channels.resize) this.#resize(content);
    else if (channel !== channels.close || !this.#protocol.startsWith('v5')) return;
    else if (more.length === 1 && more[0] === channels.stdin) this.#endInput();
  }

  #input(content: Buffer): void {
    if (this.#isInputEnded || content.length === 0) return;
    if (!this.stdin.push(content) && !this.stdin.destroyed) this.#socket.pause();
  }

  #resize(content: Buffer): void {
    if (this.#resizes.readableLength > resizeLimit) return;
    const found = /"Width":\s*(\d+)\D+"Height":\s*(\d+)/.exec(content.toString());
    if (found !== null) this.#resizes.push({ width: Number(found[1]), height: Number(found[2]) });
  }

  #output(channel: number | undefined): Writable {
    const stream = new Writable({
      highWaterMark: messageBytes,
      write: (chunk: Buffer, _encoding, written) => {
        if (channel === undefined) written();
        else this.#sendAll(channel, chunk, written);
      },
    });
    return stream.on('error', ignore);
  }

  #sendAll(channel: number, bytes: Buffer, sent: (error?: Error | null) => void): void {
    if (bytes.length <= messageBytes) {
      this.#send(channel, bytes, sent);
      return;
    }
    this.#send(channel, bytes.subarray(0, messageBytes), (error) => {
      if (error) sent(error);
      else this.#sendAll(channel, bytes.subarray(messageBytes), sent);
    });
  }

  #send(channel: number, bytes: Uint8Array, sent: (error?: Error | null) => void = ignore): void {
    this.#socket.send(Buffer.concat([Uint8Array.of(channel), bytes]), sent);
  }

  #close(): void {
    this.#isFinished = true;
    this.#end();
    for (const output of [this.stdout, this.stderr]) output.destroy();
  }

  #end(): void {
    this.#ended.abort();
    this.#endInput();
    this.#resizes.push(null);
  }

  #endInput(): void {
    this.#isInputEnded = true;
    this.stdin.push(null);
  }
}

function ignore(): void {}

/** Ends an output, and waits until the client has received its bytes or disconnected. */
function ended(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    output.end(() => resolve());
  });
}
