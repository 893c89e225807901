import { describe, expect, expectTypeOf, it } from 'vitest';
import { ByteStream } from '../../../test/support/runtime/byte-stream.ts';
import { settle } from '../../../test/support/runtime/fake-clock.ts';
import { noTimePasses } from '../../../test/support/runtime/no-time-passes.ts';
import { type Thing, thing } from '../../../test/support/runtime/scripted-source.ts';
import { clusterThings, things } from '../../../test/support/runtime/stub-api.ts';
import type { APIRequest, APIResponse } from '../api/transport.ts';
import type { Stored } from '../api/types.ts';
import type { ClusterConfig } from '../config/types.ts';
import { DynamicClient } from '../dynamic/dynamic-client.ts';
import type { PartialObjectMetadata } from '../dynamic/metadata/metadata.ts';
import type { MappedResource } from '../dynamic/target.ts';
import type { Unstructured } from '../dynamic/unstructured.ts';
import { InformerFactory } from '../exports/index.ts';
import type { Informer } from './informer/informer.ts';
import type { ClusterLister, NamespacedLister } from './lister/lister.ts';

noTimePasses();

const config: ClusterConfig = { server: 'http://stub' };
const whole: Stored<Thing> = { ...thing('a', 3, { labels: { app: 'web' } }), spec: { size: 1 } };
const partial = {
  apiVersion: 'meta.k8s.io/v1',
  kind: 'PartialObjectMetadata',
  metadata: whole.metadata,
};

interface Api {
  readonly informers: InstanceType<typeof InformerFactory>;
  readonly requested: { readonly path: string; readonly accept: string | undefined }[];
  readonly streams: ByteStream[];
}

/** Creates a server with one object, with or without support for metadata only. */
function api(knowsForms = true): Api {
  const requested: Api['requested'] = [];
  const streams: ByteStream[] = [];
  const response = ({ path, query, headers }: APIRequest): APIResponse => {
    const accept = new Headers(headers).get('accept') ?? '';
    requested.push({ path, accept });
    if (query.some(([name]) => name === 'watch')) {
      const stream = new ByteStream();
      streams.push(stream);
      return stream.response;
    }
    const asMetadata = knowsForms && accept.includes('as=PartialObjectMetadataList');
    const list = asMetadata
      ? { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadataList', items: [partial] }
      : { apiVersion: 'example.com/v1', kind: 'ThingList', items: [{ ...whole, kind: undefined }] };
    return json({ ...list, metadata: { resourceVersion: '5' } });
  };
  const client = new DynamicClient(config, { transport: async (request) => response(request) });
  return { informers: new InformerFactory(client, { streaming: false }), requested, streams };
}

function json(value: unknown): APIResponse {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(JSON.stringify(value));
  }
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: body(),
    cancel: () => undefined,
  };
}

const name = { group: 'example.com', version: 'v1', resource: 'things' } as const;
const mapped: MappedResource = {
  resource: name,
  kind: { group: 'example.com', version: 'v1', kind: 'Thing' },
  scope: 'Namespaced',
};
const clusterMapped: MappedResource = { ...mapped, scope: 'Cluster' };

describe('an informer of a resource that is named at run time', () => {
  it.each([
    { how: 'by its name', named: name },
    { how: 'with its scope', named: { ...name, scope: 'Namespaced' } as const },
    { how: 'by a mapping', named: mapped },
  ])('$how', async ({ named }) => {
    const { informers, requested } = api();
    const informer = informers.of(named, { namespace: 'shop' });
    expectTypeOf(informer).toEqualTypeOf<Informer<Unstructured, NamespacedLister<Unstructured>>>();
    await informers.start();
    await informers.waitForSync();
    expect(informer.lister.get('shop', 'a')).toEqual(whole);
    expect(requested[0]?.path).toBe('/apis/example.com/v1/namespaces/shop/things');
    await informers.stop();
  });

  it('is shared with that of a descriptor if the kind is known', () => {
    const { informers } = api();
    const typed: unknown = informers.of(things);
    expect(informers.of(mapped)).toBe(typed);
    expect(informers.of({ ...name, kind: 'Thing' })).toBe(typed);
    expect(informers.of(name)).not.toBe(typed);
  });

  it('is shared between both names of the core group', () => {
    const { informers } = api();
    const pods = { version: 'v1', resource: 'pods' };
    expect(informers.of({ ...pods, group: 'core' })).toBe(informers.of({ ...pods, group: '' }));
  });

  it('can be cluster-scoped', () => {
    const { informers } = api();
    const informer = informers.of({ ...name, scope: 'Cluster' });
    expectTypeOf(informer).toEqualTypeOf<Informer<Unstructured, ClusterLister<Unstructured>>>();
    expect(informer.lister.get('a')).toBeUndefined();
    expect(() => informers.of({ ...name, scope: 'Cluster' }, { namespace: 'shop' })).toThrow(
      'the resource is cluster-scoped',
    );
    expect(() => informers.of(clusterMapped, { namespace: 'shop' })).toThrow(
      'the resource is cluster-scoped',
    );
    expect(informers.of(clusterMapped).lister.get('', 'a')).toBeUndefined();
  });

  it.each<[unknown, string]>([
    [undefined, 'resource must be { group, version, resource }'],
    [{ version: 'v1', resource: 'pods' }, "the core group is '' or core"],
    [{ group: '', version: '', resource: 'pods' }, 'version'],
    [{ group: '', version: 'v1', resource: '../secrets' }, 'resource'],
  ])('throws TypeError for %j', (named, message) => {
    const { informers } = api();
    expect(() => Reflect.apply(informers.of, informers, [named])).toThrow(message);
  });
});

