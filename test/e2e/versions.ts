import { describe, expect, it, onTestFinished } from 'vitest';
import { Clientset } from '../../generated/crds/index.ts';
import type { Env } from './env.ts';

/** Registers tests of two served versions of one kind, which present the same objects in their own schema. */
export function versionTests(env: Env): void {
  describe('versions', () => {
    it('return the same object', async () => {
      const namespace = await env.namespace();
      const old = env.clientset.cacheV1alpha1.redisClusters(namespace);
      const now = env.clientset.cacheV1.redisClusters(namespace);
      const created = await old.create({ metadata: { name: 'cart' }, spec: { version: '7.2' } });
      expect(created).toMatchObject({
        apiVersion: 'cache.example.com/v1alpha1',
        spec: { version: '7.2', replicas: 3 },
      });
      const read = await now.get('cart');
      expect(read).toMatchObject({
        apiVersion: 'cache.example.com/v1',
        metadata: { uid: created.metadata.uid },
      });
      expect(read.spec).toEqual({ version: '7.2', replicas: 3, evictionPolicy: 'noeviction' });
      const updated = await now.update({ ...read, spec: { ...read.spec, replicas: 5 } });
      const seen = await old.get('cart');
      expect(seen.spec).toEqual({ version: '7.2', replicas: 5 });
      expect(seen.metadata.resourceVersion).toBe(updated.metadata.resourceVersion);
      await old.delete('cart');
      expect(await now.find('cart')).toBeUndefined();
    });

    it('are listed with their own fields', async () => {
      const namespace = await env.namespace();
      const spec = { version: '7.4', memory: '1Gi' };
      await env.clientset.cacheV1.redisClusters(namespace).create({ metadata: { name: 'cart' }, spec });
      const list = await env.clientset.cacheV1alpha1.redisClusters(namespace).list();
      expect(list.apiVersion).toBe('cache.example.com/v1alpha1');
      expect(list.items.map((item) => [item.apiVersion, item.spec])).toEqual([
        ['cache.example.com/v1alpha1', { version: '7.4', replicas: 3 }],
      ]);
    });

    it('cause a warning if they are deprecated', async () => {
      const namespace = await env.namespace();
      const warnings: string[] = [];
      const clientset = new Clientset(env.config, { onWarning: ({ text }) => void warnings.push(text) });
      onTestFinished(() => clientset.close());
      await clientset.cacheV1.redisClusters(namespace).list();
      expect(warnings).toEqual([]);
      await clientset.cacheV1alpha1.redisClusters(namespace).list();
      expect(warnings).toEqual([
        'cache.example.com/v1alpha1 RedisCluster is deprecated; use cache.example.com/v1',
      ]);
    });
  });
}
