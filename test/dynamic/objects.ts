import {
  isAlreadyExists,
  isApiError,
  isConflict,
  isMethodNotAllowed,
  isNotFound,
  isUnsupportedMediaType,
  resource,
} from '@kgen/runtime';
import { isNoMatch } from '@kgen/runtime/discovery';
import { dynamicResource, nestedField, ObjectsClient, type Unstructured } from '@kgen/runtime/dynamic';
import { describe, expect, it } from 'vitest';
import { unique } from '../support/cluster-tests.ts';
import { configMaps, deployments, type Env, gadgets, widgets } from './env.ts';

const widget = (name: string, more: object = {}): Unstructured & { metadata: { name: string } } => ({
  apiVersion: 'dynamic.example.com/v1',
  kind: 'Widget',
  metadata: { name },
  spec: { replicas: 1 },
  ...more,
});

const configMap = (name: string, data: object) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { test: 'yes' } },
  data,
});

/** Registers tests of operations on custom objects whose resource is named at run time. */
export function customObjectTests(env: () => Env): void {
  describe('dynamic objects of custom kinds', () => {
    customTests(env);
    customPatchTests(env);
    watchTests(env);
    otherDoors(env);
  });
}

/** Registers tests of operations on built-in kinds whose resource is named at run time. */
export function objectTests(env: () => Env): void {
  describe('dynamic objects of built-in kinds', () => {
    verbTests(env);
    patchTests(env);
  });
}

function verbTests(env: () => Env): void {
  it('of a built-in kind are created, read, updated and deleted', async () => {
    const namespace = await env().namespace();
    const maps = env().dynamic.resource(configMaps).namespace(namespace);
    const created = await maps.create(configMap('a', { x: '1' }));
    expect(created).toMatchObject({ kind: 'ConfigMap', metadata: { namespace }, data: { x: '1' } });
    await expect(maps.create(configMap('a', {}))).rejects.toSatisfy(isAlreadyExists);
    const updated = await maps.update({ ...created, data: { x: '2' } });
    await expect(maps.update({ ...created, data: { x: '3' } })).rejects.toSatisfy(isConflict);
    expect(await maps.get('a')).toEqual(updated);
    expect(await maps.find('b')).toBe(undefined);
    await maps.deleteAndWait('a', { timeoutMs: 30_000 });
    await expect(maps.get('a')).rejects.toSatisfy(isNotFound);
  });

  it('are listed in one namespace and in all namespaces, page by page', async () => {
    const namespace = await env().namespace();
    const access = env().dynamic.resource(configMaps);
    const maps = access.namespace(namespace);
    for (const name of ['a', 'b', 'c']) await maps.create(configMap(name, {}));
    const list = await maps.list({ labelSelector: { test: 'yes' }, limit: 2 });
    expect(list).toMatchObject({ kind: 'ConfigMapList', metadata: { continue: expect.any(String) } });
    expect(list.items.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
      'v1 ConfigMap',
      'v1 ConfigMap',
    ]);
    const all: string[] = [];
    const everywhere = access.iterate({ pageSize: 2, labelSelector: 'test=yes' });
    for await (const { metadata } of everywhere)
      if (metadata.namespace === namespace) all.push(metadata.name);
    expect(all).toEqual(['a', 'b', 'c']);
    expect(await maps.deleteCollection({ labelSelector: 'test=yes' })).toMatchObject({
      kind: 'ConfigMapList',
    });
    expect((await maps.list({ labelSelector: 'test=yes' })).items).toEqual([]);
  });

  it('of namespaced kinds have only some verbs without a namespace', async () => {
    const everywhere = env().dynamic.resource(configMaps);
    await expect(everywhere.get('a')).rejects.toSatisfy(isApiError);
    await expect(everywhere.create(configMap('a', {}))).rejects.toSatisfy(isMethodNotAllowed);
  });

  it('of a dry run are not stored', async () => {
    const maps = env()
      .dynamic.resource(configMaps)
      .namespace(await env().namespace());
    expect(await maps.create(configMap('a', {}), { dryRun: 'All' })).toMatchObject({ kind: 'ConfigMap' });
    expect(await maps.find('a')).toBe(undefined);
  });
}

