import { Controller, Manager, type ShardingOptions, ShardNotOwnedError } from '@kgen/controller';
import { setControllerReference } from '@kgen/runtime/objects';
import { startTestServer, type TestServer } from '@kgen/testserver';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Clientset } from '../../generated/crds/clientset.ts';
import { InformerFactory } from '../../generated/crds/informers.ts';
import { leases } from './support.ts';

/** Leases that no test outlasts, as none of them is about a lease that expires. */
const timing = { leaseDurationMs: 120_000, renewDeadlineMs: 90_000, retryPeriodMs: 100 };
const namespaces = ['apricot', 'banana', 'cherry', 'damson', 'elderberry', 'fig', 'grape', 'hazelnut'];
const perNamespace = 4;
const total = namespaces.length * perNamespace;

/** One replica, which creates a Foo for each MyApp. */
class Replica {
  readonly manager: Manager;
  /** Reconciled objects. */
  readonly keys = new Set<string>();
  readonly #stop = new AbortController();
  readonly #informers: InformerFactory;
  #running: Promise<void> | undefined;

  constructor(server: TestServer, sharding: Partial<ShardingOptions>) {
    const silent = (): void => undefined;
    const log = { debug: silent, info: silent, warn: silent, error: silent };
    const ring = { ...timing, ...sharding, name: 'ring', namespace: 'default' };
    this.manager = new Manager(server.config, { sharding: ring, handleSignals: false, log });
    const clientset = this.manager.client(Clientset);
    this.#informers = new InformerFactory(clientset);
    this.manager.add(
      new Controller({
        name: 'myapp',
        for: this.#informers.myV1.myApps({ shard: this.manager.shard() }),
        owns: [this.#informers.samplecontrollerV1alpha1.foos({ shard: this.manager.shard('owned') })],
        client: clientset,
        reconcile: async (app, { client }) => {
          const { namespace = '', name } = app.metadata;
          this.keys.add(`${namespace}/${name}`);
          const foo = { metadata: { namespace, name }, spec: { image: 'x', replicas: 1 } };
          const intent = setControllerReference(foo, app);
          await client.samplecontrollerV1alpha1.foos(namespace).apply(intent, { fieldManager: 'myapp' });
        },
      }),
    );
  }

  /** Numbers of stored objects: MyApps and Foos. */
  get stored(): readonly number[] {
    return [...this.#informers.informers.stats().values()].map(({ objects }) => objects);
  }

  run(): void {
    this.#running ??= this.manager.run({ signal: this.#stop.signal });
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.manager.rest.close();
  }
}

/** Starts a server with objects, and creates replicas. */
async function replicasOf(size: number, sharding: Partial<ShardingOptions>): Promise<readonly Replica[]> {
  const server = await startTestServer({ crds: ['crds/*.yaml', { yaml: leases }], namespaces });
  const user = new Clientset(server.config);
  for (const namespace of namespaces) {
    for (let index = 0; index < perNamespace; index += 1) {
      const app = { metadata: { name: `app-${index}` }, spec: { appName: 'a', version: '1' } };
      await user.myV1.myApps(namespace).create(app);
    }
  }
  await user.close();
  const replicas = Array.from(
    { length: size },
    (_, index) => new Replica(server, { identity: `replica-${index}`, ...sharding }),
  );
  onTestFinished(async () => {
    for (const replica of replicas) await replica.stop();
    await server.stop();
  });
  return replicas;
}

describe.each(['name', 'namespace'] as const)('replicas that share keys by %s', (by) => {
  it('reconcile every object, and store their own objects only', async () => {
    const replicas = await replicasOf(2, { by });
    for (const replica of replicas) replica.run();
    const keys = () => new Set(replicas.flatMap((replica) => [...replica.keys]));
    await expect.poll(() => keys().size).toBe(total);
    const stored = () => replicas.map((replica) => replica.stored);
    const sum = (place: number) => stored().reduce((all, counts) => all + (counts[place] ?? 0), 0);
    const isBalanced = () => stored().every(([apps = 0, foos]) => apps > 0 && foos === apps);
    await expect.poll(() => [sum(0), sum(1), isBalanced()]).toEqual([total, total, true]);
  });

  it('take over the objects of one that leaves', async () => {
    const [first, second] = await replicasOf(2, { by });
    first?.run();
    await expect.poll(() => first?.keys.size).toBe(total);
    second?.run();
    await expect.poll(() => second?.keys.size).toBeGreaterThan(0);
    expect(second?.keys.size).toBeLessThan(total);
    await first?.stop();
    await expect.poll(() => second?.keys.size).toBe(total);
    await expect.poll(() => second?.stored).toEqual([total, total]);
  });
});

/** Returns the metrics of the ring by their names and labels. */
async function ringMetrics({ manager }: Replica): Promise<Readonly<Record<string, number>>> {
  const lines = (await manager.metrics.registry.metrics()).split('\n');
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name = '', labels = '', value] =
        /^kgen_sharding_(\w+)\{name="ring",?(.*)\} (\d+)$/.exec(line) ?? [];
      const state = /="(\w+)"/.exec(labels)?.[1];
      return value === undefined ? [] : [[state === undefined ? name : `${name} ${state}`, Number(value)]];
    }),
  );
}

