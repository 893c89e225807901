import {
  type KubernetesList,
  type KubernetesObject,
  type ObjectMeta,
  type RESTClient,
  resource,
  retryOnConflict,
  type Stored,
} from '@kgen/runtime';
import {
  type CustomCrud,
  type CustomWriteStatus,
  defineResource,
  type NamespacedResource,
} from '@kgen/runtime/client';
import { DynamicClient } from '@kgen/runtime/dynamic';
import { applyManifests } from '@kgen/runtime/manifests';
import { int64, setInt64 } from '@kgen/runtime/objects';
import { createJsonPatch, createMergePatch } from '@kgen/runtime/patch';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { InformerFactory } from '../../generated/crds/index.ts';
import { deadline, unique } from '../support/cluster-tests.ts';
import { served } from '../support/sample-definitions.ts';
import type { Env } from './env.ts';

interface Span extends KubernetesObject {
  apiVersion: 'int64.example.com/v1';
  kind: 'Span';
  metadata: ObjectMeta;
  spec: { note?: string; nanos: number; edges?: number[]; nested?: { parts: { count: number }[] } };
  status?: { seen?: number; note?: string };
}

type SpanList = KubernetesList<Stored<Span>>;
type SpanClient = CustomCrud<Span, SpanList, string> & CustomWriteStatus<Span>;

const spans: NamespacedResource<Span, SpanList, SpanClient> = defineResource({
  group: 'int64.example.com',
  version: 'v1',
  kind: 'Span',
  listKind: 'SpanList',
  plural: 'spans',
  singular: 'span',
  scope: 'Namespaced',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  shortNames: [],
  categories: [],
  subresources: { status: ['get', 'update', 'patch'] },
  selectableFields: [],
});

const integer = { type: 'integer', format: 'int64' };
const properties = {
  note: { type: 'string' },
  nanos: integer,
  edges: { type: 'array', items: integer },
  nested: {
    type: 'object',
    properties: {
      parts: { type: 'array', items: { type: 'object', properties: { count: integer } } },
    },
  },
};
const schema = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties },
    status: { type: 'object', properties: { seen: integer, note: { type: 'string' } } },
  },
};
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'spans.int64.example.com' },
  spec: {
    group: 'int64.example.com',
    scope: 'Namespaced',
    names: { plural: 'spans', singular: 'span', kind: 'Span', listKind: 'SpanList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: schema },
      },
    ],
  },
};

const nanos = '1732272000123456789';
const [max, min] = ['9223372036854775807', '-9223372036854775808'];

async function install(rest: RESTClient): Promise<void> {
  await rest.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition });
  await served(rest, definition.metadata.name);
}

/** Initial spec of every test, and its stored form: long integers as their digits. */
const spec = `{"edges":[${max},${min},7],"nanos":${nanos},"nested":{"parts":[{"count":${max}}]}}`;
const expected = { edges: [max, min, 7], nanos, nested: { parts: [{ count: max }] } };

/** Creates an object from its JSON, so that the runtime does not influence the form of its integers. */
async function createText(rest: RESTClient, namespace: string, name: string): Promise<void> {
  const body = `{"apiVersion":"int64.example.com/v1","kind":"Span","metadata":{"name":"${name}"},"spec":${spec}}`;
  await rest.post('/apis/int64.example.com/v1/namespaces/{namespace}/spans', { path: { namespace }, body });
}

