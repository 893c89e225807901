import { Controller } from '@kgen/controller';
import { configMaps } from '@kgen/kubernetes/core/v1';
import { resource } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import { describe, expect, it } from 'vitest';
import type { MyApp } from '../../generated/crds/my.domain/v1/index.ts';
import { foos } from '../../generated/crds/samplecontroller.c9g.io/v1alpha1/index.ts';
import { type World, world } from './support.ts';

const app = (name: string): MyApp => ({ metadata: { name }, spec: { appName: name, version: '1' } });
const key = { namespace: 'shop', name: 'web' };

/** A controller with a Foo for each MyApp, which reads it from the cache and the server. */
function fooController({ clientset, informers }: World): Controller<MyApp> {
  const foos = informers.samplecontrollerV1alpha1.foos();
  const client = clientset.samplecontrollerV1alpha1.foos('shop');
  return new Controller({
    name: 'myapp',
    for: informers.myV1.myApps(),
    owns: [foos],
    reconcile: async (object) => {
      const { name } = object.metadata;
      foos.lister.get('shop', name);
      foos.lister.list();
      await clientset.myV1.myApps('shop').get(name);
      const foo = { metadata: { name, namespace: 'shop' }, spec: { image: 'x', replicas: 1 } };
      await client.apply(setControllerReference(foo, object), { fieldManager: 'myapp', force: true });
      if (object.spec.version === 'broken') throw new Error('the version is broken');
      return { requeueAfterMs: 60_000 };
    },
  });
}

/** Text without times and versions. */
function stable(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\b[\d.]+ m?s\b/g, 'N ms')
    .replaceAll(/version \d+( -> \d+)?/g, 'version V');
}

