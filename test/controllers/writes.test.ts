import { Controller, type ReconcileContext } from '@kgen/controller';
import { isTransportError } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import type { Clientset } from '../../generated/crds/clientset.ts';
import type { MyApp } from '../../generated/crds/my.domain/v1/index.ts';
import { rounds } from '../support/seeds.ts';
import { HeldTransport } from './held-transport.ts';
import { type World, world } from './support.ts';

const app = (name: string): MyApp => ({ metadata: { name }, spec: { appName: name, version: '1' } });

async function heldWorld(): Promise<World & { readonly held: HeldTransport }> {
  const held = new HeldTransport();
  const it = await world({ client: { transport: held.transport } });
  held.url = it.server.url;
  return { ...it, held };
}

/** Creates one Foo with a fixed and one with a generated name for each app, and counts runs in the first. */
function creator({ clientset, informers }: World, errors: unknown[], started?: Promise<void>) {
  const foos = informers.samplecontrollerV1alpha1.foos();
  const byApp = foos.addIndex('app', ({ metadata }) => [metadata.labels?.['app'] ?? '']);
  const client = clientset.samplecontrollerV1alpha1.foos('shop');
  return new Controller({
    name: 'creator',
    for: informers.myV1.myApps(),
    watches: [{ informer: foos, map: () => [] }],
    client: clientset,
    concurrency: 16,
    reconcile: async ({ metadata: { name } }) => {
      await started;
      try {
        const fixed = foos.find({ namespace: 'shop', name });
        const labels = { app: name };
        if (fixed === undefined) {
          await client.create({ metadata: { name, labels }, spec: { image: 'x', replicas: 1 } });
        } else {
          const replicas = (fixed.spec?.replicas ?? 0) + 1;
          await client.update({ ...fixed, spec: { image: 'x', replicas } });
        }
        if (byApp.get(name).length < 2)
          await client.create({ metadata: { generateName: `${name}-`, labels }, spec: { image: 'x' } });
      } catch (error) {
        errors.push(error);
        throw error;
      }
    },
  });
}

