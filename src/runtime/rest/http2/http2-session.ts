/** One HTTP/2 connection, with pings that detect an unreachable peer. */
import { type ClientHttp2Session, connect as http2Connect } from 'node:http2';
import type { Socket } from 'node:net';
import { timerMs } from '../abort/deadline.ts';
import { idleMs } from '../transport/pool.ts';
import { type Dispatched, Http2Stream } from './http2-stream.ts';

/** Flow-control window of one stream, in bytes. */
const streamWindow = 1024 * 1024;
/**
 * Flow-control window of the connection, in bytes: large enough that responses without a reader do not block
 * others.
 */
const connectionWindow = 2 ** 30;
/** Concurrent streams before the server has sent its limit. */
const presumedStreams = 100;

/** Time limits of the connection health check. */
export interface PingLimits {
  /** Milliseconds without received data after which a ping is sent; 0 disables pings. */
  readonly readIdleMs: number;
  /** Milliseconds within which a ping must be acknowledged. */
  readonly pingMs: number;
}

/** Events of a connection for its users. */
export interface SessionEvents {
  /** Another stream can be opened, or the connection is closed. */
  changed(): void;
  /** The server did not begin to process the request. */
  refused(dispatched: Dispatched): void;
}

/**
 * One HTTP/2 connection. Node emits `connect` even for a session that was destroyed meanwhile, and most
 * methods of a destroyed session throw: every timer and listener below first checks for that.
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
    // The streams report the error to their callers.
    this.#session.on('error', () => undefined);
    this.#session.once('close', () => {
      clearTimeout(this.#health);
      clearTimeout(this.#idle);
      events.changed();
    });
    this.#watchHealth(limits.readIdleMs);
    this.#rest();
  }

  /** Whether the connection accepts no more requests. Running ones continue, unless the connection broke. */
  get over(): boolean {
    return this.#session.closed || this.#session.destroyed;
  }

  /** Whether another request can be sent at once. */
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

  /**
   * Closes the connection. Running requests fail: without an error, Node would end their bodies as complete.
   */
  destroy(): Promise<void> {
    if (this.#session.destroyed) return Promise.resolve();
    return new Promise((closed) => {
      this.#session.once('close', closed);
      this.#session.destroy(Object.assign(new Error('the connection was closed'), { code: 'ECONNABORTED' }));
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

  /** Lets the process exit while the connection is idle, and closes it after `idleMs`. */
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
      const message = `the server did not acknowledge an HTTP/2 ping within ${pingMs / 1000} s`;
      this.#session.destroy(Object.assign(new Error(message), { code: 'ECONNABORTED' }));
    }, timerMs(pingMs)).unref();
    const acknowledged = (error: Error | null): void => {
      if (error === null) this.#acknowledged();
    };
    // Node cancels pings of a closing session, whose streams may run for hours. Settings are acknowledged as
    // well.
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
