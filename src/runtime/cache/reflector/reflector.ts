import type { DecodeObserver } from '../../api/transport.ts';
import type { Stored } from '../../api/types.ts';
import { type RuntimeEnvironment, systemEnvironment } from '../../common/clock.ts';
import { eventLoopTurn } from '../../common/event-loop-turn.ts';
import { timingOf } from '../../common/timing.ts';
import { run } from '../../watch/machine/drive-machine.ts';
import type { ObjectEvent } from '../../watch/machine/machine-types.ts';
import type { ListWatch, UnreadableItem } from '../../watch/source.ts';
import { type ReflectorCounters, zeroCounters } from './reflector-counters.ts';
import type { ReflectorConditions, ReflectorOutput, RelistReason } from './reflector-state.ts';
import { reflectorMachine } from './reflector-step.ts';

/**
 * Receiver of the output of a reflector. Calls are sequential: promises of `gather` and `replace` are awaited
 * before more is read from the server. Methods must not throw, except `replace` on abort.
 */
export interface ReflectorSink<O> {
  /** Begins a whole state, which follows in pieces. Discards an incomplete state. */
  begin(): void;
  /**
   * Adds a piece of the state: a page as `ADDED` events, or events of a stream, during which objects may
   * change and be deleted.
   */
  gather(events: readonly ObjectEvent<O>[]): void | Promise<void>;
  /** Keeps the cached state of items that could not be decoded. */
  keep(items: readonly UnreadableItem[]): void;
  /**
   * Replaces the present state by the one collected since `begin`, at once: at the end of the call, or not at
   * all if it throws `signal.reason`. `resourceVersion` is empty for a state without a version.
   */
  replace(resourceVersion: string, signal: AbortSignal): void | Promise<void>;
  /** Applies changes after the last state, in order, up to `resourceVersion`. Never empty. */
  changes(events: readonly ObjectEvent<O>[], resourceVersion: string): void;
  /** Called after bookmarks: there is no other change up to `resourceVersion`. */
  progress(resourceVersion: string): void;
  /** Reports a failed request; `attempt` is the number of consecutive failures. */
  failure(error: unknown, attempt: number): void;
  /** Reports that the whole state has to be read again. */
  relist(reason: RelistReason): void;
}

export interface ReflectorOptions extends Pick<ReflectorConditions, 'streaming'> {
  readonly environment?: RuntimeEnvironment | undefined;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Keeps a sink up to date with one source. It can run again after its end, and then resumes from the last
 * version.
 */
export class Reflector<T> {
  readonly #source: ListWatch<T>;
  readonly #sink: ReflectorSink<Stored<T>>;
  readonly #streaming: boolean | undefined;
  readonly #environment: RuntimeEnvironment;
  /** Last run. Never rejects. */
  #last: Promise<unknown> = Promise.resolve();
  readonly counters: Writable<ReflectorCounters> = {
    ...zeroCounters,
    resourceVersion: undefined,
    lastDataAt: undefined,
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
   * Runs until `signal` aborts, then resolves. Waits for the end of a previous run first. Failures of the
   * server are retried; rejects if the client is closed.
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
      timing: timingOf(this.#environment),
    });
    const onRequest = (verb: 'list' | 'watch'): void => {
      this.counters[verb === 'list' ? 'lists' : 'watches'] += 1;
      this.counters.request = { verb, at: this.#environment.clock.now() };
    };
    const onDecoded: DecodeObserver = (encoding, ms) => {
      this.counters[encoding === 'json' ? 'decodeJsonMs' : 'decodeProtobufMs'] += ms;
    };
    try {
      const turn = eventLoopTurn(this.#environment.clock);
      const environment = this.#environment;
      const outputs = run(machine, this.#source, { signal, environment, onRequest, onDecoded });
      for await (const output of outputs) {
        // Data that has arrived is read without IO.
        if (turn.isOver) await turn.next();
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
        this.#noteData();
        await this.#sink.gather(output.events);
        break;
      case 'keep':
        this.#noteData();
        this.#sink.keep(output.items);
        break;
      case 'replace':
        // A state without a version is not data of the server: the resource does not exist.
        if (output.resourceVersion !== '') this.#noteData();
        await this.#sink.replace(output.resourceVersion, signal);
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
        this.#sink.failure(output.error, output.attempt);
        break;
      case 'relist':
        counters.relists += 1;
        this.#sink.relist(output.reason);
        break;
    }
  }

  #change(output: Extract<ReflectorOutput<Stored<T>>, { readonly type: 'change' }>): void {
    const { counters } = this;
    this.#noteData();
    counters.lastError = undefined;
    counters.resourceVersion = output.resourceVersion;
    counters.bookmarks += output.bookmarks;
    counters.stale += output.stale;
    if (output.events.length === 0) {
      this.#sink.progress(output.resourceVersion);
      return;
    }
    counters.events += output.events.length;
    this.#sink.changes(output.events, output.resourceVersion);
  }

  #noteData(): void {
    this.counters.lastDataAt = this.#environment.clock.now();
  }
}
