/** Log of one member of a ring. Entries that may repeat with each attempt are limited. */

import type { Clock } from '@kgen/runtime/informers';
import { errorOf } from '../errors.ts';
import { FailureLog, type Logger } from '../log.ts';
import { clockJumpText } from './ownership.ts';
import type { RingSettings } from './ring-options.ts';
import type { MemberSlots, MembershipEnd } from './ring-types.ts';
import { noSlots, type SlotSet, slotsIn } from './slots.ts';

/** Reasons of the end of a membership, with the action that resolves it. */
export const membershipEnds: Readonly<Record<MembershipEnd, string>> = {
  stopped: 'this process has left the ring',
  expired:
    'the Lease was not renewed within renewDeadlineMs; check the connection to the API server and the CPU limit',
  replaced: 'the Lease was deleted, or released by another replica after it had expired',
};

/** Parts of `RingLogs`. */
export interface RingLogsParts {
  readonly log: Logger;
  readonly clock: Clock;
  readonly settings: RingSettings;
}

/** Log of one member. */
export class RingLogs {
  readonly #log: Logger;
  readonly #requests: FailureLog;
  readonly #jumps: FailureLog;
  readonly #ends: Readonly<Record<MembershipEnd, FailureLog>>;
  /** Whether the next membership is logged: the end of the previous one was. */
  #isAnnounced = true;
  #owned: SlotSet = noSlots;
  #draining: SlotSet = noSlots;

  constructor({ log, clock, settings }: RingLogsParts) {
    const failures = (lastingMs: number): FailureLog => new FailureLog({ log, clock, lastingMs });
    this.#log = log;
    this.#requests = failures(settings.leaseDurationMs);
    this.#jumps = failures(Number.POSITIVE_INFINITY);
    this.#ends = { stopped: failures(0), expired: failures(0), replaced: failures(0) };
  }

  joined(): void {
    if (this.#isAnnounced) this.#log.info({}, 'this replica has joined the ring');
    this.#isAnnounced = false;
  }

  /** Logs slots that have changed. A list after a write ends a series of failures. */
  agreed({ owned, draining }: MemberSlots): void {
    this.#requests.succeeded();
    if (owned === this.#owned && draining === this.#draining) return;
    this.#owned = owned;
    this.#draining = draining;
    const counts = { owned: slotsIn(owned).length, draining: slotsIn(draining).length };
    this.#log.info(counts, 'the shards changed');
  }

  closed(reason: MembershipEnd): void {
    this.#owned = noSlots;
    this.#draining = noSlots;
    if (reason === 'stopped') return;
    const message = `this replica owns no keys: ${membershipEnds[reason]}`;
    if (this.#ends[reason].failed(message, { reason })) this.#isAnnounced = true;
  }

  failed(error: unknown): void {
    const err = errorOf(error);
    this.#requests.failed(`a request for the Leases of the ring failed: ${err.message}`, { err });
  }

  jumped(clockJumpMs: number): void {
    this.#jumps.failed(clockJumpText(clockJumpMs), { clockJumpMs });
  }
}
