import type { RuntimeEnvironment } from '../../common/clock.ts';
import { deadlineOf, electionStep, initialElection } from './election-step.ts';
import type { ElectionEffect, ElectionInput, ElectionTiming, LeadershipEnd } from './election-types.ts';
import { changedLease, type LeaseChange, type LeaseRecord, type LeaseTarget } from './lease.ts';
import { isLeaseConflict, type LeaseClient } from './lease-client.ts';
import type { ElectionClocks, LeaseValidity } from './lease-validity.ts';

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
  | { readonly type: 'renewed'; readonly durationMs: number }
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
  #state = initialElection;
  /** Inputs that arrived during a step: a report may end the election. */
  readonly #inputs: ElectionInput[] = [];
  #isStepping = false;
  #request: AbortController | undefined;
  /** System time at the start of the last write. */
  #wallAtWrite = 0;
  #cancelWait: (() => void) | undefined;
  #cancelDeadline: (() => void) | undefined;

  constructor(options: ElectionDriverOptions) {
    this.#options = options;
  }

  /** Begins the election. */
  start(): void {
    this.#feed({ type: 'start' });
  }

  /** Ends the election, which is reported. Does nothing in an election that is ending. */
  end(end: LeadershipEnd, release: boolean): void {
    this.#feed({ type: 'end', end, release });
  }

  #feed(input: ElectionInput): void {
    this.#inputs.push(input);
    if (this.#isStepping) return;
    this.#isStepping = true;
    for (let next = this.#inputs.shift(); next !== undefined; next = this.#inputs.shift()) this.#step(next);
    this.#isStepping = false;
    this.#armDeadline();
  }

  #step(input: ElectionInput): void {
    const { clocks, timing } = this.#options;
    const { state, effects } = electionStep(this.#state, input, clocks.now(), timing);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: ElectionEffect): void {
    const { report, validity } = this.#options;
    switch (effect.type) {
      case 'read':
        this.#read();
        break;
      case 'write':
        this.#write(effect.base, effect.change);
        break;
      case 'abort':
        this.#abort();
        break;
      case 'wait':
        this.#wait(effect.ms + effect.jitterMs * this.#options.environment.random());
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
    this.#send(
      (signal) => leases.read(signal),
      (lease) => ({ type: 'read', lease }),
    );
  }

  #write(base: LeaseRecord | undefined, change: LeaseChange): void {
    const { leases, target, clocks } = this.#options;
    this.#wallAtWrite = clocks.wall();
    const lease = changedLease(base?.object, change, target, this.#wallAtWrite);
    this.#send(
      (signal) => (base === undefined ? leases.create(lease, signal) : leases.update(lease, signal)),
      (written) => ({ type: 'written', lease: written }),
    );
  }

  #send<Result extends LeaseRecord | undefined>(
    request: (signal: AbortSignal) => Promise<Result>,
    inputOf: (result: Result) => ElectionInput,
  ): void {
    const controller = new AbortController();
    this.#request = controller;
    const settle = (input: () => ElectionInput): void => {
      if (this.#request !== controller) return;
      this.#request = undefined;
      this.#feed(input());
    };
    // A custom transport may throw synchronously.
    new Promise<Result>((resolve) => resolve(request(controller.signal))).then(
      (result) => settle(() => inputOf(result)),
      (error: unknown) => settle(() => this.#failure(error)),
    );
  }

  #failure(error: unknown): ElectionInput {
    const conflict = isLeaseConflict(error);
    // Two candidates that write at the same moment are not a failure.
    if (!conflict) this.#options.report({ type: 'failed', error });
    return { type: 'failed', conflict };
  }

  #abort(): void {
    const request = this.#request;
    this.#request = undefined;
    request?.abort(new Error('the election no longer needs this request'));
  }

  #wait(ms: number): void {
    this.#cancelWait?.();
    const { clock } = this.#options.environment;
    this.#cancelWait = clock.timer(ms, () => this.#feed({ type: 'elapsed' }));
  }

  #renewed(startedAt: number): void {
    const { validity, report, clocks } = this.#options;
    const isOpen = validity.renew(startedAt, this.#wallAtWrite);
    const { ended } = validity;
    // Another thread has ended leadership. It sends a message of its own if the election was stopped.
    if (!isOpen && ended !== undefined && ended !== 'stopped') this.end(ended, false);
    report({ type: 'renewed', durationMs: clocks.now() - startedAt });
  }

  #ended(end: LeadershipEnd): void {
    this.#cancelWait?.();
    this.#options.validity.end(end);
    this.#options.report({ type: 'ended', end });
  }

  /** One timer for the deadline of the state. */
  #armDeadline(): void {
    this.#cancelDeadline?.();
    this.#cancelDeadline = undefined;
    const deadline = deadlineOf(this.#state, this.#options.timing);
    if (deadline === undefined) return;
    const ms = Math.max(deadline - this.#options.clocks.now(), 1);
    this.#cancelDeadline = this.#options.environment.clock.timer(ms, () => this.#feed({ type: 'deadline' }));
  }
}
