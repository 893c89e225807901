/**
 * Own writes in an informer whose server is slow and faulty. At each step each name shows a state that the
 * server had, at a time not before the one seen last, nor before the last own write of the name.
 */

import { describe, expect, it } from 'vitest';
import { FakeClock, settle } from '../../../test/support/runtime/fake-clock.ts';
import { History } from '../../../test/support/runtime/history.ts';
import { noInformers } from '../../../test/support/runtime/no-informers.ts';
import { noTimePasses } from '../../../test/support/runtime/no-time-passes.ts';
import { Seeded } from '../../../test/support/runtime/random.ts';
import type { Thing } from '../../../test/support/runtime/scripted-source.ts';
import { SimulatedServer } from '../../../test/support/runtime/simulated-server.ts';
import { rounds } from '../../../test/support/seeds.ts';
import type { Stored } from '../api/types.ts';
import type { HandlerRegistration } from './informer/informer.ts';
import { SharedInformer } from './informer/shared-informer.ts';
import { type NamespacedLister, namespacedLister } from './lister/lister.ts';
import { byLabel } from './store/indices.ts';

type Item = Stored<Thing>;

const steps = 80;
const names = ['a', 'b', 'c', 'd', 'e'];
const streamFaults = [
  'end',
  'end in a line',
  'cut',
  'cut in a line',
  'hang',
  'error',
  'repeat',
  'expire',
] as const;
const requestFaults = ['refused', 'busy', 'internal', 'unavailable', 'timeout', 'expired'] as const;

const isWeb = ({ metadata }: Item): boolean => metadata.labels?.['app'] === 'web';
const shown = (object: Item | undefined): string =>
  object === undefined ? 'nothing' : `${object.metadata.uid}@${object.metadata.resourceVersion}`;

class Simulation {
  readonly random: Seeded;
  readonly clock = new FakeClock();
  readonly server: SimulatedServer;
  readonly informer: SharedInformer<Thing, NamespacedLister<Thing>>;
  readonly selective: boolean;
  readonly namespaces: readonly string[];
  readonly histories: { readonly history: History; readonly registration: HandlerRegistration }[] = [];
  /** Earliest time of the state that is shown under each name, in versions of the server. */
  readonly #since = new Map<string, number>();
  /** Responses that have not arrived. */
  #responses: (() => void)[] = [];
  #running = false;
  #wasSynced = false;
  readonly met = { own: 0, ownDeletions: 0, unconfirmed: 0, late: 0 };

  constructor(seed: number) {
    this.random = new Seeded(seed);
    const { random, clock } = this;
    this.selective = random.chance(0.4);
    const traits = {
      streaming: random.chance(0.5),
      cache: random.chance(0.7),
      pageSize: 1 + random.below(4),
      stale: random.chance(0.7),
      ...(this.selective && { selects: isWeb }),
    };
    this.server = new SimulatedServer(random, clock, traits);
    this.namespaces = random.chance(0.3) ? ['shop', 'bank'] : ['shop', 'bank', 'elsewhere'];
    const sources = this.namespaces.length === 2 ? this.namespaces : [undefined];
    this.informer = new SharedInformer<Thing, NamespacedLister<Thing>>({
      informers: noInformers,
      name: 'things',
      resource: { group: 'example.com', version: 'v1', resource: 'things' },
      sources: sources.map((namespace) => ({ namespace, source: this.server.source(namespace) })),
      lister: namespacedLister,
      options: this.selective ? { labelSelector: 'app=web' } : {},
      streaming: random.chance(0.7),
      environment: { clock, random: random.next },
    });
    this.informer.addIndex('app', byLabel('app'));
    this.informer.on('error', () => undefined);
  }

  register(): void {
    const history = new History();
    this.histories.push({ history, registration: this.informer.handle(history.handlers) });
  }

  start(): void {
    this.#running = true;
    this.informer.start();
  }

