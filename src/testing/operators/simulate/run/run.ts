/** One run: plays a schedule on a cluster in memory, and examines the result. */

import type { Json } from '@kgen/schema/values/json';
import { errorText } from '@kgen/schema/values/thrown';
import { keyOf, storageOf } from '@kgen/testserver/internal/controllers/cluster';
import { seededRandom } from '@kgen/testserver/internal/environment/environment';
import type { LoggedRequest } from '@kgen/testserver/internal/http/request-log';
import type { Change } from '@kgen/testserver/internal/store/store';
import { lostAnnotations } from '../checks/annotations.ts';
import { type Snapshot, snapshotOf } from '../checks/compare/snapshot.ts';
import type { CheckName, Finding } from '../checks/finding.ts';
import { type ClusterReader, readerOf } from '../checks/invariants.ts';
import { leftovers } from '../checks/leftovers.ts';

import { idOf, missingPermissions, SimulatedCluster } from '../cluster.ts';
import type { SimulatedWrite } from '../coverage.ts';
import { Disturber } from '../faults/disturber.ts';
import { undoAbandoned } from '../faults/foreign-edits.ts';
import { type Entry, entryTextWithSite, isBookkeeping, type RequestEntry, targetOf } from '../history.ts';
import { errorWithSite } from '../process/call-site.ts';
import { isLeadershipLoss, Leases } from '../process/leases.ts';
import { NoManagerError } from '../process/operator.ts';
import { networkUses, type ProcessExit, SimulatedProcess } from '../process/process.ts';
import { contentOf, type SentRequest, type WriteContent } from '../process/sent-request.ts';
import { type FaultClass, isFault } from '../schedule/actions.ts';
import { type Access, type Schedule, type Step, stepText } from '../schedule/schedule.ts';
import { mostRestMs, Rest } from './rest.ts';
import type { RunResult, RunSettings, RunSetup } from './run-result.ts';

/** Plays a schedule. Never rejects because of the operator. */
export async function play(
  setup: RunSetup,
  schedule: Schedule,
  settings: RunSettings,
  onRejection: (listener: (reason: unknown) => void) => void,
): Promise<RunResult> {
  const run = new Run(setup, schedule, settings);
  onRejection((reason) =>
    run.find('rejection', `a promise was rejected without a handler: ${errorText(reason)}`),
  );
  await setup.start?.();
  await run.play();
  return run.result();
}

/** Time between the starts of two runs with other chances: not a whole number of days or seconds. */
const chanceMs = 93_784_321;

/** Delay before a process that failed is started again. */
const restartMs = 1_000;

class Run {
  readonly #setup: RunSetup;
  readonly #schedule: Schedule;
  readonly #settings: RunSettings;
  /** Determines the random numbers of the run. */
  readonly #seed: number;
  readonly #cluster: SimulatedCluster;
  readonly #disturber: Disturber;
  readonly #leases = new Leases();
  readonly #reader: ClusterReader;
  #starts = 0;
  readonly #startMs: number;
  readonly #entries: Entry[] = [];
  readonly #findings: Finding[] = [];
  readonly #processes: SimulatedProcess[] = [];
  readonly #accesses = new Map<string, Access>();
  readonly #written = new Set<string>();
  readonly #uses = new Set<string>();
  /** Errors of the operator's log. */
  readonly #errors: string[] = [];
  #snapshot: Snapshot = [];
  /** The request that a process is sending in this moment. */
  #sending: SentBy | undefined;
  /** Line of the operator that has sent the last request. */
  #site = '';
  /** The entry of the request that the server is receiving in this moment. */
  #received: RequestEntry | undefined;
  readonly #writes: { readonly write: SimulatedWrite; readonly faults: FaultClass[] }[] = [];
  #requests = 0;
  /** Number of requests until all faults have ended. */
  #calmRequests = 0;
  /** Counts writes and changes, without those of leases and events. */
  readonly #rest: Rest;
  #lastWrites: Entry[] = [];
  #isDisturbed = false;
  #isCalm = false;
  #isOver = false;
  #unusable: NoManagerError | undefined;

