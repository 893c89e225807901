/** Objects that are being deleted: references of their dependents, and finalizers of former versions. */
import { Controller, type ObjectControllerOptions } from '@kgen/controller';
import type { ObjectMeta, OwnerReference, Stored } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import { describe, expect, it } from 'vitest';
import type { MyApp } from '../../generated/crds/my.domain/v1/index.ts';
import { type World, world } from './support.ts';

const hold = 'example.com/hold';
const app = (finalizers: string[] = []): MyApp => ({
  metadata: { name: 'web', finalizers },
  spec: { appName: 'web', version: '1' },
});

type Options = Pick<ObjectControllerOptions<MyApp, unknown, []>, 'finalize' | 'formerFinalizers'>;

/** Adds a controller that applies a Foo for each MyApp, in the way of `write`. */
function operator(it: World, write: (app: Stored<MyApp>) => unknown, options: Options = {}) {
  const terminating: string[] = [];
  const { informers, manager } = it;
  manager.add(
    new Controller({
      name: 'operator',
      for: informers.myV1.myApps(),
      owns: [informers.samplecontrollerV1alpha1.foos()],
      reconcile: async (object) => {
        const { deletionTimestamp, finalizers } = object.metadata;
        if (deletionTimestamp) terminating.push(finalizers?.join() ?? '');
        await write(object);
      },
      ...options,
    }),
  );
  void it.run();
  return {
    terminating,
    apps: it.user.myV1.myApps('shop'),
    foos: it.user.samplecontrollerV1alpha1.foos('shop'),
  };
}

const referenceTo = ({ metadata: { name, uid } }: Stored<MyApp>): OwnerReference => ({
  apiVersion: 'my.domain/v1',
  kind: 'MyApp',
  name,
  uid,
  controller: true,
});
const metadata = { name: 'web', namespace: 'shop' };
const spec = { image: 'a' };
const force = { force: true } as const;

const ways: readonly [way: string, write: (it: World, app: Stored<MyApp>) => Promise<unknown>][] = [
  [
    'with setControllerReference',
    (it, object) => foosOf(it).apply(setControllerReference({ metadata, spec }, object), force),
  ],
  [
    'with an apply of its own reference',
    (it, object) =>
      foosOf(it).apply({ metadata: { ...metadata, ownerReferences: [referenceTo(object)] }, spec }, force),
  ],
  [
    'with a merge patch of its own reference',
    async (it, object) => {
      const references = { metadata: { ownerReferences: [referenceTo(object)] } };
      if ((await foosOf(it).find('web')) === undefined)
        return foosOf(it).create({ metadata: { ...metadata, ...references.metadata }, spec });
      return foosOf(it).patch('web', references);
    },
  ],
  [
    'with a JSON patch of its own reference',
    async (it, object) => {
      const value = [referenceTo(object)];
      if ((await foosOf(it).find('web')) === undefined)
        return foosOf(it).create({ metadata: { ...metadata, ownerReferences: value }, spec });
      const patch = { op: 'add', path: '/metadata/ownerReferences', value } as const;
      return foosOf(it).patch('web', [patch], { type: 'json' });
    },
  ],
];

const foosOf = (it: World) => it.clientset.samplecontrollerV1alpha1.foos('shop');

