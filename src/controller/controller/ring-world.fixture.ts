/** Replicas of one ring with faults, whose controllers reconcile objects that change. */

import { type Random, randomOf } from '../../../test/support/random.ts';
import {
  SimulatedProcess,
  SimulatedStore,
  Timeline,
} from '../../../test/support/runtime/simulated-process.ts';
import { currentRun } from '../client/run-scope.ts';
import { TerminalError } from '../errors.ts';
import type { ReconcileResult } from '../runs/outcome.ts';
import type { LeaseObject } from '../sharding/member-lease.ts';
import { ringSettings } from '../sharding/ring-options.ts';
import { noSlots, type SlotSet } from '../sharding/slots.ts';
import type { ReconcileContext } from './reconcile-context.ts';
import { type SimulatedObject, SimulatedReplica } from './ring-replica.fixture.ts';

/** Faults of one process. One that ends is replaced by a new one. */
export const faultKinds = ['crash', 'leave', 'suspension', 'partition', 'clock step'] as const;
export type FaultKind = (typeof faultKinds)[number];

const { renewDeadlineMs } = ringSettings({ name: 'ring' }, 'default');
const objectCount = 12;

/** Record of the runs of all replicas. */
class Runs {
  count = 0;
  /** Last version by object, of a run that began with it and could write until its end. */
  readonly done = new Map<string, number>();
  /** Objects whose last run has failed, or has returned a delay. */
  readonly pending = new Map<string, string>();
  readonly #random: Random;
  /** Whether all runs succeed at once. */
  isCalm = false;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns a function that succeeds, fails or is late, and that writes at its end. */
  reconcile(pause: (ms: number, signal: AbortSignal) => Promise<void>) {
    return async (
      { metadata: { name, generation = 0 } }: SimulatedObject,
      { signal, isLastAttempt }: ReconcileContext<undefined>,
    ): Promise<ReconcileResult> => {
      const random = this.#random;
      const kind = this.isCalm ? 'success' : random.pick(kinds);
      this.count += 1;
      this.pending.delete(name);
      if (!this.isCalm && random.chance(0.3)) await pause(random.int(15_000), signal);
      const isWritten = mayWrite(kind === 'negligent');
      const isGivenUp = kind === 'terminal' || (kind === 'error' && isLastAttempt);
      if (isWritten && (kind !== 'error' || isGivenUp)) this.#done(name, generation);
      if (kind === 'terminal') throw new TerminalError('x');
      if (kind === 'error') {
        if (!isGivenUp) this.pending.set(name, 'retry');
        throw new Error('x');
      }
      if (kind !== 'requeue') return undefined;
      this.pending.set(name, 'delay');
      return { requeueAfterMs: random.int(5000) };
    };
  }

  #done(name: string, version: number): void {
    this.done.set(name, Math.max(this.done.get(name) ?? 0, version));
  }
}

/** `negligent` ignores that its write was refused. */
const kinds = ['success', 'error', 'terminal', 'requeue', 'negligent'] as const;

/** Writes at the end of a run. Returns whether the write was accepted. */
function mayWrite(isNegligent: boolean): boolean {
  try {
    currentRun()?.checkWrite();
    return true;
  } catch (error) {
    if (isNegligent) return false;
    throw error;
  }
}

export class World {
  readonly timeline = new Timeline();
  readonly leases = new SimulatedStore<LeaseObject>();
  readonly objects = new SimulatedStore<SimulatedObject>();
  readonly random: Random;
  readonly replicas: SimulatedReplica[] = [];
  readonly names: string[] = [];
  /** Replicas whose messages are lost. */
  readonly partitioned = new Set<SimulatedReplica>();
  maxLatencyMs = 3000;
  lossRate = 0.1;
  /** Whether a new process replaces one that has ended. */
  isReplacing = true;
  readonly #runs: Runs;
  readonly #isSharded: boolean;
  readonly #concurrency: number;
  readonly #maxAttempts: number;
  #count = 0;
  #isQuiet = false;

  constructor(seed: number, size: number) {
    this.random = randomOf(seed);
    this.#runs = new Runs(this.random);
    this.#isSharded = this.random.chance(0.5);
    this.#concurrency = 1 + this.random.int(4);
    this.#maxAttempts = this.random.pick([2, Number.POSITIVE_INFINITY]);
    for (let index = 0; index < objectCount; index += 1) this.#put(`object-${index}`);
    for (let place = 0; place < size; place += 1) {
      this.timeline.at(this.random.int(5000), () => this.add(place));
    }
  }

  /** Number of runs that began. */
  get runs(): number {
    return this.#runs.count;
  }

