import type { Stored } from '../types.ts';
import { type Environment, systemEnvironment } from '../watch/clock.ts';
import type { ObjectEvent } from '../watch/machine.ts';
import { run } from '../watch/run.ts';
import type { ListWatch } from '../watch/source.ts';
import type { ReflectorConditions, ReflectorOutput, RelistReason } from './reflector-state.ts';
import { reflectorMachine } from './reflector-step.ts';

/** Who is told what the reflector learns. Must not throw. */
export interface ReflectorSink<O> {
  /** The whole state. */
  replace(items: readonly O[]): void;
  changes(events: readonly ObjectEvent<O>[]): void;
  failure(error: unknown, attempt: number): void;
  relist(reason: RelistReason): void;
}

export interface ReflectorOptions extends Pick<ReflectorConditions, 'streaming'> {
  readonly environment?: Environment | undefined;
}

export interface ReflectorCounters {
  lists: number;
  watches: number;
  relists: number;
  failures: number;
  events: number;
  stale: number;
  /** The last version seen; empty where the resource is gone. */
  resourceVersion: string | undefined;
  /** When the server said something last, by the environment's clock. */
  heardAt: number | undefined;
  /** Why it does not know the state; `undefined` while it does. */
  lastError: unknown;
}

/** Keeps a sink informed of one source. May run again after its end, and then goes on from the last version seen. */
export class Reflector<T> {
  readonly #source: ListWatch<T>;
  readonly #sink: ReflectorSink<Stored<T>>;
  readonly #options: ReflectorOptions;
  readonly counters: ReflectorCounters = {
    lists: 0,
    watches: 0,
    relists: 0,
    failures: 0,
    events: 0,
    stale: 0,
    resourceVersion: undefined,
    heardAt: undefined,
    lastError: undefined,
  };

  constructor(source: ListWatch<T>, sink: ReflectorSink<Stored<T>>, options: ReflectorOptions = {}) {
    this.#source = source;
    this.#sink = sink;
    this.#options = options;
  }

  /** Runs until `signal` aborts, then resolves. Every failure of the server is waited out; rejects when the client is closed. */
  async run(signal: AbortSignal): Promise<void> {
    const { streaming, environment = systemEnvironment } = this.#options;
    const machine = reflectorMachine<Stored<T>>({
      streaming,
      resourceVersion: this.counters.resourceVersion,
    });
    const onRequest = (verb: 'list' | 'watch'): void => {
      this.counters[verb === 'list' ? 'lists' : 'watches'] += 1;
    };
    try {
      for await (const output of run(machine, this.#source, { signal, environment, onRequest })) {
        signal.throwIfAborted();
        if (output.type !== 'failure') this.counters.heardAt = environment.clock.now();
        this.#take(output);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #take(output: ReflectorOutput<Stored<T>>): void {
    const { counters } = this;
    switch (output.type) {
      case 'replace':
        counters.lastError = undefined;
        counters.resourceVersion = output.resourceVersion === '' ? undefined : output.resourceVersion;
        this.#sink.replace(output.items);
        break;
      case 'change':
        counters.lastError = undefined;
        counters.resourceVersion = output.resourceVersion;
        counters.events += output.events.length;
        counters.stale += output.stale;
        this.#sink.changes(output.events);
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
}
