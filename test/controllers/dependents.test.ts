import { Controller, dependent, OwnedDependents } from '@kgen/controller';
import type { Stored } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import type { MyApp } from '../../generated/crds/my.domain/v1/index.ts';
import { type World, world } from './support.ts';

/** Two Foos per MyApp: `first-NAME`, and once it is there, `second-NAME` unless the version is `single`. */
function controllerOf({ clientset, informers }: World): Controller<MyApp, unknown> {
  const foos = informers.samplecontrollerV1alpha1.foos();
  const dependents = new OwnedDependents<Stored<MyApp>>([
    dependent({
      name: 'second',
      informer: foos,
      dependsOn: ['first'],
      desired: ({ metadata: { name }, spec }) =>
        spec.version === 'single'
          ? undefined
          : { metadata: { name: `second-${name}` }, spec: { image: 'b' } },
    }),
    dependent({
      name: 'first',
      informer: foos,
      desired: ({ metadata: { name }, spec }) => ({
        metadata: { name: `first-${name}` },
        spec: { image: spec.appName, replicas: 1 },
      }),
    }),
  ]);
  return new Controller({
    name: 'myapp',
    for: informers.myV1.myApps(),
    owns: dependents.informers,
    client: clientset,
    reconcile: async (app) => {
      await dependents.reconcile(app);
    },
    finalize: (app) => dependents.finalize(app),
  });
}

const writes = (it: World): readonly string[] =>
  it.server.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);

describe('owned dependents', () => {
  it('are created in order, repaired, removed when they are not desired, and deleted in reverse order', async () => {
    const it = await world();
    const apps = it.user.myV1.myApps('shop');
    const foos = it.user.samplecontrollerV1alpha1.foos('shop');
    const names = async (): Promise<readonly string[]> =>
      (await foos.list()).items.map(({ metadata }) => metadata.name).sort();
    it.manager.add(controllerOf(it));
    void it.run();
    await apps.create({ metadata: { name: 'web' }, spec: { appName: 'shop', version: '1' } });
    await expect.poll(names).toEqual(['first-web', 'second-web']);
    const created = writes(it).filter((write) => write.includes('/foos/'));
    expect(created.map((write) => write.split('/').at(-1))).toEqual(['first-web', 'second-web']);

    await foos.patch('first-web', { spec: { replicas: 7 } });
    await expect.poll(async () => (await foos.get('first-web')).spec?.replicas).toBe(1);
    await foos.create({ metadata: { name: 'foreign' }, spec: { image: 'x' } });
    await apps.patch('web', { spec: { version: 'single' } });
    await expect.poll(names).toEqual(['first-web', 'foreign']);
    await apps.patch('web', { spec: { version: '2' } });
    await expect.poll(names).toEqual(['first-web', 'foreign', 'second-web']);

    await apps.delete('web');
    await expect.poll(() => apps.find('web')).toBeUndefined();
    expect(await names()).toEqual(['foreign']);
    const deleted = writes(it).filter((write) => write.startsWith('DELETE') && write.includes('/foos/'));
    expect(deleted.slice(-2).map((write) => write.split('/').at(-1))).toEqual(['second-web', 'first-web']);
    expect(it.log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