describe('metrics of a ring', () => {
  it('contain membership, members, slots and handovers', async () => {
    const [first, second] = await replicasOf(2, {});
    if (first === undefined || second === undefined) throw new Error('two replicas were started');
    expect(await ringMetrics(first)).toEqual({
      member_status: 0,
      members: 0,
      'slots owned': 0,
      'slots draining': 0,
      'handovers_total gained': 0,
      'handovers_total released': 0,
      'handovers_total lost': 0,
    });
    first.run();
    const own = { member_status: 1, members: 1, 'slots owned': 256, 'handovers_total gained': 256 };
    await expect.poll(() => ringMetrics(first)).toMatchObject(own);
    second.run();
    // Slots move in several rounds: in each state that both agree on, what one released is what the other
    // owns.
    const agreed = async (): Promise<unknown> => {
      const [one, other] = [await ringMetrics(first), await ringMetrics(second)];
      const { 'slots owned': owned = 0, 'slots draining': draining } = one;
      const { 'slots owned': moved = 0 } = other;
      const released = one['handovers_total released'];
      return {
        members: one['members'],
        all: owned + moved,
        draining,
        isRest: released === moved,
        some: moved > 0,
      };
    };
    await expect.poll(agreed).toEqual({ members: 2, all: 256, draining: 0, isRest: true, some: true });
    await first.stop();
    await expect.poll(() => ringMetrics(second)).toMatchObject({ members: 1, 'slots owned': 256 });
    expect(await ringMetrics(first)).toMatchObject({
      member_status: 0,
      'slots owned': 0,
      'handovers_total released': 256,
      'handovers_total lost': 0,
    });
  });
});

/** Sets the system clock. */
function stepClock(ms: number): void {
  const now = Date.now.bind(Date);
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => now() + ms);
  onTestFinished(() => spy.mockRestore());
}

const elected = { name: 'leader', namespace: 'default', thread: false, retryPeriodMs: 500 };

describe.each([
  {
    by: 'sharding',
    options: { sharding: { ...timing, retryPeriodMs: 500, name: 'ring', namespace: 'default' } },
  },
  { by: 'leader election', options: { leaderElection: elected } },
])('with $by, a step of the system clock', ({ options }) => {
  it('loses no change, retry or delay, and is logged once', async () => {
    const server = await startTestServer({ crds: ['crds/*.yaml', { yaml: leases }] });
    const entries: string[] = [];
    const entry = (level: string) => (_: object, message: string) => void entries.push(`${level} ${message}`);
    const silent = (): void => undefined;
    const log = { debug: silent, info: silent, warn: entry('warn'), error: entry('error') };
    const manager = new Manager(server.config, { ...options, handleSignals: false, log });
    const clientset = manager.client(Clientset);
    /** Versions that were written, and the runs of each object. */
    const seen = new Map<string, string>();
    const runs = new Map<string, number>();
    let isStepped = false;
    manager.add(
      new Controller({
        name: 'myapp',
        for: new InformerFactory(clientset).myV1.myApps(),
        client: clientset,
        concurrency: 4,
        maxAttempts: 3,
        reconcile: async ({ metadata: { name }, spec }, { client }) => {
          runs.set(name, (runs.get(name) ?? 0) + 1);
          const body = { metadata: { annotations: { seen: spec.version } } };
          await client.myV1.myApps('default').patch(name, body, { type: 'merge' });
          seen.set(name, spec.version);
          if (name.startsWith('retry') && !isStepped) throw new Error('not yet');
          return name.startsWith('delay') ? { requeueAfterMs: 20 } : undefined;
        },
      }),
    );
    const stop = new AbortController();
    const ended = manager.run({ signal: stop.signal });
    const user = new Clientset(server.config);
    onTestFinished(async () => {
      stop.abort();
      await ended;
      await user.close();
      await server.stop();
    });
    const apps = user.myV1.myApps('default');
    const names = ['change', 'delay', 'retry'].flatMap((kind) =>
      [0, 1, 2].map((place) => `${kind}-${place}`),
    );
    for (const name of names) await apps.create({ metadata: { name }, spec: { appName: 'a', version: '1' } });
    await expect.poll(() => seen.size).toBe(names.length);
    entries.length = 0;
    stepClock(5000);
    isStepped = true;
    const before = runs.get('delay-0') ?? 0;
    for (const name of names) await apps.patch(name, { spec: { version: '2' } }, { type: 'merge' });
    await expect.poll(() => [...seen.values()]).toEqual(names.map(() => '2'));
    await expect.poll(() => runs.get('delay-0')).toBeGreaterThan(before + 1);
    // A run that failed before the step is logged after it.
    const others = entries.filter((each) => !each.endsWith('not yet'));
    expect(others).toEqual([expect.stringMatching(/^warn the system clock has advanced \d+ ms more/)]);
  });
});

describe('a replica', () => {
  it('refuses writes before it has joined', async () => {
    const [replica] = await replicasOf(1, {});
    const write = replica?.manager.rest.delete('/apis/my.domain/v1/namespaces/fig/myapps/app-0');
    await expect(write).rejects.toBeInstanceOf(ShardNotOwnedError);
  });

  it.each([
    { sharding: { identity: 'Upper' }, message: /sharding.identity must be a name/ },
    // JavaScript callers may violate the types.
    { sharding: { by: 'uid' as never }, message: /sharding.by must be name or namespace, got "uid"/ },
    { sharding: { leaseDurationMs: 10 }, message: /leaseDurationMs must be > renewDeadlineMs/ },
  ])('rejects $sharding', ({ sharding, message }) => {
    const create = () => new Manager({ server: 'http://stub' }, { sharding: { name: 'ring', ...sharding } });
    expect(create).toThrow(message);
  });
});
