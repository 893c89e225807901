/** What proxies can be told to do to the requests that go through them, by a test or by a schedule. */
import type { Random } from '../fuzz/random.ts';

/** How a connection ends: without a word (RST), or as if all had been said (FIN). */
export type Ending = 'reset' | 'end';

/** What is done to connections, whatever is in them. What lasts does so until `calm`. */
export type ConnectionStep =
  /** Ends the open connections: all, or by chance some of them. */
  | { readonly type: 'cut'; readonly how: Ending; readonly share?: number }
  /** Ends each open connection behind so many more bytes for the client: in the middle of whatever they are. */
  | { readonly type: 'cut after'; readonly how: Ending; readonly bytes: number }
  /** Takes everything and passes nothing on; nobody is told. */
  | { readonly type: 'stall'; readonly towards: 'client' | 'server' | 'both' }
  /** Takes nothing more from the open connections, for ever; new ones are welcome. Nobody is told. */
  | { readonly type: 'freeze' }
  /** Ends the open connections and each new one. */
  | { readonly type: 'refuse' }
  | { readonly type: 'delay'; readonly ms: number }
  | { readonly type: 'throttle'; readonly bytesPerSecond: number }
  /** Ends each connection, also those to come, when it is so old. */
  | { readonly type: 'lifetime'; readonly ms: number }
  | { readonly type: 'calm' };

/** What is done to requests and answers. What lasts does so until `calm`. */
export type RequestStep =
  /** Answers the next requests in the server's place. */
  | {
      readonly type: 'answer';
      readonly status: number;
      readonly times: number;
      readonly retryAfterSeconds?: number;
      /** What a request has to be; default: either. */
      readonly verb?: 'list' | 'watch';
    }
  /** Lets lists from the second page on wait until `calm`. */
  | { readonly type: 'hold pages' }
  /** Ends the open watches in order, or cuts them in the middle of their next event. */
  | { readonly type: 'end watches' }
  | { readonly type: 'cut in event' }
  /** Says in each open watch what the server never said, behind its next event. */
  | { readonly type: 'say'; readonly what: Lie }
  /** Ends each watch, also those to come, when it is so old. */
  | { readonly type: 'watch lifetime'; readonly ms: number }
  /** Answers 401 to every bearer token that was seen for longer than this; then its watches end as well. */
  | { readonly type: 'token lifetime'; readonly ms: number }
  | { readonly type: 'calm' };

/**
 * `repeated`: the event itself once more; `stale`: an event from earlier in the same watch; `garbage`: what is no
 * event; `undecodable`: an event whose object has no metadata; `expired`: an ERROR with 410.
 */
export type Lie = 'repeated' | 'stale' | 'garbage' | 'undecodable' | 'expired';

/** Something that takes steps. */
export interface Stage<S> {
  apply(step: S): void;
}

/** Plays steps while a load runs; counts its writes, so that nothing depends on the time. */
export class Schedule<S extends { readonly type: string }> {
  readonly #stage: Stage<S | { readonly type: 'calm' }>;
  readonly #menu: readonly [S, ...S[]];
  readonly #random: Random;
  #left = 0;
  #lasting = false;
  /** What was done, in order. */
  readonly played: S[] = [];

  constructor(stage: Stage<S | { readonly type: 'calm' }>, menu: readonly [S, ...S[]], random: Random) {
    this.#stage = stage;
    this.#menu = menu;
    this.#random = random;
    this.#left = 5 + random.int(10);
  }

  /** To be called after each write: begins or ends a fault now and then. */
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

  /** Ends what lasts. */
  end(): void {
    this.#lasting = false;
    this.#stage.apply({ type: 'calm' });
  }
}
