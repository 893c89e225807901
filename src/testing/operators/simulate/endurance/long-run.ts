/** A run of one process of an operator, without crashes, in which users change one object again and again. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { WorkQueue } from '@kgen/runtime/queue';
import { seededRandom } from '@kgen/testserver/internal/environment/environment';
import type { Finding } from '../checks/finding.ts';
import { idOf, missingPermissions, SimulatedCluster } from '../cluster.ts';
import type { SimulatedWrite } from '../coverage.ts';
import { type Entry, isBookkeeping, targetOf } from '../history.ts';
import { Holdings } from '../process/holdings.ts';
import { SimulatedProcess } from '../process/process.ts';
import { contentOf, type SentRequest } from '../process/sent-request.ts';
import type { RunSetup } from '../run/run-result.ts';
import type { Outcome } from '../run/user-requests.ts';
import { type Schedule, type Step, stepText } from '../schedule/schedule.ts';
import { changeOf, type Toggle, type UserStep } from './toggles.ts';

/** Maximum number of steps and of entries that are kept: the run must not take more memory itself. */
const mostSteps = 24;
const mostEntries = 200;

const replica = 'replica-1';

/** A long run. */
export class LongRun {
  readonly #cluster: SimulatedCluster;
  readonly #process: SimulatedProcess;
  readonly #holdings: Holdings;
  readonly #queues = new ObservedQueues();
  readonly #entries: Entry[] = [];
  readonly #steps: Step[] = [];
  readonly #startMs: number;
  #sent: SentRequest | undefined;
  #changes = 0;

  /** @param withLines whether the lines of the operator are determined that hold something */
  constructor({ base, operator }: RunSetup, withLines: boolean) {
    this.#cluster = new SimulatedCluster(base, 0, (request) => {
      if (isBookkeeping(request.resource) || this.#entries.length >= mostEntries) return;
      const { request: sent, write } = this.#sent ?? {};
      const name = request.name || (write === undefined || sent === undefined ? '' : contentOf(sent).name);
      const site = write?.site ?? '';
      this.#entries.push({ kind: 'request', atMs: this.#now(), replica, request, name, site, faults: [] });
    });
    this.#startMs = this.#cluster.time.now();
    this.#holdings = new Holdings(withLines);
    this.#process = new SimulatedProcess({
      name: replica,
      operator: (config, options) =>
        // The flight recorder keeps what has happened, up to its own limit.
        this.#queues.run(() => operator(config, { ...options, ...withoutRecorder })),
      config: this.#cluster.operatorConfig(replica),
      transport: this.#cluster.transportOf(() => undefined),
      services: this.#cluster.services,
      time: this.#cluster.time,
      random: seededRandom(1),
      onRequest: (sent) => {
        this.#sent = sent;
      },
      onExit: () => undefined,
      onUse: () => undefined,
      holdings: this.#holdings,
    });
  }

  /** Whether the process has ended. */
  get isOver(): boolean {
    return this.#process.isOver;
  }

  get schedule(): Schedule {
    return { seed: 0, replicas: 1, steps: this.#steps };
  }

  /** The first entries of its history. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** The missing permissions of the service account. */
  get missing(): readonly Finding[] {
    return missingPermissions(this.#cluster);
  }

  /** Number of objects, without events. */
  get objects(): number {
    let count = 0;
    for (const [resource, objects] of this.#cluster.state.store.content()) {
      if (!isBookkeeping(resource)) count += objects.length;
    }
    return count;
  }

  /** Returns the numbers of what the process holds. */
  counts(): ReadonlyMap<string, number> {
    return new Map([...this.#holdings.counts(), ...this.#queues.counts()]);
  }

  /** Performs a step of a user, and waits for the operator. Returns whether the server has accepted it. */
  async perform(step: UserStep): Promise<boolean> {
    const { code } = await this.#send(step);
    const isAccepted = code < 400;
    if (isAccepted) this.#note(step);
    await this.wait(step.waitMs);
    return isAccepted;
  }

  /** Changes a field and changes it back. Returns whether users may do that. */
  async accepts(toggle: Toggle): Promise<boolean> {
    return (await this.perform(changeOf(toggle, 1))) && this.perform(changeOf(toggle, 2));
  }

  /** Changes a field an even number of times; each time, the failing writes fail once. */
  async change(toggle: Toggle, times: number, failing: readonly SimulatedWrite[] = []): Promise<void> {
    for (let left = times; left > 0 && !this.isOver; left -= 1) {
      this.#changes += 1;
      this.#cluster.faults.clear();
      for (const write of failing) this.#fail(write);
      await this.perform(changeOf(toggle, this.#changes));
    }
    this.#cluster.faults.clear();
  }

  /** Lets virtual time pass. */
  wait(ms: number): Promise<void> {
    return this.#cluster.time.advance(ms);
  }

  /** Removes what the server keeps of the past. */
  async forget(): Promise<void> {
    const { store } = this.#cluster.state;
    for (const [resource, objects] of store.content()) {
      if (!resource.startsWith('events')) continue;
      for (const [, event] of objects) await this.#cluster.send('DELETE', idOf(event));
    }
    store.compact();
  }

  async stop(): Promise<void> {
    this.#process.kill();
    this.#cluster.stop();
    await this.#cluster.time.advance(0);
  }

  #now(): number {
    return this.#cluster.time.now() - this.#startMs;
  }

  #send(step: UserStep): Promise<Outcome> {
    if (step.do === 'create') return this.#cluster.create(step.object);
    return this.#cluster.edit(step.target, step.path, step.value);
  }

  #fail({ verb, resource }: SimulatedWrite): void {
    this.#cluster.faults.add({
      status: 409,
      reason: 'Conflict',
      match: (request) => request.verb === verb && targetOf(request) === resource,
    });
    this.#note({ do: 'fault', verb, resource, nth: 1, fault: 'conflict', waitMs: 0 });
  }

  #note(step: Step): void {
    if (this.#steps.length >= mostSteps) return;
    this.#steps.push(step);
    this.#entries.push({ kind: 'step', atMs: this.#now(), text: stepText(step) });
  }
}

const withoutRecorder = { recorder: undefined } as const;

/** Observes the queues that a function, and everything that it begins, creates. */
class ObservedQueues {
  readonly #owner = new AsyncLocalStorage<ObservedQueues>();
  readonly #queues: WeakRef<WorkQueue<unknown>>[] = [];

  /** Runs a function in a simulated process, with which the observation ends. */
  run<T>(create: () => T): T {
    subscribe('kgen:queue', (queue) => {
      if (queue instanceof WorkQueue && this.#owner.getStore() === this)
        this.#queues.push(new WeakRef(queue));
    });
    return this.#owner.run(this, create);
  }

  /** Returns the number of keys that wait for a worker or for their time, by the text of their queue. */
  counts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const reference of this.#queues) {
      const queue = reference.deref();
      if (queue === undefined) continue;
      const { ready, waiting } = queue.stats();
      const held = `keys in the queue ${queue.name}`;
      counts.set(held, (counts.get(held) ?? 0) + ready + waiting);
    }
    return counts;
  }
}
