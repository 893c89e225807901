/** Simulation of the members of a ring: simulated time, clocks, network and Leases. */

import { LeaseValidity } from '@kgen/runtime/election';
import {
  type LeaseObject,
  type MemberLease,
  memberLease,
  releasedLease,
  writtenLease,
} from './member-lease.ts';
import type { RingSettings } from './ring-options.ts';
import { deadlineOf, initialMember, ringStep } from './ring-step.ts';
import type { RingEffect, RingInput, RingState } from './ring-types.ts';
import { ShardFence } from './shard-fence.ts';
import type { ShardPass } from './shard-keys.ts';

/** The storage of the server: consistent, whereas the network in front of it is not. */
export class SimulatedLeases {
  readonly #objects = new Map<string, LeaseObject>();
  #version = 0;

  list(): readonly LeaseObject[] {
    return [...this.#objects.values()];
  }

  /** Returns the stored Lease, or `undefined` for a conflict. */
  write(object: LeaseObject): LeaseObject | undefined {
    const { name, resourceVersion } = object.metadata;
    if (this.#objects.get(name)?.metadata.resourceVersion !== resourceVersion) return undefined;
    this.#version += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } };
    this.#objects.set(name, stored);
    return stored;
  }

  remove({ name, version }: MemberLease): void {
    if (this.#objects.get(name)?.metadata.resourceVersion === version) this.#objects.delete(name);
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

/** Collaborators of a simulated member. */
export interface MemberParts {
  readonly settings: RingSettings;
  readonly leases: SimulatedLeases;
  readonly timeline: Timeline;
  /** Returns the delay of one message in milliseconds; `undefined` if it is lost. */
  readonly latency: () => number | undefined;
  readonly random: () => number;
  /** Speed of the monotonic clock. 1: exact. */
  readonly rate: number;
  readonly onEnd: () => void;
}

/** One process: the state machine and the fence with a simulated driver. */
export class SimulatedMember {
  readonly fence: ShardFence;
  state: RingState = initialMember;
  /** Difference of the system clock to simulated time. */
  wallOffset = 0;
  readonly #parts: MemberParts;
  #validity: LeaseValidity | undefined;
  #isNew = false;
  #stoppedMs = 0;
  #suspension: { readonly since: number; readonly stopsClock: boolean } | undefined;
  /** Inputs that arrived during a suspension, or a step. */
  #held: RingInput[] = [];
  #isStepping = false;
  #isDead = false;
  #request = 0;
  #wallAtWrite = 0;
  #cancelWait: () => void = () => undefined;
  #cancelDeadline: () => void = () => undefined;

  constructor(parts: MemberParts) {
    this.#parts = parts;
    const { ring, field } = parts.settings;
    this.fence = new ShardFence({
      ring,
      field,
      drained: (slots) => this.feed({ type: 'drained', slots }),
      gained: () => undefined,
    });
  }

  get isRunning(): boolean {
    return !this.#isDead && this.#suspension === undefined;
  }

  /** Monotonic clock. */
  clock(): number {
    const { timeline, rate } = this.#parts;
    const now = this.#suspension?.stopsClock ? this.#suspension.since : timeline.now;
    return (now - this.#stoppedMs) * rate;
  }

  /** Ends the process without a release. */
  kill(): void {
    this.#isDead = true;
    this.#cancelWait();
    this.#cancelDeadline();
  }

  /** Stops the process. `stopsClock`: the whole machine is suspended. */
  suspend(stopsClock: boolean): void {
    this.#suspension ??= { since: this.#parts.timeline.now, stopsClock };
  }

  resume(): void {
    if (this.#suspension === undefined) return;
    if (this.#suspension.stopsClock) this.#stoppedMs += this.#parts.timeline.now - this.#suspension.since;
    this.#suspension = undefined;
    for (const input of this.#held.splice(0)) this.feed(input);
  }

  /** Begins a run of a key, which ends after `ms`. Returns it, unless the key belongs to another member. */
  run(name: string, ms: number): ShardPass | undefined {
    const pass = this.isRunning ? this.fence.enter({ namespace: 'shop', name }) : undefined;
    const { timeline } = this.#parts;
    if (pass !== undefined) timeline.at(timeline.now + ms, () => this.#whenRunning(() => pass.leave()));
    return pass;
  }

  feed(input: RingInput): void {
    if (this.#isDead) return;
    this.#held.push(input);
    if (this.#suspension !== undefined || this.#isStepping) return;
    this.#isStepping = true;
    for (let next = this.#held.shift(); next !== undefined; next = this.#held.shift()) this.#step(next);
    this.#isStepping = false;
    this.#armDeadline();
  }

  #step(input: RingInput): void {
    const { state, effects } = ringStep(this.state, input, this.clock(), this.#parts.settings);
    this.state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: RingEffect): void {
    const { leases, random, timeline, settings, onEnd } = this.#parts;
    switch (effect.type) {
      case 'list':
        this.#send(() => ({
          type: 'listed',
          leases: leases.list().map((lease) => memberLease(lease, settings.field)),
        }));
        break;
      case 'write':
        this.#write(effect);
        break;
      case 'expel':
        this.#send(() => {
          for (const { object } of effect.leases) leases.write(releasedLease(object, 'now'));
          return { type: 'expelled' };
        });
        break;
      case 'abort':
        this.#request += 1;
        break;
      case 'wait':
        this.#cancelWait();
        this.#cancelWait = this.#after(effect.ms + effect.jitterMs * random(), () =>
          this.feed({ type: 'elapsed' }),
        );
        break;
      case 'joined':
        this.#validity = new LeaseValidity(
          { now: () => this.clock(), wall: () => timeline.now + this.wallOffset },
          settings.renewDeadlineMs,
        );
        this.#isNew = true;
        break;
      case 'renewed':
        this.#renewed(effect.startedAt);
        break;
      case 'slots':
        this.fence.update(effect.owned, effect.draining);
        this.fence.load(effect.owned);
        break;
      case 'closed':
        this.#validity?.end(effect.end);
        this.fence.end(effect.end);
        break;
      case 'forget':
        leases.remove(effect.lease);
        break;
      case 'ended':
        this.#cancelWait();
        onEnd();
    }
  }

  #renewed(startedAt: number): void {
    if (this.#validity === undefined) return;
    if (!this.#validity.renew(startedAt, this.#wallAtWrite)) this.feed({ type: 'lost' });
    if (this.#isNew) this.fence.begin(this.#validity);
    this.#isNew = false;
  }

  #write({ base, change }: Extract<RingEffect, { type: 'write' }>): void {
    const { leases, settings, timeline } = this.#parts;
    this.#wallAtWrite = timeline.now + this.wallOffset;
    const object = writtenLease(base?.object, change, settings, new Date(this.#wallAtWrite).toISOString());
    this.#send(() => {
      const stored = leases.write(object);
      if (stored === undefined) return { type: 'failed' };
      return { type: 'written', lease: memberLease(stored, settings.field) };
    });
  }

  /** Sends a request whose message, or whose response, may be lost or late. */
  #send(execute: () => RingInput): void {
    const { latency, timeline, settings } = this.#parts;
    this.#request += 1;
    const request = this.#request;
    const settle = (input: RingInput): void => {
      if (request !== this.#request) return;
      this.#request += 1;
      this.feed(input);
    };
    this.#after(Math.max(1000, settings.renewDeadlineMs / 2), () => settle({ type: 'failed' }));
    const there = latency();
    if (there === undefined) return;
    timeline.at(timeline.now + there, () => {
      const input = execute();
      const back = latency();
      if (back !== undefined) timeline.at(timeline.now + back, () => this.#whenRunning(() => settle(input)));
    });
  }

  /** Schedules a call in the time of this process. */
  #after(ms: number, run: () => void): () => void {
    const { timeline, rate } = this.#parts;
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
    else this.#parts.timeline.at(this.#parts.timeline.now + 10, () => this.#whenRunning(run));
  }

  #armDeadline(): void {
    this.#cancelDeadline();
    const deadline = deadlineOf(this.state, this.#parts.settings);
    if (deadline === undefined) return;
    this.#cancelDeadline = this.#after(Math.max(deadline - this.clock(), 1), () =>
      this.feed({ type: 'deadline' }),
    );
  }
}
