/** One run: plays a schedule on a cluster in memory, and examines the result. */

import { storageOf } from '../../controllers/cluster.ts';
import type { LoggedRequest } from '../../http/request-log.ts';
import { seededRandom } from '../../server/environment.ts';
import type { Change } from '../../store/store.ts';
import type { JsonObject } from '../../values/json.ts';
import { type ClusterBase, idOf, SimulatedCluster } from './cluster.ts';
import type { FaultClass, SimulatedWrite } from './coverage.ts';
import { Disturber } from './disturber.ts';
import {
  type Entry,
  entryText,
  entryTextWithSite,
  isBookkeeping,
  type RequestEntry,
  targetOf,
} from './history.ts';
import { type ClusterReader, type Invariant, readerOf } from './invariants.ts';
import { leftovers } from './leftovers.ts';
import type { Operator } from './process/operator.ts';
import { networkUses, type ProcessExit, SimulatedProcess } from './process/process.ts';
import { contentOf, type SentRequest, type WriteContent } from './process/sent-request.ts';
import { type Access, isFault, type Schedule, type Step, stepText } from './schedule/schedule.ts';
import { lostAnnotations, type View, viewOf } from './view.ts';

/** The rule that a run has violated. */
export type CheckName =
  | 'invariant'
  | 'convergence'
  | 'silence'
  | 'requests'
  | 'leadership'
  | 'rejection'
  | 'exit'
  | 'deletion'
  | 'ownership'
  | 'network';

/** A violated rule. */
export interface Finding {
  readonly check: CheckName;
  /** Details, one per line. */
  readonly message: string;
}

/** Common parts of the runs of one operator. */
export interface RunSetup {
  readonly operator: Operator;
  readonly base: ClusterBase;
  readonly invariants: readonly Invariant[];
  /** Storage keys of the resources of users' objects. */
  readonly sampleResources: ReadonlySet<string>;
  /** Whether an object may exist after all objects of users were deleted. */
  readonly outlives: (object: JsonObject) => boolean;
}

/** The result of a run. */
export interface RunResult {
  readonly schedule: Schedule;
  readonly entries: readonly Entry[];
  readonly findings: readonly Finding[];
  /** The state at rest, before the objects of users are deleted. */
  readonly view: View;
  readonly accesses: readonly Access[];
  /** The writes of the operator, with the faults that they have met. */
  readonly writes: readonly { readonly write: SimulatedWrite; readonly faults: readonly FaultClass[] }[];
  readonly hasElection: boolean;
  /** Requests of the operator. */
  readonly requests: number;
  /** Uses of what a simulation replaces, with their lines. */
  readonly uses: readonly string[];
}

/** Returns the history of a run. */
export function historyOf({ entries }: Pick<RunResult, 'entries'>): string {
  return `${entries.map(entryText).join('\n')}\n`;
}

/**
 * Plays a schedule. Never rejects because of the operator.
 * @param isIdeal whether only the state at rest matters
 */
