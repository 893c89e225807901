/** Faults of proxies, triggered by a test or by a schedule. */
import type { Random } from '../support/random.ts';

/** Ending of a connection: RST, or FIN as after complete data. */
export type Ending = 'reset' | 'end';

/** Faults of connections, independent of their content. Lasting faults end with `calm`. */
export type ConnectionStep =
  /** Closes the open connections: all, or a random share. */
  | { readonly type: 'cut'; readonly how: Ending; readonly share?: number }
  /** Closes each open connection after `bytes` more bytes to the client, at any position of the data. */
  | { readonly type: 'cut after'; readonly how: Ending; readonly bytes: number }
  /** Reads everything and forwards nothing, without closing connections. */
  | { readonly type: 'stall'; readonly towards: 'client' | 'server' | 'both' }
  /** Stops reading the open connections forever, without closing them; new ones are accepted. */
  | { readonly type: 'freeze' }
  /** Closes the open connections and each new one. */
  | { readonly type: 'refuse' }
  | { readonly type: 'delay'; readonly ms: number }
  | { readonly type: 'throttle'; readonly bytesPerSecond: number }
  /** Closes each present and future connection at this age. */
  | { readonly type: 'lifetime'; readonly ms: number }
  | { readonly type: 'calm' };

/** Faults of requests and responses. Lasting faults end with `calm`. */
export type RequestStep =
  /** Responds to the next requests in place of the server. */
  | {
      readonly type: 'answer';
      readonly status: number;
      readonly times: number;
      readonly retryAfterSeconds?: number;
      /** Verb of affected requests. Default: either. */
      readonly verb?: 'list' | 'watch';
    }
  /** Delays lists from the second page on until `calm`. */
  | { readonly type: 'hold pages' }
  /** Ends the open watches regularly, or breaks them in the middle of their next event. */
  | { readonly type: 'end watches' }
  | { readonly type: 'cut in event' }
  /** Inserts a false event into each open watch, after its next event. */
  | { readonly type: 'insert event'; readonly what: FalseEvent }
  /** Ends each present and future watch at this age. */
  | { readonly type: 'watch lifetime'; readonly ms: number }
  /** Responds with 401 to every bearer token first seen longer ago than this, and ends its watches. */
  | { readonly type: 'token lifetime'; readonly ms: number }
  | { readonly type: 'calm' };

/**
 * False event. `repeated`: the event once more; `stale`: an earlier event of the same watch; `garbage`: not
 * an event; `undecodable`: an event whose object has no metadata; `expired`: an ERROR with 410.
 */
export type FalseEvent = 'repeated' | 'stale' | 'garbage' | 'undecodable' | 'expired';

/** A proxy that applies faults. */
export interface Stage<S> {
  apply(step: S): void;
}

/** Applies faults during a load; counts its writes, so that the schedule does not depend on time. */
export class Schedule<S extends { readonly type: string }> {
  readonly #stage: Stage<S | { readonly type: 'calm' }>;
  readonly #menu: readonly [S, ...S[]];
  readonly #random: Random;
  #left = 0;
  #lasting = false;
  /** Applied faults, in order. */
  readonly played: S[] = [];

  constructor(stage: Stage<S | { readonly type: 'calm' }>, menu: readonly [S, ...S[]], random: Random) {
    this.#stage = stage;
    this.#menu = menu;
    this.#random = random;
    this.#left = 5 + random.int(10);
  }

  /** Starts or ends a fault occasionally; to be called after each write. */
  readonly tick = (): void => {
    this.#left -= 1;
    if (this.#left > 0) return;
    this.#left = 8 + this.#random.int(16);
    if (this.#lasting) {
      this.end();
      return;
    }
    const step = this.#random.pick(this.#menu);
    this.played.push(step);
    this.#stage.apply(step);
    this.#lasting = true;
  };

  /** Ends lasting faults. */
  end(): void {
    this.#lasting = false;
    this.#stage.apply({ type: 'calm' });
  }
}