describe('explain', () => {
  it('names causes, reads and writes of the last reconciles, and the present state', async () => {
    const it = await world({ metrics: { port: 0, host: '127.0.0.1' } });
    const controller = fooController(it);
    expect(() => controller.explain({ namespace: 'shop', name: '' })).toThrow('a key must be');
    expect(controller.explain(key)).toMatchObject({ state: { type: 'not started' }, reconciles: [] });
    it.manager.add(controller);
    await it.user.myV1.myApps('shop').create(app('web'));
    void it.run();
    const foos = it.user.samplecontrollerV1alpha1.foos('shop');
    await expect.poll(() => foos.find('web')).toBeDefined();
    await expect.poll(() => controller.explain(key).state.type).toBe('delayed');
    await foos.patch('web', { spec: { replicas: 5 } });
    const drift = (): boolean =>
      controller.explain(key).reconciles.some(({ writes }) => writes[0]?.changes?.[0]?.after === '1');
    await expect.poll(drift).toBe(true);
    const repair = controller
      .explain(key)
      .reconciles.find(({ writes }) => writes[0]?.changes?.[0]?.after === '1');
    const target = { resource: 'foos.samplecontroller.c9g.io', ...key };
    expect(repair?.causes).toContainEqual(
      expect.objectContaining({
        type: 'update',
        target,
        fields: [{ path: '.spec.replicas', before: '1', after: '5' }],
      }),
    );
    expect(repair?.reads).toEqual([
      { from: 'cache', resource: 'myapps.my.domain', ...key, resourceVersion: expect.any(String) },
      { from: 'cache', ...target, resourceVersion: expect.any(String) },
      { from: 'cache', ...target, namespace: '', name: '', resourceVersion: '', count: 1 },
      { from: 'server', resource: 'myapps.my.domain', ...key, resourceVersion: expect.any(String) },
    ]);
    expect(repair?.writes).toEqual([
      {
        verb: 'apply',
        ...target,
        subresource: '',
        result: 'done',
        resourceVersion: expect.any(String),
        changes: [{ path: '.spec.replicas', before: '5', after: '1' }],
      },
    ]);
    // The event of the own write may cause another run.
    await expect.poll(() => controller.explain(key).state.type).toBe('delayed');
    const { reconciles, text } = controller.explain(key);
    expect(reconciles[0]?.causes[0]).toMatchObject({ type: 'add', isInitial: true });
    expect(stable(text)).toContain(
      [
        '  read foos.samplecontroller.c9g.io shop/web from the cache: version V',
        '  read foos.samplecontroller.c9g.io from the cache: 1 objects',
        '  read myapps.my.domain shop/web from the server: version V',
        '  wrote apply foos.samplecontroller.c9g.io shop/web (version V): .spec.replicas 5 -> 1',
      ].join('\n'),
    );
    expect(stable(text)).toMatch(
      /^myapp shop\/web: \d+ reconciles; version V in the cache; due in N ms: the delay/,
    );
    const url = `http://127.0.0.1:${it.manager.ports.metrics}`;
    const page = await fetch(`${url}/debug/reconciles?key=shop/web`);
    expect(stable(await page.text())).toContain(stable(text).split('\n').slice(1).join('\n'));
    const metrics = await fetch(`${url}/metrics`);
    expect(metrics.status).toBe(200);
  });

  it('compares the fields that an informer keeps', async () => {
    const it = await world();
    const { clientset, informers } = it;
    const selected = informers.of(foos, {
      select: { metadata: { ownerReferences: true }, spec: { replicas: true } },
    });
    const transformed = informers.of(configMaps, {
      transform: ({ data: _, ...map }) => ({ ...map, immutable: false }),
    });
    const maps = resource(clientset.rest, configMaps).in('shop');
    const controller = new Controller({
      name: 'myapp',
      for: informers.myV1.myApps(),
      owns: [selected, transformed],
      reconcile: async (object) => {
        const { version } = object.spec;
        const metadata = { name: 'web', namespace: 'shop', labels: { version } };
        const intent = { metadata, spec: { image: version, replicas: Number(version) } };
        const client = clientset.samplecontrollerV1alpha1.foos('shop');
        await client.apply(setControllerReference(intent, object), { fieldManager: 'myapp', force: true });
        const map = setControllerReference({ metadata, data: { version } }, object);
        await maps.apply(map, { fieldManager: 'myapp', force: true });
      },
    });
    it.manager.add(controller);
    void it.run();
    const apps = it.user.myV1.myApps('shop');
    await apps.create(app('web'));
    const written = (text: string) => controller.explain(key).text.includes(text);
    await expect.poll(() => controller.explain(key).state.type).toBe('idle');
    await apps.patch('web', { spec: { version: '2' } });
    await expect.poll(() => written('.spec.replicas 1 -> 2')).toBe(true);
    await expect.poll(() => controller.explain(key).state.type).toBe('idle');
    const writes = controller.explain(key).reconciles.flatMap((reconcile) => reconcile.writes);
    expect(writes.flatMap(({ changes = [] }) => changes.map(({ path }) => path)).filter(Boolean)).toEqual([
      '.spec.replicas',
      '.metadata.labels.version',
    ]);
  });

  it.each([
    [{ port: 0, reconciles: true }, 200],
    [{ port: 0, host: '127.0.0.1', reconciles: false }, 404],
    [{ port: 0 }, 404],
    [{ port: 0, authorize: true }, 401],
  ])('is served for metrics %j with the status %i', async (metrics, status) => {
    const it = await world({ metrics });
    void it.run();
    await expect.poll(() => it.manager.ports.metrics).toBeDefined();
    const response = await fetch(`http://127.0.0.1:${it.manager.ports.metrics}/debug/reconciles`);
    expect(response.status).toBe(status);
  });

  it('reports retries with their error, keys without an object, and running ones', async () => {
    const it = await world();
    const controller = fooController(it);
    it.manager.add(controller);
    void it.run();
    await it.user.myV1.myApps('shop').create({ ...app('web'), spec: { appName: 'web', version: 'broken' } });
    await expect.poll(() => controller.explain(key).failures).toBeGreaterThan(6);
    const { state, reconciles, text } = controller.explain(key);
    expect(state).toMatchObject({ type: 'delayed', causes: [{ type: 'retry' }] });
    expect(reconciles).toHaveLength(5);
    expect(reconciles.at(-1)?.outcome).toEqual({ type: 'retry', error: 'Error: the version is broken' });
    expect(text).toContain('the retry of a failed reconcile (Error: the version is broken)');
    const missing = controller.explain({ namespace: 'shop', name: 'none' });
    expect(missing.text).toBe(
      'myapp shop/none: never reconciled; not in the cache; waits for the next change',
    );
    expect(controller.reconciles(3).map(({ number }) => number)).toHaveLength(3);
  });
});
