/** Table tests of reconciles that wait: for work in real time, or for nothing. */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { Controller, Manager, type ManagerOptions } from '@kgen/controller';
import { configMaps } from '@kgen/kubernetes/core/v1';
import { type ClusterConfig, InformerFactory, resource } from '@kgen/runtime';
import { stored, tableTests, wrote } from '@kgen/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { myApps } from '../../generated/crds/my.domain/v1/index.ts';

const app = stored(myApps, { metadata: { name: 'a' }, spec: { appName: 'web', version: '1.0' } });

/** Returns table tests of an operator that writes a ConfigMap once a promise has settled. */
function testsOf(wait: () => Promise<unknown>): ReturnType<typeof tableTests> {
  const operator = (config: ClusterConfig, options: ManagerOptions = {}) => {
    const manager = new Manager(config, { name: 'waits', ...options });
    const client = resource(manager.rest, configMaps);
    const controller = new Controller({
      name: 'waits',
      for: new InformerFactory(manager).of(myApps),
      reconcile: async ({ metadata: { name, namespace } }) => {
        await wait();
        await client.in(namespace).apply({ metadata: { name, namespace } }, { force: true });
      },
    });
    return manager.add(controller);
  };
  return tableTests(operator, { crds: ['crds/myapp.yaml'] });
}

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

test('virtual time stands still while other threads compute', () =>
  testsOf(() => crypto.subtle.digest('SHA-256', new Uint8Array(1_000_000)))
    .given(app)
    .expect({ writes: [wrote('apply', configMaps)] }));

test('a reconcile that never ends times out after a limited number of pauses in real time', async () => {
  const pauses = vi.spyOn(timers, 'setTimeout');
  syncBuiltinESMExports();
  await testsOf(() => new Promise(() => undefined))
    .given(app)
    .expect({ writes: [], error: 'ReconcileTimeoutError' });
  expect(pauses.mock.calls.length).toBeGreaterThan(0);
  expect(pauses.mock.calls.length).toBeLessThanOrEqual(250);
});
