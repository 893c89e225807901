/** Processes in simulated time, with clocks of their own, suspensions, and a network that loses messages. */
import { setMaxListeners } from 'node:events';
import type { RuntimeEnvironment } from '@kgen/runtime/informers';

/** Events in simulated time, in milliseconds. */
export class Timeline {
  now = 0;
  #events: { readonly at: number; readonly run: () => void }[] = [];
  /** Number of microtasks to wait for: those of promises that an event has settled. */
  #microtasks = 0;
  #isWorking = false;

  /** Schedules an event. Returns a function that cancels it. */
  at(at: number, run: () => void): () => void {
    const event = { at: Math.max(at, this.now), run };
    const index = this.#events.findIndex((other) => other.at > event.at);
    this.#events.splice(index < 0 ? this.#events.length : index, 0, event);
    return () => {
      this.#events = this.#events.filter((other) => other !== event);
    };
  }

  /** Records that the present event has settled a promise, whose callbacks run before the next event. */
  settled(): void {
    this.#microtasks = callbackChain;
  }

  /** Records that the present event has begun asynchronous work, which ends before the next event. */
  working(): void {
    this.#isWorking = true;
  }

  /** Runs the events until a time, and `after` after each of them. */
  async runUntil(end: number, after: () => void): Promise<void> {
    for (let next = this.#events[0]; next !== undefined && next.at <= end; next = this.#events[0]) {
      this.#events.shift();
      this.now = next.at;
      next.run();
      for (; this.#microtasks > 0; this.#microtasks -= 1) await undefined;
      if (this.#isWorking) await new Promise((resolve) => setImmediate(resolve));
      this.#isWorking = false;
      after();
    }
    this.now = end;
    after();
  }
}

/** More than the longest chain of callbacks between a response and the driver of a machine. */
const callbackChain = 16;

/** Collaborators of a simulated process. */
export interface SimulatedProcessOptions {
  readonly timeline: Timeline;
  /** Returns the delay of one message in milliseconds; `undefined` if it is lost. */
  readonly latency: () => number | undefined;
  /** Time-out of requests, in milliseconds. */
  readonly timeoutMs: number;
  readonly random: () => number;
  /** Speed of the monotonic clock. 1: exact. */
  readonly rate: number;
}

/** The machine of one process: its clocks, timers and network. */
export class SimulatedProcess {
  readonly environment: RuntimeEnvironment;
  /** Monotonic and system clock. */
  readonly clocks = { now: (): number => this.#now(), wall: (): number => this.#wall() };
  /** Difference of the system clock to simulated time. */
  wallOffset = 0;
  readonly #options: SimulatedProcessOptions;
  /** Sum of the time during which the monotonic clock stood still. */
  #stoppedMs = 0;
  #suspension: { readonly since: number; readonly stopsClock: boolean } | undefined;
  #isDead = false;
  /** Calls during a suspension. */
  readonly #deferred: (() => void)[] = [];

  constructor(options: SimulatedProcessOptions) {
    this.#options = options;
    this.environment = {
      clock: { now: () => this.#now(), timer: (ms, callback) => this.#timer(ms, callback) },
      random: options.random,
    };
  }

  get isRunning(): boolean {
    return !this.#isDead && this.#suspension === undefined;
  }

  /** Ends the process. */
  kill(): void {
    this.#isDead = true;
  }

  /** Stops the process. `stopsClock`: the whole machine is suspended. */
  suspend(stopsClock: boolean): void {
    this.#suspension ??= { since: this.#options.timeline.now, stopsClock };
  }

  resume(): void {
    if (this.#suspension === undefined) return;
    const { timeline } = this.#options;
    if (this.#suspension.stopsClock) this.#stoppedMs += timeline.now - this.#suspension.since;
    this.#suspension = undefined;
    for (const run of this.#deferred.splice(0)) timeline.at(timeline.now, () => this.call(run));
  }

  /** Calls a function in the process: at once, or after its suspension. */
  call(run: () => void): void {
    if (this.#isDead) return;
    if (this.#suspension === undefined) run();
    else this.#deferred.push(run);
  }

  /**
   * Sends a request whose message, or whose response, may be lost or late. `execute` runs on the server.
   * Rejects after the time-out, or with the error of `execute`.
   */
  request<Result>(execute: () => Result, signal?: AbortSignal): Promise<Result> {
    const { latency, timeline, timeoutMs } = this.#options;
    // A signal may be that of any number of requests.
    if (signal !== undefined) setMaxListeners(0, signal);
    return new Promise((resolve, reject) => {
      const settle = (action: () => void): void => {
        timeline.settled();
        action();
      };
      const cancel = this.#timer(timeoutMs, () => settle(() => reject(new Error('the request timed out'))));
      signal?.addEventListener('abort', () => settle(() => reject(signal.reason)), { once: true });
      const there = latency();
      if (there === undefined) return;
      timeline.at(timeline.now + there, () => {
        const outcome = outcomeOf(execute);
        const back = latency();
        if (back === undefined) return;
        timeline.at(timeline.now + back, () =>
          this.call(() => {
            cancel();
            settle(() => ('error' in outcome ? reject(outcome.error) : resolve(outcome.result)));
          }),
        );
      });
    });
  }

  #now(): number {
    const { timeline, rate } = this.#options;
    const now = this.#suspension?.stopsClock ? this.#suspension.since : timeline.now;
    return (now - this.#stoppedMs) * rate;
  }

  #wall(): number {
    return this.#options.timeline.now + this.wallOffset;
  }

  /** Schedules a call in the time of this process. */
  #timer(ms: number, run: () => void): () => void {
    const { timeline, rate } = this.#options;
    const due = this.#now() + ms;
    let cancel: () => void = () => undefined;
    let isCanceled = false;
    const fire = (): void => {
      if (!isCanceled) run();
    };
    const check = (): void => {
      const missing = due - this.#now();
      if (missing <= 1e-6) this.call(fire);
      else if (this.#suspension?.stopsClock) this.#deferred.push(check);
      else cancel = timeline.at(timeline.now + Math.max(missing / rate, 1), check);
    };
    cancel = timeline.at(timeline.now + ms / rate, check);
    return () => {
      isCanceled = true;
      cancel();
    };
  }
}

type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

function outcomeOf<Result>(execute: () => Result): Outcome<Result> {
  try {
    return { result: execute() };
  } catch (error) {
    return { error };
  }
}

/** A server that stores Leases; it is always available and consistent, the network in front of it is not. */
export class SimulatedStore<Stored extends StoredObject> {
  readonly #objects = new Map<string, Stored>();
  #version = 0;

  get(name: string): Stored | undefined {
    return this.#objects.get(name);
  }

  list(): readonly Stored[] {
    return [...this.#objects.values()];
  }

  /** Returns the stored object, or `undefined` for a conflict: it has another version than the body. */
  write(name: string, object: Stored): Stored | undefined {
    if (versionOf(this.#objects.get(name)) !== versionOf(object)) return undefined;
    this.#version += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } };
    this.#objects.set(name, stored);
    return stored;
  }

  /** Removes an object, unless it has another version. */
  remove(name: string, version = versionOf(this.#objects.get(name))): void {
    if (versionOf(this.#objects.get(name)) === version) this.#objects.delete(name);
  }
}

/** Part of objects that a `SimulatedStore` reads. */
interface StoredObject {
  readonly metadata?: { readonly resourceVersion?: unknown } | undefined;
}

function versionOf(object: StoredObject | undefined): unknown {
  return object?.metadata?.resourceVersion;
}
