/** Simulation of processes in an election: simulated time, clocks, network and lease. */
import { deadlineOf, electionStep, initialElection } from './election-step.ts';
import type {
  ElectionEffect,
  ElectionInput,
  ElectionState,
  ElectionTiming,
  LeadershipEnd,
} from './election-types.ts';
import { changedLease, type LeaseChange, type LeaseObject, type LeaseRecord, leaseRecord } from './lease.ts';
import { LeaseValidity } from './lease-validity.ts';

/** A lease on a server that is always available; the network in front of it is not. */
export class SimulatedLease {
  #object: LeaseObject | undefined;
  #version = 0;

  read(): LeaseRecord | undefined {
    return this.#object === undefined ? undefined : leaseRecord(this.#object);
  }

  /** Returns the stored lease, or `conflict`. */
  write(object: LeaseObject, isCreation: boolean): LeaseRecord | 'conflict' {
    const current = this.#object?.metadata?.['resourceVersion'];
    const expected = isCreation ? undefined : object.metadata?.['resourceVersion'];
    if (current !== expected) return 'conflict';
    this.#version += 1;
    const stored: LeaseObject = {
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(this.#version) },
    };
    this.#object = stored;
    return leaseRecord(stored);
  }

  remove(): void {
    this.#object = undefined;
  }
}

/** Events in simulated time, in milliseconds. */
export class Timeline {
  now = 0;
  #events: { readonly at: number; readonly run: () => void }[] = [];

  /** Schedules an event. Returns a function that cancels it. */
  at(at: number, run: () => void): () => void {
    const event = { at: Math.max(at, this.now), run };
    const index = this.#events.findIndex((other) => other.at > event.at);
    this.#events.splice(index < 0 ? this.#events.length : index, 0, event);
    return () => {
      this.#events = this.#events.filter((other) => other !== event);
    };
  }

  /** Runs the events until a time, and `after` after each of them. */
  runUntil(end: number, after: () => void): void {
    for (let next = this.#events[0]; next !== undefined && next.at <= end; next = this.#events[0]) {
      this.#events.shift();
      this.now = next.at;
      next.run();
      after();
    }
    this.now = end;
    after();
  }
}

/** Faults of the network between one process and the server. */
export interface SimulatedNetwork {
  /** Returns the delay of one message in milliseconds; `undefined` if it is lost. */
  latency(): number | undefined;
}

/** Collaborators of a simulated process. */
export interface ProcessOptions {
  readonly timing: ElectionTiming;
  readonly lease: SimulatedLease;
  readonly timeline: Timeline;
  readonly network: SimulatedNetwork;
  readonly random: () => number;
  /** Speed of the monotonic clock. 1: exact. */
  readonly rate: number;
  readonly onEnd: (end: LeadershipEnd) => void;
}

/** One process: the state machine with a simulated driver. */
export class SimulatedProcess {
  readonly validity: LeaseValidity;
  state: ElectionState = initialElection;
  /** Difference of the system clock to simulated time. */
  wallOffset = 0;
  readonly #options: ProcessOptions;
  /** Sum of the time during which the monotonic clock stood still. */
  #stoppedMs = 0;
  #suspension: { readonly since: number; readonly stopsClock: boolean } | undefined;
  /** Inputs that arrived during a suspension. */
  #held: ElectionInput[] = [];
  #isDead = false;
  #request = 0;
  #wallAtWrite = 0;
  #cancelWait: () => void = () => undefined;
  #cancelDeadline: () => void = () => undefined;

  constructor(options: ProcessOptions) {
    this.#options = options;
    const clocks = { now: () => this.clock(), wall: () => options.timeline.now + this.wallOffset };
    this.validity = new LeaseValidity(clocks, options.timing.renewDeadlineMs);
  }

  get isRunning(): boolean {
    return !this.#isDead && this.#suspension === undefined;
  }

  get isLeading(): boolean {
    return this.isRunning && this.validity.check().valid;
  }

