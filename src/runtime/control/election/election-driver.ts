import type { RuntimeEnvironment } from '../../common/clock.ts';
import { deadlineOf, electionStep, initialElection } from './election-step.ts';
import type {
  ElectionEffect,
  ElectionInput,
  ElectionState,
  ElectionTiming,
  LeadershipEnd,
} from './election-types.ts';
import { changedLease, type LeaseChange, type LeaseRecord, type LeaseTarget } from './lease.ts';
import { isLeaseConflict, type LeaseClient } from './lease-client.ts';
import type { ElectionClocks, LeaseValidity } from './lease-validity.ts';
import { MachineDriver, type MachineDriverEffect } from './machine-driver.ts';

/** Conflicts in a row from which on they are failures: something else than another candidate causes them. */
const expectedConflicts = 2;

/** Effects of an election besides those of every driver. */
type MachineEffect = Exclude<ElectionEffect, MachineDriverEffect>;

/** The last event of an election. */
export interface ElectionEnd {
  readonly type: 'ended';
  readonly end: LeadershipEnd;
  /** Failure of the thread. */
  readonly cause?: unknown;
}

/** Event of an election for its observer. */
export type ElectionReport =
  | { readonly type: 'leading'; readonly transitions: number }
  | {
      readonly type: 'renewed';
      readonly durationMs: number;
      /** See `LeaseValidity`: that before the renewal. */
      readonly clockJumpMs: number | undefined;
    }
  | { readonly type: 'slowPath' }
  | { readonly type: 'newLeader'; readonly holder: string }
  | { readonly type: 'failed'; readonly error: unknown }
  | { readonly type: 'closed' }
  | ElectionEnd;

/** Collaborators of an `ElectionDriver`. */
export interface ElectionDriverOptions {
  readonly target: LeaseTarget;
  readonly timing: ElectionTiming;
  readonly leases: LeaseClient;
  readonly validity: LeaseValidity;
  readonly clocks: ElectionClocks;
  readonly environment: RuntimeEnvironment;
  /** Called for each event. Must not throw. */
  readonly report: (report: ElectionReport) => void;
}

/** Runs the state machine of one election against a server. */
export class ElectionDriver {
  readonly #options: ElectionDriverOptions;
  readonly #machine: MachineDriver<ElectionState, ElectionInput, MachineEffect>;
  /** System time at the start of the last write. */
  #wallAtWrite = 0;
  /** Number of conflicts since the last successful write. */
  #conflicts = 0;

  constructor(options: ElectionDriverOptions) {
    const { clocks, environment, timing } = options;
    this.#options = options;
    this.#machine = new MachineDriver({
      name: 'the election',
      initial: initialElection,
      step: (state, input, now) => electionStep(state, input, now, timing),
      deadlineOf: (state) => deadlineOf(state, timing),
      perform: (effect) => this.#perform(effect),
      now: clocks.now,
      environment,
    });
  }

  /** Begins the election. */
  start(): void {
    this.#machine.feed({ type: 'start' });
  }

  /** Ends the election, which is reported. Does nothing in an election that is ending. */
  end(end: LeadershipEnd, release: boolean): void {
    this.#machine.feed({ type: 'end', end, release });
  }

  #perform(effect: MachineEffect): void {
    const { report, validity } = this.#options;
    switch (effect.type) {
      case 'read':
        this.#read();
        break;
      case 'write':
        this.#write(effect.base, effect.change);
        break;
      case 'renewed':
        this.#renewed(effect.startedAt);
        break;
      case 'closed':
        validity.end(effect.end);
        report({ type: 'closed' });
        break;
      case 'ended':
        this.#ended(effect.end);
        break;
      default:
        report(effect);
    }
  }

  #read(): void {
    const { leases } = this.#options;
    this.#machine.send(
      (signal) => leases.read(signal),
      (lease) => ({ type: 'read', lease }),
      (error) => this.#failure(error),
    );
  }

  #write(base: LeaseRecord | undefined, change: LeaseChange): void {
    const { leases, target, clocks } = this.#options;
    this.#wallAtWrite = clocks.wall();
    const lease = changedLease(base?.object, change, target, this.#wallAtWrite);
    this.#machine.send(
      (signal) => (base === undefined ? leases.create(lease, signal) : leases.update(lease, signal)),
      (written) => {
        this.#conflicts = 0;
        return { type: 'written', lease: written };
      },
      (error) => this.#failure(error),
    );
  }

  #failure(error: unknown): ElectionInput {
    const conflict = isLeaseConflict(error);
    this.#conflicts = conflict ? this.#conflicts + 1 : 0;
    // Two candidates that write at the same moment are not a failure.
    if (!conflict || this.#conflicts > expectedConflicts) this.#options.report({ type: 'failed', error });
    return { type: 'failed', conflict };
  }

  #renewed(startedAt: number): void {
    const { validity, report, clocks } = this.#options;
    const { clockJumpMs } = validity;
    const isOpen = validity.renew(startedAt, this.#wallAtWrite);
    const { ended } = validity;
    // Another thread has ended leadership. It sends a message of its own if the election was stopped.
    if (!isOpen && ended !== undefined && ended !== 'stopped') this.end(ended, false);
    report({ type: 'renewed', durationMs: clocks.now() - startedAt, clockJumpMs });
  }

  #ended(end: LeadershipEnd): void {
    this.#machine.stop();
    this.#options.validity.end(end);
    this.#options.report({ type: 'ended', end });
  }
}