  async step(): Promise<void> {
    const { random, server } = this;
    const roll = random.next();
    if (roll < 0.3) this.ownWrite();
    else if (roll < 0.5) this.foreignWrite();
    else if (roll < 0.56) server.slow(true);
    else if (roll < 0.63) server.slow(false);
    else if (roll < 0.7) server.disturb(random.pick(streamFaults) ?? 'end');
    else if (roll < 0.74) server.faults.push(random.pick(requestFaults) ?? 'refused');
    else if (roll < 0.77) server.compact();
    else if (roll < 0.82) server.bookmark();
    else if (roll < 0.84) this.register();
    else if (roll < 0.85) await this.restart();
    else await this.clock.advance(random.below(random.chance(0.1) ? 700_000 : 3000));
    if (random.chance(0.3)) this.respond();
    if (random.chance(0.5)) await settle(1);
    this.check();
  }

  async restart(): Promise<void> {
    this.#running = false;
    const stopped = this.informer.stop();
    if (this.random.chance(0.5)) await stopped;
    this.foreignWrite();
    this.start();
  }

  foreignWrite(): void {
    const { random, server } = this;
    for (let count = 1 + random.below(4); count > 0; count -= 1) {
      server.put(...this.#place(), random.chance(0.3) ? 'delete' : 'change', this.#labels());
    }
  }

  ownWrite(): void {
    const { random, server } = this;
    const [namespace, name] = this.#place();
    const before = server.state().get(`${namespace}/${name}`);
    const deletes = random.chance(0.35) && this.#mayDelete(namespace, name, before);
    const object = server.put(namespace, name, deletes ? 'delete' : 'change', this.#labels());
    if (object === undefined) return;
    const response = deletes ? this.#deleted(object, before) : this.#written(object);
    if (random.chance(0.6)) response();
    else this.#responses.push(response);
  }

  respond(): void {
    const responses = this.#responses;
    this.#responses = [];
    this.met.late += responses.length;
    for (const response of responses) response();
  }

  check(): void {
    this.#wasSynced ||= this.informer.isSynced;
    if (!this.#wasSynced) return;
    for (const namespace of this.namespaces) for (const name of names) this.#checkName(namespace, name);
    const all = this.informer.lister.list();
    const web = this.informer.lister.list({ labelSelector: 'app=web' });
    expect(web.map(shown).sort()).toEqual(all.filter(isWeb).map(shown).sort());
  }

  /** Ends all faults. */
  async end(): Promise<void> {
    this.server.slow(false);
    this.server.faults.length = 0;
    this.respond();
    this.foreignWrite();
    for (let minute = 0; minute < 15; minute += 1) await this.clock.advance(60_000);
    this.server.bookmark();
    await settle(10);
    this.check();
  }

  expected(): string[] {
    const all = [...this.server.state().values()];
    return all
      .filter(({ metadata }) => this.namespaces.includes(metadata.namespace ?? ''))
      .filter((object) => !this.selective || isWeb(object))
      .map(shown)
      .sort();
  }

  #place(): [namespace: string, name: string] {
    const { random } = this;
    return [random.pick(['shop', 'bank', 'elsewhere']) ?? 'shop', random.pick(names) ?? 'a'];
  }

  #labels(): Record<string, string> {
    return { app: this.random.chance(0.75) ? 'web' : 'db' };
  }

  /**
   * An object that left the selection and entered it again before its deletion, all unseen, is outside of the
   * guarantees: the first event looks like its deletion.
   */
  #mayDelete(namespace: string, name: string, object: Item | undefined): boolean {
    if (!this.selective || object === undefined) return object !== undefined;
    const since = this.#since.get(`${namespace}/${name}`) ?? 0;
    return (
      this.#versions(since).every((version) => {
        const state = this.#truth(`${namespace}/${name}`, version);
        return state !== undefined || version < Number(object.metadata.resourceVersion);
      }) && this.#truthIsSelected(namespace, name, since, object)
    );
  }

  #truthIsSelected(namespace: string, name: string, since: number, object: Item): boolean {
    return this.#versions(since).every((version) => {
      const state = this.server.state(version).get(`${namespace}/${name}`);
      return state?.metadata.uid !== object.metadata.uid || isWeb(state);
    });
  }

  #written(object: Item): () => void {
    const copy = structuredClone(object);
    return () => {
      this.informer.write(copy);
      this.met.own += 1;
      this.met.unconfirmed += Math.min(1, this.informer.stats().unconfirmedWrites);
      if (this.#running && (!this.selective || isWeb(object))) this.#raise(object);
    };
  }

  #deleted(last: Item, before: Item | undefined): () => void {
    const { namespace = '', name, uid } = last.metadata;
    const known = this.random.chance(0.6) ? before?.metadata.resourceVersion : undefined;
    return () => {
      const isShown = this.informer.lister.get(namespace, name)?.metadata.uid === uid;
      this.informer.delete({ namespace, name, uid, resourceVersion: known });
      this.met.ownDeletions += 1;
      // Without a version an object that is not cached may appear after 5 seconds.
      if (this.#running && (known !== undefined || isShown)) this.#raise(last);
    };
  }

  #raise({ metadata }: Item): void {
    const key = `${metadata.namespace}/${metadata.name}`;
    this.#since.set(key, Math.max(this.#since.get(key) ?? 0, Number(metadata.resourceVersion)));
  }

  #checkName(namespace: string, name: string): void {
    const key = `${namespace}/${name}`;
    const view = shown(this.informer.lister.get(namespace, name));
    const since = this.#since.get(key) ?? 0;
    const time = this.#versions(since).find((version) => shown(this.#truth(key, version)) === view);
    if (time === undefined) {
      const truths = this.#versions(since).map(
        (version) => `${version}: ${shown(this.#truth(key, version))}`,
      );
      throw new Error(`${key} shows ${view}, but the server had since ${since}: ${truths.join(', ')}`);
    }
    this.#since.set(key, time);
  }

  /** Returns the times to examine: `since`, and every change after it. */
  #versions(since: number): number[] {
    return [since, ...this.server.changesAfter(since)];
  }

  #truth(key: string, version: number): Item | undefined {
    const object = this.server.state(version).get(key);
    return object !== undefined && (!this.selective || isWeb(object)) ? object : undefined;
  }
}

