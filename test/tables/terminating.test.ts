/** Table tests of objects that are being deleted. */
import { Controller, Manager, type ManagerOptions } from '@kgen/controller';
import { configMaps } from '@kgen/kubernetes/core/v1';
import { type ClusterConfig, InformerFactory, resource } from '@kgen/runtime';
import { created, deleted, stored, tableTests, wrote } from '@kgen/testing';
import { describe, expect, test } from 'vitest';
import { myApps } from '../../generated/crds/my.domain/v1/index.ts';

const finalizer = 'my.domain/cleanup';

/** Returns an operator that deletes a ConfigMap when its app is deleted. */
function operator(config: ClusterConfig, options: ManagerOptions = {}): Manager {
  const manager = new Manager(config, { name: 'cleanup', ...options });
  const maps = resource(manager.rest, configMaps);
  const controller = new Controller({
    name: 'cleanup',
    finalizer,
    for: new InformerFactory(manager).of(myApps),
    reconcile: async () => undefined,
    finalize: async ({ metadata: { name, namespace } }) => {
      await maps.in(namespace).delete(name);
    },
  });
  return manager.add(controller);
}

const { given } = tableTests(operator, { crds: ['crds/myapp.yaml'] });
const deletionTimestamp = '2026-01-01T00:00:00Z';
const spec = { appName: 'web', version: '1.0' };
const map = stored(configMaps, { metadata: { name: 'a' } });
const app = stored(myApps, { metadata: { name: 'a', finalizers: [finalizer] }, spec });
const terminating = stored(myApps, { ...app, metadata: { ...app.metadata, deletionTimestamp } });
const released = wrote('patch', myApps, [
  { op: 'test', path: '/metadata/uid' },
  { op: 'test', path: '/metadata/finalizers/0', value: finalizer },
  { op: 'remove', path: '/metadata/finalizers/0' },
]);

describe('an object that is being deleted', () => {
  test('is finalized, if it exists before the reconcile', () =>
    given(terminating, map).expect({ writes: [wrote('delete', configMaps), released], status: undefined }));

  test('is finalized, if it is created by a change', () =>
    given(map)
      .when(created(terminating))
      .expect({ writes: [wrote('delete', configMaps), released] }));

  test('has the same writes as one that a change deletes', async () => {
    const first = await given(terminating, map).run();
    const second = await given(app, map).when(deleted(app)).run();
    const shown = ({ writes }: typeof first) => writes.map(({ verb, resource }) => [verb, resource]);
    expect(shown(first)).toEqual(shown(second));
  });

  test('needs a finalizer', async () => {
    const free = stored(myApps, { metadata: { name: 'a', deletionTimestamp }, spec });
    await expect(given(free).run()).rejects.toThrow(
      /^given: MyApp default\/a has a deletionTimestamp, but nothing holds it.*`deleted\(…\)`/,
    );
  });
});
