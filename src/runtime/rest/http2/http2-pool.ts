/** Connections that use HTTP/2 if the server supports it. Loaded for clients with `http2`. */
import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import type { Environment } from '../proxy/proxy.ts';
import type { Dispatching, Http2Parts } from '../transport/pool.ts';
import { Http2Session, type PingLimits } from './http2-session.ts';
import { asError, type Dispatched } from './http2-stream.ts';

/** Maximum retries of a request that the server did not begin to process. */
const maxRefusals = 3;

/** Returns the ping limits of the environment variables, as in client-go. */
export function pingLimits(environment: Environment): PingLimits {
  return {
    readIdleMs: seconds(environment, 'HTTP2_READ_IDLE_TIMEOUT_SECONDS', 30) * 1000,
    pingMs: seconds(environment, 'HTTP2_PING_TIMEOUT_SECONDS', 15) * 1000,
  };
}

function seconds(environment: Environment, name: string, usual: number): number {
  const text = environment[name] ?? '';
  return /^\d+$/.test(text) ? Number(text) : usual;
}

class Http2Pool implements Dispatching {
  readonly #parts: Http2Parts;
  readonly #limits: PingLimits;
  readonly #waiting: Dispatched[] = [];
  readonly #refusals: WeakMap<Dispatched, number> = new WeakMap();
  #sessions: readonly Http2Session[] = [];
  #connecting = false;
  #proceeding = false;
  #fallback: Dispatching | undefined;
  #destroyed = false;

  constructor(parts: Http2Parts, limits: PingLimits) {
    this.#parts = parts;
    this.#limits = limits;
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    if (this.#fallback !== undefined) {
      this.#fallback.dispatch(options, handler);
      return;
    }
    this.#waiting.push({ options, handler });
    this.#proceed();
  }

  async destroy(): Promise<void> {
    this.#destroyed = true;
    this.#failWaiting(new Error('the connections are closed'));
    await Promise.all([...this.#sessions.map((session) => session.destroy()), this.#fallback?.destroy()]);
  }

  /** Sends queued requests while streams are available, and opens connections. */
  #proceed(): void {
    // Requests that fail at once call back within the loop: thousands of them would be as many nested calls.
    if (this.#proceeding) return;
    this.#proceeding = true;
    try {
      this.#sendWaiting();
    } finally {
      this.#proceeding = false;
    }
  }

  #sendWaiting(): void {
    this.#sessions = this.#sessions.filter((session) => !session.over);
    while (this.#waiting.length > 0) {
      const session = this.#sessions.find(({ hasRoom }) => hasRoom);
      const next = session && this.#waiting.shift();
      if (session === undefined || next === undefined) {
        this.#connect();
        return;
      }
      session.start(next);
    }
  }

  #connect(): void {
    const isFull = this.#sessions.length >= (this.#parts.maxConnections ?? Number.POSITIVE_INFINITY);
    if (this.#connecting || this.#destroyed || isFull) return;
    this.#connecting = true;
    const { protocol, hostname, port, host } = new URL(this.#parts.origin);
    const options = { protocol, port, host, hostname: hostname.replace(/^\[|\]$/g, '') };
    this.#parts.connector(options, (error, socket) => {
      this.#connecting = false;
      if (error !== null) this.#failWaiting(error);
      else this.#connected(socket);
    });
  }

  #connected(socket: Socket): void {
    if (this.#destroyed) {
      socket.destroy();
    } else if ('alpnProtocol' in socket && socket.alpnProtocol === 'h2') {
      this.#open(socket);
    } else {
      socket.destroy();
      const fallback = this.#parts.fallback();
      this.#fallback = fallback;
      for (const { options, handler } of this.#waiting.splice(0)) fallback.dispatch(options, handler);
    }
  }

  #open(socket: Socket): void {
    try {
      const session = new Http2Session(socket, this.#parts.origin, this.#limits, {
        changed: () => this.#proceed(),
        refused: (dispatched) => this.#again(dispatched),
      });
      this.#sessions = [...this.#sessions, session];
    } catch (error) {
      // Called from an event of the socket: the requests that wait for the connection must receive the error.
      socket.destroy();
      this.#failWaiting(asError(error));
    }
    this.#proceed();
  }

  #again(dispatched: Dispatched): void {
    const times = this.#refusals.get(dispatched) ?? 0;
    this.#refusals.set(dispatched, times + 1);
    if (times < maxRefusals && !this.#destroyed) {
      this.#waiting.push(dispatched);
      this.#proceed();
    } else {
      fail(dispatched, new Error('the server refused to process the request'));
    }
  }

  #failWaiting(error: Error): void {
    for (const dispatched of this.#waiting.splice(0)) fail(dispatched, error);
  }
}

function fail({ handler }: Dispatched, error: Error): void {
  const ended: Dispatcher.DispatchController = {
    aborted: true,
    paused: false,
    reason: error,
    abort: () => undefined,
    pause: () => undefined,
    resume: () => undefined,
  };
  handler.onResponseError?.(ended, error);
}

/**
 * Returns connections to one server that use HTTP/2, or those of `parts.fallback` if the server does not
 * support it.
 */
export function http2Pool(parts: Http2Parts): Dispatching {
  return new Http2Pool(parts, pingLimits(process.env));
}
