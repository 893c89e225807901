import {
  anyChange,
  Controller,
  type DependentsState,
  dependent,
  OwnedDependents,
  type OwnedDependentsOptions,
} from '@kgen/controller';
import type { Stored } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import type { MyApp } from '../../generated/crds/my.domain/v1/index.ts';
import type { Foo } from '../../generated/crds/samplecontroller.c9g.io/v1alpha1/index.ts';
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

/** One Foo per MyApp. Collects the states. */
function singleOf(
  { clientset, informers }: World,
  states: DependentsState[],
  options: OwnedDependentsOptions,
  desired: (app: Stored<MyApp>) => Foo,
): Controller<MyApp, unknown> {
  const informer = informers.samplecontrollerV1alpha1.foos();
  const dependents = new OwnedDependents<Stored<MyApp>>(
    [dependent({ name: 'foo', informer, desired })],
    options,
  );
  return new Controller({
    name: 'single',
    for: { informer: informers.myV1.myApps(), predicate: anyChange },
    owns: dependents.informers,
    client: clientset,
    reconcile: async (app) => {
      states.push(await dependents.reconcile(app));
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
    const changed = () => writes(it).filter((write) => write.includes('/foos/'));
    await expect
      .poll(() => [...new Set(changed().map((write) => write.split('/').at(-1)))])
      .toEqual(['first-web', 'second-web']);

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

  it('lose the fields and labels that are no longer desired, and get their owner back', async () => {
    const it = await world();
    const apps = it.user.myV1.myApps('shop');
    const foos = it.user.samplecontrollerV1alpha1.foos('shop');
    const states: DependentsState[] = [];
    it.manager.add(
      singleOf(it, states, {}, ({ spec: { version } }) => ({
        metadata: {
          name: 'foo-web',
          labels: { one: '1', ...(version === 'both' && { two: '2' }) },
        },
        spec: { image: 'x', ...(version === 'both' && { replicas: 2 }) },
      })),
    );
    void it.run();
    await apps.create({ metadata: { name: 'web' }, spec: { appName: 'shop', version: 'both' } });
    await expect.poll(async () => (await foos.find('foo-web'))?.spec?.replicas).toBe(2);
    await apps.patch('web', { spec: { version: 'one' } });
    await expect.poll(async () => (await foos.get('foo-web')).metadata.labels).toEqual({ one: '1' });
    expect((await foos.get('foo-web')).spec).not.toHaveProperty('replicas');
    await foos.patch('foo-web', { metadata: { ownerReferences: null } });
    await apps.patch('web', { metadata: { annotations: { wake: 'up' } } });
    await expect
      .poll(async () => (await foos.get('foo-web')).metadata.ownerReferences?.map(({ name }) => name))
      .toEqual(['web']);
    await expect.poll(() => states.at(-1)?.isSettled).toBe(true);
    const count = writes(it).length;
    await apps.patch('web', { metadata: { annotations: { wake: 'again' } } });
    const reconciled = states.length;
    await expect.poll(() => states.length).toBeGreaterThan(reconciled);
    expect(
      writes(it)
        .slice(count)
        .filter((write) => write.includes('/foos/')),
    ).toEqual([]);
  });

  it.each([
    { adopt: 'never', owner: [], isAdopted: false },
    { adopt: 'unowned', owner: [], isAdopted: true },
    {
      adopt: 'unowned',
      owner: [{ apiVersion: 'v1', kind: 'Other', name: 'o', uid: 'u', controller: true }],
      isAdopted: false,
    },
  ] as const)(
    'with adopt $adopt and owners $owner, an object of a user is taken over: $isAdopted',
    async (row) => {
      const it = await world();
      const apps = it.user.myV1.myApps('shop');
      const foos = it.user.samplecontrollerV1alpha1.foos('shop');
      const ownerReferences = [...row.owner];
      await foos.create({
        metadata: { name: 'foo-web', ownerReferences },
        spec: { image: 'theirs', replicas: 3 },
      });
      const states: DependentsState[] = [];
      it.manager.add(
        singleOf(it, states, { adopt: row.adopt }, () => ({
          metadata: { name: 'foo-web' },
          spec: { image: 'ours' },
        })),
      );
      void it.run();
      await apps.create({ metadata: { name: 'web' }, spec: { appName: 'shop', version: '1' } });
      await expect.poll(() => states.length).toBeGreaterThan(0);
      const image = async (): Promise<unknown> => (await foos.find('foo-web'))?.spec?.image;
      if (row.isAdopted) {
        await expect.poll(image).toBe('ours');
        return;
      }
      expect(states[0]).toMatchObject({
        isSettled: false,
        dependents: [{ name: 'foo', state: 'conflict' }],
        condition: {
          status: 'False',
          message: expect.stringMatching(
            /^foo is in conflict: Foo shop\/foo-web (has no controller|is controlled by Other o)$/,
          ),
        },
      });
      await apps.delete('web');
      await expect.poll(() => apps.find('web')).toBeUndefined();
      expect(await foos.get('foo-web')).toMatchObject({ spec: { image: 'theirs', replicas: 3 } });
    },
  );

  it('need a namespace that their owner can have', async () => {
    const it = await world();
    const apps = it.user.myV1.myApps('shop');
    it.manager.add(
      singleOf(it, [], {}, () => ({
        metadata: { name: 'foo-web', namespace: 'other' },
        spec: { image: 'x' },
      })),
    );
    void it.run();
    await apps.create({ metadata: { name: 'web' }, spec: { appName: 'shop', version: '1' } });
    const text = 'dependent foo of web: it is in namespace other, and its owner in shop';
    await expect.poll(() => it.log.some(({ message }) => message.includes(text))).toBe(true);
  });
});
