import { type GroupVersionResource, isNotFound } from '@kgen/runtime';
import type { Unstructured } from '@kgen/runtime/dynamic';
import { describe, expect, it } from 'vitest';
import { configMaps, type Env, widgets } from './env.ts';

interface Sample {
  readonly resource: GroupVersionResource;
  readonly object: Unstructured;
}

/** A custom object. */
export const customSample: Sample = {
  resource: widgets,
  object: { apiVersion: 'dynamic.example.com/v1', kind: 'Widget', metadata: {}, spec: { a: 1 } },
};

/** An object of a built-in kind. */
export const builtInSample: Sample = {
  resource: configMaps,
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data: { a: '1' } },
};

/** Registers tests of object metadata requested without the objects. */
export function metadataTests(env: () => Env, { resource, object }: Sample): void {
  describe(`metadata of ${resource.resource}`, () => {
    async function shop() {
      const namespace = await env().namespace();
      const objects = env().dynamic.resource(resource).namespace(namespace);
      for (const name of ['a', 'b'])
        await objects.create({ ...object, metadata: { name, labels: { test: 'yes' } } });
      return { objects, partials: env().metadata.resource(resource).namespace(namespace) };
    }
    const fields = ['apiVersion', 'kind', 'metadata'];
    const labelSelector = { test: 'yes' };

    it('is read without the other fields', async () => {
      const { objects, partials } = await shop();
      const partial = await partials.get('a');
      expect(Object.keys(partial).sort()).toEqual(fields);
      expect(partial.metadata).toEqual((await objects.get('a')).metadata);
      const { kind, items } = await partials.list({ labelSelector });
      expect(kind).toBe('PartialObjectMetadataList');
      expect(items.map((item) => Object.keys(item).sort())).toEqual([fields, fields]);
      const names: string[] = [];
      for await (const { metadata } of partials.iterate({ labelSelector, pageSize: 1 }))
        names.push(metadata.name);
      expect(names).toEqual(['a', 'b']);
    });

    it('is watched and waited for', async () => {
      const { partials } = await shop();
      const seen: unknown[] = [];
      for await (const event of partials.watch({ labelSelector, timeoutMs: 60_000 })) {
        seen.push([event.type, event.object.metadata.name, Object.keys(event.object).sort()]);
        if (seen.length === 2) await partials.delete('a');
        if (event.type === 'DELETED') break;
      }
      expect(seen).toEqual([
        ['ADDED', 'a', fields],
        ['ADDED', 'b', fields],
        ['DELETED', 'a', fields],
      ]);
      const labelled = partials.waitFor('b', (found) => found?.metadata.labels?.['done'] === 'yes', {
        timeoutMs: 60_000,
      });
      const patched = await partials.patch('b', { metadata: { labels: { done: 'yes' } } }, { type: 'merge' });
      expect(Object.keys(patched).sort()).toEqual(fields);
      expect(await labelled).toEqual(patched);
    });

    it('is sufficient for deletion', async () => {
      const { objects, partials } = await shop();
      await partials.delete('a');
      await expect(partials.get('a')).rejects.toSatisfy(isNotFound);
      const response = await partials.deleteCollection({ labelSelector });
      expect(response).toMatchObject({
        kind: 'PartialObjectMetadataList',
        items: [{ metadata: { name: 'b' } }],
      });
      expect((await objects.list({ labelSelector })).items).toEqual([]);
    });
  });
}