function customTests(env: () => Env): void {
  it('keep any content', async () => {
    const apps = env()
      .dynamic.resource(widgets)
      .namespace(await env().namespace());
    const spec = {
      items: [{ a: 1 }, null],
      kind: 'List',
      large: 2 ** 53 - 1,
      half: 0.5,
      deep: { __proto__: null, a: '' },
    };
    const created = await apps.create(widget('one', { spec }));
    expect(created['spec']).toEqual(spec);
    const list = await apps.list();
    expect(list.items).toEqual([created]);
    expect(list.kind).toBe('WidgetList');
    expect(await apps.update(created)).toEqual(created);
  });

  it('of cluster-scoped kinds have every verb', async () => {
    const access = env().dynamic.resource(gadgets);
    const name = unique('gadget');
    const gadget = { apiVersion: 'dynamic.example.com/v1', kind: 'Gadget', metadata: { name } };
    await access.create({ ...gadget, spec: { a: 1 } });
    const applied = await access.apply({ ...gadget, spec: { b: 2 } }, { fieldManager: 'me' });
    expect(applied['spec']).toEqual({ a: 1, b: 2 });
    expect((await access.list()).items.map(({ metadata }) => metadata.name)).toContain(name);
    await access.deleteAndWait(name, { timeoutMs: 30_000 });
    const mapped = env().dynamic.resource(await env().mapper.mappingFor('gadgets.dynamic.example.com'));
    const misplaced = { ...gadget, metadata: { name: unique('gadget'), namespace: 'default' } };
    const created = await mapped.create(misplaced);
    expect(created.metadata.namespace).toBe(undefined);
    await expect(access.create(misplaced)).rejects.toThrow('the client has no namespace');
  });

  it('that are known to be namespaced require a namespace', async () => {
    const access = env().dynamic.resource(await env().mapper.mappingFor('widgets.dynamic.example.com'));
    await expect(access.find('one')).rejects.toThrow('widgets are namespaced');
    await expect(access.deleteAndWait('one')).rejects.toThrow('widgets are namespaced');
    expect((await access.list()).kind).toBe('WidgetList');
  });

  it('have a status that is written separately', async () => {
    const apps = env()
      .dynamic.resource(widgets)
      .namespace(await env().namespace());
    const created = await apps.create(widget('one', { status: { lost: true } }));
    expect(created['status']).toBe(undefined);
    const updated = await apps.updateStatus({ ...created, spec: {}, status: { a: 1 } });
    expect(updated).toMatchObject({ spec: { replicas: 1 }, status: { a: 1 } });
    await apps.patchStatus('one', { status: { b: 2 } }, { type: 'merge' });
    await apps.applyStatus(widget('one', { spec: undefined, status: { c: 3 } }), { fieldManager: 'me' });
    expect((await apps.getStatus('one'))['status']).toEqual({ a: 1, b: 2, c: 3 });
    expect(await apps.subresource('status').get('one')).toEqual(await apps.get('one'));
  });
}

function customPatchTests(env: () => Env): void {
  it('of custom kinds reject strategic merge patches, so there is no default', async () => {
    const apps = env()
      .dynamic.resource(widgets)
      .namespace(await env().namespace());
    await apps.create(widget('one'));
    const strategic = apps.patch('one', { spec: { replicas: 2 } }, { type: 'strategic' });
    await expect(strategic).rejects.toSatisfy(isUnsupportedMediaType);
    const operations = [{ op: 'replace' as const, path: '/spec/replicas', value: 3 }];
    const patched = await apps.patch('one', operations, { type: 'json' });
    expect(nestedField(patched, 'spec', 'replicas')).toBe(3);
    // @ts-expect-error the type is required
    await expect(apps.patch('one', {})).rejects.toThrow('the patch has no type');
  });
}

function patchTests(env: () => Env): void {
  it('of built-in kinds accept strategic merge patches', async () => {
    const workloads = env()
      .dynamic.resource(deployments)
      .namespace(await env().namespace());
    await workloads.create(deployment('web'));
    const container = { name: 'side', image: 'side:1' };
    const body = { spec: { template: { spec: { containers: [container] } } } };
    const merged = await workloads.patch('web', body, { type: 'strategic' });
    expect(nestedField(merged, 'spec', 'template', 'spec', 'containers')).toHaveLength(2);
    const replaced = await workloads.patch('web', body, { type: 'merge' });
    expect(nestedField(replaced, 'spec', 'template', 'spec', 'containers')).toHaveLength(1);
  });

  it('are applied field by field, and reject objects that were read', async () => {
    const maps = env()
      .dynamic.resource(configMaps)
      .namespace(await env().namespace());
    const first = await maps.apply(configMap('a', { x: '1' }), { fieldManager: 'one' });
    const conflict = maps.apply(configMap('a', { x: '2' }), { fieldManager: 'two' });
    await expect(conflict).rejects.toSatisfy(isConflict);
    await maps.apply(configMap('a', { x: '2' }), { fieldManager: 'two', force: true });
    await expect(maps.apply(first, { fieldManager: 'one' })).rejects.toThrow('managedFields');
  });
}

