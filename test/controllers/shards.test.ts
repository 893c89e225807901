/** Operators of several replicas and of many objects, which are killed, stopped and joined. */
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Controller, Manager, type ManagerOptions } from '@kgen/controller';
import { RESTClient } from '@kgen/runtime';
import { startTestServer, type TestServer } from '@kgen/testserver';
import { load } from 'js-yaml';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Clientset } from '../../generated/crds/clientset.ts';
import { InformerFactory } from '../../generated/crds/informers.ts';
import type { MyApp } from '../../generated/crds/my.domain/v1/index.ts';
import { overlaps, type TimedWrite } from '../support/overlaps.ts';
import { type Random, randomOf } from '../support/random.ts';
import { rounds, seedsOf } from '../support/seeds.ts';
import { leases } from './support.ts';

const patience = { timeout: 600_000, interval: 50 };
/** Long enough for a busy machine to renew in time. */
const sharding = { name: 'ring', namespace: 'default', leaseDurationMs: 8000, renewDeadlineMs: 6000 };
const retryPeriodMs = 200;

const app = (name: string): MyApp => ({
  metadata: { name, namespace: 'default' },
  spec: { appName: 'a', version: '0' },
});
const appsOf = (count: number): readonly { readonly kind: string }[] =>
  Array.from({ length: count }, (_, index) => ({
    ...app(`app-${index}`),
    apiVersion: 'my.domain/v1',
    kind: 'MyApp',
  }));

async function serverOf(count: number): Promise<TestServer> {
  const objects = appsOf(count);
  const server = await startTestServer({ crds: ['crds/*.yaml', { yaml: leases }], objects });
  onTestFinished(() => server.stop());
  return server;
}

/** A connection to a server that can be cut. */
class Link {
  readonly #sockets = new Set<Socket>();
  readonly #server;
  readonly ready: Promise<string>;

