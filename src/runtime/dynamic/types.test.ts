/** Types of the clients, checked by the compiler only. */
import { describe, expectTypeOf, it } from 'vitest';
import type { ObjectMeta, Scale, Status } from '../api/meta.ts';
import type { ResourceFacts } from '../api/resource.ts';
import type { Intent, JsonPatchOperation, Stored, WithName } from '../api/types.ts';
import type { BookmarkEvent, WatchEvent } from '../api/watch-events.ts';
import type { InformerFactoryBase } from '../cache/factory.ts';
import type { DiscoveryClient, RESTMapper, RESTMapping } from '../discovery/types.ts';
import type { KindMapper, ObjectPlace } from './client-for.ts';
import type { DynamicFacts } from './descriptor.ts';
import type { DynamicClient } from './dynamic-client.ts';
import type {
  MetadataResourceAccess,
  MetadataResourceClient,
  PartialObjectMetadata,
} from './metadata/metadata.ts';
import type { MetadataClient } from './metadata/metadata-client.ts';
import type { ObjectsClient } from './objects-client.ts';
import type { ResourceMapper, ScaleVerbs } from './scale/scale-types.ts';
import type { ResourceName } from './target.ts';
import type { Unstructured, UnstructuredList } from './unstructured.ts';
import type { DynamicResourceAccess, DynamicResourceClient, UnstructuredClient } from './verbs.ts';

/** An object as generated code declares it. */
interface App {
  apiVersion?: 'my.domain/v1';
  kind?: 'MyApp';
  metadata?: ObjectMeta;
  spec: { appName: string; replicas?: number };
}

type ResultOf<Method extends (...args: never[]) => Promise<unknown>> = Awaited<ReturnType<Method>>;

