/** SPDY/3.1 over a WebSocket: any number of streams on one connection. */
import type { Duplex } from 'node:stream';
import { TransportError } from '../../../api/errors.ts';
import type { RequestOperation } from '../../../api/operation.ts';
import { type SocketEnd, type SocketTiming, WebSocketConnection } from '../websocket/connection.ts';
import type { Sent } from '../write-messages.ts';
import {
  dataHead,
  firstSpdyFrame,
  openStreamFrame,
  parseSpdy,
  pingFrame,
  resetFrame,
  type SpdyEvent,
} from './frames.ts';

/** Events of a stream. They must not throw. */
export interface SpdyStreamEvents {
  /** The server accepted the stream. */
  replied(): void;
  data(bytes: Uint8Array, last: boolean): void;
  /**
   * The server reset the stream, after which data may follow that was sent before, or the connection is over.
   */
  failed(error: Error, isOver: boolean): void;
}

/** The client's side of a stream. */
export interface SpdyStream {
  readonly send: (bytes: Uint8Array, sent: Sent) => void;
  /** Ends the data of the client. */
  readonly end: (sent?: Sent) => void;
  /** Ends the stream in both directions, without further events. */
  reset(): void;
}

/** Settings of a session. */
export interface SpdySettings {
  readonly operation: RequestOperation;
  readonly timing?: Partial<SocketTiming>;
  /** Called once, when the connection has ended. */
  readonly closed?: () => void;
}

/** Highest identifier of a stream. */
const lastStream = 0x7fffffff;
/** Status of a reset by the client. */
const cancelled = 5;
const refused = 3;

/** A connection with streams. */
export class SpdySession {
  readonly #connection: WebSocketConnection;
  readonly #settings: SpdySettings;
  readonly #streams: Map<number, SpdyStreamEvents> = new Map();
  /** Streams of which one side has ended; without the other side they are forgotten. */
  readonly #halfEnded: Map<number, 'client' | 'server'> = new Map();
  readonly #full: Set<object> = new Set();
  #state = firstSpdyFrame;
  #next = 1;
  #accepting = true;

  constructor(stream: Duplex, settings: SpdySettings) {
    this.#settings = settings;
    const { operation, timing } = settings;
    const events = {
      part: (bytes: Uint8Array) => this.#receive(bytes),
      closed: (end: SocketEnd) => this.#closed(end),
    };
    this.#connection = new WebSocketConnection(stream, events, {
      operation,
      timing: { pingMs: 10_000, ...timing },
    });
  }

  /** Whether new streams can be opened. */
  get usable(): boolean {
    return this.#accepting && !this.#connection.over && this.#next < lastStream;
  }

  /** Whether a stream whose reader is slow stops the others: SPDY has no flow control per stream here. */
  get stalled(): boolean {
    return this.#full.size > 0;
  }

  /** Opens a stream. */
  open(headers: Readonly<Record<string, string>>, events: SpdyStreamEvents): SpdyStream {
    const stream = this.#next;
    this.#next += 2;
    this.#streams.set(stream, events);
    this.#connection.send([], openStreamFrame(stream, headers, stream === 1));
    return {
      send: (bytes, sent) => this.#connection.send(dataHead(stream, bytes.length, false), bytes, sent),
      end: (sent) => {
        this.#connection.send([], dataHead(stream, 0, true), sent);
        this.#end(stream, 'client');
      },
      reset: () => {
        this.#halfEnded.delete(stream);
        if (this.#streams.delete(stream)) this.#connection.send([], resetFrame(stream, cancelled));
      },
    };
  }

  /** Stops receiving while the reader of a stream, identified by `reader`, is too slow. */
  setFull(reader: object, full: boolean): void {
    if (full) this.#full.add(reader);
    else this.#full.delete(reader);
    if (this.#full.size > 0) this.#connection.pause();
    else this.#connection.resume();
  }

  /** Ends all streams and closes the connection. */
  close(error: Error): void {
    this.#failAll(error);
    this.#connection.close();
  }

  #receive(bytes: Uint8Array): void {
    const { state, events, failure } = parseSpdy(this.#state, bytes);
    this.#state = state;
    for (const event of events) this.#handle(event);
    if (failure !== undefined)
      this.#connection.destroy(this.#error(`the server sent invalid SPDY: ${failure}`));
  }

  #handle(event: SpdyEvent): void {
    switch (event.type) {
      case 'data':
        this.#data(event.stream, event.bytes, event.last);
        return;
      case 'reply':
        this.#streams.get(event.stream)?.replied();
        if (event.last) this.#data(event.stream, new Uint8Array(0), true);
        return;
      case 'reset':
        this.#reset(event.stream, event.status);
        return;
      case 'ping':
        // Pings with odd identifiers are responses.
        if (event.id % 2 === 0) this.#connection.send([], pingFrame(event.id));
        return;
      case 'goaway':
        this.#accepting = false;
        return;
      case 'opened':
        this.#connection.send([], resetFrame(event.stream, refused));
    }
  }

  #data(stream: number, bytes: Uint8Array, last: boolean): void {
    const events = this.#streams.get(stream);
    if (last) this.#end(stream, 'server');
    events?.data(bytes, last);
  }

  /** Forgets a stream of which both sides have ended. */
  #end(stream: number, side: 'client' | 'server'): void {
    if (!this.#streams.has(stream)) return;
    const other = this.#halfEnded.get(stream);
    if (other === undefined || other === side) {
      this.#halfEnded.set(stream, side);
      return;
    }
    this.#halfEnded.delete(stream);
    this.#streams.delete(stream);
  }

  #reset(stream: number, status: number): void {
    // Data that the server sent before may follow, so the stream is kept until the client resets it.
    const events = this.#streams.get(stream);
    this.#halfEnded.delete(stream);
    events?.failed(this.#error(`the server reset the connection to the port (SPDY status ${status})`), false);
  }

  #closed(end: SocketEnd): void {
    const reason = 'code' in end && end.reason !== '' ? `: ${end.reason}` : '';
    this.#failAll(
      'error' in end ? end.error : this.#error(`the server closed the session with ${end.code}${reason}`),
    );
    this.#settings.closed?.();
  }

  #failAll(error: Error): void {
    const all = [...this.#streams.values()];
    this.#streams.clear();
    for (const events of all) events.failed(error, true);
  }

  #error(message: string): TransportError {
    return new TransportError(message, this.#settings.operation, { code: 'SPDY' });
  }
}
