/** A WebSocket over an opened connection: back-pressure, pings, deadlines and the closing handshake. */
import { randomFillSync } from 'node:crypto';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TransportError } from '../../../api/errors.ts';
import type { RequestOperation } from '../../../api/operation.ts';
import {
  closePayload,
  encodeFrame,
  type FrameEvent,
  type FrameFailure,
  type FrameMemory,
  firstFrame,
  fits,
  frameMemory,
  opcodes,
  parseFrames,
} from './frames.ts';

/** Times of a connection in milliseconds, those of client-go. */
export interface SocketTiming {
  /** Interval of pings. */
  readonly pingMs: number;
  /** Time without a received byte after which the connection fails, while it is not paused. */
  readonly silenceMs: number;
  /** Time after which the connection fails if the server does not accept what is sent. */
  readonly writeMs: number;
  /** Time for the closing handshake. */
  readonly closeMs: number;
}

/** Times of client-go. */
export const socketTiming: SocketTiming = {
  pingMs: 5_000,
  silenceMs: 61_000,
  writeMs: 60_000,
  closeMs: 5_000,
};

/** End of a connection: a close frame of the server, or an error. */
export type SocketEnd = { readonly code: number; readonly reason: string } | { readonly error: Error };

/** Events of a connection. They must not throw. */
export interface SocketEvents {
  /** Part of a message. The bytes are not reused. */
  part(bytes: Uint8Array, last: boolean): void;
  /** The connection has ended. Called once, and last. */
  closed(end: SocketEnd): void;
}

/** Settings of a connection. */
export interface SocketOptions {
  /** Operation in errors. */
  readonly operation: RequestOperation;
  /** Maximum bytes of a received message, and so of a frame. Default: 128 MiB. */
  readonly maxMessageBytes?: number;
  readonly timing?: Partial<SocketTiming>;
}

/** Close code of a connection that ended without a close frame. */
const abnormal = 1006;

/** Payloads of at least this length reuse memory, of at most so many frames. */
const longBytes = 4096;
const mostMemory = 4;

const ignore = (): void => undefined;

/** The client's side of a WebSocket connection. */
export class WebSocketConnection {
  readonly #stream: Duplex;
  readonly #events: SocketEvents;
  readonly #operation: RequestOperation;
  readonly #timing: SocketTiming;
  readonly #most: number;
  readonly #clock: NodeJS.Timeout;
  /** Sockets have copied or sent a chunk when they report it as written; other streams may keep it. */
  readonly #isReusing: boolean;
  /** Memory of frames that have been sent. */
  readonly #memory: FrameMemory[] = [];
  #state = firstFrame;
  #receivedAt = performance.now();
  #writtenAt = 0;
  #unwritten = 0;
  #over = false;

