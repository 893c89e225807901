import { isConflict, isInvalid, isNotFound } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { unique } from '../support/cluster-tests.ts';
import { apiErrorOf, causesOf } from '../support/errors.ts';
import type { Env } from './env.ts';

async function cart(env: Env) {
  const clusters = env.clientset.cacheV1.redisClusters(await env.namespace());
  const created = await clusters.create({
    metadata: { name: 'cart' },
    spec: { version: '7.4', replicas: 4 },
  });
  return { clusters, created };
}

/** Registers tests of the scale subresource, which has one type for every scalable kind. */
export function scaleTests(env: Env): void {
  describe('scale', () => {
    it('returns desired and observed replicas', async () => {
      const { clusters, created } = await cart(env);
      const { uid, creationTimestamp, namespace } = created.metadata;
      const metadata = { name: 'cart', namespace, uid, creationTimestamp };
      expect(await clusters.getScale('cart')).toMatchObject({
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { ...metadata, resourceVersion: created.metadata.resourceVersion },
        spec: { replicas: 4 },
        status: { replicas: 0 },
      });
      await clusters.patchStatus('cart', { status: { replicas: 2, selector: 'app=cart' } });
      expect((await clusters.getScale('cart')).status).toEqual({ replicas: 2, selector: 'app=cart' });
    });

    it('is updated with its object', async () => {
      const { clusters } = await cart(env);
      const read = await clusters.getScale('cart');
      const updated = await clusters.updateScale({ ...read, spec: { replicas: 6 } });
      expect(updated.spec).toEqual({ replicas: 6 });
      const object = await clusters.get('cart');
      expect(object.spec.replicas).toBe(6);
      expect(object.metadata).toMatchObject({
        generation: 2,
        resourceVersion: updated.metadata.resourceVersion,
      });
      await apiErrorOf(isConflict, clusters.updateScale({ ...read, spec: { replicas: 7 } }));
      expect(
        (await clusters.updateScale({ metadata: { name: 'cart' }, spec: { replicas: 8 } })).spec?.replicas,
      ).toBe(8);
    });

    it('is patched with merge patch and JSON patch', async () => {
      const { clusters } = await cart(env);
      expect((await clusters.patchScale('cart', { spec: { replicas: 5 } })).spec).toEqual({ replicas: 5 });
      const step = { op: 'replace', path: '/spec/replicas', value: 7 } as const;
      expect((await clusters.patchScale('cart', [step], { type: 'json' })).spec).toEqual({ replicas: 7 });
      expect((await clusters.get('cart')).spec.replicas).toBe(7);
    });

    boundTests(env);
  });
}

function boundTests(env: Env): void {
  it('is limited by the schema', async () => {
    const { clusters } = await cart(env);
    const error = await apiErrorOf(isInvalid, clusters.patchScale('cart', { spec: { replicas: 10 } }));
    expect(causesOf(error)).toEqual(['spec.replicas: FieldValueInvalid']);
    expect((await clusters.get('cart')).spec.replicas).toBe(4);
  });

  it('rejects with 404 for a missing object', async () => {
    const { clusters } = await cart(env);
    await apiErrorOf(isNotFound, clusters.getScale('nobody'));
    await apiErrorOf(isNotFound, clusters.patchScale('nobody', { spec: { replicas: 5 } }));
  });

  it('writes the field of the definition', async () => {
    const showcases = env.clientset.featuresV2.showcases();
    const name = unique('scaled');
    await showcases.create({
      metadata: { name },
      spec: { color: 'red', nothing: null, numbers: { count: 3 } },
    });
    expect((await showcases.getScale(name)).spec).toEqual({ replicas: 3 });
    await showcases.patchScale(name, { spec: { replicas: 8 } });
    expect((await showcases.get(name)).spec?.numbers).toEqual({ count: 8 });
  });
}
