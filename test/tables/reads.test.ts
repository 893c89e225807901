/** Fields that operators read, recorded in table tests and simulations. */
import { Controller, Manager, type ManagerOptions } from '@kgen/controller';
import { deployments } from '@kgen/kubernetes/apps/v1';
import { configMaps } from '@kgen/kubernetes/core/v1';
import { type ClusterConfig, type Informer, InformerFactory, resource } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import { edited, recordReads, samplesOf, simulate, stored, tableTests, wrote } from '@kgen/testing';
import { expect, expectTypeOf, test } from 'vitest';
import { type MyApp, myApps } from '../../generated/crds/my.domain/v1/index.ts';

type Show = <T, L>(informer: Informer<T, L>) => Informer<T, L>;

/** Writes the version of each app to a config map. */
function operatorOf(show: Show) {
  return (config: ClusterConfig, options: ManagerOptions): Manager => {
    const manager = new Manager(config, { name: 'versions', ...options });
    const informers = new InformerFactory(manager);
    const client = resource(manager.rest, configMaps);
    const apps = show(informers.of(myApps));
    return manager.add(
      new Controller({
        name: 'versions',
        for: apps,
        owns: [informers.of(configMaps)],
        reconcile: async ({ metadata }) => {
          const app = apps.lister.list().find(({ metadata: { uid } }) => uid === metadata.uid);
          if (app === undefined) return;
          const { name, namespace } = metadata;
          const data = { version: app.spec.version };
          const map = setControllerReference({ metadata: { name, namespace }, data }, app);
          await client.in(namespace).apply(map, { force: true });
        },
      }),
    );
  };
}

const crds = ['crds/myapp.yaml'];
const app = stored(myApps, { metadata: { name: 'a' }, spec: { appName: 'web', version: '1.0' } });

test('an operator needs the fields that it reads, without those that its controller reads', async () => {
  const reads = recordReads<MyApp>();
  // seam: the recorder is for the informer of MyApps, the only one that the operator passes.
  const show: Show = (informer) => reads.informer(informer as never) as never;
  const { given } = tableTests(operatorOf(show), { crds });
  const edit = edited(app, ({ spec }) => void Object.assign(spec, { version: '2.0' }));
  const writes = [wrote('apply', configMaps, { data: { version: '2.0' } })];
  await given(app).reconciled().when(edit).expect({ writes });
  expect(reads.print()).toBe('{ spec: { version: true } }');
  expect(reads.reads.at(-1)?.site).toMatch(/reads\.test\.ts:\d+/);
  reads.expectOnly({ spec: { version: true, appName: true } });
  expect(() => reads.expectOnly({ status: true })).toThrow(/^spec\.version is read at .*reads\.test\.ts:\d+/);
});

test('a simulation checks that an operator reads selected fields only', { timeout: 60_000 }, async () => {
  const reads = recordReads<MyApp>();
  // seam: as above.
  const operator = operatorOf((informer) => reads.informer(informer as never) as never);
  const check = (select: object) => () => reads.expectOnly(Object(select));
  const options = { crds, samples: samplesOf(myApps), seeds: 1 };
  await simulate(operator, { ...options, invariants: [check({ spec: { version: true } })] });
  const failure = simulate(operator, { ...options, invariants: [check({ spec: { appName: true } })] });
  await expect(failure).rejects.toThrow('spec.version is read');
});

test('a controller has the types of an informer with a selection', async () => {
  const { given } = tableTests(
    (config, options) => {
      const manager = new Manager(config, { name: 'labels', ...options });
      const informers = new InformerFactory(manager);
      const client = resource(manager.rest, myApps);
      const owned = informers.of(deployments, { select: { metadata: { ownerReferences: true } } });
      const controller = new Controller({
        name: 'labels',
        for: informers.of(myApps, { select: { spec: { version: true } } }),
        owns: [owned, { informer: owned, predicate: ({ object }) => object.metadata.name !== '' }],
        watches: [{ informer: owned, map: ({ metadata }) => metadata.ownerReferences?.map(keyOf) ?? [] }],
        reconcile: async ({ metadata: { name, namespace }, spec, ...rest }) => {
          expectTypeOf(spec).toEqualTypeOf<{ version: string }>();
          expectTypeOf(rest).not.toHaveProperty('status');
          expect(Object.keys(spec)).toEqual(['version']);
          const metadata = { labels: { version: spec.version } };
          await client.in(namespace).patch(name, { metadata });
        },
      });
      return manager.add(controller);
    },
    { crds },
  );
  await given(app).expect({ writes: [wrote('patch', myApps, { metadata: { labels: { version: '1.0' } } })] });
});

const keyOf = ({ name }: { readonly name: string }) => ({ namespace: 'default', name });
