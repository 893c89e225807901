import { isDecodeError } from '../errors.ts';
import type { Stored } from '../types.ts';
import { type Environment, systemEnvironment } from '../watch/clock.ts';
import type { ObjectEvent } from '../watch/machine.ts';
import { run } from '../watch/run.ts';
import type { ListWatch, UnreadableItem } from '../watch/source.ts';
import type { ReflectorConditions, ReflectorOutput, RelistReason } from './reflector-state.ts';
import { reflectorMachine } from './reflector-step.ts';

/**
 * Who is told what the reflector learns, one call after the other: what `gather` and `replace` promise is awaited before
 * more is read from the server. Nothing of it may throw, except `replace` on abort.
 */
export interface ReflectorSink<O> {
  /** The whole state follows, in pieces: what was gathered of one before that did not end is void. */
  begin(): void;
  /** A piece of the state: a page as `ADDED`, or of a stream, where objects may change and go meanwhile. */
  gather(events: readonly ObjectEvent<O>[]): void | Promise<void>;
  /** Items of the state that could not be read: what is known of them stays. */
  keep(items: readonly UnreadableItem[]): void;
  /**
   * What was gathered since `begin` takes the place of what was known, at once: with the end of this call, or not at all
   * when it throws `signal.reason`.
   */
  replace(signal: AbortSignal): void | Promise<void>;
  /** What happened after the last state, in its order. Never empty. */
  changes(events: readonly ObjectEvent<O>[]): void;
  /** A request failed, for the `attempt`th time in a row. */
  failure(error: unknown, attempt: number): void;
  /** The whole state has to be read again. */
  relist(reason: RelistReason): void;
}

export interface ReflectorOptions extends Pick<ReflectorConditions, 'streaming'> {
  readonly environment?: Environment | undefined;
}

/** Counts over all runs. Times are milliseconds of the environment's clock. */
export interface ReflectorCounters {
  /** Requests for a list or a page of one. */
  lists: number;
  /** Requests for a stream. */
  watches: number;
  /** Streams that went on where the one before had ended or broken, so that no state had to be read. */
  restarts: number;
  /** States that had to be read again. */
  relists: number;
  failures: number;
  /** Changes that were taken. */
  events: number;
  bookmarks: number;
  /** Events that said nothing new. */
  stale: number;
  /** Items and answers that could not be read. */
  unreadable: number;
  /** The last version seen; empty where the resource is gone, `undefined` before the first state. */
  resourceVersion: string | undefined;
  /** When the server said something last: a page, an event or a bookmark. */
  heardAt: number | undefined;
  /** When a change was taken last. */
  changedAt: number | undefined;
  /** The last request, and when it was sent; `undefined` before the first one. */
  request: { readonly verb: 'list' | 'watch'; readonly at: number } | undefined;
  /** Why it does not know the state; `undefined` while it does. */
  lastError: unknown;
}

/** Keeps a sink informed of one source. May run again after its end, and then goes on from the last version seen. */
export class Reflector<T> {
  readonly #source: ListWatch<T>;
  readonly #sink: ReflectorSink<Stored<T>>;
  readonly #streaming: boolean | undefined;
  readonly #environment: Environment;
  /** The last run. It never rejects. */
  #last: Promise<unknown> = Promise.resolve();
  readonly counters: ReflectorCounters = {
    lists: 0,
    watches: 0,
    restarts: 0,
    relists: 0,
    failures: 0,
    events: 0,
    bookmarks: 0,
    stale: 0,
    unreadable: 0,
    resourceVersion: undefined,
    heardAt: undefined,
    changedAt: undefined,
    request: undefined,
    lastError: undefined,
  };

  constructor(source: ListWatch<T>, sink: ReflectorSink<Stored<T>>, options: ReflectorOptions = {}) {
    this.#source = source;
    this.#sink = sink;
    this.#streaming = options.streaming;
    this.#environment = options.environment ?? systemEnvironment;
  }

  /**
   * Runs until `signal` aborts, then resolves; a run that is still on its way out is waited for first. Every failure of
   * the server is waited out; rejects when the client is closed.
   */
  run(signal: AbortSignal): Promise<void> {
    const running = this.#last.then(() => this.#follow(signal));
    this.#last = running.catch(() => undefined);
    return running;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const machine = reflectorMachine<Stored<T>>({
      streaming: this.#streaming,
      resourceVersion: this.counters.resourceVersion,
    });
    const onRequest = (verb: 'list' | 'watch'): void => {
      this.counters[verb === 'list' ? 'lists' : 'watches'] += 1;
      this.counters.request = { verb, at: this.#environment.clock.now() };
    };
    try {
      const outputs = run(machine, this.#source, { signal, environment: this.#environment, onRequest });
      for await (const output of outputs) {
        signal.throwIfAborted();
        await this.#take(output, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #take(output: ReflectorOutput<Stored<T>>, signal: AbortSignal): Promise<void> {
    const { counters } = this;
    switch (output.type) {
      case 'begin':
        this.#sink.begin();
        break;
      case 'gather':
        this.#heard();
        await this.#sink.gather(output.events);
        break;
      case 'keep':
        this.#heard();
        counters.unreadable += output.items.length;
        this.#sink.keep(output.items);
        break;
      case 'replace':
        this.#heard();
        await this.#sink.replace(signal);
        counters.lastError = undefined;
        counters.resourceVersion = output.resourceVersion;
        break;
      case 'change':
        this.#change(output);
        break;
      case 'restart':
        counters.restarts += 1;
        break;
      case 'failure':
        counters.lastError = output.error;
        counters.failures += 1;
        if (isDecodeError(output.error)) counters.unreadable += 1;
        this.#sink.failure(output.error, output.attempt);
        break;
      case 'relist':
        counters.relists += 1;
        this.#sink.relist(output.reason);
        break;
    }
  }

  #change(output: Extract<ReflectorOutput<Stored<T>>, { type: 'change' }>): void {
    const { counters } = this;
    this.#heard();
    counters.lastError = undefined;
    counters.resourceVersion = output.resourceVersion;
    counters.bookmarks += output.bookmarks;
    counters.stale += output.stale;
    if (output.events.length === 0) return;
    counters.changedAt = counters.heardAt;
    counters.events += output.events.length;
    this.#sink.changes(output.events);
  }

  #heard(): void {
    this.counters.heardAt = this.#environment.clock.now();
  }
}