/** Returns the spec as the server writes it, with the digits of long integers. */
async function specOf(rest: RESTClient, namespace: string, name: string): Promise<unknown> {
  const { body } = await rest.stream({
    method: 'GET',
    path: `/apis/int64.example.com/v1/namespaces/${namespace}/spans/${name}`,
    query: [],
    headers: { accept: 'application/json' },
    operation: { verb: 'get', resource: 'spans' },
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const exact = Buffer.concat(chunks)
    .toString()
    .replaceAll(/(?<=[:,[])-?\d{16,}/g, '"$&"');
  return Reflect.get(Object(JSON.parse(exact)), 'spec');
}

/** Registers tests that integers beyond 2^53 keep their value. */
export function int64Tests(env: Env): void {
  describe('integers beyond 2^53', () => {
    const scene = async () => {
      const { rest } = env.clientset;
      await install(rest).catch(() => served(rest, definition.metadata.name));
      const namespace = await env.namespace();
      const name = unique('span');
      await createText(rest, namespace, name);
      const stored = (): Promise<unknown> => specOf(rest, namespace, name);
      return { rest, namespace, name, stored, client: resource(rest, spans).in(namespace) };
    };

    it('are written back unchanged by typed clients', async () => {
      const { client, name, stored } = await scene();
      const read = await client.get(name);
      expect(read.spec.nanos).toBe(Number(nanos));
      expect(int64(read, ['spec', 'nanos'])).toBe(BigInt(nanos));
      expect(int64(read, ['spec', 'edges', 1])).toBe(BigInt(min));
      const updated = await client.update({ ...read, spec: { ...read.spec, note: 'update' } });
      expect(await stored()).toEqual({ ...expected, note: 'update' });
      await client.updateStatus({ ...updated, status: { seen: updated.spec.nanos, note: 'status' } });
      expect(await stored()).toEqual({ ...expected, note: 'update' });
      await retryOnConflict(async () => {
        const { items } = await client.list();
        const [listed] = items;
        if (listed === undefined) throw new Error('nothing is listed');
        listed.spec.note = 'list';
        await client.update(listed);
      });
      expect(await stored()).toEqual({ ...expected, note: 'list' });
    });

    it('are set exactly', async () => {
      const { client, name, stored } = await scene();
      const read = await client.get(name);
      setInt64(read, ['spec', 'nanos'], BigInt(nanos) + 1n);
      setInt64(read, ['spec', 'edges', 2], BigInt(max) - 1n);
      await client.updateStatus({ ...read, status: { seen: 1 } });
      await client.update({ ...(await client.get(name)), spec: read.spec });
      expect(await stored()).toMatchObject({
        edges: [max, min, `${BigInt(max) - 1n}`],
        nanos: `${BigInt(nanos) + 1n}`,
      });
      // The types contain numbers; programs without types may pass bigints.
      const body: object = { spec: { nanos: BigInt(min) + 1n } };
      await client.patch(name, body, { type: 'merge' });
      expect(await stored()).toMatchObject({ nanos: `${BigInt(min) + 1n}` });
    });

    it('are exact in patches', async () => {
      const { client, name, stored } = await scene();
      const read = await client.get(name);
      const changed = { ...read, spec: { ...read.spec, note: 'merge' } };
      expect(createMergePatch(read, changed)).toEqual({ spec: { note: 'merge' } });
      setInt64(changed, ['spec', 'nanos'], BigInt(nanos) + 1n);
      await client.patch(name, createMergePatch(read, changed), { type: 'merge' });
      expect(await stored()).toEqual({ ...expected, note: 'merge', nanos: `${BigInt(nanos) + 1n}` });
      const next = await client.get(name);
      const back = { ...next, spec: { ...next.spec, note: 'json' } };
      setInt64(back, ['spec', 'nanos'], BigInt(nanos));
      await client.patch(name, createJsonPatch(next, back), { type: 'json' });
      expect(await stored()).toEqual({ ...expected, note: 'json' });
    });

    it('are written back unchanged by dynamic clients', async () => {
      const { rest, namespace, name, stored } = await scene();
      const client = new DynamicClient(rest)
        .resource({ group: 'int64.example.com', version: 'v1', resource: 'spans' })
        .namespace(namespace);
      const read = await client.get(name);
      await client.update({ ...read, spec: { ...Object(read['spec']), note: 'dynamic' } });
      expect(await stored()).toEqual({ ...expected, note: 'dynamic' });
    });

    it('are written back unchanged from watches and informers', async () => {
      const { client, namespace, name, stored } = await scene();
      const factory = new InformerFactory(env.clientset, { namespace });
      onTestFinished(() => factory.stop());
      const { lister } = factory.of(spans);
      await factory.start();
      await factory.waitForSync();
      const listed = lister.get(namespace, name);
      if (listed === undefined) throw new Error('the informer has no such object');
      await client.update({ ...listed, spec: { ...listed.spec, note: 'informer' } });
      expect(await stored()).toEqual({ ...expected, note: 'informer' });
      const followed = await vi.waitFor(() => {
        const object = lister.get(namespace, name);
        if (object?.spec.note !== 'informer') throw new Error('the change has not come yet');
        return object;
      }, deadline);
      await client.update({ ...followed, spec: { ...followed.spec, note: 'followed' } });
      expect(await stored()).toEqual({ ...expected, note: 'followed' });
      for await (const { object } of client.watch({ timeoutMs: deadline.timeout })) {
        await client.update({ ...object, spec: { ...object.spec, note: 'watch' } });
        break;
      }
      expect(await stored()).toEqual({ ...expected, note: 'watch' });
    });

    it('are applied from manifests as they are written', async () => {
      const { rest, namespace, name, stored } = await scene();
      const manifest = (count: string): string => `apiVersion: int64.example.com/v1
kind: Span
metadata: { name: ${name}, namespace: ${namespace} }
spec: { nanos: ${count} }
`;
      const apply = (count: string) =>
        applyManifests(rest, manifest(count), { fieldManager: 'manifests', force: true });
      await apply(max);
      expect(await stored()).toEqual({ ...expected, nanos: max });
      await apply(nanos);
      expect(await stored()).toEqual(expected);
    });
  });
}
