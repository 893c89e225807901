/** Runs the state machine of one member of a ring against a server. */

import { microTime } from '@kgen/runtime';
import {
  type ElectionClocks,
  LeaseValidity,
  MachineDriver,
  type MachineDriverEffect,
} from '@kgen/runtime/election';
import type { RuntimeEnvironment } from '@kgen/runtime/informers';
import { type MemberLease, releasedLease, writtenLease } from './member-lease.ts';
import type { RingClient } from './ring-client.ts';
import type { RingSettings } from './ring-options.ts';
import { deadlineOf, initialMember, memberCount, ringStep } from './ring-step.ts';
import type { MemberSlots, MembershipEnd, RingEffect, RingInput, RingState } from './ring-types.ts';

/** Effects of a member besides those of every driver. */
type MachineEffect = Exclude<RingEffect, MachineDriverEffect>;

/** Observer of a member. Its functions must not throw. */
export interface RingObserver {
  joined(validity: LeaseValidity): void;
  /** The membership was renewed. `clockJumpMs`: see `LeaseValidity`. */
  renewed(clockJumpMs: number | undefined): void;
  slots(slots: MemberSlots): void;
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
  readonly #machine: MachineDriver<RingState, RingInput, MachineEffect>;
  #validity: LeaseValidity | undefined;
  /** Whether the observer does not know the validity yet. */
  #isNew = false;
  /** System time at the start of the last write. */
  #wallAtWrite = 0;

  constructor(options: RingDriverOptions) {
    const { clocks, environment, settings } = options;
    this.#options = options;
    this.#machine = new MachineDriver({
      name: 'the member',
      initial: initialMember,
      step: (state, input, now) => ringStep(state, input, now, settings),
      deadlineOf: (state) => deadlineOf(state, settings),
      perform: (effect) => this.#perform(effect),
      now: clocks.now,
      environment,
    });
  }

  /** Number of members of the ring, this one included. */
  get members(): number {
    return memberCount(this.#machine.state, this.#options.clocks.now());
  }

  /** Processes an input. */
  feed(input: RingInput): void {
    this.#machine.feed(input);
  }

  #perform(effect: MachineEffect): void {
    const { client, clocks, observer, settings } = this.#options;
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
      case 'joined':
        this.#validity = new LeaseValidity(clocks, settings.renewDeadlineMs);
        this.#isNew = true;
        break;
      case 'renewed':
        this.#renewed(effect.startedAt);
        break;
      case 'slots':
        observer.slots(effect.slots);
        break;
      case 'closed':
        this.#validity?.end(effect.end);
        observer.closed(effect.end);
        break;
      case 'forget':
        client.remove(effect.lease).catch((error: unknown) => observer.failed(error));
        break;
      case 'ended':
        this.#machine.stop();
        observer.ended();
    }
  }

  #write({ base, change }: Extract<RingEffect, { readonly type: 'write' }>): void {
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
    this.#machine.send(request, inputOf, (error) => {
      this.#options.observer.failed(error);
      return { type: 'failed' };
    });
  }

  #renewed(startedAt: number): void {
    const validity = this.#validity;
    const { observer } = this.#options;
    if (validity === undefined) return;
    const { clockJumpMs } = validity;
    // A check of the fence may have found that the membership has expired.
    if (!validity.renew(startedAt, this.#wallAtWrite)) this.feed({ type: 'lost' });
    if (this.#isNew) observer.joined(validity);
    this.#isNew = false;
    observer.renewed(clockJumpMs);
  }
}