export async function play(
  setup: RunSetup,
  schedule: Schedule,
  isIdeal: boolean,
  onRejection: (listener: (reason: unknown) => void) => void,
): Promise<RunResult> {
  const run = new Run(setup, schedule, isIdeal);
  onRejection((reason) =>
    run.find('rejection', `a promise was rejected without a handler: ${messageOf(reason)}`),
  );
  await run.play();
  return run.result();
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Time without any change or write after which a run is at rest, and the most that is waited for it. */
const quietMs = 20_000;
const mostQuietRounds = 60;

/** The longest backoff of a watch, after which it is open again. */
const backoffMs = 60_000;

/** Delay before a process that failed is started again. */
const restartMs = 1_000;

class Run {
  readonly #setup: RunSetup;
  readonly #schedule: Schedule;
  readonly #isIdeal: boolean;
  readonly #cluster: SimulatedCluster;
  readonly #disturber: Disturber;
  readonly #reader: ClusterReader;
  #starts = 0;
  readonly #startMs: number;
  readonly #entries: Entry[] = [];
  readonly #findings: Finding[] = [];
  readonly #processes: SimulatedProcess[] = [];
  readonly #accesses = new Map<string, Access>();
  readonly #written = new Set<string>();
  readonly #uses = new Set<string>();
  #view: View = new Map();
  /** The request that a process is sending in this moment. */
  #sending: SentBy | undefined;
  /** The entry of the request that the server is receiving in this moment. */
  #received: RequestEntry | undefined;
  readonly #writes: { readonly write: SimulatedWrite; readonly faults: FaultClass[] }[] = [];
  #requests = 0;
  /** Number of requests until all faults have ended. */
  #calmRequests = 0;
  /** Writes and changes, without those of leases and events. */
  #activity = 0;
  #lastWrites: Entry[] = [];
  #isDisturbed = false;
  #isCalm = false;
  #isOver = false;

  constructor(setup: RunSetup, schedule: Schedule, isIdeal: boolean) {
    this.#isIdeal = isIdeal;
    this.#setup = setup;
    this.#schedule = schedule;
    this.#cluster = new SimulatedCluster(setup.base, schedule.seed, (request) => this.#logged(request));
    this.#startMs = this.#cluster.time.now();
    this.#cluster.state.store.subscribe((change) => this.#changed(change));
    this.#reader = readerOf(this.#cluster.state.store);
    this.#disturber = new Disturber(this.#cluster, {
      isOwn: (user) => user.startsWith(replicaPrefix),
      base: setup.base.content,
      written: this.#written,
      sampleResources: setup.sampleResources,
      isFrom: (request, site) =>
        site === undefined || (this.#received?.request === request && this.#received.site === site),
      onMet: (request, fault) => {
        if (this.#received?.request === request) this.#received.faults.push(fault);
      },
    });
  }

  /** Whether the operator sends too much. With faults, it may repeat its requests until they end. */
  get #isBusy(): boolean {
    if (this.#isDisturbed && !this.#isCalm) return this.#requests > 20_000;
    return this.#requests - this.#calmRequests > 500 + 100 * this.#schedule.steps.length;
  }

  /** The first finding of each rule counts. */
  find(check: CheckName, message: string): void {
    if (this.#findings.some((known) => known.check === check)) return;
    this.#findings.push({ check, message });
    this.#note(`violated: ${check}: ${message.split('\n')[0] ?? ''}`);
  }

  result(): RunResult {
    return {
      schedule: this.#schedule,
      entries: this.#entries,
      findings: this.#findings,
      view: this.#view,
      accesses: [...this.#accesses.values()],
      writes: this.#writes,
      hasElection: this.#disturber.leases.size > 0,
      requests: this.#requests,
      uses: [...this.#uses],
    };
  }

  async play(): Promise<void> {
    for (let replica = 0; replica < this.#schedule.replicas; replica += 1) this.#start(replica);
    for (const step of this.#schedule.steps) {
      if (step.waitMs > 0) await this.#cluster.time.advance(step.waitMs);
      if (this.#isOver) break;
      await this.#perform(step);
      await this.#invariants(false);
    }
    await this.#calm();
    await this.#rest();
    const { store } = this.#cluster.state;
    const { sampleResources, base, outlives } = this.#setup;
    const resources = new Set([...this.#written, ...sampleResources]);
    const scope = { resources, withStatus: sampleResources, base: base.content, outlives };
    this.#view = viewOf(store, scope);
    const lost = lostAnnotations(store, resources, this.#disturber.annotated);
    if (lost.length > 0) this.find('ownership', ['fields of another client:', ...lost].join('\n'));
    await this.#invariants(true);
    if (!this.#isIdeal) await this.#tearDown();
    this.#isOver = true;
    for (const process of this.#processes) process.kill();
    this.#cluster.stop();
    // Watches that the end of the processes has closed.
    await this.#cluster.time.advance(0);
  }

  #start(replica: number): void {
    if (this.#isOver) return;
    const name = `${replicaPrefix}${replica + 1}`;
    this.#note(`${name} starts`);
    this.#starts += 1;
    this.#processes[replica] = new SimulatedProcess({
      name,
      operator: this.#setup.operator,
      config: this.#cluster.configOf(name),
      transport: this.#cluster.transportOf((resource) => this.#disturber.listed(name, resource)),
      time: this.#cluster.time,
      // Of its own, so that the order of two processes in one event-loop turn does not matter.
      random: seededRandom(this.#schedule.seed * 1_009 + this.#starts),
      onRequest: (sent) => this.#send(name, sent),
      onExit: (exit) => this.#exited(replica, name, exit),
      onUse: (what, site) => this.#used(what, site),
    });
  }

  #used(what: string, site: string): void {
    this.#uses.add(`${what} at ${site}`);
    if (networkUses.has(what)) this.find('network', `the operator uses ${what} at ${site}`);
  }

  #exited(replica: number, name: string, exit: ProcessExit): void {
    if (this.#isOver) return;
    this.#note(`${name} ${exit.kind === 'failed' ? `fails: ${messageOf(exit.error)}` : `has ${exit.kind}`}`);
    const downMs = this.#disturber.downMs(replica) ?? restartMs;
    if (exit.kind === 'failed' && (this.#isCalm || !this.#isDisturbed) && !isLeadershipLoss(exit.error)) {
      this.find('exit', `the operator ended: ${messageOf(exit.error)}`);
    }
    this.#cluster.time.timer(this.#isCalm ? restartMs : downMs, () => this.#start(replica));
  }

  async #perform(step: Step): Promise<void> {
    this.#isDisturbed ||= isFault(step);
    const result = await this.#disturber.perform(step, (replica) => this.#processes[replica]);
    const text = `${stepText(step)}${result === '' ? '' : ` - ${result}`}`;
    this.#entries.push({ kind: 'step', atMs: this.#now(), text });
  }

  /** Ends all faults; crashed processes start again. */
  async #calm(): Promise<void> {
    this.#isCalm = true;
    this.#calmRequests = this.#requests;
    this.#disturber.end();
    for (const process of this.#processes) process.crashAt(undefined);
    if (!this.#isDisturbed) return;
    this.#note('from here on, nothing fails any more');
    await this.#cluster.time.advance(backoffMs);
  }

  /** Waits until nothing changes any more. */
  async #rest(): Promise<void> {
    for (let round = 0; round < mostQuietRounds && !this.#isOver; round += 1) {
      const before = this.#activity;
      this.#lastWrites = [];
      await this.#cluster.time.advance(quietMs);
      if (this.#activity === before) return;
    }
    if (this.#isOver || this.#lastWrites.length === 0) return;
    const lines = [
      ...new Set(this.#lastWrites.slice(-20).map((entry) => entryTextWithSite(entry).slice(13))),
    ];
    const seconds = (quietMs * mostQuietRounds) / 1_000;
    this.find(
      'silence',
      [`the operator still writes ${seconds} s after the last change of a user:`, ...lines].join('\n'),
    );
  }

  async #invariants(isAtRest: boolean): Promise<void> {
    for (const invariant of this.#setup.invariants) {
      try {
        await invariant(this.#reader, { isAtRest });
      } catch (error) {
        this.find('invariant', messageOf(error));
      }
    }
  }

  /** Deletes the objects of users: everything that the operator has created must follow. */
  async #tearDown(): Promise<void> {
    if (this.#isOver || this.#findings.length > 0) return;
    this.#note('the user deletes everything');
    const { store } = this.#cluster.state;
    for (const resource of this.#setup.sampleResources) {
      for (const [, value] of store.list(resource)) await this.#cluster.send('DELETE', idOf(value));
    }
    await this.#rest();
    const { base, outlives, sampleResources } = this.#setup;
    const resources = new Set([...sampleResources, ...this.#written]);
    const lines = leftovers(store, { resources, base: base.content, outlives });
    if (lines.length > 0) this.find('deletion', ['after the deletion of all objects:', ...lines].join('\n'));
  }

  #now(): number {
    return this.#cluster.time.now() - this.#startMs;
  }

  #note(line: string): void {
    this.#entries.push({ kind: 'note', atMs: this.#now(), text: line });
  }

  #send(replica: string, { request, write, crash }: SentRequest): void {
    if (crash === 'before') {
      if (write !== undefined && !isBookkeeping(write.resource))
        this.#writes.push({ write, faults: ['crash before', ...this.#disturber.facing(replica)] });
      return;
    }
    const { name, holder, fieldManager } = write === undefined ? nothingWritten : contentOf(request);
    this.#sending = { replica, name, write, crash };
    this.#disturber.leaseSent(replica, holder);
    if (fieldManager !== undefined) this.#disturber.managers.add(fieldManager);
  }

  #logged(request: LoggedRequest): void {
    const { replica, name, write, crash } = this.#sending ?? unknownSender;
    this.#sending = undefined;
    const { verb, group, resource } = request;
    if (isBookkeeping(resource)) return;
    this.#requests += 1;
    if (this.#isBusy) this.#stopBusy();
    this.#accesses.set(`${verb} ${targetOf(request)}`, { verb, resource: targetOf(request) });
    const faults: FaultClass[] = write === undefined ? [] : [...this.#disturber.facing(replica)];
    if (crash !== undefined && write !== undefined) faults.push('crash after');
    const entry: RequestEntry = {
      kind: 'request',
      atMs: this.#now(),
      replica,
      request,
      name: request.name || name,
      site: write?.site ?? '',
      faults,
    };
    this.#entries.push(entry);
    this.#received = entry;
    if (write === undefined) return;
    this.#writes.push({ write, faults });
    this.#activity += 1;
    this.#lastWrites.push(entry);
    if (request.subresource === '') this.#written.add(storageOf({ group, plural: resource }));
    const leader = this.#disturber.leader();
    if (leader !== undefined && leader !== replica)
      this.find(
        'leadership',
        `${replica} writes while ${leader} leads:\n${entryTextWithSite(entry).slice(13)}`,
      );
  }

  /** A run that would not end. */
  #stopBusy(): void {
    if (this.#isOver) return;
    const lines = [
      ...new Set(this.#lastWrites.slice(-10).map((entry) => entryTextWithSite(entry).slice(13))),
    ];
    this.find('requests', [`the operator has sent ${this.#requests} requests:`, ...lines].join('\n'));
    this.#isOver = true;
    for (const process of this.#processes) process.kill();
  }

  #changed(change: Change): void {
    this.#disturber.changed(change);
    if (change.resource.startsWith('leases.')) this.#disturber.leaseChanged(change);
    if (isBookkeeping(change.resource)) return;
    this.#activity += 1;
    this.#entries.push({ kind: 'change', atMs: this.#now(), change });
  }
}

/** The sender of a request. */
type SentBy = Omit<SentRequest, 'request'> & { readonly replica: string; readonly name: string };

const nothingWritten: WriteContent = { name: '', holder: '', fieldManager: undefined };

const unknownSender: SentBy = { replica: '', name: '', write: undefined, crash: undefined };

const replicaPrefix = 'replica-';

function isLeadershipLoss(error: unknown): boolean {
  return error instanceof Error && error.name === 'LeadershipLostError';
}
