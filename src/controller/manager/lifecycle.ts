/** Phases of a manager: what was started in each, and the stop in order. */

import type { Clock } from '@kgen/runtime/informers';
import { allowListeners } from '../client/linked-signal.ts';
import { errorOf } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { RunnableContext } from './options.ts';

/** Group of parts that start and stop together. */
export type Phase =
  | 'endpoints'
  | 'webhooks'
  | 'caches'
  | 'others'
  | 'leader'
  | 'election'
  | 'draining'
  | 'recording'
  | 'events'
  | 'connections';

/**
 * Order of the stop: the lease is renewed until all work has ended, but for servers that others still call.
 * The numbers are the milliseconds after the deadline until a phase must have ended: the whole stop takes a
 * second more than the grace period.
 */
const stopLimits: readonly (readonly [Phase, number])[] = [
  ['others', 450],
  ['leader', 450],
  ['caches', 500],
  ['webhooks', 550],
  ['endpoints', 600],
  ['election', 750],
  ['draining', 775],
  ['recording', 800],
  ['events', 850],
  ['connections', 900],
];

/** Time for a phase whose limit has passed, in milliseconds: its parts may have ended already. */
const minimumMs = 10;

/** A part that was started. */
export interface Part {
  readonly name: string;
  /** Resolves when the part has ended by itself. Never rejects. */
  readonly ended?: Promise<unknown>;
  /** Ends the part. */
  stop(): unknown;
  /** Called if the part has not ended in time: releases what would keep the process alive. Must not throw. */
  abandon?(): void;
}

/** Circumstances of a lifecycle. */
export interface LifecycleOptions {
  /** Name of the manager, for messages. */
  readonly name: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Time from the stop to the deadline; `Infinity` for no deadline. */
  readonly gracePeriodMs: number;
}

/**
 * One start and stop of a manager, which ends one second after the grace period at the latest. Its methods
 * never throw, and its promises never reject.
 */
export class Lifecycle {
  readonly #options: LifecycleOptions;
  readonly #parts = new Map<Phase, Part[]>();
  readonly #ended = new Set<Phase>();
  /** For controllers, and for the parts of the phases `others` and `leader`. */
  readonly #stopping = new AbortController();
  /** For webhooks, which serve until the caches have stopped. */
  readonly #webhooksStopping = new AbortController();
  readonly #deadline = new AbortController();
  /** Time of the deadline, once the stop has begun. */
  #deadlineAt = Number.POSITIVE_INFINITY;
  #failure: { readonly error: unknown } | undefined;

