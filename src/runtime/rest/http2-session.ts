/** One connection that speaks HTTP/2, with pings that find out whether the other side is still there. */
import { type ClientHttp2Session, connect as http2Connect } from 'node:http2';
import type { Socket } from 'node:net';
import { timerMs } from './deadline.ts';
import { type Dispatched, Http2Stream } from './http2-stream.ts';
import { idleMs } from './pool.ts';

/** Bytes of one answer that the server may send before they are read. */
const streamWindow = 1024 * 1024;
/** The same of all together: so much that answers which nobody reads hold up no other. */
const connectionWindow = 2 ** 30;
/** Streams at a time, before the server has said how many it allows. */
const presumedStreams = 100;

/** How long silence may last. */
export interface PingLimits {
  /** Milliseconds of silence after which a ping is sent; 0 for never. */
  readonly readIdleMs: number;
  /** Milliseconds in which it must be answered. */
  readonly pingMs: number;
}

/** What a connection tells those who use it. */
export interface SessionEvents {
  /** There is room for another stream, or the connection is over. */
  changed(): void;
  /** A request that the server did not begin with. */
  refused(dispatched: Dispatched): void;
}

/**
 * A connection. Node emits `connect` also for a session that was destroyed meanwhile, and most methods of a destroyed
 * session throw: every timer and listener below first asks whether the session is still there.
 */
export class Http2Session {
  readonly #session: ClientHttp2Session;
  readonly #origin: string;
  readonly #limits: PingLimits;
  readonly #events: SessionEvents;
  #open = 0;
  #heardAt: number = performance.now();
  #health: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(socket: Socket, origin: string, limits: PingLimits, events: SessionEvents) {
    this.#origin = origin;
    this.#limits = limits;
    this.#events = events;
    this.#session = http2Connect(origin, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: streamWindow },
    });
    this.#session.once('connect', () => this.#connected());
    this.#session.on('remoteSettings', () => events.changed());
    this.#session.on('goaway', () => events.changed());
    // Its streams say what became of it.
    this.#session.on('error', () => undefined);
    this.#session.once('close', () => {
      clearTimeout(this.#health);
      clearTimeout(this.#idle);
      events.changed();
    });
    this.#watchHealth(limits.readIdleMs);
    this.#rest();
  }

  /** Whether no request may be sent over it any more. Those that run go on, unless the connection broke. */
  get over(): boolean {
    return this.#session.closed || this.#session.destroyed;
  }

  /** Whether another request can be sent over it at once. */
  get hasRoom(): boolean {
    return !this.over && this.#open < (this.#session.remoteSettings?.maxConcurrentStreams ?? presumedStreams);
  }

  start(dispatched: Dispatched): void {
    this.#open += 1;
    if (this.#open === 1) this.#session.ref();
    clearTimeout(this.#idle);
    const stream = new Http2Stream(dispatched, {
      heard: () => {
        this.#heardAt = performance.now();
      },
      refused: () => this.#events.refused(dispatched),
      closed: () => this.#closed(),
    });
    stream.start(this.#session, this.#origin);
  }

  destroy(): Promise<void> {
    if (this.#session.destroyed) return Promise.resolve();
    return new Promise((closed) => {
      this.#session.once('close', closed);
      this.#session.destroy();
    });
  }

  #connected(): void {
    if (!this.#session.destroyed) this.#session.setLocalWindowSize(connectionWindow);
  }

  #closed(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#rest();
    this.#events.changed();
  }

  /** A connection that nobody uses keeps no process alive, and is closed after a while. */
  #rest(): void {
    if (this.over) return;
    this.#session.unref();
    this.#idle = setTimeout(() => this.#session.close(), idleMs).unref();
  }

  #watchHealth(ms: number): void {
    if (this.#limits.readIdleMs === 0 || this.#session.destroyed) return;
    this.#health = setTimeout(() => {
      const left = this.#heardAt + this.#limits.readIdleMs - performance.now();
      if (left > 0) this.#watchHealth(left);
      else this.#probe();
    }, timerMs(ms)).unref();
  }

  #probe(): void {
    if (this.#session.destroyed) return;
    const { pingMs } = this.#limits;
    this.#health = setTimeout(() => {
      const message = `the server did not answer a ping of HTTP/2 within ${pingMs / 1000} s`;
      this.#session.destroy(Object.assign(new Error(message), { code: 'ECONNABORTED' }));
    }, timerMs(pingMs)).unref();
    const acknowledged = (error: Error | null): void => {
      if (error === null) this.#acknowledged();
    };
    // Node cancels pings of a session that is closing, whose streams may go on for hours. Settings are acknowledged too.
    if (this.#session.closed) this.#session.settings({}, acknowledged);
    else this.#session.ping(acknowledged);
  }

  #acknowledged(): void {
    if (this.#session.destroyed) return;
    clearTimeout(this.#health);
    this.#heardAt = performance.now();
    this.#watchHealth(this.#limits.readIdleMs);
  }
}
