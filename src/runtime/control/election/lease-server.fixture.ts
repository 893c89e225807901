/** A server with one lease, and a clock that a test moves. */
import { ApiError } from '../../api/errors.ts';
import type { RuntimeEnvironment } from '../../common/clock.ts';
import type { BodyOptions, CallOptions } from '../../rest/calls.ts';
import { RESTClient } from '../../rest/client.ts';
import type { LeaseObject, LeaseSpec } from './lease.ts';
import { SimulatedLease } from './simulation.fixture.ts';

/** A clock that runs the timers that are due when a test moves it. */
export class ManualTime {
  now = 1000;
  readonly environment: RuntimeEnvironment = {
    clock: {
      now: () => this.now,
      timer: (ms, callback) => {
        const timer = { at: this.now + ms, callback };
        this.#timers.add(timer);
        return () => this.#timers.delete(timer);
      },
    },
    random: () => 0,
  };
  readonly #timers = new Set<{ readonly at: number; readonly callback: () => void }>();

  /** Moves the clock without running timers, as if the event loop were blocked. */
  block(ms: number): void {
    this.now += ms;
  }

  /** Moves the clock, and waits for the requests that timers send. */
  async advance(ms: number): Promise<void> {
    const end = this.now + ms;
    await settled();
    for (let due = this.#next(end); due !== undefined; due = this.#next(end)) {
      this.#timers.delete(due);
      this.now = Math.max(this.now, due.at);
      due.callback();
      await settled();
    }
    this.now = Math.max(this.now, end);
  }

  #next(end: number): { readonly at: number; readonly callback: () => void } | undefined {
    return [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
  }
}

/** Waits for the responses of a `LeaseServer`, which arrive without delay. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A server that stores one lease. */
export class LeaseServer {
  /** A client of this server. */
  readonly client: RESTClient;
  /** Methods of all requests. */
  readonly requests: string[] = [];
  /** Called before each request; may throw, or return a promise that never settles. */
  onRequest: ((method: string, options: CallOptions) => unknown) | undefined;
  readonly #lease = new SimulatedLease();

  constructor() {
    const unused = { transport: () => Promise.reject(new Error('not used')) };
    this.client = Object.assign(new RESTClient({ server: 'http://stub' }, unused), {
      get: (_: string, options: CallOptions = {}) => this.#handle('GET', options),
      post: (_: string, options: BodyOptions = {}) => this.#handle('POST', options),
      put: (_: string, options: BodyOptions = {}) => this.#handle('PUT', options),
    });
  }

  get spec(): LeaseSpec | undefined {
    return this.#lease.read()?.spec;
  }

  /** Writes members of the spec, as another client would. */
  edit(spec: LeaseSpec): void {
    const object = this.#lease.read();
    const edited = { ...object, metadata: object?.metadata ?? {}, spec: { ...object?.spec, ...spec } };
    this.#lease.write(edited);
  }

  remove(): void {
    this.#lease.remove();
  }

  async #handle(method: string, options: BodyOptions): Promise<unknown> {
    options.signal?.throwIfAborted();
    this.requests.push(method);
    await this.onRequest?.(method, options);
    const found = this.#lease.read();
    if (method === 'GET') {
      if (found === undefined) throw new ApiError({ code: 404, reason: 'NotFound' });
      return found;
    }
    // The elector sends a lease, which the server stores as JSON.
    return this.#lease.write(JSON.parse(JSON.stringify(options.body)) as LeaseObject);
  }
}
