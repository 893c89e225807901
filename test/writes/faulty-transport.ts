/** Transport of the process under test: loses responses, delays requests, and holds back watches. */

import { TransportError } from '@kgen/runtime';
import type { APIRequest, APIResponse, Transport } from '@kgen/runtime/rest';
import type { Fault } from './history.ts';

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A transport with faults for the requests of one object. */
export class FaultyTransport {
  /** Number of writes of objects that were sent. */
  sent = 0;
  /** Fault of writes from now on. */
  fault: Fault | undefined;
  readonly #inner: Transport;
  readonly #collection: RegExp;
  readonly #delayed: APIRequest[] = [];
  #hold: Hold | undefined;
  #slow: Promise<void> | undefined;
  #isWithheld: () => void = () => undefined;

  /** @param resource plural name of the written objects, whose watches are held back */
  constructor(inner: Transport, resource: string) {
    this.#inner = inner;
    this.#collection = new RegExp(`/namespaces/[^/]+/${resource}(/|$)`);
  }

  /** Holds back the events of watches: all, or those without a label selector. */
  hold(only?: 'first'): void {
    if (this.#hold !== undefined) return;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#hold = { only, released, release };
  }

  release(): void {
    this.#hold?.release();
    this.#hold = undefined;
  }

  /** Withholds the response to the next write with the fault `slow`. */
  withhold(): Withheld {
    let release = (): void => undefined;
    this.#slow = new Promise((resolve) => {
      release = resolve;
    });
    const begun = new Promise<undefined>((resolve) => {
      this.#isWithheld = () => resolve(undefined);
    });
    return { begun, release };
  }

  /** Executes the delayed requests. */
  async deliver(): Promise<void> {
    for (const request of this.#delayed.splice(0)) await drained(await this.#inner(request));
  }

  readonly send: Transport = async (request) => {
    if (!this.#collection.test(request.path)) return this.#inner(request);
    if (reads.has(request.method)) {
      const response = await this.#inner(request);
      const isWatch = request.query.some(([name]) => name === 'watch');
      return isWatch ? { ...response, body: this.#events(response, request) } : response;
    }
    this.sent += 1;
    const { fault } = this;
    if (fault === undefined) return this.#inner(request);
    if (fault === 'slow') {
      const response = await this.#inner(request);
      this.#isWithheld();
      await this.#slow;
      return response;
    }
    const later = { ...request, signal: undefined, beforeWrite: undefined };
    if (fault === 'delayed') this.#delayed.push(later);
    else await drained(await this.#inner(later));
    if (fault === 'malformed') return responseOf(200, '{"metadata":');
    if (fault === 'unavailable') return responseOf(504, 'upstream request timeout');
    throw new TransportError(lost, request.operation, { code: 'ECONNRESET' });
  };

  async *#events({ body }: APIResponse, { query, signal }: APIRequest): AsyncGenerator<Uint8Array> {
    const isFirst = !query.some(([name]) => name === 'labelSelector');
    const ended = new Promise<void>((resolve) => {
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
    for await (const chunk of body) {
      for (let hold = this.#hold; hold !== undefined && !signal?.aborted; hold = this.#hold) {
        if (hold.only === 'first' && !isFirst) break;
        await Promise.race([hold.released, ended]);
      }
      yield chunk;
    }
  }
}

/** A response that is withheld. */
export interface Withheld {
  /** Resolves when the server has executed the write. */
  readonly begun: Promise<undefined>;
  release(): void;
}

/** Message of the error after which the outcome of a request is unknown. */
export const lost = 'the response was lost';

interface Hold {
  readonly only: 'first' | undefined;
  readonly released: Promise<void>;
  readonly release: () => void;
}

async function drained({ body }: APIResponse): Promise<void> {
  for await (const _ of body);
}

function responseOf(status: number, text: string): APIResponse {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  return { status, headers: { 'content-type': 'application/json' }, body: body(), cancel: () => undefined };
}
