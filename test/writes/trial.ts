/**
 * Plays a history twice: on one object by a managed client, which compares writes with its caches, and on its
 * twin in another namespace by a client that sends every write. Both objects must be equal after each step.
 */

import { isNotFound, type RESTClient } from '@kgen/runtime';
import { FaultyTransport } from './faulty-transport.ts';
import type { Fault, History, Step, Write } from './history.ts';
import { type Fields, pathOf } from './kinds.ts';
import { fieldsOf, type Place, putStatus, send } from './object-client.ts';
import { type Cluster, HeldLease } from './other-processes.ts';
import { ManagedProcess } from './process.ts';
import { type Failure, normalForm, removals } from './state.ts';
import {
  absent,
  basisOf,
  clientOf,
  isObjectPair,
  type Outcome,
  outcomeOf,
  type Pair,
  placeOf,
  type Result,
  versionOf,
} from './twins.ts';

/** Place in a server where a history is played. */
export interface Stage {
  readonly cluster: Cluster;
  /** Ends the names of the namespaces. */
  readonly name: string;
}

/** Plays a history. Returns the first difference; `undefined` if there is none. */
export async function play(stage: Stage, history: History): Promise<Failure | undefined> {
  const trial = await Trial.start(stage, history);
  try {
    for (const [index, step] of history.steps.entries()) {
      const failure = await trial.step(step);
      if (failure !== undefined) return { ...failure, step: index };
    }
    return await trial.finish();
  } finally {
    await trial.stop();
  }
}

class Trial {
  readonly #cluster: Cluster;
  readonly #history: History;
  readonly #rest: RESTClient;
  /** Transport and client of the twin's own writes. */
  readonly #twin: FaultyTransport;
  readonly #sending: RESTClient;
  /** Ends the write whose response is withheld. */
  #slow: (() => Promise<void>) | undefined;
  readonly #managed: Place;
  readonly #plain: Place;
  #process: ManagedProcess;
  /** All states so far: versions of one object correspond to those of the other. */
  readonly #states: Pair[] = [absent];
  /** Last write of each form. */
  readonly #intents = new Map<string, Write>();
  /** Objects that the last write returned. */
  #returned: Pair | undefined;
  /** Whether a write was acknowledged after the delayed ones, whose outcome is known since. */
  #isAcknowledged = false;
  #hold: 'all' | 'first' | undefined;
  /** Whether events of other clients are held back: writes are compared with an old object until then. */
  #isStale = false;