  constructor(options: LifecycleOptions) {
    this.#options = options;
    for (const { signal } of [this.#stopping, this.#webhooksStopping, this.#deadline]) allowListeners(signal);
  }

  /** Error that stopped the manager. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  get isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Aborts when the manager stops: no new work begins. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Aborts at the deadline of the stop, or when leadership is lost. */
  get signal(): AbortSignal {
    return this.#deadline.signal;
  }

  /** Resolves when the manager stops. */
  get stopped(): Promise<void> {
    const { stopping } = this;
    return new Promise((resolve) => {
      if (stopping.aborted) resolve();
      else stopping.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Returns the signals of the parts of a phase. */
  contextOf(phase: Phase): RunnableContext {
    const { signal: stopping } = phase === 'webhooks' ? this.#webhooksStopping : this.#stopping;
    return { stopping, signal: this.signal };
  }

  /** Adds a part, which has been started. It ends at once if its phase has ended already. */
  add(phase: Phase, part: Part): void {
    if (this.#ended.has(phase)) {
      void this.#end(part, 0);
      return;
    }
    this.#parts.set(phase, [...(this.#parts.get(phase) ?? []), part]);
  }

  /** Begins the stop. */
  stop(): void {
    this.#stopping.abort(new Error(`manager ${this.#options.name} stops`));
  }

  /** Begins the stop after an error, unless the stop itself caused it. The first error counts. */
  fail(error: unknown): void {
    if (this.isStopping && this.#isAbort(error)) return;
    const err = errorOf(error);
    if (this.#failure === undefined) {
      this.#failure = { error };
      this.#options.log.error({ err }, `manager ${this.#options.name} stops: ${err.message}`);
    } else if (this.#failure.error !== error) {
      this.#options.log.error({ err }, `failed during the stop: ${err.message}`);
    }
    this.stop();
  }

  /** Begins the stop without a grace period: leadership was lost. */
  lose(error: unknown): void {
    this.fail(error);
    this.#abort(error);
  }

  /** Stops all phases in order, each after the one before it has ended or was late. */
  async end(): Promise<void> {
    this.stop();
    const cancel = this.#limit();
    for (const [phase, limitMs] of stopLimits) {
      if (phase === 'webhooks') this.#webhooksStopping.abort(this.stopping.reason);
      // Parts may be added until the phases before have ended.
      await Promise.all((this.#parts.get(phase) ?? []).map((part) => this.#end(part, limitMs)));
      this.#ended.add(phase);
    }
    cancel();
  }

  /** Returns the time until a phase of the stop must have ended, in milliseconds; `Infinity` for no limit. */
  leftMs(phase: Phase): number {
    const [, limitMs = 0] = stopLimits.find(([name]) => name === phase) ?? [];
    return this.#leftMs(limitMs);
  }

  #leftMs(limitMs: number): number {
    return Math.max(this.#deadlineAt + limitMs - this.#options.clock.now(), minimumMs);
  }

  /** Work that is given a signal of the manager rejects when it aborts. */
  #isAbort(error: unknown): boolean {
    const { name, cause } = errorOf(error);
    const reasons: readonly unknown[] = [this.stopping.reason, this.signal.reason ?? this.stopping.reason];
    return name === 'AbortError' || reasons.includes(error) || reasons.includes(cause);
  }

  #limit(): () => void {
    const { clock, gracePeriodMs } = this.#options;
    const abort = (): void => this.#abort(new Error(`the grace period of ${gracePeriodMs} ms is over`));
    this.#deadlineAt = Math.min(this.#deadlineAt, clock.now() + gracePeriodMs);
    if (gracePeriodMs === 0) abort();
    return gracePeriodMs > 0 && gracePeriodMs < Number.POSITIVE_INFINITY
      ? clock.timer(gracePeriodMs, abort)
      : () => undefined;
  }

  #abort(reason: unknown): void {
    if (this.signal.aborted) return;
    this.#deadlineAt = Math.min(this.#deadlineAt, this.#options.clock.now());
    this.#deadline.abort(reason);
  }

  async #end(part: Part, limitMs: number): Promise<void> {
    const { log } = this.#options;
    const late = this.#late(limitMs);
    try {
      const stopped = new Promise<unknown>((resolve) => resolve(part.stop()));
      const result = await Promise.race([Promise.all([stopped, part.ended]), late.reached]);
      if (result !== 'late') return;
      log.error({ part: part.name }, `${part.name} has not ended: it is abandoned`);
      part.abandon?.();
    } catch (error) {
      log.error({ part: part.name, err: errorOf(error) }, `${part.name} failed to stop`);
    } finally {
      late.cancel();
    }
  }

  /** The limit of a part, which begins at the deadline. */
  #late(limitMs: number): { readonly reached: Promise<'late'>; cancel(): void } {
    const { clock } = this.#options;
    let cancelTimer: () => void = () => undefined;
    let begin: () => void = () => undefined;
    const reached = new Promise<'late'>((resolve) => {
      begin = () => {
        cancelTimer = clock.timer(this.#leftMs(limitMs), () => resolve('late'));
      };
    });
    if (this.signal.aborted) begin();
    else this.signal.addEventListener('abort', begin, { once: true });
    const cancel = (): void => {
      this.signal.removeEventListener('abort', begin);
      cancelTimer();
    };
    return { reached, cancel };
  }
}
