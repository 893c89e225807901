import { isInvalid } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { apiErrorOf } from '../support/errors.ts';
import type { Env } from './env.ts';

const dryRun = 'All';

/** Registers tests of dry runs: the server processes the request and stores nothing. */
export function dryRunTests(env: Env): void {
  describe('a dry run', () => {
    it('of create stores nothing', async () => {
      const clusters = env.clientset.cacheV1.redisClusters(await env.namespace());
      const created = await clusters.create(
        { metadata: { name: 'a' }, spec: { version: '7.4' } },
        { dryRun },
      );
      expect(created).toMatchObject({ kind: 'RedisCluster', spec: { replicas: 3 } });
      expect(await clusters.find('a')).toBeUndefined();
      const bad = { metadata: { name: 'a' }, spec: { version: 'new' } };
      await apiErrorOf(isInvalid, clusters.create(bad, { dryRun }));
    });

    it('of every other write stores nothing either', async () => {
      const clusters = env.clientset.cacheV1.redisClusters(await env.namespace());
      const before = await clusters.create({ metadata: { name: 'a' }, spec: { version: '7.4' } });
      const { spec } = before;
      const updated = await clusters.update({ ...before, spec: { ...spec, replicas: 5 } }, { dryRun });
      const patched = await clusters.patch('a', { spec: { replicas: 6 } }, { dryRun });
      expect([updated.spec.replicas, patched.spec.replicas]).toEqual([5, 6]);
      await clusters.delete('a', { dryRun });
      await clusters.deleteCollection({ dryRun });
      expect(await clusters.get('a')).toEqual(before);
    });
  });
}
