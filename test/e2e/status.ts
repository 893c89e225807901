import { isConflict, type KubernetesList, type KubernetesObject, type Stored } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { unique } from '../support/cluster-tests.ts';
import { apiErrorOf } from '../support/errors.ts';
import type { Env } from './env.ts';
import type { Sample } from './samples.ts';

/** Registers tests that spec and status are written separately: neither write changes the other part. */
export function statusTests<T extends KubernetesObject, L extends KubernetesList<Stored<T>>>(
  env: Env,
  sample: Sample<T, L>,
): void {
  const open = async () => sample.client(env.clientset, sample.namespaced ? await env.namespace() : '');
  describe(`status of a ${sample.kind}`, () => {
    it('is not stored by create and update', async () => {
      const client = await open();
      const name = unique('fresh');
      const first = await client.create(sample.make(name, 1));
      await client.delete(name);
      const created = await client.create(sample.observe({ ...first, ...sample.make(name, 1) }, 5));
      expect(sample.observed(created)).toBeUndefined();
      await client.updateStatus(sample.observe(created, 6));
      const read = await client.get(name);
      const updated = await client.update(sample.observe(sample.change(read, 2), 7));
      expect([sample.expected(updated), sample.observed(updated)]).toEqual([2, 6]);
    });

    it('is the only part that updateStatus replaces', async () => {
      const client = await open();
      const created = await client.create(sample.make(unique('observed'), 1, { tier: 'web' }));
      const meant = sample.observe(sample.change(created, 9), 4);
      const relabelled = { ...meant, metadata: { ...meant.metadata, labels: { tier: 'db' } } };
      const updated = await client.updateStatus(relabelled);
      expect([sample.expected(updated), sample.observed(updated)]).toEqual([1, 4]);
      expect(updated.metadata).toMatchObject({ generation: 1, labels: { tier: 'web' } });
      expect(await client.get(created.metadata.name)).toEqual(updated);
    });

    it('is rejected with 409 for an old resource version', async () => {
      const client = await open();
      const created = await client.create(sample.make(unique('stale'), 1));
      await client.update(sample.change(created, 2));
      await apiErrorOf(isConflict, client.updateStatus(sample.observe(created, 4)));
      expect(sample.observed(await client.get(created.metadata.name))).toBeUndefined();
    });
  });
}
