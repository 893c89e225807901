/** One run: plays a schedule on a cluster in memory, and examines the result. */
import { errorText } from '@kgen/schema/values/thrown';
import { seededRandom } from '@kgen/testserver/internal/environment/environment';
import { lostAnnotations, lostDeclarations } from '../checks/annotations.ts';
import { changedBystanders } from '../checks/bystanders.ts';
import { type Snapshot, snapshotOf } from '../checks/compare/snapshot.ts';
import type { Passed } from '../checks/due.ts';
import type { CheckName, Finding } from '../checks/finding.ts';
import { InvariantChecks } from '../checks/invariants.ts';
import { leftovers } from '../checks/leftovers.ts';
import { idOf, missingPermissions, replicaPrefix, SimulatedCluster } from '../cluster.ts';
import { placedText, type SimulatedWrite } from '../coverage.ts';
import { Disturber } from '../faults/disturber.ts';
import { undoAbandoned } from '../faults/foreign-edits.ts';
import { deletionNote, isBookkeeping } from '../history.ts';
import { errorWithSite } from '../process/call-site.ts';
import { isLeadershipLoss, Leases } from '../process/leases.ts';
import { NoManagerError } from '../process/operator.ts';
import { networkUses, type ProcessExit, SimulatedProcess } from '../process/process.ts';
import { isFault } from '../schedule/actions.ts';
import { changeOf, deletionOfAll } from '../schedule/causes.ts';
import { type Schedule, type Step, stepText } from '../schedule/schedule.ts';
import { Declarations } from './declarations.ts';
import { examineRest, type RestingRun, restartMs, type Work } from './examine-rest.ts';
import { addDefaults, defaultsText } from './foreign-defaults.ts';
import { type PassingRun, passTime } from './pass-time.ts';
import { latestOf, mostRestMs, Rest } from './rest.ts';
import { RunLog } from './run-log.ts';
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

class Run {
  readonly #setup: RunSetup;
  readonly #schedule: Schedule;
  readonly #settings: RunSettings;
  /** Determines the random numbers of the run. */
  readonly #seed: number;
  readonly #cluster: SimulatedCluster;
  readonly #disturber: Disturber;
  readonly #leases = new Leases();
  readonly #invariants: InvariantChecks;
  /** Whether invariants are checked after each change: until everything is deleted. */
  #isChecked: boolean;
  #starts = 0;
  readonly #startMs: number;
  readonly #log: RunLog;
  readonly #findings: Finding[] = [];
  readonly #processes: SimulatedProcess[] = [];
  readonly #uses = new Set<string>();
  /** Errors of the operator's log. */
  readonly #errors: string[] = [];
  readonly #erring = new Set<number>();
  /** Number of steps that have begun. */
  #performed = 0;
  #snapshot: Snapshot = [];
  #removed: ReadonlySet<string> = new Set();
  readonly #declarations: Declarations;
  readonly #changedKinds = new Set<string>();
  /** Number of requests until all faults have ended. */
  #calmRequests = 0;
  /** Counts writes and changes, without those of leases and events. */
  readonly #rest: Rest;
  #isDisturbed = false;
  #isCalm = false;
  #isOver = false;
  /** Whether days pass, in which the operator may send more requests. */
  #isPassing = false;
  #passed: Passed | undefined;
  /** Time after which processes start again that are being stopped at rest. */
  #stoppedMs: number | undefined;
  #unusable: NoManagerError | undefined;

