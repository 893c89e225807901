import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../api/meta.ts';
import { clientFor, type KindMapper } from './client-for.ts';
import { DynamicClient } from './dynamic-client.ts';
import { recorder } from './recorder.fixture.ts';
import type { MappedResource } from './target.ts';

const scopes: Readonly<Record<string, MappedResource['scope']>> = { MyApp: 'Namespaced', Node: 'Cluster' };

const mapper: KindMapper = {
  mapping: async ({ group, version = 'v1', kind }) => ({
    resource: { group, version, resource: `${kind.toLowerCase()}s` },
    kind: { group, version, kind },
    scope: scopes[kind] ?? 'Namespaced',
  }),
};

const app = { apiVersion: 'my.domain/v1', kind: 'MyApp' };
const node = { apiVersion: 'v1', kind: 'Node' };

describe('the client for an object', () => {
  it.each([
    [
      'that names its namespace',
      { ...app, metadata: { name: 'web', namespace: 'shop' } },
      undefined,
      'shop',
      '/apis/my.domain/v1/namespaces/shop/myapps',
    ],
    [
      'that names none',
      { ...app, metadata: { name: 'web' } },
      undefined,
      'home',
      '/apis/my.domain/v1/namespaces/home/myapps',
    ],
    [
      'that names an empty one',
      { ...app, metadata: { name: 'web', namespace: '' } },
      'other',
      'other',
      '/apis/my.domain/v1/namespaces/other/myapps',
    ],
    ['of the cluster', { ...node, metadata: { name: 'n1' } }, undefined, undefined, '/api/v1/nodes'],
    [
      'of the cluster that names a namespace',
      { ...node, metadata: { name: 'n1', namespace: 'shop' } },
      'other',
      undefined,
      '/api/v1/nodes',
    ],
  ])('%s', async (_, object, usual, namespace, path) => {
    const { rest, requests } = recorder({ value: object });
    const place = await clientFor(new DynamicClient(rest), mapper, object, { namespace: usual });
    expect(place.namespace).toBe(namespace);
    expect(place.object).toEqual({
      ...object,
      metadata: { name: object.metadata.name, ...(namespace !== undefined && { namespace }) },
    });
    await place.client.create(place.object);
    expect(requests[0]).toMatchObject({ line: `POST ${path}`, body: place.object });
    expect(place.mapping.kind.kind).toBe(object.kind);
  });

  it.each([
    [null, 'has no apiVersion'],
    [{}, 'has no apiVersion'],
    [{ apiVersion: 'v1' }, 'has no apiVersion and kind'],
    [{ apiVersion: 'v1', kind: '' }, 'has no apiVersion and kind'],
    [{ apiVersion: 'a/b/c', kind: 'X' }, 'not an apiVersion: "a/b/c"'],
  ])('throws without apiVersion and kind: %j', async (object, message) => {
    const { rest } = recorder();
    // Plain JavaScript may pass null.
    const requested = clientFor(new DynamicClient(rest), mapper, object as KubernetesObject);
    await expect(requested).rejects.toThrow(message);
    await expect(requested).rejects.toBeInstanceOf(TypeError);
  });
});
