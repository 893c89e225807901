import { Controller, Manager, type ShardingOptions, ShardNotOwnedError } from '@kgen/controller';
import { configMaps, secrets } from '@kgen/kubernetes/core/v1';
import { InformerFactory } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import { startTestServer, type TestServer } from '@kgen/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

const timing = { leaseDurationMs: 4000, renewDeadlineMs: 3000, retryPeriodMs: 100 };
const namespaces = ['apricot', 'banana', 'cherry', 'damson', 'elder', 'fig', 'grape', 'hazel'];

/** One replica, whose controller writes the key of each run into a Secret. */
class Replica {
  readonly manager: Manager;
  readonly runs: string[] = [];
  readonly #stop = new AbortController();
  readonly #informers: InformerFactory;
  #running: Promise<void> | undefined;

  constructor(server: TestServer, sharding: Partial<ShardingOptions>) {
    const silent = (): void => undefined;
    const log = { debug: silent, info: silent, warn: silent, error: silent };
    const ring = { ...timing, ...sharding, name: 'ring', namespace: 'default' };
    this.manager = new Manager(server.config, { sharding: ring, handleSignals: false, log });
    const { rest } = this.manager;
    this.#informers = new InformerFactory({ rest });
    this.manager.add(
      new Controller({
        name: 'copies',
        for: this.#informers.of(configMaps, { shard: this.manager.shard() }),
        owns: [this.#informers.of(secrets, { shard: this.manager.shard('owned') })],
        reconcile: async (map) => {
          const { namespace = '', name } = map.metadata;
          this.runs.push(`${namespace}/${name}`);
          const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name } };
          await rest.patch('/api/v1/namespaces/{namespace}/secrets/{name}', {
            path: { namespace, name },
            query: { fieldManager: 'copies', force: true },
            body: setControllerReference(secret, map),
            contentType: 'application/apply-patch+yaml',
          });
        },
      }),
    );
  }

  /** Objects in both caches. */
  get stored(): readonly string[] {
    const objects = [...this.#informers.informers.stats()].map(
      ([name, { objects: count }]) => `${name}: ${count}`,
    );
    return objects.map((line) => line.replace(/ with .*:/, ':')).sort();
  }

  run(): void {
    this.#running ??= this.manager.run({ signal: this.#stop.signal });
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}

async function world(sharding: Partial<ShardingOptions>, size: number) {
  const server = await startTestServer({ namespaces });
  onTestFinished(() => server.stop());
  const user = new Manager(server.config, { handleSignals: false });
  onTestFinished(() => user.rest.close());
  for (const namespace of namespaces) {
    for (let index = 0; index < 4; index += 1) {
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `map-${index}` } };
      await user.rest.post('/api/v1/namespaces/{namespace}/configmaps', { path: { namespace }, body });
    }
  }
  const replicas = Array.from({ length: size }, () => new Replica(server, sharding));
  onTestFinished(async () => {
    for (const replica of replicas) await replica.stop();
  });
  return { server, user, replicas };
}

const total = namespaces.length * 4;

describe.each(['name', 'namespace'] as const)('replicas that share keys by %s', (by) => {
  it('reconcile each object once, and store their own objects only', async () => {
    const { replicas } = await world({ by }, 2);
    for (const replica of replicas) replica.run();
    const keys = () => replicas.map(({ runs }) => new Set(runs));
    await expect.poll(() => keys().reduce((sum, { size }) => sum + size, 0)).toBeGreaterThanOrEqual(total);
    await expect
      .poll(() => replicas.reduce((sum, { stored }) => sum + Number(stored[0]?.split(': ')[1]), 0))
      .toBe(total);
    for (const replica of replicas) {
      const count = Number(replica.stored[0]?.split(': ')[1]);
      expect(count).toBeGreaterThan(0);
      await expect.poll(() => replica.stored).toEqual([`configmaps: ${count}`, `secrets: ${count}`]);
    }
  });

  it('take over the objects of one that leaves', async () => {
    const { replicas } = await world({ by }, 2);
    const [first, second] = replicas;
    first?.run();
    await expect.poll(() => new Set(first?.runs).size).toBe(total);
    second?.run();
    await expect.poll(() => second?.runs.length).toBeGreaterThan(0);
    await first?.stop();
    await expect.poll(() => new Set(second?.runs).size).toBe(total);
    await expect.poll(() => second?.stored).toEqual([`configmaps: ${total}`, `secrets: ${total}`]);
  });
});

describe('a replica', () => {
  it('refuses writes before it has joined', async () => {
    const { replicas } = await world({}, 1);
    const write = replicas[0]?.manager.rest.delete('/api/v1/namespaces/fig/configmaps/map-0');
    await expect(write).rejects.toBeInstanceOf(ShardNotOwnedError);
  });

  it.each([
    { sharding: { identity: 'Upper' }, message: /sharding.identity must be a name/ },
    { sharding: { leaseDurationMs: 10 }, message: /leaseDurationMs must be > renewDeadlineMs/ },
  ])('rejects $sharding', ({ sharding, message }) => {
    expect(() => new Manager({ server: 'http://stub' }, { sharding: { name: 'ring', ...sharding } })).toThrow(
      message,
    );
  });
});
