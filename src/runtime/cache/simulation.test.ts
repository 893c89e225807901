import { describe, expect, it } from 'vitest';
import { FakeClock, settle } from '../../../test/support/runtime/fake-clock.ts';
import { History } from '../../../test/support/runtime/history.ts';
import { noInformers } from '../../../test/support/runtime/no-informers.ts';
import { noTimePasses } from '../../../test/support/runtime/no-time-passes.ts';
import { Seeded } from '../../../test/support/runtime/random.ts';
import type { Thing } from '../../../test/support/runtime/scripted-source.ts';
import {
  type RequestFault,
  SimulatedServer,
  type StreamFault,
} from '../../../test/support/runtime/simulated-server.ts';
import type { Stored } from '../api/types.ts';
import type { HandlerRegistration, RelistContext } from './informer/informer.ts';
import { SharedInformer } from './informer/shared-informer.ts';
import { type NamespacedLister, namespacedLister } from './lister/lister.ts';

const runs = 300;
const steps = 60;

/** Faults after which no relist is necessary. */
const passingRequestFaults: readonly RequestFault[] = [
  'refused',
  'busy',
  'internal',
  'unavailable',
  'timeout',
];
const passingStreamFaults: readonly StreamFault[] = [
  'end',
  'end in a line',
  'cut',
  'cut in a line',
  'hang',
  'error',
  'repeat',
];
const requestFaults: readonly RequestFault[] = [
  ...passingRequestFaults,
  'expired',
  'ahead',
  'forbidden',
  'unauthorized',
  'veryBusy',
  'absent',
  'bad',
];
const streamFaults: readonly StreamFault[] = [...passingStreamFaults, 'garbage', 'expire'];

/** One informer and one server on a separate clock; the seed determines everything. */
class Simulation {
  readonly random: Seeded;
  readonly clock = new FakeClock();
  readonly server: SimulatedServer;
  readonly informer: SharedInformer<Thing, NamespacedLister<Thing>>;
  readonly namespaces: readonly string[] | undefined;
  /** Number of list items that could not be decoded. */
  unreadable = 0;
  readonly histories: { readonly history: History; readonly registration: HandlerRegistration }[] = [];

  constructor(seed: number) {
    this.random = new Seeded(seed);
    const { random, clock } = this;
    const traits = {
      streaming: random.chance(0.5),
      cache: random.chance(0.7),
      pageSize: 1 + random.below(8),
    };
    this.server = new SimulatedServer(random, clock, traits);
    this.namespaces = random.chance(0.3) ? ['shop', 'bank'] : undefined;
    this.informer = new SharedInformer<Thing, NamespacedLister<Thing>>({
      informers: noInformers,
      name: 'things',
      resource: { group: 'example.com', version: 'v1', resource: 'things' },
      sources: (this.namespaces ?? [undefined]).map((namespace) => ({
        ...(namespace !== undefined && { namespace }),
        source: this.server.source(namespace),
      })),
      lister: namespacedLister,
      options: {},
      streaming: random.chance(0.7),
      environment: { clock, random: random.next },
    });
    this.informer.on('error', (_, { during }) => {
      if (during === 'decode') this.unreadable += 1;
    });
  }

  register(): void {
    const history = new History();
    this.histories.push({ history, registration: this.informer.handle(history.handlers) });
  }

  async step(): Promise<void> {
    const { random, server } = this;
    const roll = random.next();
    if (roll < 0.5) this.mutate();
    else if (roll < 0.6) server.disturb(random.pick(streamFaults) ?? 'end');
    else if (roll < 0.68) server.faults.push(random.pick(requestFaults) ?? 'refused');
    else if (roll < 0.72) server.compact();
    else if (roll < 0.75) server.bookmark();
    else if (roll < 0.76) server.uninstall();
    else if (roll < 0.78) server.absent = false;
    else if (roll < 0.8) this.register();
    else if (roll < 0.81) await this.restart();
    else await this.clock.advance(random.below(random.chance(0.1) ? 700_000 : 3000));
    if (random.chance(0.5)) await settle(1);
  }

  mutate(spoils = 0.03): void {
    const { random, server } = this;
    if (server.absent) return;
    for (let count = 1 + random.below(5); count > 0; count -= 1) {
      const namespace = random.pick(['shop', 'bank', 'elsewhere']) ?? 'shop';
      const kind = random.chance(0.3) ? 'delete' : random.chance(spoils) ? 'spoil' : 'change';
      server.put(namespace, `thing-${random.below(6)}`, kind);
    }
  }