  /** Starts a process. Some keep the name of their predecessor, as Pods of a StatefulSet. */
  add(place: number): void {
    this.#count += 1;
    const known = this.names[place];
    const identity = known !== undefined && this.random.chance(0.3) ? known : `replica-${this.#count}`;
    const { leases, objects, timeline } = this;
    const process = new SimulatedProcess({
      timeline,
      latency: () => this.#latency(replica),
      timeoutMs: renewDeadlineMs / 2,
      random: () => this.random.int(1000) / 1000,
      rate: 0.99 + this.random.int(21) / 1000,
    });
    const replica: SimulatedReplica = new SimulatedReplica({
      ...{ process, timeline, identity, leases, objects },
      isSharded: this.#isSharded,
      controller: {
        reconcile: this.#runs.reconcile((ms, signal) => this.#pause(process, ms, signal)),
        concurrency: this.#concurrency,
        maxAttempts: this.#maxAttempts,
        backoffMaxMs: 5000,
      },
      onEnd: () => {
        if (this.replicas[place] === replica) this.#replace(place);
      },
    });
    this.replicas[place]?.process.kill();
    this.replicas[place] = replica;
    this.names[place] = identity;
    replica.start();
  }

  /** Applies one random fault to one process. */
  disturb(kinds: readonly FaultKind[]): void {
    const place = this.random.int(this.replicas.length);
    const replica = this.replicas[place];
    const kind = kinds[this.random.int(kinds.length)];
    if (replica === undefined || kind === undefined) return;
    const { process } = replica;
    const soon = this.timeline.now + this.random.int(30_000);
    if (kind === 'crash') {
      process.kill();
      this.#replace(place);
    } else if (kind === 'leave') replica.leave();
    else if (kind === 'suspension') {
      process.suspend(this.random.chance(0.5));
      this.timeline.at(soon, () => process.resume());
    } else if (kind === 'partition') {
      this.partitioned.add(replica);
      this.timeline.at(soon, () => this.partitioned.delete(replica));
    } else process.wallOffset += this.random.int(20_000) - 10_000;
  }

  /** Changes some objects soon. */
  change(): void {
    for (let count = this.random.int(4); count > 0; count -= 1) {
      const name = `object-${this.random.int(objectCount)}`;
      this.timeline.at(this.timeline.now + this.random.int(4000), () => this.#put(name));
    }
  }

  /** Changes every object now. */
  changeAll(): void {
    for (const { metadata } of this.objects.list()) this.#put(metadata.name);
  }

  /** Checks the invariant: at most one process may write the keys of a slot. */
  check(): void {
    let open = noSlots;
    for (const replica of this.replicas) {
      if (!replica?.process.isRunning) continue;
      const own = replica.ring.fence.open;
      if ((open & own) !== noSlots) throw new Error(`two owners of a slot at ${this.timeline.now}`);
      open |= own;
    }
  }

  /** Ends all faults. */
  calm(): void {
    this.#isQuiet = true;
    this.#runs.isCalm = true;
    this.lossRate = 0;
    this.maxLatencyMs = 100;
    this.partitioned.clear();
    for (const replica of this.replicas) replica?.process.resume();
  }

  get owned(): readonly SlotSet[] {
    return this.replicas.map(({ ring }) => ring.fence.owned);
  }

  /** Changes without a run, and retries and delays that have not led to one. */
  get lost(): readonly string[] {
    const { done, pending } = this.#runs;
    const unseen = this.objects
      .list()
      .filter(({ metadata: { name, generation } }) => done.get(name) !== generation);
    return [
      ...unseen.map(({ metadata: { name } }) => `change of ${name}`),
      ...[...pending].map(([name, kind]) => `${kind} of ${name}`),
    ];
  }

  #put(name: string): void {
    const metadata = this.objects.get(name)?.metadata ?? {
      name,
      namespace: 'shop',
      uid: name,
      generation: 0,
    };
    const generation = (metadata.generation ?? 0) + 1;
    // A complete object of the simulated cluster.
    this.objects.write(name, { metadata: { ...metadata, generation } } as never);
    for (const replica of this.replicas) replica?.cache.refresh();
  }

  #pause(process: SimulatedProcess, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        this.timeline.working();
        resolve();
      };
      process.environment.clock.timer(ms, end);
      signal.addEventListener('abort', end, { once: true });
    });
  }

  #latency(replica: SimulatedReplica): number | undefined {
    if (this.partitioned.has(replica) || this.random.chance(this.lossRate)) return undefined;
    // Most messages are fast; some are slower than every time-out.
    return this.random.chance(this.#isQuiet ? 0 : 0.05)
      ? this.random.int(20 * this.maxLatencyMs)
      : this.random.int(this.maxLatencyMs) / 10;
  }

  #replace(place: number): void {
    if (!this.isReplacing) return;
    this.timeline.at(this.timeline.now + this.random.int(5000), () => this.add(place));
  }
}
