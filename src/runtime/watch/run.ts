import { DecodeError, TimeoutError } from '../errors.ts';
import type { ListMeta } from '../meta.ts';
import { closedSignals } from '../rest/closing.ts';
import type { Operation } from '../rest/types.ts';
import type { Stored } from '../types.ts';
import { type Environment, systemEnvironment } from './clock.ts';
import { checkEmptyPages } from './empty-pages.ts';
import type { Action, Input, Machine, Retry, WatchAction } from './machine.ts';
import { pause } from './pause.ts';
import { Scope } from './scope.ts';
import type { ListParams, ListWatch } from './source.ts';
import { EventStream } from './stream.ts';

/** API servers give up on a list after one minute: one that takes so long has lost its connection. */
const LIST_MS = 300_000;

export interface RunOptions {
  /** Ends the run, which then throws `signal.reason`. */
  readonly signal: AbortSignal;
  readonly environment?: Environment | undefined;
  /** Told of each request before it is sent. */
  readonly onRequest?: ((verb: 'list' | 'watch') => void) | undefined;
  /** Told of each answer that is not a failure. */
  readonly onAnswer?: (() => void) | undefined;
  /** Told of each failure before the wait for another try. Must not throw. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

/**
 * Runs a machine against a source and hands out what the machine does. Nothing is read ahead: while an output is not
 * taken, nothing is read from the server. Ends only by an error, by abort, or when its user stops asking; then no
 * request, stream or timer is left.
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

/** Does one action at a time; holds the open stream, if there is one. */
class Performer<T> {
  readonly #source: ListWatch<T>;
  readonly #environment: Environment;
  readonly #options: RunOptions;
  #stream: EventStream<T> | undefined;
  /** The last stream could not be read on in its form. */
  #unfit = false;
  /** Pages of a list in a row that were empty, and named another one. */
  #emptyPages = 0;

  constructor(source: ListWatch<T>, environment: Environment, options: RunOptions) {
    this.#source = source;
    this.#environment = environment;
    this.#options = options;
  }

  /** Failures of requests are inputs; only `fail` and an abort throw. */
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

  #attempt(action: Exclude<Action, { type: 'fail' }>): Promise<Input<Stored<T>>> | Input<Stored<T>> {
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
      scope.deadline(LIST_MS, () => new TimeoutError('no answer', this.#operation('list')));
      const { items, metadata, unreadable } = await scope.wait(this.#source.list(params, scope.signal));
      checkListMeta(metadata, this.#operation('list'));
      this.#checkPage(params, metadata.continue, items.length + (unreadable?.length ?? 0));
      this.#options.onAnswer?.();
      return { type: 'listed', items, metadata, unreadable };
    } finally {
      scope.end();
    }
  }

  /** A server that is broken, or up to no good, could keep a list from ever coming to its end. */
  #checkPage(params: ListParams, token: string | undefined, length: number): void {
    if (token && token === params.continue) {
      throw new DecodeError('the server gives the same page again and again', this.#operation('list'));
    }
    const before = params.continue === undefined ? 0 : this.#emptyPages;
    this.#emptyPages = !token || length > 0 ? 0 : before + 1;
    checkEmptyPages(this.#emptyPages, this.#operation('list'));
  }

  async #watch(action: WatchAction): Promise<Input<Stored<T>>> {
    this.#options.onRequest?.('watch');
    const { signal } = this.#options;
    this.#stream = new EventStream(this.#operation('watch'), action, this.#environment, signal);
    await this.#stream.open(this.#source, action.params);
    this.#options.onAnswer?.();
    return { type: 'opened' };
  }

  /** A form that is unfit twice in a row will always be. */
  async #read(): Promise<Input<Stored<T>>> {
    const input = (await this.#stream?.read()) ?? { type: 'ended' };
    if (input.type === 'events') return input;
    const unfit = input.type === 'unfit';
    if (unfit && this.#unfit) {
      const reason = 'the server goes on in a form that cannot be read to its end';
      throw new DecodeError(reason, this.#operation('watch'));
    }
    this.#unfit = unfit;
    return input;
  }

  /** The pause ends early where the client is closed: then it fails as a request would. */
  async #wait(ms: number): Promise<Input<Stored<T>>> {
    const request = { signal: this.#options.signal, operation: this.#operation('watch') };
    await pause(ms, this.#environment, request, this.#source.closed);
    return { type: 'elapsed' };
  }

  /** An error that ends the run, with which its caller may pause before another run. */
  #from(error: unknown): unknown {
    const { closed } = this.#source;
    if (closed !== undefined && typeof error === 'object' && error !== null) closedSignals.set(error, closed);
    return error;
  }

  #scope(): Scope {
    return new Scope(this.#options.signal, this.#environment.clock);
  }

  #operation(verb: 'list' | 'watch'): Operation {
    return { verb, ...this.#source.target };
  }
}

/** The next request is made of these: a value of another type would fail there, without a reason. */
function checkListMeta(metadata: ListMeta, operation: Operation): void {
  for (const name of ['continue', 'resourceVersion'] as const) {
    const value: unknown = metadata[name] ?? '';
    if (typeof value === 'string') continue;
    throw new DecodeError(`${name} of the list is ${typeof value}, not a string`, operation);
  }
}