  constructor(stream: Duplex, events: SocketEvents, options: SocketOptions) {
    this.#stream = stream;
    this.#isReusing = stream instanceof Socket;
    this.#events = events;
    this.#operation = options.operation;
    this.#timing = { ...socketTiming, ...options.timing };
    this.#most = options.maxMessageBytes ?? 128 * 1024 * 1024;
    this.#clock = setInterval(() => this.#tick(), this.#timing.pingMs);
    stream.on('error', (error) => this.#fail(error));
    stream.on('end', () => this.#fail(this.#error('the connection ended without a close frame', abnormal)));
    stream.on('close', () => this.#fail(this.#error('the connection was closed', abnormal)));
    stream.on('data', (chunk: Uint8Array) => this.#receive(chunk));
    if (stream.destroyed)
      queueMicrotask(() => this.#fail(this.#error('the connection was closed', abnormal)));
  }

  /** Whether the server no longer receives messages. */
  get over(): boolean {
    return this.#over;
  }

  /**
   * Sends a binary message.
   * @param prefix bytes before the payload
   * @param sent called when the system has accepted the message, with an error if the connection has ended
   */
  send(prefix: ArrayLike<number>, payload: Uint8Array, sent: (error?: Error | null) => void = ignore): void {
    this.#write(opcodes.binary, prefix, payload, sent);
  }

  /** Stops receiving: the window of TCP then stops the server. Deadlines of receiving are suspended. */
  pause(): void {
    this.#stream.pause();
  }

  /** Continues receiving. */
  resume(): void {
    if (this.#over || !this.#stream.isPaused()) return;
    this.#receivedAt = performance.now();
    this.#stream.resume();
  }

  /** Sends a close frame, and destroys the connection if the server does not respond to it. */
  close(code = 1000, reason = ''): void {
    if (this.#over) return;
    this.#write(opcodes.close, [], closePayload(code, reason));
    this.#destroyLater();
    this.#stream.resume();
  }

  /** Ends the connection at once: `closed` is called with the error. */
  destroy(error: Error): void {
    this.#fail(error);
  }

  #write(
    opcode: number,
    prefix: ArrayLike<number>,
    payload: Uint8Array,
    sent: (error?: Error | null) => void = ignore,
  ): void {
    if (this.#over) {
      sent(this.#error('the connection has ended', abnormal));
      return;
    }
    if (this.#unwritten === 0) this.#writtenAt = performance.now();
    this.#unwritten += 1;
    const memory = this.#take(prefix.length + payload.length);
    this.#stream.write(encodeFrame(opcode, prefix, payload, nextMask(), memory), (error) => {
      this.#unwritten -= 1;
      this.#writtenAt = performance.now();
      if (memory !== undefined && !error && this.#memory.length < mostMemory) this.#memory.push(memory);
      sent(error);
    });
  }

  /** Takes memory for a long frame: that of a frame that has been sent, if it suffices. */
  #take(length: number): FrameMemory | undefined {
    if (!this.#isReusing || length < longBytes) return undefined;
    const memory = this.#memory.pop();
    return memory !== undefined && fits(memory, length) ? memory : frameMemory(length);
  }

  #receive(chunk: Uint8Array): void {
    this.#receivedAt = performance.now();
    const { state, events, failure } = parseFrames(this.#state, chunk, this.#most);
    this.#state = state;
    for (const event of events) this.#handle(event);
    if (failure !== undefined) this.#violated(failure);
  }

  #handle(event: FrameEvent): void {
    if (this.#over) return;
    if (event.type === 'part') this.#events.part(event.bytes, event.last);
    else if (event.type === 'ping') this.#write(opcodes.pong, [], event.bytes);
    else if (event.type === 'close') this.#closedBy(event.code, event.reason);
  }

  #closedBy(code: number, reason: string): void {
    this.#write(opcodes.close, [], code === 1005 ? new Uint8Array(0) : closePayload(code));
    this.#finish({ code, reason });
    this.#stream.end();
    this.#destroyLater();
  }

  #violated({ code, message }: FrameFailure): void {
    this.#write(opcodes.close, [], closePayload(code, message));
    this.#finish({ error: this.#error(`the server sent an invalid WebSocket frame: ${message}`, code) });
    this.#stream.end();
    this.#destroyLater();
  }

  #fail(error: Error): void {
    this.#finish({ error });
    this.#stream.destroy();
  }

  #finish(end: SocketEnd): void {
    if (this.#over) return;
    this.#over = true;
    clearInterval(this.#clock);
    this.#events.closed(end);
    // Further bytes are discarded, so that the end of the connection is noticed.
    if (!this.#stream.destroyed) this.#stream.resume();
  }

  #destroyLater(): void {
    const timer = setTimeout(() => this.#stream.destroy(), this.#timing.closeMs);
    this.#stream.once('close', () => clearTimeout(timer));
  }

  #tick(): void {
    const now = performance.now();
    const { silenceMs, writeMs } = this.#timing;
    if (this.#unwritten > 0 && now - this.#writtenAt > writeMs) {
      this.#fail(this.#error(`the server did not accept data for ${writeMs / 1000} s`, 'WRITE_TIMEOUT'));
    } else if (!this.#stream.isPaused() && now - this.#receivedAt > silenceMs) {
      this.#fail(
        this.#error(`the server did not respond to pings for ${silenceMs / 1000} s`, 'PING_TIMEOUT'),
      );
    } else {
      this.#write(opcodes.ping, [], new Uint8Array(0));
    }
  }

  #error(message: string, code: number | string): TransportError {
    const name = typeof code === 'number' ? `WEBSOCKET_${code}` : code;
    return new TransportError(message, this.#operation, { code: name });
  }
}

const masks: Buffer = Buffer.alloc(4096);
let used = masks.length;

/** Returns four random bytes, which are valid until the next call. */
function nextMask(): Uint8Array {
  if (used === masks.length) {
    randomFillSync(masks);
    used = 0;
  }
  used += 4;
  return masks.subarray(used - 4, used);
}
