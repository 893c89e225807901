import { isConflict, isInvalid } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import type { RedisClusterClient } from '../../generated/crds/cache.example.com/v1/index.ts';
import { apiErrorOf } from '../support/errors.ts';
import type { Env } from './env.ts';

async function patched(env: Env): Promise<RedisClusterClient> {
  const clusters = env.clientset.cacheV1.redisClusters(await env.namespace());
  await clusters.create({
    metadata: { name: 'cart', labels: { tier: 'web', region: 'eu' } },
    spec: { version: '7.4', replicas: 5, parameters: { save: '60', port: '6379' }, users: [{ name: 'app' }] },
  });
  return clusters;
}

/** Registers tests of merge patches and JSON patches of objects and of their status. */
export function patchTests(env: Env): void {
  mergeTests(env);
  jsonTests(env);
}

function mergeTests(env: Env): void {
  describe('a merge patch', () => {
    it('changes, adds and deletes members, and replaces whole lists', async () => {
      const clusters = await patched(env);
      const { spec, metadata } = await clusters.patch('cart', {
        metadata: { labels: { region: null, zone: 'a' } },
        spec: { minReady: 2, parameters: { save: null, appendonly: 'yes' }, users: [{ name: 'jobs' }] },
      });
      expect(metadata).toMatchObject({ labels: { tier: 'web', zone: 'a' }, generation: 2 });
      expect(metadata.labels).not.toHaveProperty('region');
      expect(spec).toEqual({
        version: '7.4',
        replicas: 5,
        minReady: 2,
        evictionPolicy: 'noeviction',
        parameters: { port: '6379', appendonly: 'yes' },
        users: [{ name: 'jobs' }],
      });
    });

    it('restores a default by deleting the field', async () => {
      const clusters = await patched(env);
      expect((await clusters.patch('cart', { spec: { replicas: null } })).spec.replicas).toBe(3);
    });

    it('applies only to its resource version', async () => {
      const clusters = await patched(env);
      const { metadata } = await clusters.get('cart');
      const { resourceVersion } = metadata;
      await clusters.patch('cart', { metadata: { resourceVersion }, spec: { replicas: 6 } });
      await apiErrorOf(
        isConflict,
        clusters.patch('cart', { metadata: { resourceVersion }, spec: { replicas: 7 } }),
      );
      expect((await clusters.get('cart')).spec.replicas).toBe(6);
    });

    it('of the status leaves the rest unchanged, and vice versa', async () => {
      const clusters = await patched(env);
      const running = await clusters.patchStatus('cart', {
        spec: { replicas: 9 },
        status: { phase: 'Running' },
      });
      expect([running.spec.replicas, running.status?.phase]).toEqual([5, 'Running']);
      const expected = await clusters.patch('cart', { spec: { replicas: 6 }, status: { phase: 'Failed' } });
      expect([expected.spec.replicas, expected.status?.phase]).toEqual([6, 'Running']);
    });
  });
}

function jsonTests(env: Env): void {
  describe('a JSON patch', () => {
    it('is applied operation by operation', async () => {
      const clusters = await patched(env);
      const { metadata, spec } = await clusters.patch(
        'cart',
        [
          { op: 'test', path: '/spec/version', value: '7.4' },
          { op: 'replace', path: '/spec/version', value: '7.6' },
          { op: 'add', path: '/spec/users/0', value: { name: 'first' } },
          { op: 'add', path: '/spec/users/-', value: { name: 'last' } },
          { op: 'move', from: '/spec/parameters/save', path: '/spec/parameters/stop' },
          { op: 'copy', from: '/metadata/labels/tier', path: '/metadata/labels/example.com~1tier' },
          { op: 'remove', path: '/metadata/labels/region' },
        ],
        { type: 'json' },
      );
      expect(metadata.labels).toEqual({ tier: 'web', 'example.com/tier': 'web' });
      expect(spec).toMatchObject({
        version: '7.6',
        parameters: { port: '6379', stop: '60' },
        users: [{ name: 'first' }, { name: 'app' }, { name: 'last' }],
      });
    });

    it.each([
      { why: 'a test does not hold', step: { op: 'test', path: '/spec/version', value: '6.0' } as const },
      { why: 'a path is missing', step: { op: 'remove', path: '/spec/nothing' } as const },
    ])('changes nothing if $why', async ({ step }) => {
      const clusters = await patched(env);
      const before = await clusters.get('cart');
      const steps = [{ op: 'replace', path: '/spec/replicas', value: 9 } as const, step];
      await apiErrorOf(isInvalid, clusters.patch('cart', steps, { type: 'json' }));
      expect(await clusters.get('cart')).toEqual(before);
    });

    it('of the status leaves the rest unchanged', async () => {
      const clusters = await patched(env);
      const steps = [
        { op: 'add', path: '/status', value: { phase: 'Pending' } } as const,
        { op: 'replace', path: '/spec/replicas', value: 9 } as const,
      ];
      const { spec, status } = await clusters.patchStatus('cart', steps, { type: 'json' });
      expect([spec.replicas, status?.phase]).toEqual([5, 'Pending']);
    });
  });
}
