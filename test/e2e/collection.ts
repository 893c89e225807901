import { describe, expect, it } from 'vitest';
import type { RedisClusterClient } from '../../generated/crds/cache.example.com/v1/index.ts';
import type { Env } from './env.ts';

async function filled(env: Env): Promise<RedisClusterClient> {
  const clusters = env.clientset.cacheV1.redisClusters(await env.namespace());
  for (const [name, tier, version] of [
    ['a', 'web', '7.2'],
    ['b', 'web', '7.4'],
    ['c', 'db', '7.4'],
  ] as const) {
    await clusters.create({ metadata: { name, labels: { tier } }, spec: { version } });
  }
  return clusters;
}

/** Registers tests of `deleteCollection`. */
export function collectionTests(env: Env): void {
  describe('deleteCollection', () => {
    it.each([
      { options: { labelSelector: 'tier=web' }, want: ['c'] },
      { options: { labelSelector: { tier: 'db' } }, want: ['a', 'b'] },
      { options: { fieldSelector: { 'spec.version': '7.4' } }, want: ['a'] },
      { options: { fieldSelector: 'metadata.name=b' }, want: ['a', 'c'] },
      { options: { labelSelector: 'tier=web', fieldSelector: 'spec.version=7.4' }, want: ['a', 'c'] },
      { options: { labelSelector: 'tier=none' }, want: ['a', 'b', 'c'] },
      { options: {}, want: [] },
    ])('with $options keeps $want', async ({ options, want }) => {
      const clusters = await filled(env);
      const other = await filled(env);
      await clusters.deleteCollection(options);
      const { items } = await clusters.list();
      expect(items.map(({ metadata }) => metadata.name)).toEqual(want);
      expect((await other.list()).items).toHaveLength(3);
    });
  });
}