describe('an owner that is deleted with its dependents orphaned', () => {
  it.each(ways)('keeps them, for an operator that applies %s', async (_, write) => {
    const it = await world();
    const { apps, foos, terminating } = operator(it, (object) => write(it, object));
    const references = async () => (await foos.get('web')).metadata.ownerReferences ?? [];
    await apps.create(app([hold]));
    await expect.poll(() => foos.find('web')).toBeDefined();
    await apps.delete('web', { propagationPolicy: 'Orphan' });
    // Runs after the garbage collector has removed the reference, and released its finalizer.
    await expect.poll(() => terminating).toContain(hold);
    await it.manager.rest.patch('/apis/samplecontroller.c9g.io/v1alpha1/namespaces/shop/foos/web', {
      body: { metadata: { labels: { seen: 'yes' } } },
    });
    await expect.poll(references).toEqual([]);
    await apps.patch('web', { metadata: { finalizers: null } } as never);
    await expect.poll(() => apps.find('web')).toBeUndefined();
    await it.stop();
    // The garbage collector has processed the deletion.
    expect(await references()).toEqual([]);
    expect(it.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('may change them with their reference, at the version that has it', async () => {
    const it = await world();
    const outcomes: string[] = [];
    const labels = { is: 'changed' };
    const informer = it.informers.samplecontrollerV1alpha1.foos();
    const { apps, foos } = operator(
      it,
      async (object) => foosOf(it).apply(setControllerReference({ metadata, spec }, object), force),
      {
        finalize: async (object) => {
          const live = informer.lister.get('shop', 'web');
          if (live === undefined) return;
          const { ownerReferences, resourceVersion } = live.metadata;
          const attempt = (own: Pick<ObjectMeta, 'ownerReferences' | 'resourceVersion'>) =>
            foosOf(it)
              .apply(
                setControllerReference({ metadata: { ...own, ...metadata, labels }, spec }, object),
                force,
              )
              .then(() => 'applied')
              .catch((error: Error) => error.name);
          outcomes.push(await attempt({ ownerReferences }));
          outcomes.push(await attempt({ ownerReferences, resourceVersion }));
        },
      },
    );
    await apps.create(app());
    await expect.poll(() => foos.find('web')).toBeDefined();
    await expect.poll(() => informer.lister.get('shop', 'web')).toBeDefined();
    await apps.delete('web', { propagationPolicy: 'Background' });
    await expect.poll(() => apps.find('web')).toBeUndefined();
    expect(outcomes).toEqual(['OwnerTerminatingError', 'applied']);
  });
});

describe('a finalizer of a former version', () => {
  const old = 'my.domain/operator';
  const former = 'my.domain/renamed';
  const reports = (it: World) => it.log.filter(({ message }) => message.includes('holds the object'));

  it('that the controller does not remove is reported once, in the log and as an event', async () => {
    const it = await world();
    const { apps, terminating } = operator(it, () => undefined);
    await apps.create(app([old, hold]));
    await apps.delete('web');
    await expect.poll(() => terminating.length).toBeGreaterThan(0);
    await apps.patch('web', { metadata: { labels: { more: 'runs' } } });
    await expect.poll(() => terminating.length).toBeGreaterThan(1);
    expect(reports(it)).toEqual([
      {
        level: 'warn',
        message: `the finalizer ${old} of a former version of this controller holds the object: pass formerFinalizers: ['${old}'] to the controller, or remove it`,
        fields: expect.objectContaining({ finalizer: old }),
      },
    ]);
    const events = '/apis/events.k8s.io/v1/namespaces/shop/events';
    const notes = async () => JSON.stringify(await it.user.rest.get(events));
    await expect.poll(notes).toContain('FinalizerAbandoned');
  });

  it('is not reported if it is that of the controller, of another one, or if the object exists', async () => {
    const it = await world();
    const runs: string[] = [];
    const { apps, terminating } = operator(it, ({ metadata: { finalizers } }) => {
      runs.push(finalizers?.join() ?? '');
    });
    await apps.create(app([old]));
    await expect.poll(() => runs).toContain(old);
    await apps.patch('web', { metadata: { finalizers: [hold, 'my.domain/other'] } });
    await apps.delete('web');
    await expect.poll(() => terminating.length).toBeGreaterThan(0);
    expect(reports(it)).toEqual([]);
  });

  it('is removed with formerFinalizers, and those of others are kept', async () => {
    const it = await world();
    const { apps } = operator(it, () => undefined, { formerFinalizers: [old, former] });
    await apps.create(app([old, hold, former]));
    await expect.poll(async () => (await apps.get('web')).metadata.finalizers).toEqual([hold]);
    await apps.patch('web', { metadata: { finalizers: [former, hold, old] } });
    await apps.delete('web');
    await expect.poll(async () => (await apps.get('web')).metadata.finalizers).toEqual([hold]);
    expect(reports(it)).toEqual([]);
  });

  it('of a terminating object is removed after finalize, if the controller has it', async () => {
    const it = await world();
    const finalized: string[] = [];
    await it.user.myV1.myApps('shop').create(app([former]));
    await it.user.myV1.myApps('shop').delete('web');
    const { apps } = operator(it, () => undefined, {
      formerFinalizers: [former],
      finalize: ({ metadata: { finalizers } }) => void finalized.push(finalizers?.join() ?? ''),
    });
    await expect.poll(() => apps.find('web')).toBeUndefined();
    expect(finalized).toEqual([former]);
    await apps.create(app([former]));
    await expect.poll(async () => (await apps.get('web')).metadata.finalizers).toEqual([old]);
  });

  it.each<readonly [string, object]>([
    ['the present finalizer', { finalize: () => undefined, formerFinalizers: [old] }],
    ['reconcileKey', { reconcile: undefined, reconcileKey: () => undefined, formerFinalizers: [former] }],
    ['one twice', { formerFinalizers: [former, former] }],
  ])('is refused with %s', async (_, options) => {
    const it = await world();
    const base = { name: 'operator', for: it.informers.myV1.myApps(), reconcile: () => undefined };
    expect(() => new Controller({ ...base, ...options } as never)).toThrow(/formerFinalizers/);
  });
});
