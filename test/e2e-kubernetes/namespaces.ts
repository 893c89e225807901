import { isAlreadyExists, isForbidden } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { unique } from '../support/cluster-tests.ts';
import { apiErrorOf } from '../support/errors.ts';
import type { Env } from './env.ts';

/** Registers tests of namespaces, which are deleted when they are empty and have no finalizers. */
export function namespaceTests(env: Env): void {
  describe('a namespace', () => {
    it('is created, and rejected with 409 the second time', async () => {
      const namespaces = env.clientset.coreV1.namespaces();
      const name = unique('twice');
      const created = await namespaces.create({ metadata: { name } });
      expect(created).toMatchObject({
        apiVersion: 'v1',
        kind: 'Namespace',
        spec: { finalizers: ['kubernetes'] },
      });
      expect(created.status.phase).toBe('Active');
      expect(created.metadata.labels).toEqual({ 'kubernetes.io/metadata.name': name });
      const error = await apiErrorOf(isAlreadyExists, namespaces.create({ metadata: { name } }));
      expect(error.message).toContain(`create namespaces ${name}: 409 AlreadyExists`);
    });

    it('is emptied and deleted', async () => {
      const { coreV1 } = env.clientset;
      const name = await env.namespace();
      await coreV1.configMaps(name).create({ metadata: { name: 'settings' }, data: { a: '1' } });
      await coreV1.namespaces().deleteAndWait(name);
      expect(await coreV1.namespaces().find(name)).toBeUndefined();
      expect(await coreV1.configMaps(name).find('settings')).toBeUndefined();
    });

    it('exists until finalize removes its last finalizer', async () => {
      const { coreV1 } = env.clientset;
      const namespaces = coreV1.namespaces();
      const name = unique('held');
      const created = await namespaces.create({ metadata: { name } });
      const held = await namespaces.finalize({
        ...created,
        spec: { finalizers: [...(created.spec.finalizers ?? []), 'example.com/hold'] },
      });
      expect(held.spec.finalizers).toEqual(['kubernetes', 'example.com/hold']);
      await namespaces.delete(name);
      const emptied = await namespaces.waitFor(name, ({ spec } = held) => spec.finalizers?.length === 1);
      if (emptied === undefined) throw new Error('gone before its time');
      expect(emptied.spec.finalizers).toEqual(['example.com/hold']);
      expect(emptied.status.phase).toBe('Terminating');
      const maps = coreV1.configMaps(name);
      const error = await apiErrorOf(isForbidden, maps.create({ metadata: { name: 'late' } }));
      expect(error.details?.causes).toEqual([expect.objectContaining({ reason: 'NamespaceTerminating' })]);
      await namespaces.finalize({ ...emptied, spec: { finalizers: [] } });
      await namespaces.waitFor(name, (namespace) => namespace === undefined);
    });

    it('that the server needs cannot be deleted', async () => {
      const error = await apiErrorOf(isForbidden, env.clientset.coreV1.namespaces().delete('kube-system'));
      expect(error.message).toMatch(/^delete namespaces kube-system: 403 Forbidden: /);
    });
  });
}