describe('with watches held back', () => {
  it('keys create nothing twice and lose no update', async () => {
    const it = await heldWorld();
    const names = Array.from({ length: rounds(1000, 50) }, (_, number) => `app${number}`);
    for (const name of names) await it.user.myV1.myApps('shop').create(app(name));
    const errors: unknown[] = [];
    let start: () => void = () => undefined;
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const controller = creator(it, errors, started);
    it.manager.add(controller);
    const finished = async (): Promise<number> => {
      const metrics = await it.manager.metrics.registry.metrics();
      return Number(/reconcile_total\{.*success.*\} (\d+)/.exec(metrics)?.[1] ?? 0);
    };
    void it.run();
    await expect.poll(() => controller.running.length).toBe(16);
    it.held.hold();
    start();
    for (const runs of [1, 2, 3]) {
      if (runs > 1) for (const name of names) controller.enqueue({ namespace: 'shop', name });
      await expect
        .poll(async () => [await finished(), String(errors[0])], { timeout: 120_000, interval: 200 })
        .toEqual([runs * names.length, 'undefined']);
    }
    it.held.release();
    const { items } = await it.user.samplecontrollerV1alpha1.foos('shop').list();
    expect(items).toHaveLength(2 * names.length);
    const fixed = items.filter(({ metadata }) => names.includes(metadata.name));
    expect(fixed).toHaveLength(names.length);
    expect(fixed.filter(({ spec }) => spec?.replicas !== 3)).toEqual([]);
    expect(errors.slice(0, 3)).toEqual([]);
    await it.stop();
  }, 400_000);

  it('a lost response of a creation with a generated name delays its key only', async () => {
    const it = await heldWorld();
    const errors: unknown[] = [];
    const controller = creator(it, errors);
    it.manager.add(controller);
    void it.run();
    let isLost = false;
    it.held.loses = ({ method, path, body }) => {
      const isFirst =
        !isLost && method === 'POST' && path.endsWith('/foos') && String(body).includes('generateName');
      isLost ||= isFirst;
      return isFirst;
    };
    const apps = it.user.myV1.myApps('shop');
    const starts = 'controller creator starts';
    await expect.poll(() => it.log.map(({ message }) => message)).toContain(starts);
    it.held.hold();
    await apps.create(app('lost'));
    it.held.release();
    await expect.poll(() => errors.length).toBe(1);
    it.held.hold();
    controller.enqueue({ namespace: 'shop', name: 'lost' });
    await expect
      .poll(() => it.manager.metrics.registry.getSingleMetricAsString('kgen_controller_stale_skips_total'))
      .toMatch(/foos"\} \d/);
    it.held.release();
    await apps.create(app('other'));
    const foos = it.user.samplecontrollerV1alpha1.foos('shop');
    const count = async (name: string): Promise<number> =>
      (await foos.list({ labelSelector: `app=${name}` })).items.length;
    await expect.poll(() => count('other')).toBe(2);
    expect(errors.every(isTransportError)).toBe(true);
    await expect
      .poll(async () => (await foos.get('lost')).spec?.replicas, { timeout: 20_000 })
      .toBeGreaterThan(1);
    expect(await count('lost')).toBe(2);
    await it.stop();
  });
});

describe('writes of a run', () => {
  async function writer(write: (client: Clientset, run: ReconcileContext<Clientset>) => Promise<unknown>) {
    const it = await world();
    let runs = 0;
    const controller = new Controller({
      name: 'writer',
      for: it.informers.myV1.myApps(),
      watches: [
        {
          informer: it.informers.samplecontrollerV1alpha1.foos(),
          map: ({ metadata }) => [{ namespace: 'shop', name: metadata.name }],
        },
      ],
      client: it.clientset,
      reconcile: async (_, context) => {
        await write(context.client, context);
        runs += 1;
      },
    });
    it.manager.add(controller);
    await it.user.samplecontrollerV1alpha1
      .foos('shop')
      .create({ metadata: { name: 'web' }, spec: { image: 'x' } });
    await it.user.myV1.myApps('shop').create(app('web'));
    void it.run();
    await expect.poll(() => runs).toBeGreaterThan(0);
    const again = async (): Promise<readonly string[]> => {
      const before = { runs, requests: it.server.requests.length };
      controller.enqueue({ namespace: 'shop', name: 'web' });
      await expect.poll(() => runs).toBeGreaterThan(before.runs);
      const sent = it.server.requests.slice(before.requests);
      return sent.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
    };
    return { ...it, again, runs: () => runs };
  }

  it.each<readonly [string, (client: Clientset) => Promise<unknown>]>([
    [
      'apply',
      (client) =>
        client.samplecontrollerV1alpha1
          .foos('shop')
          .apply({ metadata: { name: 'web' }, spec: { image: 'x' } }, { fieldManager: 'w', force: true }),
    ],
    [
      'applyStatus',
      (client) =>
        client.samplecontrollerV1alpha1
          .foos('shop')
          .applyStatus(
            { metadata: { name: 'web' }, status: { availableReplicas: 1 } },
            { fieldManager: 'w' },
          ),
    ],
  ])('that would change nothing are not sent: %s', async (_, write) => {
    const it = await writer(write);
    await it.again();
    expect(await it.again()).toEqual([]);
    expect(await it.again()).toEqual([]);
    const { controllers, rememberedWrites } = it.manager.stats();
    expect(controllers[0]).toMatchObject({
      name: 'writer',
      skippedWrites: [{ group: 'samplecontroller.c9g.io', resource: 'foos', verb: 'apply' }],
      loops: { reported: 0 },
      records: { keys: 1 },
    });
    expect(controllers[0]?.skippedWrites[0]?.count).toBeGreaterThanOrEqual(2);
    expect([rememberedWrites.objects, rememberedWrites.bytes > 0]).toEqual([1, true]);
    await it.stop();
  });

  it('are counted beside the memory of the informers', async () => {
    const it = await writer(() => Promise.resolve());
    const { informers } = it.manager.stats();
    expect(informers.map(({ resource, isWhole, objects }) => [resource.resource, isWhole, objects])).toEqual([
      ['myapps', true, 1],
      ['foos', true, 1],
    ]);
    for (const { bytes, decodeJsonMs } of informers)
      expect([bytes > 300, bytes < 3000, decodeJsonMs > 0]).toEqual([true, true, true]);
    await it.stop();
  });

  it('of the status that would change nothing are not sent', async () => {
    const it = await writer(async (client) => {
      const apps = client.myV1.myApps('shop');
      const current = await apps.get('web');
      await apps.updateStatus({ ...current, status: { ...current.status } });
    });
    await it.again();
    expect(await it.again()).toEqual([]);
    await it.stop();
  });

  it('repair what another client has changed', async () => {
    const it = await writer((client) =>
      client.samplecontrollerV1alpha1
        .foos('shop')
        .apply({ metadata: { name: 'web' }, spec: { image: 'x' } }, { fieldManager: 'w', force: true }),
    );
    const foos = it.user.samplecontrollerV1alpha1.foos('shop');
    await foos.patch('web', { spec: { image: 'other' } });
    await expect.poll(async () => (await foos.get('web')).spec?.image).toBe('x');
    await it.again();
    expect(await it.again()).toEqual([]);
    await it.stop();
  });

  it('do not remove objects from the cache by dry runs', async () => {
    const it = await writer(async (client) => {
      const foos = client.samplecontrollerV1alpha1.foos('shop');
      await foos.apply(
        { metadata: { name: 'web' }, spec: { image: 'x' } },
        { fieldManager: 'w', force: true },
      );
      await foos.delete('web', { dryRun: 'All' });
    });
    await it.again();
    const cached = it.informers.samplecontrollerV1alpha1.foos().find({ namespace: 'shop', name: 'web' });
    expect(cached?.metadata.name).toBe('web');
    await it.stop();
  });

  it('that change the same field in each run are reported once', async () => {
    let value = 0;
    const it = await writer((client) => {
      value += 1;
      return client.samplecontrollerV1alpha1
        .foos('shop')
        .apply(
          { metadata: { name: 'web' }, spec: { image: `x${value}` } },
          { fieldManager: 'w', force: true },
        );
    });
    for (let run = 0; run < 20; run += 1) await it.again();
    const reports = it.log.filter(({ fields }) => 'loop' in fields);
    expect(reports).toMatchObject([
      {
        level: 'warn',
        fields: { loop: { kind: 'self', writers: ['w'], fields: [{ path: '.spec.image' }] } },
      },
    ]);
    const [message = ''] = reports.map((report) => report.message);
    expect(message).toContain(
      'wrote foos.samplecontroller.c9g.io shop/web in 5 consecutive reconciles, by w',
    );
    expect(message).toMatch(
      /Causes of the last reconciles: .*\d of 5: own update of foos.samplecontroller.c9g.io shop\/web \(.spec.image\)/,
    );
    expect(
      await it.manager.metrics.registry.getSingleMetricAsString('kgen_controller_hot_loops_total'),
    ).toMatch(/writer"\} 1$/m);
    await it.stop();
  });

  it('that another client reverts each time are reported with both writers', async () => {
    const it = await writer((client) =>
      client.samplecontrollerV1alpha1
        .foos('shop')
        .apply({ metadata: { name: 'web' }, spec: { image: 'x' } }, { fieldManager: 'w', force: true }),
    );
    const foos = it.user.samplecontrollerV1alpha1.foos('shop');
    const patch = { metadata: { labels: { by: 'other' } }, spec: { image: 'other' } };
    for (let round = 0; round < 16; round += 1) {
      await foos.patch('web', patch, { fieldManager: 'other' });
      await expect.poll(async () => (await foos.get('web')).spec?.image).toBe('x');
    }
    // The report follows the end of the run.
    await it.again();
    expect(it.log.filter(({ fields }) => 'loop' in fields)).toMatchObject([
      { fields: { loop: { kind: 'two writers', writers: ['w', 'other'] } } },
    ]);
    await it.stop();
  });
});

describe('the field manager of a managed client', () => {
  const foo = { metadata: { name: 'web' }, spec: { image: 'x', replicas: 1 } };
  const version = async (user: Clientset): Promise<string> =>
    (await user.samplecontrollerV1alpha1.foos('shop').get('web')).metadata.resourceVersion;

  it.each([
    { options: {}, manager: 'test', isSkipped: true },
    { options: { client: { fieldManager: 'own' } }, manager: 'own', isSkipped: true },
    { options: { client: { fieldManager: undefined } }, manager: 'test', isSkipped: true },
    { options: {}, manager: 'other', isSkipped: false },
  ])(
    'of $options is known to the first apply after a restart: $manager, skipped: $isSkipped',
    async (row) => {
      const it = await world(row.options);
      const foos = it.user.samplecontrollerV1alpha1.foos('shop');
      await foos.apply(foo, { fieldManager: row.manager });
      await it.user.myV1.myApps('shop').create(app('web'));
      const results: string[] = [];
      it.manager.add(
        new Controller({
          name: 'applier',
          for: it.informers.myV1.myApps(),
          owns: [it.informers.samplecontrollerV1alpha1.foos({ keepManagedFields: true })],
          client: it.clientset,
          reconcile: async (_, { client }) => {
            const before = it.server.requests.length;
            const { metadata } = await client.samplecontrollerV1alpha1
              .foos('shop')
              .apply(foo, { force: true });
            const requests = it.server.requests.slice(before).filter(({ method }) => method === 'PATCH');
            expect(metadata.resourceVersion).toBe(await version(it.user));
            results.push(requests.length === 0 ? 'skipped' : 'sent');
          },
        }),
      );
      void it.run();
      await expect.poll(() => results[0]).toBe(row.isSkipped ? 'skipped' : 'sent');
      const { metadata } = await foos.get('web');
      // The server sorts managers by the second of their write.
      const managers = metadata.managedFields?.map(({ manager }) => manager ?? '').toSorted();
      expect(managers).toEqual(row.isSkipped ? [row.manager] : [row.manager, 'test'].toSorted());
    },
  );
});