  /** Performs a step without a fault that causes a relist. */
  async passingStep(): Promise<void> {
    const { random, server } = this;
    const roll = random.next();
    if (roll < 0.5) this.mutate(0);
    else if (roll < 0.62) server.disturb(random.pick(passingStreamFaults) ?? 'end');
    else if (roll < 0.7) server.faults.push(random.pick(passingRequestFaults) ?? 'refused');
    else if (roll < 0.75) server.bookmark();
    else await this.clock.advance(random.below(random.chance(0.1) ? 700_000 : 3000));
  }

  async restart(): Promise<void> {
    const stopped = this.informer.stop();
    if (this.random.chance(0.5)) await stopped;
    this.mutate();
    this.informer.start();
  }

  /** Ends all faults, and returns the state of the server and the states that its clients have. */
  async end(): Promise<void> {
    this.server.faults.length = 0;
    this.server.absent = false;
    this.server.repair();
    this.mutate(0);
    // A stream without data is detected after at most ten and a half minutes, and the longest delay is one
    // minute.
    for (let minute = 0; minute < 15; minute += 1) await this.clock.advance(60_000);
    this.server.bookmark();
    await settle(10);
  }

  expected(): Map<string, Stored<Thing>> {
    const all = [...this.server.state()];
    return new Map(
      all.filter(([, { metadata }]) => this.namespaces?.includes(metadata.namespace ?? '') !== false),
    );
  }
}

const sorted = (state: Iterable<readonly [string, Stored<Thing>]>): string[] =>
  [...state].map(([place, { metadata }]) => `${place} ${metadata.uid} @${metadata.resourceVersion}`).sort();

const keyed = ({ metadata }: Stored<Thing>): string => `${metadata.namespace}/${metadata.name}`;

async function simulate(
  seed: number,
  onRelist: (context: RelistContext) => void = () => undefined,
): Promise<Simulation> {
  const simulation = new Simulation(seed);
  simulation.informer.on('relist', onRelist);
  simulation.register();
  simulation.mutate();
  simulation.informer.start();
  for (let step = 0; step < steps; step += 1) await simulation.step();
  await simulation.end();
  return simulation;
}

describe('an informer of a faulty server', () => {
  noTimePasses();

  const seeds = Array.from({ length: runs }, (_, index) => index + 1);

  it.each(seeds)(
    'ends with the state of the server, and handlers receive consistent histories (seed %d)',
    async (seed) => {
      const simulation = await simulate(seed);
      const { informer, histories, server } = simulation;
      const truth = sorted(simulation.expected());
      expect(sorted(informer.lister.list().map((object) => [keyed(object), object]))).toEqual(truth);
      for (const { history, registration } of histories) {
        expect(history.problems).toEqual([]);
        expect(sorted(history.state)).toEqual(truth);
        await registration.synced;
      }
      expect(informer.isSynced).toBe(true);
      await informer.stop();
      await settle();
      expect(server.openStreams).toBe(0);
    },
  );

  it.each(seeds.slice(0, 100))('reads the state once while the history lasts (seed %d)', async (seed) => {
    const simulation = new Simulation(seed);
    const { informer, server, clock } = simulation;
    simulation.register();
    simulation.mutate(0);
    informer.start();
    await clock.advance(5000);
    expect(informer.isSynced).toBe(true);
    const before = server.requests.length;
    for (let step = 0; step < steps; step += 1) await simulation.passingStep();
    await simulation.end();
    const after = server.requests.slice(before);
    expect(
      after.filter((request) => !/^watch resourceVersion=\d+ allowWatchBookmarks=true /.test(request)),
    ).toEqual([]);
    const { relists, restarts } = informer.stats();
    expect([relists, restarts > 0]).toEqual([0, true]);
    expect(sorted(informer.lister.list().map((object) => [keyed(object), object]))).toEqual(
      sorted(simulation.expected()),
    );
    await informer.stop();
  });

  it('is tested with every kind of fault', async () => {
    const met = {
      failures: 0,
      stale: 0,
      restarts: 0,
      unreadable: 0,
      expired: 0,
      malformed: 0,
      absent: 0,
      ahead: 0,
    };
    for (const seed of seeds.slice(0, 100)) {
      const simulation = await simulate(seed, ({ reason }) => {
        // Three consecutive rejected watches are too rare here; the tables of the reflector contain them.
        if (reason !== 'refused') met[reason] += 1;
      });
      const { failures, stale, restarts } = simulation.informer.stats();
      met.failures += failures;
      met.stale += stale;
      met.restarts += restarts;
      met.unreadable += simulation.unreadable;
      await simulation.informer.stop();
    }
    for (const [trouble, times] of Object.entries(met)) expect(times, trouble).toBeGreaterThan(0);
  });
});
