import { isConflict, isInvalid, isNotFound } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { apiErrorOf, causesOf } from '../support/errors.ts';
import type { Env } from './env.ts';

/** Registers tests of ConfigMaps and Secrets: every verb, every type of patch. */
export function configurationTests(env: Env): void {
  describe('a config map', () => {
    it('is created, read, listed, replaced and deleted', async () => {
      const maps = env.clientset.coreV1.configMaps(await env.namespace());
      const created = await maps.create({
        metadata: { name: 'web', labels: { app: 'web' } },
        data: { a: '1' },
      });
      expect(created).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } });
      expect(await maps.get('web')).toEqual(created);
      await maps.create({ metadata: { name: 'other' } });
      const list = await maps.list({ labelSelector: { app: 'web' } });
      expect(list.items).toEqual([created]);
      const updated = await maps.update({ ...created, data: { a: '2', b: '3' } });
      expect(updated.data?.['b']).toBe('3');
      await apiErrorOf(isConflict, maps.update({ ...created, data: {} }));
      await maps.deleteAndWait('web');
      await apiErrorOf(isNotFound, maps.get('web'));
      await maps.deleteCollection();
      expect((await maps.list({ fieldSelector: 'metadata.name=other' })).items).toEqual([]);
    });

    it('accepts bytes as base64', async () => {
      const maps = env.clientset.coreV1.configMaps(await env.namespace());
      const bytes = Buffer.from([0, 255, 128]).toString('base64');
      await maps.create({ metadata: { name: 'bytes' }, binaryData: { raw: bytes } });
      expect((await maps.get('bytes')).binaryData).toEqual({ raw: bytes });
    });

    it('accepts strategic merge patch, merge patch and JSON patch', async () => {
      const maps = env.clientset.coreV1.configMaps(await env.namespace());
      const metadata = { name: 'web', finalizers: ['example.com/a'] };
      await maps.create({ metadata, data: { a: '1', b: '2' } });
      // A strategic merge patch merges finalizers as a set, whereas a JSON merge patch replaces them.
      const strategic = await maps.patch('web', {
        metadata: { finalizers: ['example.com/b'] },
        data: { a: null, c: '3' },
      });
      expect(strategic.data).toEqual({ b: '2', c: '3' });
      expect([...(strategic.metadata.finalizers ?? [])].sort()).toEqual(['example.com/a', 'example.com/b']);
      const merged = await maps.patch(
        'web',
        { metadata: { finalizers: null }, data: { b: null } },
        { type: 'merge' },
      );
      expect(merged.metadata.finalizers).toBeUndefined();
      const patch = maps.patch('web', [{ op: 'replace', path: '/data/c', value: '4' }], { type: 'json' });
      expect((await patch).data).toEqual({ c: '4' });
      const test = maps.patch('web', [{ op: 'test', path: '/data/c', value: '5' }], { type: 'json' });
      await apiErrorOf(isInvalid, test);
    });

    it('is not changed if it is immutable', async () => {
      const maps = env.clientset.coreV1.configMaps(await env.namespace());
      const created = await maps.create({ metadata: { name: 'fixed' }, data: { a: '1' }, immutable: true });
      const error = await apiErrorOf(isInvalid, maps.update({ ...created, data: { a: '2' } }));
      expect(causesOf(error)).toEqual(['data: FieldValueForbidden']);
      await apiErrorOf(isInvalid, maps.patch('fixed', { immutable: false }));
      // Immutability does not include the metadata.
      await maps.patch('fixed', { metadata: { labels: { seen: 'yes' } } });
    });

    applyTests(env);
  });

  secretTests(env);
}

function applyTests(env: Env): void {
  it('is applied by two managers until they conflict', async () => {
    const maps = env.clientset.coreV1.configMaps(await env.namespace());
    await maps.apply({ metadata: { name: 'web' }, data: { a: '1' } }, { fieldManager: 'first' });
    const both = await maps.apply(
      { metadata: { name: 'web' }, data: { b: '2' } },
      { fieldManager: 'second' },
    );
    expect(both.data).toEqual({ a: '1', b: '2' });
    const intent = { metadata: { name: 'web' }, data: { a: '9', b: '2' } };
    const error = await apiErrorOf(isConflict, maps.apply(intent, { fieldManager: 'second' }));
    expect(causesOf(error)).toEqual(['.data.a: FieldManagerConflict']);
    const forced = await maps.apply(intent, { fieldManager: 'second', force: true });
    expect(forced.data).toEqual({ a: '9', b: '2' });
    const without = await maps.apply({ metadata: { name: 'web' } }, { fieldManager: 'second' });
    expect(without.data).toBeUndefined();
  });

  it('that was read cannot be applied unchanged', async () => {
    const maps = env.clientset.coreV1.configMaps(await env.namespace());
    const created = await maps.create({ metadata: { name: 'web' }, data: { a: '1' } });
    // @ts-expect-error managedFields belong to the server
    await expect(maps.apply(created, { fieldManager: 'me' })).rejects.toThrow('managedFields');
  });
}

function secretTests(env: Env): void {
  describe('a secret', () => {
    it('accepts strings and returns base64', async () => {
      const secrets = env.clientset.coreV1.secrets(await env.namespace());
      const created = await secrets.create({
        metadata: { name: 'key' },
        stringData: { password: 'hunter2' },
      });
      expect(created.type).toBe('Opaque');
      expect(created.data).toEqual({ password: Buffer.from('hunter2').toString('base64') });
      const patched = await secrets.patch('key', { stringData: { user: 'me' } });
      expect(Object.keys(patched.data ?? {}).sort()).toEqual(['password', 'user']);
      const json = await secrets.patch('key', [{ op: 'remove', path: '/data/user' }], { type: 'json' });
      expect(Object.keys(json.data ?? {})).toEqual(['password']);
      const { type } = await secrets.apply(
        { metadata: { name: 'key' }, type: 'Opaque' },
        { fieldManager: 'me' },
      );
      expect(type).toBe('Opaque');
      await secrets.deleteAndWait('key');
      expect(await secrets.find('key')).toBeUndefined();
    });

    it('is selected by its type', async () => {
      const secrets = env.clientset.coreV1.secrets(await env.namespace());
      const data = { username: 'bWU=', password: 'aHVudGVyMg==' };
      await secrets.create({ metadata: { name: 'login' }, type: 'kubernetes.io/basic-auth', data });
      await secrets.create({ metadata: { name: 'any' } });
      const { items } = await secrets.list({ fieldSelector: 'type=kubernetes.io/basic-auth' });
      expect(items.map(({ metadata }) => metadata.name)).toEqual(['login']);
    });

    it('rejects a change of its type', async () => {
      const secrets = env.clientset.coreV1.secrets(await env.namespace());
      const created = await secrets.create({ metadata: { name: 'key' } });
      const error = await apiErrorOf(isInvalid, secrets.update({ ...created, type: 'example.com/other' }));
      expect(causesOf(error)).toEqual(['type: FieldValueInvalid']);
    });
  });
}