  constructor(target: URL) {
    this.#server = createServer((socket) => {
      const other = connect(Number(target.port), target.hostname);
      for (const [one, two] of [
        [socket, other],
        [other, socket],
      ] as const) {
        this.#sockets.add(one);
        one.on('error', () => two.destroy());
        one.on('close', () => two.destroy());
        one.pipe(two);
      }
    });
    this.ready = new Promise((resolve) => {
      this.#server.listen(0, '127.0.0.1', () => {
        // A server on a port has an address.
        const { port } = this.#server.address() as AddressInfo;
        resolve(`http://127.0.0.1:${port}`);
      });
    });
  }

  cut(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Runs of all replicas, and the versions that they have seen. */
class Runs {
  readonly seen = new Map<string, string>();
  readonly runs: (TimedWrite & { readonly key: string })[] = [];
}

/** One replica, or a leader. */
class Replica {
  isDead = false;
  readonly manager: Manager;
  readonly failures: unknown[] = [];
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;

  constructor(config: TestServer['config'], options: ManagerOptions, identity: string, { seen, runs }: Runs) {
    const silent = (): void => undefined;
    const log = { debug: silent, info: silent, warn: silent, error: silent };
    this.manager = new Manager(config, { handleSignals: false, gracePeriodMs: 1000, log, ...options });
    const clientset = this.manager.client(Clientset);
    const shard = this.manager.shard();
    this.manager.add(
      new Controller({
        name: 'myapp',
        for: new InformerFactory(clientset).myV1.myApps(shard && { shard }),
        client: clientset,
        concurrency: 4,
        reconcile: async ({ metadata: { name: key }, spec: { version } }, { client }) => {
          const at = performance.now();
          const body = { metadata: { annotations: { seen: version, by: identity } } };
          await client.myV1.myApps('default').patch(key, body, { type: 'merge' });
          if (this.isDead) return;
          seen.set(key, version);
          runs.push({ key, at, end: performance.now(), identity });
        },
      }),
    );
    this.#ended = this.manager
      .run({ signal: this.#stop.signal })
      .catch((error: unknown) => void this.failures.push(error));
    onTestFinished(() => this.stop());
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }
}

/** Replicas of one ring, which are killed, stopped and joined at random. */
class Ring {
  readonly runs = new Runs();
  readonly #server: TestServer;
  readonly #random: Random;
  readonly #replicas: { readonly replica: Replica; readonly link: Link }[] = [];
  #count = 0;

  constructor(server: TestServer, random: Random) {
    this.#server = server;
    this.#random = random;
  }

  async join(): Promise<void> {
    this.#count += 1;
    const identity = `replica-${this.#count}`;
    const link = new Link(new URL(this.#server.config.server));
    onTestFinished(() => link.cut());
    const options = { sharding: { ...sharding, retryPeriodMs, identity } };
    this.#replicas.push({
      replica: new Replica(
        { ...this.#server.config, server: await link.ready },
        options,
        identity,
        this.runs,
      ),
      link,
    });
  }

  kill(): void {
    const killed = this.#removed();
    if (killed === undefined) return;
    killed.replica.isDead = true;
    killed.link.cut();
  }

  async stop(): Promise<void> {
    await this.#removed()?.replica.stop();
  }

  #removed() {
    return this.#replicas.splice(this.#random.int(this.#replicas.length), 1)[0];
  }
}

describe('three shards', () => {
  const count = sizeOf('KGEN_OBJECTS', { all: 200, few: 30 });

  it.each(seedsOf({ all: 2, few: 1 }))(
    'that are killed, stopped and joined run no key twice at once, and lose no change (seed %i)',
    { timeout: 600_000 },
    async (seed) => {
      const random = randomOf(seed);
      const server = await serverOf(count);
      const user = new Clientset(server.config);
      onTestFinished(() => user.close());
      const ring = new Ring(server, random);
      for (let place = 0; place < 3; place += 1) await ring.join();
      const { seen, runs } = ring.runs;
      await expect.poll(() => seen.size, patience).toBe(count);
      const versions = new Map([...seen.keys()].map((key) => [key, '0']));
      const actions = [() => ring.kill(), () => ring.stop(), () => ring.join()] as const;
      // Each kind of change occurs in three rounds. The simulation of rings has many orders of them.
      for (let round = 1; round <= rounds(3, 1); round += 1) {
        const change = async (): Promise<void> => {
          const name = `app-${random.int(count)}`;
          const version = `${round}.${random.int(1000)}`;
          versions.set(name, version);
          await user.myV1.myApps('default').patch(name, { spec: { version } }, { type: 'merge' });
        };
        for (let changes = 0; changes < 10; changes += 1) await change();
        const [first, ...others] = actions;
        const action = [first, ...others][(round + seed) % actions.length] ?? first;
        await Promise.all([action(), change(), change()]);
        if (action !== actions[2]) await ring.join();
        for (let changes = 0; changes < 10; changes += 1) await change();
        await expect
          .poll(() => [...versions].filter(([key, version]) => seen.get(key) !== version), patience)
          .toEqual([]);
      }
      expect(overlaps(runs, ({ key }) => key)).toEqual([]);
    },
  );
});

describe.each(['sharding', 'leader election'])('with %s', (by) => {
  const options = (): ManagerOptions =>
    by === 'sharding'
      ? { sharding: { ...sharding, retryPeriodMs } }
      : { leaderElection: { name: 'leader', namespace: 'default', thread: false } };

  it('a definition that is deleted and created again is followed', { timeout: 120_000 }, async () => {
    const server = await serverOf(3);
    const runs = new Runs();
    const { failures } = new Replica(server.config, options(), 'only', runs);
    await expect.poll(() => runs.seen.size, patience).toBe(3);
    const rest = new RESTClient(server.config);
    onTestFinished(() => rest.close());
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const definition = load(await readFile('crds/myapp.yaml', 'utf8'));
    const apps = '/apis/my.domain/v1/namespaces/default/myapps';
    // The second deletion follows a recovery, as every later one would.
    for (let round = 1; round <= rounds(2, 1); round += 1) {
      await rest.delete(`${definitions}/myapps.my.domain`);
      await expect
        .poll(
          () =>
            rest.get(apps).then(
              () => 200,
              ({ code }) => code,
            ),
          patience,
        )
        .toBe(404);
      await rest.post(definitions, { body: definition });
      const body = { apiVersion: 'my.domain/v1', kind: 'MyApp', ...app(`again-${round}`) };
      await expect
        .poll(
          () =>
            rest.post(apps, { body }).then(
              () => true,
              ({ code }) => code === 409,
            ),
          patience,
        )
        .toBe(true);
      await expect.poll(() => runs.seen.has(`again-${round}`), patience).toBe(true);
    }
    expect(failures).toEqual([]);
  });

  const objects = sizeOf('KGEN_OBJECTS', { all: 3000, few: 100 });

  it(`reconciles ${objects} objects without an end of the ownership`, { timeout: 3_600_000 }, async () => {
    const server = await serverOf(objects);
    const runs = new Runs();
    const replica = new Replica(server.config, options(), 'only', runs);
    await expect.poll(() => runs.seen.size, { ...patience, timeout: 3_600_000 }).toBe(objects);
    expect(replica.failures).toEqual([]);
  });

  const changes = sizeOf('KGEN_CHANGES', { all: 5000, few: 200 });

  it(`reconciles the last state of 50 objects after ${changes} changes`, { timeout: 3_600_000 }, async () => {
    const server = await serverOf(50);
    const runs = new Runs();
    const replica = new Replica(server.config, options(), 'only', runs);
    const user = new Clientset(server.config);
    onTestFinished(() => user.close());
    const apps = user.myV1.myApps('default');
    let last = '0';
    for (let change = 0; change < changes; change += 50) {
      last = String(change + 1);
      const body = { spec: { version: last } };
      await Promise.all(names.map((name) => apps.patch(name, body, { type: 'merge' })));
    }
    const left = () => [...runs.seen.values()].filter((version) => version !== last).length;
    await expect.poll(() => [runs.seen.size, left()], { ...patience, timeout: 3_600_000 }).toEqual([50, 0]);
    expect(replica.failures).toEqual([]);
  });
});

const names = Array.from({ length: 50 }, (_, index) => `app-${index}`);

/** Returns the size of a test: that of the environment, for runs by hand, or the one of all or few seeds. */
function sizeOf(variable: string, { all, few }: { readonly all: number; readonly few: number }): number {
  return Number(process.env[variable] ?? rounds(all, few));
}