  private constructor(cluster: Cluster, history: History, rest: RESTClient, places: readonly [Place, Place]) {
    this.#cluster = cluster;
    this.#history = history;
    this.#rest = rest;
    [this.#managed, this.#plain] = places;
    this.#twin = new FaultyTransport(cluster.transport, this.#plain.kind.resource);
    this.#sending = clientOf(cluster, this.#twin.send);
    this.#process = new ManagedProcess(cluster, history, this.#managed);
  }

  static async start(stage: Stage, history: History): Promise<Trial> {
    const { cluster, name } = stage;
    const rest = clientOf(cluster, cluster.transport);
    const suffix = `${name}-${history.webhook ?? 'none'}`;
    const managed = await placeOf(rest, history, `managed-${suffix}`);
    const plain = await placeOf(rest, history, `plain-${suffix}`);
    const trial = new Trial(cluster, history, rest, [managed, plain]);
    await trial.#process.start();
    await trial.#process.owns();
    return trial;
  }

  async stop(): Promise<void> {
    await this.#endSlow();
    await this.#process.stop();
  }

  async step(step: Step): Promise<Failure | undefined> {
    if ('own' in step) return this.#own(step.own, step.fault);
    if ('other' in step) return this.#other(step.other);
    if ('handover' in step) return this.#handover(step.handover, step.lags === true);
    if (step.do === 'hold') return void this.#holdBack(step.only);
    if (step.do === 'release') return this.#release();
    if (step.do === 'deliver') return this.#deliver();
    if (step.do === 'relist') return this.#relist();
    return this.#reconcile();
  }

  /** Writes the last bodies until nothing changes, and then removes their fields. */
  async finish(): Promise<Failure | undefined> {
    await this.#endSlow();
    const failure = (await this.#deliver()) ?? (await this.#release()) ?? (await this.#checkSilence());
    if (failure !== undefined) return failure;
    for (const write of [...this.#intents.values()]) {
      for (const body of removals(write)) {
        const removed = await this.#own({ ...write, body }, undefined);
        if (removed !== undefined) return removed;
      }
    }
    return undefined;
  }

  /** At rest, the process sends no request. */
  async #checkSilence(): Promise<Failure | undefined> {
    let before = -1;
    for (let round = 0; round < 4; round += 1) {
      const { sent } = this.#process.transport;
      const first = this.#states.length;
      const failure = await this.#reconcile();
      if (failure !== undefined) return failure;
      const versions = new Set(this.#states.slice(first - 1).map(({ plain }) => versionOf(plain)));
      const isQuiet = versions.size === 1;
      const requests = this.#process.transport.sent - sent;
      if (round === 3 && isQuiet && before === 1 && requests > 0 && this.#canRest()) {
        return { problem: `${requests} requests are sent at rest`, writes: [...this.#intents.values()] };
      }
      before = versions.size;
    }
    return undefined;
  }

  /** Whether the caches have the objects of the intents, and no form is written in two versions in turn. */
  #canRest(): boolean {
    const cached = new Set(
      this.#history.caches.filter(({ cache }) => cache !== 'metadata').map(({ version = 'v1' }) => version),
    );
    const intents = [...this.#intents.values()];
    const forms = new Set(intents.map(({ verb, manager }) => `${verb} ${manager}`));
    return forms.size === intents.length && intents.every(({ version = 'v1' }) => cached.has(version));
  }

  async #own(write: Write, fault: Fault | undefined): Promise<Failure | undefined> {
    const slow = this.#slow;
    const { managed, plain, sent } = await this.#both(write, fault);
    if (slow !== undefined) {
      this.#slow = undefined;
      await slow();
    }
    const last = await this.#observe();
    if (fault === 'delayed' && sent) this.#isAcknowledged = false;
    else if (managed === 'ok' && sent) this.#isAcknowledged = true;
    this.#remember(write, plain);
    const isEqual = this.#isEqual(last) && managed === plain;
    if (!isEqual && !this.#isStale) {
      return this.#failure(write, last, `the results are ${managed} and ${plain}, sent: ${sent}`);
    }
    if (!isEqual) {
      // The events arrive, and the program reconciles.
      const hold = this.#hold;
      this.#process.transport.release();
      await this.#process.caughtUp(versionOf(last.managed));
      this.#isStale = false;
      const failure = await this.#own(write, undefined);
      if (failure !== undefined) return failure;
      if (hold !== undefined) this.#holdBack(hold === 'first' ? 'first' : undefined);
    }
    return this.#settle();
  }

  /** Sends a write of the process on both sides. A write that the process skips has no fault. */
  async #both(
    write: Write,
    fault: Fault | undefined,
  ): Promise<{ readonly managed: Result; readonly plain: Result; readonly sent: boolean }> {
    const { transport } = this.#process;
    const before = transport.sent;
    const body = this.#bodies(write);
    const managed = await this.#faulty(write, body, fault);
    const sent = transport.sent > before;
    this.#twin.fault = sent && fault !== 'slow' ? fault : undefined;
    const plain = await outcomeOf(() => this.#writePlain(write, body));
    this.#twin.fault = undefined;
    const returned = { managed: managed?.object, plain: plain.object };
    this.#returned = isObjectPair(returned) ? returned : undefined;
    return { managed: managed?.result ?? plain.result, plain: plain.result, sent };
  }

  /** Sends a write with a fault. Returns nothing if the response is withheld. */
  async #faulty(write: Write, body: Pair, fault: Fault | undefined): Promise<Outcome | undefined> {
    const { transport } = this.#process;
    const isSlow = fault === 'slow' && this.#slow === undefined && !this.#process.isSerial;
    transport.fault = fault === 'slow' && !isSlow ? undefined : fault;
    const withheld = isSlow ? transport.withhold() : undefined;
    const result = outcomeOf(() => this.#process.perform(() => this.#writeManaged(write, body)));
    const managed = await (withheld ? Promise.race([result, withheld.begun]) : result);
    transport.fault = undefined;
    if (withheld !== undefined && managed === undefined) {
      this.#slow = async () => {
        withheld.release();
        await result;
      };
    }
    return managed;
  }

  async #writeManaged(write: Write, body: Pair): Promise<unknown> {
    const { verb } = write;
    if (verb === 'changeCached' || verb === 'changeReturned') {
      const object = verb === 'changeCached' ? this.#process.cached(write.version) : this.#returned?.managed;
      if (object === undefined || body.plain === undefined || body.managed === undefined) return undefined;
      object['status'] = fieldsOf(write.body)['status'];
      return putStatus(this.#process.rest, this.#managed, write, object);
    }
    return send(this.#process.rest, this.#managed, write, versionOf(body.managed));
  }

  async #writePlain(write: Write, body: Pair): Promise<unknown> {
    const { verb } = write;
    if (verb !== 'changeCached' && verb !== 'changeReturned') {
      return send(this.#sending, this.#plain, write, versionOf(body.plain));
    }
    if (body.plain === undefined || body.managed === undefined) return undefined;
    const { status } = fieldsOf(write.body);
    return putStatus(this.#sending, this.#plain, write, { ...body.plain, status });
  }

  /** Returns the objects on which a write is based. */
  #bodies(write: Write): Pair {
    if (write.verb === 'changeReturned') return this.#returned ?? absent;
    return basisOf(write, this.#states, versionOf(this.#process.cached(write.version)));
  }

  async #other(write: Write): Promise<Failure | undefined> {
    await this.#elsewhere(write);
    if (this.#hold === 'all') this.#isStale = true;
    return this.#settle();
  }

  /** Sends a write of another process on both sides. */
  async #elsewhere(write: Write): Promise<void> {
    const body = this.#bodies(write);
    await outcomeOf(() => send(this.#rest, this.#managed, write, versionOf(body.managed)));
    await outcomeOf(() => send(this.#rest, this.#plain, write, versionOf(body.plain)));
    await this.#observe();
  }

  async #handover(writes: readonly Write[], lags: boolean): Promise<Failure | undefined> {
    const { fence } = this.#history;
    const failure = (await this.#deliver()) ?? (await this.#release());
    if (failure !== undefined) return failure;
    await this.#endSlow();
    const back = fence === 'shards' ? await this.#lend(lags) : await this.#restart(fence === 'leader', lags);
    for (const write of writes) await this.#elsewhere(write);
    await back();
    return this.#settle();
  }

  async #lend(lags: boolean): Promise<() => Promise<void>> {
    if (lags) this.#holdBack();
    return this.#process.lendKey();
  }

  async #restart(isElected: boolean, lags: boolean): Promise<() => Promise<void>> {
    await this.#process.stop();
    const next = new ManagedProcess(this.#cluster, this.#history, this.#managed);
    if (!isElected) {
      return async () => {
        this.#process = next;
        await next.start();
        await next.owns();
      };
    }
    const lease = new HeldLease(this.#cluster, this.#managed.namespace);
    await lease.hold();
    this.#process = next;
    await next.start();
    if (lags) this.#holdBack();
    return async () => {
      await lease.release();
      await next.owns();
    };
  }

  async #endSlow(): Promise<void> {
    await this.#slow?.();
    this.#slow = undefined;
  }

  #holdBack(only?: 'first'): void {
    this.#hold = only ?? 'all';
    this.#process.transport.release();
    this.#process.transport.hold(only);
  }

  async #release(): Promise<Failure | undefined> {
    this.#hold = undefined;
    this.#process.transport.release();
    return (await this.#settle()) ?? this.#wake();
  }

  async #relist(): Promise<Failure | undefined> {
    await this.#process.relist();
    return this.#wake();
  }

  /** The events of other clients have arrived: the program reconciles. */
  async #wake(): Promise<Failure | undefined> {
    if (!this.#isStale) return undefined;
    this.#isStale = false;
    return this.#reconcile();
  }

  async #deliver(): Promise<Failure | undefined> {
    await this.#process.transport.deliver();
    await this.#twin.deliver();
    const last = await this.#observe();
    if (this.#hold === 'all' && this.#isAcknowledged) this.#isStale = true;
    if (!this.#isEqual(last)) return this.#failure([], last, 'the delayed writes differ');
    return this.#settle();
  }

  async #reconcile(): Promise<Failure | undefined> {
    for (const write of [...this.#intents.values()]) {
      const failure = await this.#own(write, undefined);
      if (failure !== undefined) return failure;
    }
    return undefined;
  }

  /** Remembers intents: writes that can be repeated. */
  #remember(write: Write, result: Result): void {
    const { verb, manager = '', version = 'v1', resourceVersion } = write;
    if (!intentVerbs.has(verb) || resourceVersion === 'old') return;
    const key = [verb, manager, version].join(' ');
    if (result === 'ok' || result === 'lost') this.#intents.set(key, write);
    else this.#intents.delete(key);
  }

  async #settle(): Promise<undefined> {
    if (this.#hold === 'all') return;
    await this.#process.caughtUp(versionOf(this.#states.at(-1)?.managed), this.#hold);
  }

  async #observe(): Promise<Pair> {
    const pair = { managed: await this.#read(this.#managed), plain: await this.#read(this.#plain) };
    this.#states.push(pair);
    return pair;
  }

  async #read({ kind, namespace, name }: Place): Promise<Fields | undefined> {
    try {
      return fieldsOf(await this.#rest.get(pathOf(kind, 'v1', namespace, name)));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #isEqual({ managed, plain }: Pair): boolean {
    return normalForm(managed) === normalForm(plain);
  }

  #failure(writes: Write | readonly Write[], { managed, plain }: Pair, problem: string): Failure {
    const both = { managed: normalForm(managed), plain: normalForm(plain) };
    return { problem, writes: [writes].flat(), ...both };
  }
}

const intentVerbs: ReadonlySet<string> = new Set(['apply', 'applyStatus', 'updateStatus']);
