/** Refusal of writes without leadership. */
import { isOwn, OwnError } from '../../api/errors.ts';
import type { LeadershipRefusal, LeaseValidity } from './lease-validity.ts';

/** Reasons by their cause, with the action that resolves it. */
const reasons: Readonly<Record<LeadershipRefusal, string>> = {
  notLeading: 'this process has not acquired it',
  stopped: 'the election was stopped',
  expired:
    'it was not renewed within renewDeadlineMs; check the connection to the API server and the CPU limit',
  replaced: 'it has another holder, or was released or edited by another client',
  blocked: 'the main thread was blocked for longer than blockedLimitMs; split long synchronous work',
  preferredHolder: 'the control plane selected another holder',
  threadFailed: 'the thread that renews it has failed; see the cause',
  clockJump: 'the machine was suspended, or its clock was set; writes are possible after the next renewal',
};

/**
 * A write was refused, or an election has ended, because this process does not lead, or does not lead any
 * more.
 */
export class LeadershipLostError extends OwnError {
  /** Namespace and name of the Lease: `default/my-operator`. */
  readonly lease: string;
  /** Cause: `expired` if the lease was not renewed in time, `blocked` if the main thread was, … */
  readonly reason: LeadershipRefusal;

  constructor(lease: string, reason: LeadershipRefusal, options?: ErrorOptions) {
    super(`no leadership by lease ${lease}: ${reasons[reason]}`, options);
    this.lease = lease;
    this.reason = reason;
  }

  override get name(): 'LeadershipLostError' {
    return 'LeadershipLostError';
  }
}

/** Returns whether an error is a `LeadershipLostError`, of any copy of this package. */
export function isLeadershipLostError(error: unknown): error is LeadershipLostError {
  return isOwn(error, 'LeadershipLostError');
}

/**
 * Decides whether this process may write as the leader. Call `check` directly before each write, and limit
 * the time of the write by `remainingMs`.
 */
export interface LeadershipFence {
  /**
   * Returns if this process leads: the last successful renewal began less than `renewDeadlineMs` ago.
   * Synchronous, and correct also directly after the process was suspended or its event loop was blocked.
   * @throws {LeadershipLostError} otherwise
   */
  check(): void;
  /**
   * Returns the time for which leadership is valid without another renewal, in milliseconds; 0 without
   * leadership.
   */
  remainingMs(): number;
  /**
   * Aborts when leadership has ended, with a `LeadershipLostError` as its reason. Each run of an election has
   * its own signal.
   */
  readonly signal: AbortSignal;
}

/** Fence of one elector over all of its runs. */
export class ElectionFence implements LeadershipFence {
  readonly #lease: string;
  #validity: LeaseValidity | undefined;
  #lost: AbortController = new AbortController();

  /** @param lease `namespace/name` */
  constructor(lease: string) {
    this.#lease = lease;
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  check(): void {
    const refusal = this.#refusal();
    if (refusal !== undefined) throw new LeadershipLostError(this.#lease, refusal);
  }

  remainingMs(): number {
    const result = this.#validity?.check();
    this.update();
    return result?.valid ? result.remainingMs : 0;
  }

  /** Begins a run. */
  begin(validity: LeaseValidity): void {
    this.#validity = validity;
    this.#lost = new AbortController();
  }

  /** Aborts the signal if leadership has ended. */
  update(): void {
    const ended = this.#validity?.ended;
    if (ended !== undefined && !this.#lost.signal.aborted) {
      this.#lost.abort(new LeadershipLostError(this.#lease, ended));
    }
  }

  #refusal(): LeadershipRefusal | undefined {
    if (this.#validity === undefined) return 'notLeading';
    const result = this.#validity.check();
    this.update();
    return result.valid ? undefined : result.refusal;
  }
}