/** Returns a deployment without pods. */
export function deployment(name: string): Unstructured & { metadata: { name: string } } {
  const labels = { app: name };
  const containers = [{ name: 'main', image: 'main:1' }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  };
}

function watchTests(env: () => Env): void {
  it('are watched', async () => {
    const apps = env()
      .dynamic.resource(widgets)
      .namespace(await env().namespace());
    await apps.create(widget('one'));
    const seen: unknown[] = [];
    for await (const { type, object } of apps.watch({ timeoutMs: 60_000 })) {
      seen.push([type, object.kind, nestedField(object, 'spec', 'replicas')]);
      if (type === 'ADDED') await apps.patch('one', { spec: { replicas: 2 } }, { type: 'merge' });
      if (type === 'MODIFIED') await apps.delete('one');
      if (type === 'DELETED') break;
    }
    expect(seen).toEqual([
      ['ADDED', 'Widget', 1],
      ['MODIFIED', 'Widget', 2],
      ['DELETED', 'Widget', 2],
    ]);
  });

  it('are waited for', async () => {
    const apps = env()
      .dynamic.resource(widgets)
      .namespace(await env().namespace());
    const isReady = (object: Unstructured | undefined): boolean =>
      object !== undefined && nestedField(object, 'status', 'ready') === true;
    const ready = apps.waitFor('one', isReady, { timeoutMs: 60_000 });
    await apps.create(widget('one'));
    await apps.patchStatus('one', { status: { ready: true } }, { type: 'merge' });
    expect(await ready).toMatchObject({ kind: 'Widget', status: { ready: true } });
  });
}

function otherDoors(env: () => Env): void {
  it('have one client for all kinds, which finds their resources', async () => {
    const { dynamic } = env();
    const namespace = await env().namespace();
    const objects = new ObjectsClient(dynamic.rest, { fieldManager: 'me', namespace });
    const applied = await objects.apply(widget('one'));
    expect(applied).toMatchObject({ metadata: { namespace }, spec: { replicas: 1 } });
    expect(await objects.get(applied)).toEqual(applied);
    const updated = await objects.update({ ...applied, spec: { replicas: 2 } });
    await expect(objects.update(applied)).rejects.toSatisfy(isConflict);
    expect(nestedField(updated, 'spec', 'replicas')).toBe(2);
    const patched = await objects.patch(applied, { spec: { replicas: 3 } }, { type: 'merge' });
    expect(nestedField(patched, 'spec', 'replicas')).toBe(3);
    await objects.create(widget('two'), { dryRun: 'All' });
    expect(await objects.find(applied)).toEqual(patched);
    const { client } = await objects.clientFor({ apiVersion: applied.apiVersion, kind: applied.kind });
    expect((await client.list()).items.map(({ metadata }) => metadata.name)).toEqual(['one']);
    await objects.delete(applied);
    await client.waitFor('one', (object) => object === undefined, { timeoutMs: 60_000 });
    expect(await objects.find(applied)).toBeUndefined();
    const name = unique('gadget');
    const gadget = {
      apiVersion: 'dynamic.example.com/v1',
      kind: 'Gadget',
      metadata: { name, namespace: 'lost' },
    };
    expect((await objects.create(gadget)).metadata).not.toHaveProperty('namespace');
    await expect(objects.get({ ...gadget, kind: 'Sprocket' })).rejects.toSatisfy(isNoMatch);
  });

  it('are accessible with a descriptor that is created at run time', async () => {
    const namespace = await env().namespace();
    const descriptor = dynamicResource({ ...widgets, kind: 'Widget', scope: 'Namespaced' });
    const apps = resource(env().dynamic.rest, descriptor).in(namespace);
    await apps.create(widget('one'));
    expect((await apps.list()).items).toMatchObject([{ kind: 'Widget', metadata: { name: 'one' } }]);
    const mapping = await env().mapper.mappingFor('widgets.dynamic.example.com');
    expect((await env().dynamic.resource(mapping).namespace(namespace).get('one')).kind).toBe('Widget');
  });
}