describe('types of the dynamic client', () => {
  it('of objects have known members and leave others open', () => {
    expectTypeOf<Stored<Unstructured>['metadata']['uid']>().toEqualTypeOf<string>();
    expectTypeOf<Stored<Unstructured>['metadata']['namespace']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Stored<Unstructured>['spec']>().toEqualTypeOf<unknown>();
    expectTypeOf<Stored<Unstructured>>().toExtend<WithName<Unstructured>>();
    expectTypeOf<Stored<PartialObjectMetadata>['metadata']['namespace']>().toEqualTypeOf<
      string | undefined
    >();
    expectTypeOf<Stored<PartialObjectMetadata>>().not.toHaveProperty('spec');
    expectTypeOf<WithName<Unstructured>>().not.toExtend<Intent<Unstructured>>();
  });

  it('of dynamic clients', () => {
    expectTypeOf<ResultOf<UnstructuredClient['get']>>().toEqualTypeOf<Stored<Unstructured>>();
    expectTypeOf<ResultOf<UnstructuredClient['list']>>().toEqualTypeOf<UnstructuredList>();
    expectTypeOf<ResultOf<UnstructuredClient['delete']>>().toEqualTypeOf<Stored<Unstructured> | Status>();
    expectTypeOf<Parameters<UnstructuredClient['update']>[0]>().toEqualTypeOf<WithName<Unstructured>>();
    expectTypeOf<DynamicResourceAccess>().toExtend<DynamicResourceClient>();
    expectTypeOf<DynamicResourceClient>().not.toHaveProperty('namespace');
    expectTypeOf<DynamicResourceClient>().not.toHaveProperty('patchScale');
  });

  it('of watches include bookmarks if they are requested', () => {
    const follow = (client: UnstructuredClient) =>
      [client.watch(), client.watch({ bookmarks: true })] as const;
    type Follow = ReturnType<typeof follow>;
    expectTypeOf<Follow[0]>().toEqualTypeOf<AsyncIterable<WatchEvent<Unstructured>>>();
    expectTypeOf<Follow[1]>().toEqualTypeOf<AsyncIterable<WatchEvent<Unstructured> | BookmarkEvent>>();
  });

  it('of patches depend on the patch type', () => {
    const patches = (client: DynamicResourceClient, steps: JsonPatchOperation[]) => [
      client.patch('a', steps, { type: 'json' }),
      client.patch('a', { spec: 1, metadata: { labels: { a: null } } }, { type: 'merge' }),
      client.patch('a', { spec: { $patch: 'replace' } }, { type: 'strategic', dryRun: 'All' }),
      // @ts-expect-error there is no default
      client.patch('a', {}),
      // @ts-expect-error nor one among options
      client.patch('a', {}, { fieldManager: 'me' }),
      // @ts-expect-error a JSON patch is a list
      client.patch('a', {}, { type: 'json' }),
      // @ts-expect-error labels are texts
      client.patch('a', { metadata: { labels: 1 } }, { type: 'merge' }),
      // @ts-expect-error the API has no such type
      client.patch('a', {}, { type: 'apply' }),
      // @ts-expect-error there is no default for subresources
      client.subresource('scale').patch('a', {}),
    ];
    expectTypeOf(patches).returns.toExtend<readonly unknown[]>();
  });

  it('of bodies require the members that the server requires', () => {
    const bodies = (client: DynamicResourceClient) => [
      client.create({ apiVersion: 'v1', kind: 'X', metadata: {}, anything: { at: 'all' } }),
      // @ts-expect-error the kind is missing
      client.create({ apiVersion: 'v1', metadata: {} }),
      // @ts-expect-error the name is missing
      client.update({ apiVersion: 'v1', kind: 'X', metadata: {} }),
      // @ts-expect-error the name is missing
      client.apply({ apiVersion: 'v1', kind: 'X', metadata: {} }, { fieldManager: 'me' }),
    ];
    expectTypeOf(bodies).returns.toExtend<readonly unknown[]>();
  });

  it('of objects can be the type argument of a resource', () => {
    const apps = (dynamic: DynamicClient) =>
      dynamic.resource<App>({ group: 'my.domain', version: 'v1', resource: 'myapps' });
    type Apps = ReturnType<typeof apps>;
    expectTypeOf<Apps>().toEqualTypeOf<DynamicResourceAccess<App>>();
    expectTypeOf<ResultOf<Apps['get']>>().toEqualTypeOf<Stored<App>>();
    expectTypeOf<ResultOf<Apps['list']>['items']>().toEqualTypeOf<Stored<App>[]>();
    const calls = (client: ReturnType<Apps['namespace']>) => [
      client.create({ metadata: { name: 'web' }, spec: { appName: 'web' } }),
      client.patch('web', { spec: { replicas: 2 } }, { type: 'merge' }),
      client.apply({ metadata: { name: 'web' }, spec: { replicas: 2 } }, { fieldManager: 'me' }),
      client.watch(),
      // @ts-expect-error a field that the type does not have
      client.create({ metadata: { name: 'web' }, spec: { name: 'web' } }),
      // @ts-expect-error a value of another type
      client.patch('web', { spec: { replicas: '2' } }, { type: 'merge' }),
    ];
    expectTypeOf(calls).returns.toExtend<readonly unknown[]>();
    expectTypeOf<DynamicResourceAccess>().toEqualTypeOf<DynamicResourceAccess<Unstructured>>();
  });

  it('of an ObjectsClient follow from its arguments', () => {
    const identity = { apiVersion: 'my.domain/v1', kind: 'MyApp', metadata: { name: 'web' } } as const;
    const calls = (objects: ObjectsClient, app: App, any: Unstructured, stored: Stored<App>) => ({
      applied: objects.apply(app),
      again: objects.update(stored),
      created: objects.create(any),
      literal: objects.create({ ...identity, spec: { appName: 'web' } }),
      dryRun: objects.apply(app, { dryRun: 'All' }),
      mayBeDryRun: (dryRun: 'All' | undefined) => objects.create(app, { dryRun }),
      read: objects.get(identity),
      typed: objects.get<App>(identity),
      found: objects.find<App>(identity),
      patched: objects.patch<App>(identity, { spec: { replicas: 2 } }, { type: 'merge' }),
      patchedAny: objects.patch(identity, { spec: null }, { type: 'merge' }),
      deleted: objects.delete(app),
      place: objects.clientFor(app),
      wrong: () => [
        // @ts-expect-error another kind than that of the type
        objects.get<App>({ ...identity, kind: 'Other' }),
        // @ts-expect-error no name
        objects.get({ ...identity, metadata: {} }),
        // @ts-expect-error no kind
        objects.get({ apiVersion: 'v1', metadata: { name: 'web' } }),
        // @ts-expect-error no type of patch
        objects.patch(identity, {}),
        // @ts-expect-error a JSON patch is a list
        objects.patch(identity, { spec: {} }, { type: 'json' }),
        // @ts-expect-error a value of another type
        objects.patch<App>(identity, { spec: { replicas: '2' } }, { type: 'merge' }),
        // @ts-expect-error not an object of the API
        objects.apply({ spec: {} }),
      ],
    });
    type Results = ReturnType<typeof calls>;
    expectTypeOf<Awaited<Results['applied']>>().toEqualTypeOf<Stored<App>>();
    expectTypeOf<Awaited<Results['again']>>().toExtend<Stored<App>>();
    expectTypeOf<Awaited<Results['created']>>().toEqualTypeOf<Stored<Unstructured>>();
    expectTypeOf<Awaited<Results['literal']>['spec']>().toEqualTypeOf<{ appName: string }>();
    expectTypeOf<Awaited<Results['literal']>['metadata']['uid']>().toEqualTypeOf<string>();
    expectTypeOf<Awaited<Results['dryRun']>>().toEqualTypeOf<App>();
    expectTypeOf<Awaited<ReturnType<Results['mayBeDryRun']>>>().toEqualTypeOf<App>();
    expectTypeOf<Awaited<Results['read']>>().toEqualTypeOf<Stored<Unstructured>>();
    expectTypeOf<Awaited<Results['typed']>>().toEqualTypeOf<Stored<App>>();
    expectTypeOf<Awaited<Results['found']>>().toEqualTypeOf<Stored<App> | undefined>();
    expectTypeOf<Awaited<Results['patched']>>().toEqualTypeOf<Stored<App>>();
    expectTypeOf<Awaited<Results['patchedAny']>>().toEqualTypeOf<Stored<Unstructured>>();
    expectTypeOf<Awaited<Results['place']>>().toEqualTypeOf<ObjectPlace<App>>();
  });

  it('of metadata clients have the verbs that support metadata', () => {
    expectTypeOf<ResultOf<MetadataResourceClient['get']>>().toEqualTypeOf<Stored<PartialObjectMetadata>>();
    expectTypeOf<MetadataResourceClient>().not.toHaveProperty('create');
    expectTypeOf<MetadataResourceClient>().not.toHaveProperty('update');
    expectTypeOf<MetadataResourceClient>().not.toHaveProperty('apply');
  });

  it('of scales have typed members', () => {
    expectTypeOf<ResultOf<ScaleVerbs['get']>>().toEqualTypeOf<Stored<Scale>>();
    expectTypeOf<Stored<Scale>['spec']>().not.toEqualTypeOf<Scale['spec']>();
  });

  it('of resource names are equal for every client', () => {
    const name = { group: 'g', version: 'v1', resource: 'things' };
    const open: DynamicFacts = { ...name, kind: 'Thing', scope: 'Cluster' };
    const cluster = { ...name, scope: 'Cluster' } as const;
    const calls = (dynamic: DynamicClient, metadata: MetadataClient, scales: ScaleVerbs) => ({
      cluster: [dynamic.resource(cluster), metadata.resource(cluster)] as const,
      open: [dynamic.resource(open), metadata.resource(open)] as const,
      bare: [dynamic.resource(name), metadata.resource(name)] as const,
      scales: [scales.get(open, { name: 'a' }), scales.get(cluster, { name: 'a' })],
      informers: (informers: InformerFactoryBase) => [informers.of(open), informers.metadataOf(open)],
      // @ts-expect-error a scope is Namespaced or Cluster
      wrong: () => dynamic.resource({ ...name, scope: 'Everywhere' }),
    });
    type Calls = ReturnType<typeof calls>;
    expectTypeOf<Calls['cluster']>().toEqualTypeOf<
      readonly [DynamicResourceClient, MetadataResourceClient]
    >();
    expectTypeOf<Calls['open']>().toEqualTypeOf<readonly [DynamicResourceAccess, MetadataResourceAccess]>();
    expectTypeOf<Calls['bare']>().toEqualTypeOf<readonly [DynamicResourceAccess, MetadataResourceAccess]>();
  });

  it('of discovery results are accepted as names', () => {
    expectTypeOf<RESTMapping>().toExtend<ResourceName>();
    expectTypeOf<ResourceFacts>().toExtend<ResourceName>();
    expectTypeOf<RESTMapper>().toExtend<KindMapper<RESTMapping>>();
    expectTypeOf<RESTMapper>().toExtend<ResourceMapper>();
    expectTypeOf<DiscoveryClient>().toHaveProperty('rest');
  });
});