async function simulate(seed: number): Promise<Simulation> {
  const simulation = new Simulation(seed);
  simulation.register();
  simulation.foreignWrite();
  simulation.start();
  for (let step = 0; step < steps; step += 1) await simulation.step();
  await simulation.end();
  return simulation;
}

describe('own writes in an informer of a slow and faulty server', () => {
  noTimePasses();

  const seeds = Array.from({ length: rounds(1500, 40) }, (_, index) => index + 1);

  it.each(seeds)('are visible at once and are never undone (seed %d)', async (seed) => {
    const simulation = await simulate(seed);
    const { informer, histories } = simulation;
    expect(informer.lister.list().map(shown).sort()).toEqual(simulation.expected());
    for (const { history, registration } of histories) {
      // Objects that enter a selection again are added again.
      const problems = history.problems.filter(
        (problem) => !simulation.selective || !problem.startsWith('add after delete'),
      );
      expect(problems).toEqual([]);
      expect([...history.state.values()].map(shown).sort()).toEqual(simulation.expected());
      await registration.synced;
    }
    expect(informer.stats().unconfirmedWrites).toBe(0);
    await informer.stop();
  });

  it('are tested with every kind of write', async () => {
    const met = { own: 0, ownDeletions: 0, unconfirmed: 0, late: 0 };
    for (const seed of seeds.slice(0, 20)) {
      const simulation = await simulate(seed);
      for (const kind of ['own', 'ownDeletions', 'unconfirmed', 'late'] as const)
        met[kind] += simulation.met[kind];
      await simulation.informer.stop();
    }
    for (const [kind, times] of Object.entries(met)) expect(times, kind).toBeGreaterThan(20);
  });
});