  constructor(setup: RunSetup, schedule: Schedule, settings: RunSettings) {
    const { chance = 0 } = settings;
    this.#settings = settings;
    this.#setup = setup;
    this.#schedule = schedule;
    this.#seed = settings.chance === undefined ? schedule.seed : -1 - chance;
    const start = chance * chanceMs;
    this.#cluster = new SimulatedCluster(setup.base, this.#seed, (request) => this.#logged(request), start);
    this.#cluster.state.needs.siteOf = () => this.#site;
    this.#startMs = this.#cluster.time.now();
    this.#cluster.state.store.subscribe((change) => this.#changed(change));
    this.#reader = readerOf(this.#cluster.state.store);
    this.#rest = new Rest({
      time: this.#cluster.time,
      dueTimes: () => this.#processes.flatMap(({ dueTimes }) => dueTimes),
      retriesEndMs: () =>
        this.#processes.reduce((latest, process) => Math.max(latest, process.retriesEndMs), 0),
      isElecting: () => this.#leases.isElecting(),
      isOver: () => this.#isOver,
    });
    this.#disturber = new Disturber(this.#cluster, {
      processOf: (replica) => this.#processes[replica],
      sender: () => this.#received?.replica ?? '',
      base: setup.base.content,
      written: this.#written,
      sampleResources: setup.sampleResources,
      random: setup.random,
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
    if (this.#unusable !== undefined) throw this.#unusable;
    const missing = missingPermissions(this.#cluster);
    return {
      schedule: this.#schedule,
      settings: this.#settings,
      entries: this.#entries,
      // A missing permission is the cause of other findings.
      findings: [...missing, ...this.#findings],
      snapshot: this.#snapshot,
      accesses: [...this.#accesses.values()],
      writes: this.#writes,
      hasElection: this.#leases.areUsed,
      hasWebhooks: this.#cluster.webhooks.areUsed,
      requests: this.#requests,
      uses: [...this.#uses],
      errors: this.#errors,
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
    await this.#settle();
    const undone = await undoAbandoned(this.#disturber.edits, this.#cluster);
    for (const line of undone) this.#note(line);
    if (undone.length > 0) await this.#settle();
    if (await this.#rest.isFailing()) this.find('silence', 'a reconcile fails in each of its retries');
    const { store } = this.#cluster.state;
    const { sampleResources, base, outlives } = this.#setup;
    const resources = new Set([...this.#written, ...sampleResources]);
    const scope = { resources, withStatus: sampleResources, base: base.content, outlives };
    this.#snapshot = snapshotOf(store, scope);
    const lost = lostAnnotations(store, resources, this.#disturber.edits.annotated);
    if (lost.length > 0) this.find('ownership', ['fields of another client:', ...lost].join('\n'));
    await this.#invariants(true);
    if (this.#settings.endsAtRest !== true) await this.#tearDown();
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
    this.#rest.noteStart(0);
    this.#starts += 1;
    this.#processes[replica] = new SimulatedProcess({
      name,
      operator: this.#setup.operator,
      config: this.#cluster.operatorConfig(name),
      transport: this.#cluster.transportOf((resource) => this.#disturber.listed(name, resource)),
      time: this.#cluster.time,
      webhooks: this.#cluster.webhooks,
      // Of its own, so that the order of two processes in one event-loop turn does not matter.
      random: seededRandom(this.#seed * 1_009 + this.#starts),
      slowness: 1 + ((this.#settings.chance ?? 0) % 3) * 7,
      onRequest: (sent) => this.#send(name, sent),
      onExit: (exit) => this.#exited(replica, name, exit),
      onUse: (what, site) => this.#used(what, site),
      onError: (message) => this.#errors.push(`${name}: ${message}`),
    });
  }

  #used(what: string, site: string): void {
    this.#uses.add(`${what} at ${site}`);
    if (networkUses.has(what)) this.find('network', `the operator uses ${what} at ${site}`);
  }

  #exited(replica: number, name: string, exit: ProcessExit): void {
    if (this.#isOver) return;
    this.#note(`${name} ${exit.kind === 'failed' ? `fails: ${errorText(exit.error)}` : `has ${exit.kind}`}`);
    this.#leases.ended(name);
    const downMs = this.#disturber.downMs(replica) ?? restartMs;
    if (exit.kind === 'failed' && (this.#isCalm || !this.#isDisturbed) && !isLeadershipLoss(exit.error)) {
      if (exit.error instanceof NoManagerError) this.#unusable = exit.error;
      this.find('exit', `the operator ended: ${errorWithSite(exit.error)}`);
    }
    const delayMs = this.#isCalm ? restartMs : downMs;
    this.#rest.noteStart(delayMs);
    this.#cluster.time.timer(delayMs, () => this.#start(replica));
  }

  async #perform(step: Step): Promise<void> {
    this.#isDisturbed ||= isFault(step);
    const result = await this.#disturber.perform(step);
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
    await this.#rest.passDelays();
  }

  /** Waits until nothing changes any more. */
  async #settle(): Promise<void> {
    this.#lastWrites = [];
    const isAtRest = await this.#rest.reach();
    if (isAtRest || this.#lastWrites.length === 0) return;
    const seconds = mostRestMs / 1_000;
    this.find(
      'silence',
      [
        `the operator still writes ${seconds} s after the last change of a user:`,
        ...this.#recentWrites(20),
      ].join('\n'),
    );
  }

  async #invariants(isAtRest: boolean): Promise<void> {
    for (const invariant of this.#setup.invariants) {
      try {
        await invariant(this.#reader, { isAtRest });
      } catch (error) {
        this.find('invariant', errorText(error));
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
    await this.#settle();
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
    const { holder, ...content } = write === undefined ? nothingWritten : contentOf(request);
    this.#sending = { replica, write, crash, ...content };
    this.#site = write?.site ?? '';
    this.#leases.sent(replica, holder);
  }

  #logged(request: LoggedRequest): void {
    const { replica, name, write, crash, body, isApply } = this.#sending ?? unknownSender;
    this.#sending = undefined;
    const { verb, resource } = request;
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
    this.#received = entry;
    if (isBookkeeping(resource)) return;
    this.#requests += 1;
    if (this.#isBusy) this.#stopBusy();
    this.#accesses.set(`${verb} ${targetOf(request)}`, { verb, resource: targetOf(request) });
    this.#entries.push(entry);
    if (write === undefined) return;
    this.#writes.push({ write, faults });
    if (request.subresource === '') this.#noteSent(request, entry.name, body, isApply);
    this.#rest.noteActivity();
    this.#lastWrites.push(entry);
    const leader = this.#leases.leader();
    if (leader !== undefined && leader !== replica)
      this.find(
        'leadership',
        `${replica} writes while ${leader} leads:\n${entryTextWithSite(entry).slice(13)}`,
      );
  }

  #noteSent(request: LoggedRequest, name: string, body: Json | undefined, isApply: boolean): void {
    const { verb, namespace, group } = request;
    const resource = storageOf({ group, plural: request.resource });
    const before = this.#cluster.state.store.get(resource, keyOf(namespace, name));
    this.#written.add(resource);
    this.#disturber.sent.note({ resource, verb, namespace, name, body, before });
    if (isApply && body !== undefined) this.#disturber.edits.applied(request, body);
  }

  #recentWrites(count: number): readonly string[] {
    return [...new Set(this.#lastWrites.slice(-count).map((entry) => entryTextWithSite(entry).slice(13)))];
  }

  /** A run that would not end. */
  #stopBusy(): void {
    if (this.#isOver) return;
    this.find(
      'requests',
      [`the operator has sent ${this.#requests} requests:`, ...this.#recentWrites(10)].join('\n'),
    );
    this.#isOver = true;
    for (const process of this.#processes) process.kill();
  }

  #changed(change: Change): void {
    this.#disturber.changed(change);
    if (change.resource.startsWith('leases.')) this.#leases.changed(change);
    if (isBookkeeping(change.resource)) return;
    this.#rest.noteActivity();
    this.#entries.push({ kind: 'change', atMs: this.#now(), change });
  }
}

/** The sender of a request. */
type SentBy = Omit<SentRequest, 'request'> & Omit<WriteContent, 'holder'> & { readonly replica: string };

const nothingWritten: WriteContent = { name: '', holder: '', body: undefined, isApply: false };

const unknownSender: SentBy = {
  replica: '',
  name: '',
  write: undefined,
  crash: undefined,
  body: undefined,
  isApply: false,
};

const replicaPrefix = 'replica-';
