import { DecodeError, TimeoutError } from '../../api/errors.ts';
import type { ListMeta } from '../../api/meta.ts';
import type { RequestOperation } from '../../api/operation.ts';
import type { DecodeObserver } from '../../api/transport.ts';
import type { Stored } from '../../api/types.ts';
import { type RuntimeEnvironment, systemEnvironment } from '../../common/clock.ts';
import { timingOf } from '../../common/timing.ts';
import { closedSignals } from '../../rest/abort/abort-on-close.ts';
import { checkEmptyPages } from '../empty-pages.ts';
import { Scope } from '../scope.ts';
import type { ListParams, ListWatch } from '../source.ts';
import { EventStream } from '../stream/stream.ts';
import type { Action, Input, Machine, Retry, WatchAction } from './machine-types.ts';
import { pause } from './pause.ts';

export interface RunOptions {
  /** Ends the run, which then throws `signal.reason`. */
  readonly signal: AbortSignal;
  readonly environment?: RuntimeEnvironment | undefined;
  /** Called before each request. */
  readonly onRequest?: ((verb: 'list' | 'watch') => void) | undefined;
  /** Called with the time in which a list, or events that arrived together, were decoded. */
  readonly onDecoded?: DecodeObserver | undefined;
  /** Called for each successful response. */
  readonly onResponse?: (() => void) | undefined;
  /** Called for each failure before the delay of its retry. Must not throw. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

/**
 * Runs a state machine against a source and yields its outputs. Nothing is read ahead: the server is read
 * only after an output has been consumed. The run ends with an error, on abort, or when its consumer returns;
 * then no request, stream or timer remains.
 */
export async function* run<State, T, Output>(
  machine: Machine<State, Stored<T>, Output>,
  source: ListWatch<T>,
  options: RunOptions,
): AsyncGenerator<Output, never, undefined> {
  const environment = options.environment ?? systemEnvironment;
  const { signal } = options;
  signal.throwIfAborted();
  const performer = new Performer(source, environment, options);
  try {
    let step = machine.step(machine.initial, { type: 'start' }, environment.clock.now());
    for (;;) {
      for (const output of step.outputs) yield output;
      const input = await performer.perform(step.next);
      step = machine.step(step.state, input, environment.clock.now());
    }
  } finally {
    performer.close();
  }
}

/** Performs one action at a time; owns the open stream. */
class Performer<T> {
  readonly #source: ListWatch<T>;
  readonly #environment: RuntimeEnvironment;
  readonly #options: RunOptions;
  #stream: EventStream<T> | undefined;
  /** Whether the last stream could not be decoded further in its format. */
  #unsupportedFormat = false;
  /** Number of consecutive empty pages with a continue token. */
  #emptyPages = 0;

  constructor(source: ListWatch<T>, environment: RuntimeEnvironment, options: RunOptions) {
    this.#source = source;
    this.#environment = environment;
    this.#options = options;
  }

  /** Returns failures of requests as inputs; only `fail` and an abort throw. */
  async perform(action: Action): Promise<Input<Stored<T>>> {
    if (action.type !== 'read') this.close();
    if (action.type === 'fail') throw this.#from(action.error);
    try {
      return await this.#attempt(action);
    } catch (error) {
      this.#options.signal.throwIfAborted();
      return { type: 'failed', error };
    }
  }

  close(): void {
    this.#stream?.close();
    this.#stream = undefined;
  }

  #attempt(action: Exclude<Action, { readonly type: 'fail' }>): Promise<Input<Stored<T>>> | Input<Stored<T>> {
    switch (action.type) {
      case 'list':
        return this.#list(action.params);
      case 'watch':
        return this.#watch(action);
      case 'read':
        return this.#read();
      case 'wait':
        if (action.retry !== undefined) this.#options.onRetry?.(action.retry);
        return this.#wait(action.ms + action.jitterMs * this.#environment.random());
    }
  }

  async #list(params: ListParams): Promise<Input<Stored<T>>> {
    this.#options.onRequest?.('list');
    const scope = this.#scope();
    try {
      scope.deadline(
        timingOf(this.#environment).listMs,
        () => new TimeoutError('no response', this.#operation('list')),
      );
      const listing = this.#source.list(params, scope.signal, this.#options.onDecoded);
      const { items, metadata, unreadable } = await scope.wait(listing);
      checkListMeta(metadata, this.#operation('list'));
      this.#checkPage(params, metadata.continue, items.length + (unreadable?.length ?? 0));
      this.#options.onResponse?.();
      return { type: 'listed', items, metadata, unreadable };
    } finally {
      scope.end();
    }
  }

  /** Protects against a faulty or malicious server whose list never ends. */
  #checkPage(params: ListParams, token: string | undefined, length: number): void {
    if (token && token === params.continue) {
      throw new DecodeError('the server repeats the same page of the list', this.#operation('list'));
    }
    const before = params.continue === undefined ? 0 : this.#emptyPages;
    this.#emptyPages = !token || length > 0 ? 0 : before + 1;
    checkEmptyPages(this.#emptyPages, this.#operation('list'));
  }

  async #watch(action: WatchAction): Promise<Input<Stored<T>>> {
    this.#options.onRequest?.('watch');
    const { signal, onDecoded } = this.#options;
    this.#stream = new EventStream(this.#operation('watch'), action, this.#environment, signal, onDecoded);
    await this.#stream.open(this.#source, action.params);
    this.#options.onResponse?.();
    return { type: 'opened' };
  }

  /** An unsupported format twice in a row is permanent. */
  async #read(): Promise<Input<Stored<T>>> {
    const input = (await this.#stream?.read()) ?? { type: 'ended' };
    if (input.type === 'events') return input;
    const unsupportedFormat = input.type === 'unsupportedFormat';
    if (unsupportedFormat && this.#unsupportedFormat) {
      const reason = 'the server repeatedly sends a format that cannot be decoded';
      throw new DecodeError(reason, this.#operation('watch'));
    }
    this.#unsupportedFormat = unsupportedFormat;
    return input;
  }

  /** If the client is closed, the pause ends early and fails as a request would. */
  async #wait(ms: number): Promise<Input<Stored<T>>> {
    const request = { signal: this.#options.signal, operation: this.#operation('watch') };
    await pause(ms, this.#environment, request, this.#source.closed);
    return { type: 'elapsed' };
  }

  /** Returns the error that ends the run; its caller may use it to pause before another run. */
  #from(error: unknown): unknown {
    const { closed } = this.#source;
    if (closed !== undefined && typeof error === 'object' && error !== null) closedSignals.set(error, closed);
    return error;
  }

  #scope(): Scope {
    return new Scope(this.#options.signal, this.#environment.clock);
  }

  #operation(verb: 'list' | 'watch'): RequestOperation {
    return { verb, ...this.#source.target };
  }
}

/** The next request is built from these values, and would fail without a cause if one had another type. */
function checkListMeta(metadata: ListMeta, operation: RequestOperation): void {
  for (const name of ['continue', 'resourceVersion'] as const) {
    const value: unknown = metadata[name] ?? '';
    if (typeof value === 'string') continue;
    throw new DecodeError(`${name} of the list is ${typeof value}, not a string`, operation);
  }
}
