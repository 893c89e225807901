/** Runs the state machine of one member of a ring against a server. */

import { microTime } from '@kgen/runtime';
import { type ElectionClocks, LeaseValidity } from '@kgen/runtime/election';
import type { RuntimeEnvironment } from '@kgen/runtime/informers';
import { type MemberLease, releasedLease, writtenLease } from './member-lease.ts';
import type { RingClient } from './ring-client.ts';
import type { RingSettings } from './ring-options.ts';
import { deadlineOf, initialMember, ringStep } from './ring-step.ts';
import type { MembershipEnd, RingEffect, RingInput } from './ring-types.ts';
import type { SlotSet } from './slots.ts';

/** Observer of a member. Its functions must not throw. */
export interface RingObserver {
  joined(validity: LeaseValidity): void;
  slots(owned: SlotSet, draining: SlotSet): void;
  closed(end: MembershipEnd): void;
  /** A request failed and is retried. */
  failed(error: unknown): void;
  ended(): void;
}

/** Collaborators of a `RingDriver`. */
export interface RingDriverOptions {
  readonly settings: RingSettings;
  readonly client: RingClient;
  readonly clocks: ElectionClocks;
  readonly environment: RuntimeEnvironment;
  readonly observer: RingObserver;
}

/** One member with its requests and timers. */
export class RingDriver {
  readonly #options: RingDriverOptions;
  #state = initialMember;
  #validity: LeaseValidity | undefined;
  /** Whether the observer does not know the validity yet. */
  #isNew = false;
  /** Inputs that arrived during a step: observers may report drained slots. */
  readonly #inputs: RingInput[] = [];
  #isStepping = false;
  #request: AbortController | undefined;
  /** System time at the start of the last write. */
  #wallAtWrite = 0;
  #cancelWait: (() => void) | undefined;
  #cancelDeadline: (() => void) | undefined;

  constructor(options: RingDriverOptions) {
    this.#options = options;
  }

  /** Processes an input. */
  feed(input: RingInput): void {
    this.#inputs.push(input);
    if (this.#isStepping) return;
    this.#isStepping = true;
    for (let next = this.#inputs.shift(); next !== undefined; next = this.#inputs.shift()) this.#step(next);
    this.#isStepping = false;
    this.#armDeadline();
  }

  #step(input: RingInput): void {
    const { clocks, settings } = this.#options;
    const { state, effects } = ringStep(this.#state, input, clocks.now(), settings);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: RingEffect): void {
    const { client, clocks, environment, observer, settings } = this.#options;
    switch (effect.type) {
      case 'list':
        this.#send(
          (signal) => client.list(signal),
          (leases) => ({ type: 'listed', leases }),
        );
        break;
      case 'write':
        this.#write(effect);
        break;
      case 'expel':
        this.#expel(effect.leases);
        break;
      case 'abort':
        this.#abort();
        break;
      case 'wait':
        this.#wait(effect.ms + effect.jitterMs * environment.random());
        break;
      case 'joined':
        this.#validity = new LeaseValidity(clocks, settings.renewDeadlineMs);
        this.#isNew = true;
        break;
      case 'renewed':
        this.#renewed(effect.startedAt);
        break;
      case 'slots':
        observer.slots(effect.owned, effect.draining);
        break;
      case 'closed':
        this.#validity?.end(effect.end);
        observer.closed(effect.end);
        break;
      case 'forget':
        client.remove(effect.lease).catch((error: unknown) => observer.failed(error));
        break;
      case 'ended':
        this.#cancelWait?.();
        observer.ended();
    }
  }

  #write({ base, change }: Extract<RingEffect, { type: 'write' }>): void {
    const { client, clocks, settings } = this.#options;
    this.#wallAtWrite = clocks.wall();
    const lease = writtenLease(base?.object, change, settings, microTime(new Date(this.#wallAtWrite)));
    this.#send(
      (signal) => (base === undefined ? client.create(lease, signal) : client.update(lease, signal)),
      (written) => ({ type: 'written', lease: written }),
    );
  }

  #expel(leases: readonly MemberLease[]): void {
    const { client, clocks } = this.#options;
    const now = microTime(new Date(clocks.wall()));
    this.#send(
      (signal) => Promise.all(leases.map(({ object }) => client.release(releasedLease(object, now), signal))),
      () => ({ type: 'expelled' }),
    );
  }

  #send<Result>(
    request: (signal: AbortSignal) => Promise<Result>,
    inputOf: (result: Result) => RingInput,
  ): void {
    const controller = new AbortController();
    this.#request = controller;
    const settle = (input: RingInput): void => {
      if (this.#request !== controller) return;
      this.#request = undefined;
      this.feed(input);
    };
    // A custom transport may throw synchronously.
    new Promise<Result>((resolve) => resolve(request(controller.signal))).then(
      (result) => settle(inputOf(result)),
      (error: unknown) => {
        if (this.#request === controller) this.#options.observer.failed(error);
        settle({ type: 'failed' });
      },
    );
  }

  #abort(): void {
    const request = this.#request;
    this.#request = undefined;
    request?.abort(new Error('the member no longer needs this request'));
  }

  #wait(ms: number): void {
    this.#cancelWait?.();
    this.#cancelWait = this.#options.environment.clock.timer(ms, () => this.feed({ type: 'elapsed' }));
  }

  #renewed(startedAt: number): void {
    const validity = this.#validity;
    if (validity === undefined) return;
    // A check of the fence may have found that the membership has expired.
    if (!validity.renew(startedAt, this.#wallAtWrite)) this.feed({ type: 'lost' });
    if (this.#isNew) this.#options.observer.joined(validity);
    this.#isNew = false;
  }

  /** One timer for the deadline of the state. */
  #armDeadline(): void {
    this.#cancelDeadline?.();
    this.#cancelDeadline = undefined;
    const deadline = deadlineOf(this.#state, this.#options.settings);
    if (deadline === undefined) return;
    const ms = Math.max(deadline - this.#options.clocks.now(), 1);
    this.#cancelDeadline = this.#options.environment.clock.timer(ms, () => this.feed({ type: 'deadline' }));
  }
}
