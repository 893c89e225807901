import { isApiError, isConflict, isNotFound } from '@kgen/runtime';
import { isNoMatch } from '@kgen/runtime/discovery';
import { nestedField } from '@kgen/runtime/dynamic';
import { describe, expect, it } from 'vitest';
import { deployments, type Env, gadgets, group, widgets } from './env.ts';
import { deployment } from './objects.ts';

/** Registers tests of scales of built-in kinds. */
export function scaleTests(env: () => Env): void {
  describe('scales', () => {
    it('of a built-in kind are read and written', async () => {
      const namespace = await env().namespace();
      const workloads = env().dynamic.resource(deployments).namespace(namespace);
      await workloads.create(deployment('web'));
      const { scales } = env();
      const apps = { group: 'apps', resource: 'deployments' };
      const scale = await scales.get(apps, { namespace, name: 'web' });
      expect(scale).toMatchObject({
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'web', namespace },
        spec: { replicas: 2 },
        status: { replicas: 0, selector: 'app=web' },
      });
      const updated = await scales.update(apps, { ...scale, spec: { replicas: 3 } });
      expect(updated.spec.replicas).toBe(3);
      await expect(scales.update(apps, { ...scale, spec: { replicas: 4 } })).rejects.toSatisfy(isConflict);
      await scales.patch(deployments, { namespace, name: 'web' }, { spec: { replicas: 5 } });
      expect(nestedField(await workloads.get('web'), 'spec', 'replicas')).toBe(5);
      const intent = { metadata: { namespace, name: 'web' }, spec: { replicas: 6 } };
      await scales.apply(apps, intent, { fieldManager: 'me', force: true });
      expect(nestedField(await workloads.get('web'), 'spec', 'replicas')).toBe(6);
    });

    it('reject for missing and unscalable objects', async () => {
      const namespace = await env().namespace();
      const { scales } = env();
      await expect(scales.get(deployments, { namespace, name: 'none' })).rejects.toSatisfy(isNotFound);
      await expect(scales.get(gadgets, { name: 'none' })).rejects.toSatisfy(isApiError);
      const unknown = scales.get({ group: 'apps', resource: 'nonsense' }, { namespace, name: 'none' });
      await expect(unknown).rejects.toSatisfy(isNoMatch);
      const unscalable = scales.get({ group, resource: 'gadgets' }, { name: 'none' });
      await expect(unscalable).rejects.toThrow('the server has no scale of gadgets (dynamic.example.com/v1)');
    });
  });
}

/** Registers tests of scales of custom kinds. */
export function customScaleTests(env: () => Env): void {
  describe('scales', () => {
    it('of a kind that is scalable in one of its versions are read and written', async () => {
      const namespace = await env().namespace();
      const gizmo = {
        apiVersion: `${group}/v1`,
        kind: 'Gizmo',
        metadata: { name: 'one' },
        spec: { replicas: 1 },
      };
      const gizmos = env()
        .dynamic.resource({ group, version: 'v1', resource: 'gizmos' })
        .namespace(namespace);
      await gizmos.create(gizmo);
      const { scales } = env();
      const name = { group, resource: 'gizmos' };
      const scale = await scales.get(name, { namespace, name: 'one' });
      await scales.update(name, { ...scale, spec: { replicas: 2 } });
      expect(nestedField(await gizmos.get('one'), 'spec')).toEqual({ replicas: 2 });
    });

    it('of a custom kind are read and written', async () => {
      const namespace = await env().namespace();
      const apps = env().dynamic.resource(widgets).namespace(namespace);
      const widget = {
        apiVersion: `${group}/v1`,
        kind: 'Widget',
        metadata: { name: 'one' },
        spec: { replicas: 1 },
      };
      await apps.create(widget);
      await apps.patchStatus('one', { status: { replicas: 7, selector: 'a=b' } }, { type: 'merge' });
      const name = { group, resource: 'widgets' };
      const scale = await env().scales.get(name, { namespace, name: 'one' });
      expect(scale).toMatchObject({ spec: { replicas: 1 }, status: { replicas: 7, selector: 'a=b' } });
      const dry = await env().scales.update(name, { ...scale, spec: { replicas: 8 } }, { dryRun: 'All' });
      expect(dry.spec?.replicas).toBe(8);
      await env().scales.patch(name, { namespace, name: 'one' }, { spec: { replicas: 9 } });
      expect(nestedField(await apps.get('one'), 'spec')).toEqual({ replicas: 9 });
    });
  });
}