  constructor(setup: RunSetup, schedule: Schedule, settings: RunSettings) {
    const { chance = 0 } = settings;
    this.#settings = settings;
    this.#setup = setup;
    this.#schedule = schedule;
    this.#declarations = new Declarations(setup.references);
    this.#seed = settings.chance === undefined ? schedule.seed : -1 - chance;
    const start = chance * chanceMs;
    this.#cluster = new SimulatedCluster(
      setup.base,
      this.#seed,
      (request) => this.#log.received(request),
      start,
    );
    this.#startMs = this.#cluster.time.now();
    const { store, environment } = this.#cluster.state;
    const violated = (message: string): void => this.find('invariant', message);
    this.#isChecked = setup.invariants.length > 0;
    this.#invariants = new InvariantChecks(setup.invariants, store, environment.now, violated);
    this.#rest = new Rest({
      time: this.#cluster.time,
      dueTimes: () => this.#processes.flatMap(({ dueTimes }) => dueTimes),
      retriesEndMs: () => latestOf(this.#processes, (each) => each.retriesEndMs),
      requeuesEndMs: () => latestOf(this.#processes, (each) => each.requeuesEndMs),
      isElecting: () => this.#leases.isElecting(),
      isOver: () => this.#isOver,
    });
    this.#log = new RunLog({
      cluster: this.#cluster,
      leases: this.#leases,
      now: () => this.#now(),
      disturber: () => this.#disturber,
      onRequest: () => this.#isBusy && this.#stopBusy(),
      onActivity: () => this.#rest.noteActivity(),
      onChanged: () => this.#isChecked && void this.#invariants.check(false),
      onForeignWrite: (replica, leader, line) =>
        this.find('leadership', `${replica} writes while ${leader} leads:\n${line}`),
    });
    this.#cluster.state.needs.siteOf = () => this.#log.site;
    this.#disturber = new Disturber(this.#cluster, {
      processOf: (replica) => this.#processes[replica],
      sender: () => this.#log.sender,
      base: setup.base.content,
      written: this.#log.written,
      sampleResources: setup.sampleResources,
      random: setup.random,
      isFrom: (request, site) => site === undefined || this.#log.entryOf(request)?.site === site,
      onMet: (request, fault) => void this.#log.entryOf(request)?.faults.push(fault),
    });
  }

  /** Whether the operator sends too much. With faults, it may repeat its requests until they end. */
  get #isBusy(): boolean {
    if (this.#isPassing || (this.#isDisturbed && !this.#isCalm)) return this.#log.requests > 20_000;
    return this.#log.requests - this.#calmRequests > 500 + 100 * this.#schedule.steps.length;
  }

  /** The first finding of each rule counts. */
  find(check: CheckName, message: string): void {
    if (this.#findings.some((known) => known.check === check)) return;
    this.#findings.push({ check, message });
    this.#log.note(`violated: ${check}: ${message.split('\n')[0] ?? ''}`);
  }

  result(): RunResult {
    if (this.#unusable !== undefined) throw this.#unusable;
    const missing = missingPermissions(this.#cluster);
    return {
      schedule: this.#schedule,
      settings: this.#settings,
      entries: this.#log.entries,
      // A missing permission is the cause of other findings.
      findings: [...missing, ...this.#findings],
      snapshot: this.#snapshot,
      removed: this.#removed,
      changed: this.#changedKinds,
      declared: this.#declarations.states,
      accesses: this.#log.accesses,
      writes: this.#log.writes,
      interleavings: this.#log.interleavings,
      hasElection: this.#leases.areUsed,
      hasWebhooks: this.#cluster.webhooks.areUsed,
      passed: this.#passed,
      requests: this.#log.requests,
      uses: [...this.#uses],
      erring: this.#erring,
      errors: this.#errors,
    };
  }

  async play(): Promise<void> {
    if (this.#schedule.hasDefaults === true) {
      this.#log.note(defaultsText);
      await addDefaults(this.#cluster, this.#setup);
    }
    for (let replica = 0; replica < this.#schedule.replicas; replica += 1) this.#start(replica);
    for (const step of this.#schedule.steps) {
      if (step.waitMs > 0) await this.#cluster.time.advance(step.waitMs);
      if (this.#isOver) break;
      await this.#perform(step);
      await this.#invariants.check(false);
    }
    const { waitMs = 0 } = this.#schedule;
    if (waitMs > 0 && !this.#isOver) await this.#cluster.time.advance(waitMs);
    await this.#calm();
    await this.#settle();
    const undone = await undoAbandoned(this.#disturber.edits, this.#cluster);
    for (const line of undone) this.#log.note(line);
    if (undone.length > 0) await this.#settle();
    if (await this.#rest.isFailing()) this.find('silence', 'a reconcile fails in each of its retries');
    this.#snapshot = this.#recorded();
    this.#removed = new Set(this.#log.removed);
    const declared = (this.#declarations.states.at(-1) ?? []).map(({ object }) => object);
    const lost = [
      ...lostAnnotations(this.#cluster.state.store, this.#resources(), this.#disturber.edits.annotated),
      ...lostDeclarations(declared, (id) => this.#cluster.find(id)),
    ];
    if (lost.length > 0) this.find('ownership', ['fields of another client:', ...lost].join('\n'));
    this.#checkBystanders();
    await this.#invariants.check(true);
    await this.#examine(this.#settings);
    if (this.#settings.endsAtRest !== true) await this.#tearDown();
    this.#isOver = true;
    for (const process of this.#processes) process.kill();
    this.#cluster.stop();
    // Watches that the end of the processes has closed.
    await this.#cluster.time.advance(0);
  }

  /** Returns the storage keys of what the operator has written, of users' objects and of services. */
  #resources(): ReadonlySet<string> {
    const { services } = this.#cluster;
    return new Set([...this.#setup.sampleResources, ...this.#log.written, ...services.resources]);
  }

  /** Returns the objects that are compared. */
  #recorded(): Snapshot {
    const { sampleResources, base, outlives } = this.#setup;
    const scope = { resources: this.#resources(), withStatus: sampleResources, base: base.content, outlives };
    return snapshotOf(this.#cluster.state.store, scope);
  }

  /** Lets time pass at rest, and examines the operator. */
  async #examine({ time, examinesRest = false }: RunSettings): Promise<void> {
    if (this.#isOver || this.#findings.length > 0) return;
    const run: RestingRun & PassingRun = {
      objects: this.#declarations.states.at(-1)?.length ?? 0,
      exceptions: this.#setup.exceptions,
      now: () => this.#cluster.time.now(),
      sent: () => this.#log.sentRequests,
      work: () => this.#work(),
      wait: (ms) => this.#cluster.time.advance(ms),
      dueTimes: () => this.#processes.flatMap(({ dueTimes }) => dueTimes),
      settle: () => this.#settle(),
      restart: (downMs) => this.#restart(downMs),
      snapshot: () => this.#recorded(),
    };
    this.#isPassing = time !== undefined;
    if (time !== undefined) this.#passed = await passTime(run, time);
    const finding = examinesRest ? await examineRest(run) : undefined;
    if (finding !== undefined) this.find(finding.check, finding.message);
  }

  async #restart(downMs: number): Promise<void> {
    this.#log.note('all processes are stopped, and start again');
    this.#stoppedMs = downMs;
    for (const process of this.#processes) process.stop();
    this.#rest.noteStart(downMs);
    await this.#rest.passDelays();
    this.#stoppedMs = undefined;
    await this.#settle();
  }

  /** Returns the numbers of requests, and of reconciles of the processes that run. */
  async #work(): Promise<Work> {
    const counts = await Promise.all(this.#processes.map((process) => process.reconciles()));
    return { requests: this.#log.requests, reconciles: counts.reduce((sum, count) => sum + count, 0) };
  }

  #start(replica: number): void {
    if (this.#isOver) return;
    const name = `${replicaPrefix}${replica + 1}`;
    this.#log.note(`${name} starts`);
    this.#rest.noteStart(0);
    this.#starts += 1;
    this.#processes[replica] = new SimulatedProcess({
      name,
      operator: this.#setup.operator,
      config: this.#cluster.operatorConfig(name),
      transport: this.#cluster.transportOf((resource) => this.#disturber.listed(name, resource)),
      services: this.#cluster.services,
      withoutElection: this.#settings.withoutElection ?? false,
      time: this.#cluster.time,
      webhooks: this.#cluster.webhooks,
      gate: this.#disturber,
      // Of its own, so that the order of two processes in one event-loop turn does not matter.
      random: seededRandom(this.#seed * 1_009 + this.#starts),
      slowness: 1 + ((this.#settings.chance ?? 0) % 3) * 7,
      onRequest: (sent) => this.#log.sent(name, sent),
      onExit: (exit) => this.#exited(replica, name, exit),
      onUse: (what, site, advice) => this.#used(what, site, advice),
      onError: (message) => this.#failed(name, message),
      onFloating: (write) => this.#floating(write),
    });
  }

  #failed(name: string, message: string): void {
    this.#erring.add(this.#performed - 1);
    this.#errors.push(`${name}: ${message}`);
  }

  #floating(write: SimulatedWrite): void {
    if (isBookkeeping(write.resource)) return;
    this.find(
      'floating',
      `a reconcile has returned before its write has ended: ${placedText(write)}: await it`,
    );
  }

  #used(what: string, site: string, advice: string): void {
    this.#uses.add(`${what} at ${site}`);
    if (networkUses.has(what))
      this.find('network', `the operator uses ${what} at ${site}${advice && `: ${advice}`}`);
  }

  #exited(replica: number, name: string, exit: ProcessExit): void {
    if (this.#isOver) return;
    this.#log.note(
      `${name} ${exit.kind === 'failed' ? `fails: ${errorText(exit.error)}` : `has ${exit.kind}`}`,
    );
    this.#leases.ended(name);
    const downMs = this.#disturber.downMs(replica) ?? restartMs;
    if (exit.kind === 'failed' && (this.#isCalm || !this.#isDisturbed) && !isLeadershipLoss(exit.error)) {
      if (exit.error instanceof NoManagerError) this.#unusable = exit.error;
      this.find('exit', `the operator ended: ${errorWithSite(exit.error)}`);
    }
    const delayMs = this.#stoppedMs ?? (this.#isCalm ? restartMs : downMs);
    this.#rest.noteStart(delayMs);
    this.#cluster.time.timer(delayMs, () => this.#start(replica));
  }

  async #perform(step: Step): Promise<void> {
    this.#isDisturbed ||= isFault(step);
    this.#performed += 1;
    this.#log.change = changeOf(step) ?? this.#log.change;
    const result = await this.#disturber.perform(step);
    this.#declarations.note(step, result === '');
    const text = `${stepText(step)}${result === '' ? '' : ` - ${result}`}`;
    this.#log.step(text);
  }

  /** Ends all faults; crashed processes start again. */
  async #calm(): Promise<void> {
    this.#isCalm = true;
    this.#calmRequests = this.#log.requests;
    this.#disturber.end();
    for (const process of this.#processes) process.crashAt(undefined);
    if (!this.#isDisturbed) return;
    this.#log.note('from here on, nothing fails any more');
    await this.#rest.passDelays();
  }

  /** Waits until nothing changes any more. */
  async #settle(): Promise<void> {
    this.#log.startLastWrites();
    const isAtRest = await this.#rest.reach();
    if (isAtRest || this.#log.lastWrites(1).length === 0) return;
    const seconds = mostRestMs / 1_000;
    const text = `the operator still writes ${seconds} s after the last change of a user:`;
    this.find('silence', [text, ...this.#log.lastWrites(20)].join('\n'));
  }

  /** Deletes the objects of users: everything that the operator has created must follow. */
  async #tearDown(): Promise<void> {
    if (this.#isOver || this.#findings.length > 0) return;
    this.#isChecked = false;
    this.#log.note(deletionNote);
    this.#log.change = deletionOfAll;
    const { store } = this.#cluster.state;
    for (const resource of this.#setup.sampleResources) {
      for (const [, value] of store.list(resource)) await this.#cluster.send('DELETE', idOf(value));
    }
    await this.#settle();
    const { base, outlives } = this.#setup;
    const lines = leftovers(store, { resources: this.#resources(), base: base.content, outlives });
    if (lines.length > 0) this.find('deletion', ['after the deletion of all objects:', ...lines].join('\n'));
    this.#checkBystanders();
  }

  #checkBystanders(): void {
    const { lines, kinds } = changedBystanders(this.#cluster.state.store, this.#setup.bystanders);
    for (const kind of kinds) this.#changedKinds.add(kind);
    if (lines.length > 0) this.find('ownership', lines.join('\n'));
  }

  #now(): number {
    return this.#cluster.time.now() - this.#startMs;
  }

  /** A run that would not end. */
  #stopBusy(): void {
    if (this.#isOver) return;
    const sent = `the operator has sent ${this.#log.requests} requests:`;
    this.find('requests', [sent, ...this.#log.lastWrites(10)].join('\n'));
    this.#isOver = true;
    for (const process of this.#processes) process.kill();
  }
}