describe('an informer of metadata', () => {
  const protobuf = 'application/vnd.kubernetes.protobuf';

  it.each([{ knowsForms: true }, { knowsForms: false }])(
    'keeps only metadata (server supports the representation: $knowsForms)',
    async ({ knowsForms }) => {
      const { informers, requested, streams } = api(knowsForms);
      const informer = informers.metadataOf(things, { keepManagedFields: true });
      await informers.start();
      await informers.waitForSync();
      await settle();
      streams[0]?.line({ type: 'ADDED', object: { ...whole, metadata: thing('b', 6).metadata } });
      await settle();
      expect(informer.lister.list()).toEqual([partial, { ...partial, metadata: thing('b', 6).metadata }]);
      expect(informer.lister.list({ labelSelector: 'app=web' })).toEqual([partial]);
      expect(requested.map(({ accept }) => accept)).toEqual([
        `${protobuf};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json`,
        `${protobuf};as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json`,
      ]);
      await informers.stop();
    },
  );

  it('passes only metadata to its transform', async () => {
    const { informers } = api(false);
    const seen: unknown[] = [];
    const transform = (object: Stored<PartialObjectMetadata>) => {
      seen.push({ ...object });
      return object;
    };
    const informer = informers.metadataOf(things, { transform });
    expect(informer).not.toBe(informers.metadataOf(things));
    await informers.start();
    await informers.waitForSync();
    expect(seen).toEqual([partial]);
    await informers.stop();
  });

  it('is separate from that of whole objects, and shared by all names of a resource', () => {
    const { informers } = api();
    const informer: unknown = informers.metadataOf(things);
    expect(informer).not.toBe(informers.of(things));
    expect(informers.metadataOf(name)).toBe(informer);
    expect(informers.of(name)).not.toBe(informer);
    expect(informers.metadataOf(mapped)).toBe(informer);
    expect([...informers.stats().keys()]).toEqual([
      'metadata of things.example.com',
      'things.example.com',
      'things.example.com #2',
    ]);
  });

  it('has the type of its lister', () => {
    const { informers } = api();
    type Metadata = PartialObjectMetadata;
    expectTypeOf(informers.metadataOf(things)).toEqualTypeOf<
      Informer<Metadata, NamespacedLister<Metadata>>
    >();
    expectTypeOf(informers.metadataOf(name)).toEqualTypeOf<Informer<Metadata, NamespacedLister<Metadata>>>();
    expectTypeOf(informers.metadataOf(mapped)).toEqualTypeOf<
      Informer<Metadata, NamespacedLister<Metadata>>
    >();
    expectTypeOf(informers.metadataOf(clusterThings)).toEqualTypeOf<
      Informer<Metadata, ClusterLister<Metadata>>
    >();
    expectTypeOf(informers.metadataOf({ ...name, scope: 'Cluster' })).toEqualTypeOf<
      Informer<Metadata, ClusterLister<Metadata>>
    >();
    // @ts-expect-error no field of things can be selected by
    informers.metadataOf(things, { fieldSelector: { 'spec.nope': '7' } });
    expect(informers.metadataOf(name, { fieldSelector: { 'spec.size': '7' } })).toBeDefined();
  });
});