  /** Monotonic clock. */
  clock(): number {
    const { timeline, rate } = this.#options;
    const now = this.#suspension?.stopsClock ? this.#suspension.since : timeline.now;
    return (now - this.#stoppedMs) * rate;
  }

  start(): void {
    this.feed({ type: 'start' });
  }

  /** Ends the process without a release. */
  kill(): void {
    this.#isDead = true;
    this.#cancelWait();
    this.#cancelDeadline();
  }

  /** Stops the process. `stopsClock`: the whole machine is suspended. */
  suspend(stopsClock: boolean): void {
    this.#suspension ??= { since: this.#options.timeline.now, stopsClock };
  }

  resume(): void {
    if (this.#suspension === undefined) return;
    if (this.#suspension.stopsClock) this.#stoppedMs += this.#options.timeline.now - this.#suspension.since;
    this.#suspension = undefined;
    const held = this.#held;
    this.#held = [];
    for (const input of held) this.feed(input);
  }

  feed(input: ElectionInput): void {
    if (this.#isDead) return;
    if (this.#suspension !== undefined) {
      this.#held.push(input);
      return;
    }
    const { state, effects } = electionStep(this.state, input, this.clock(), this.#options.timing);
    this.state = state;
    for (const effect of effects) this.#perform(effect);
    this.#armDeadline();
  }

  #perform(effect: ElectionEffect): void {
    const { lease, random } = this.#options;
    switch (effect.type) {
      case 'read':
        this.#send(
          () => lease.read(),
          (found) => ({ type: 'read', lease: found }),
        );
        break;
      case 'write':
        this.#write(effect.base, effect.change);
        break;
      case 'abort':
        this.#request += 1;
        break;
      case 'wait':
        this.#cancelWait();
        this.#cancelWait = this.#after(effect.ms + effect.jitterMs * random(), { type: 'elapsed' });
        break;
      case 'renewed':
        this.validity.renew(effect.startedAt, this.#wallAtWrite);
        break;
      case 'closed':
        this.validity.end(effect.end);
        break;
      case 'ended':
        this.validity.end(effect.end);
        this.#cancelWait();
        this.#options.onEnd(effect.end);
    }
  }

  #write(base: LeaseRecord | undefined, change: LeaseChange): void {
    const { lease, timing, timeline } = this.#options;
    this.#wallAtWrite = timeline.now + this.wallOffset;
    const target = { ...timing, name: 'simulated', namespace: 'default' };
    const object = changedLease(base?.object, change, target, this.#wallAtWrite);
    this.#send(
      () => lease.write(object, base === undefined),
      (result) =>
        result === 'conflict' ? { type: 'failed', conflict: true } : { type: 'written', lease: result },
    );
  }

  /** Sends a request whose message, or whose response, may be lost or late. */
  #send<Result>(execute: () => Result, inputOf: (result: Result) => ElectionInput): void {
    const { network, timeline, timing } = this.#options;
    this.#request += 1;
    const request = this.#request;
    const settle = (input: ElectionInput): void => {
      if (request !== this.#request) return;
      this.#request += 1;
      this.feed(input);
    };
    this.#after(Math.max(1000, timing.renewDeadlineMs / 2), () =>
      settle({ type: 'failed', conflict: false }),
    );
    const there = network.latency();
    if (there === undefined) return;
    timeline.at(timeline.now + there, () => {
      const input = inputOf(execute());
      const back = network.latency();
      if (back !== undefined) timeline.at(timeline.now + back, () => this.#whenRunning(() => settle(input)));
    });
  }

  /** Schedules an input in the time of this process. */
  #after(ms: number, action: ElectionInput | (() => void)): () => void {
    const { timeline, rate } = this.#options;
    const run = typeof action === 'function' ? action : () => this.feed(action);
    const due = this.clock() + ms;
    let cancel: () => void = () => undefined;
    const check = (): void => {
      const missing = due - this.clock();
      if (missing <= 1e-6) this.#whenRunning(run);
      else cancel = timeline.at(timeline.now + Math.max(missing / rate, 1), check);
    };
    cancel = timeline.at(timeline.now + ms / rate, check);
    return () => cancel();
  }

  #whenRunning(run: () => void): void {
    if (this.#isDead) return;
    if (this.#suspension === undefined) run();
    else this.#options.timeline.at(this.#options.timeline.now + 10, () => this.#whenRunning(run));
  }

  #armDeadline(): void {
    this.#cancelDeadline();
    const deadline = deadlineOf(this.state, this.#options.timing);
    if (deadline === undefined) return;
    this.#cancelDeadline = this.#after(Math.max(deadline - this.clock(), 1), { type: 'deadline' });
  }
}
