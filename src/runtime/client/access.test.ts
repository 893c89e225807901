import { describe, expect, expectTypeOf, it } from 'vitest';
import type { KubernetesList, ObjectMeta, Scale } from '../api/meta.ts';
import type { BookmarkOptions } from '../api/options.ts';
import {
  type ClusterResource,
  crud,
  defineResource,
  type NamespacedResource,
  type ObjectOf,
  type ResourceFacts,
} from '../api/resource.ts';
import type { APIRequest } from '../api/transport.ts';
import type { Stored } from '../api/types.ts';
import type { AllNamespaces, CustomCrud } from '../api/verbs/crud.ts';
import type { ListVirtual } from '../api/verbs/read.ts';
import type { WriteScale } from '../api/verbs/scale.ts';
import type { CustomWriteStatus } from '../api/verbs/status.ts';
import type { CreateOnly } from '../api/verbs/write.ts';
import type { BookmarkEvent, WatchEvent } from '../api/watch-events.ts';
import { RESTClient } from '../rest/client.ts';
import type { RESTClientOptions } from '../rest/client-options.ts';
import type { ClientConnection } from '../rest/connection.ts';
import {
  type ClusterWatchHelper,
  groupClient,
  type NamespaceAccess,
  type NamespacedWatchHelper,
  resource,
  type VirtualAccess,
  watchResource,
} from './access.ts';
import { ClientsetBase } from './clientset.ts';

it.each([[undefined], [null], ['http://x']])(
  'a clientset requires a configuration or a RESTClient, not %j',
  (given) => {
    expect(() => Reflect.construct(ClientsetBase, [given])).toThrow(/must be a configuration/);
  },
);

/** Type of generated code. */
interface MyApp {
  apiVersion?: 'my.domain/v1';
  kind?: 'MyApp';
  metadata?: ObjectMeta;
  spec?: { appName: string; version?: string };
}
interface MyAppList extends KubernetesList<Stored<MyApp>> {
  apiVersion?: 'my.domain/v1';
  kind?: 'MyAppList';
}
interface Thing {
  apiVersion?: 'my.domain/v1';
  kind?: 'Thing';
  metadata?: ObjectMeta & { namespace?: never };
}
interface ThingList extends KubernetesList<Stored<Thing>> {}
interface MyAppClient
  extends CustomCrud<MyApp, MyAppList, 'spec.appName'>,
    CustomWriteStatus<MyApp>,
    WriteScale {}
interface ThingClient extends CustomCrud<Thing, ThingList> {}

const myApps: NamespacedResource<MyApp, MyAppList, MyAppClient, 'spec.appName'> = defineResource({
  group: 'my.domain',
  version: 'v1',
  kind: 'MyApp',
  listKind: 'MyAppList',
  plural: 'myapps',
  singular: 'myapp',
  scope: 'Namespaced',
  verbs: crud,
  selectableFields: ['spec.appName'],
});
const things: ClusterResource<Thing, ThingList, ThingClient> = defineResource({
  group: 'my.domain',
  version: 'v1',
  kind: 'Thing',
  listKind: 'ThingList',
  plural: 'things',
  singular: 'thing',
  scope: 'Cluster',
  verbs: ['get', 'list'],
});
const reviews: NamespacedResource<MyApp, never, CreateOnly<MyApp>> = defineResource({
  ...myApps,
  plural: 'reviews',
});
const readings: NamespacedResource<MyApp, MyAppList, ListVirtual<MyApp, MyAppList>> = defineResource({
  ...myApps,
  plural: 'readings',
});
interface MyV1Client {
  myApps(namespace: string): MyAppClient;
  myApps(): AllNamespaces<MyApp, MyAppList, 'spec.appName'>;
  things(): ThingClient;
}
const watchMyApps: NamespacedWatchHelper<MyApp, 'spec.appName'> = watchResource(myApps);
const watchThings: ClusterWatchHelper<Thing> = watchResource(things);

class Clientset extends ClientsetBase {
  readonly myV1: MyV1Client;

  constructor(connection: ClientConnection, options?: RESTClientOptions) {
    super(connection, options);
    this.myV1 = groupClient(this.rest, { myApps, things });
  }
}

/** Creates a REST client that records paths, with an empty list as every response. */
function recording() {
  const paths: string[] = [];
  const transport = async ({ path }: APIRequest) => {
    paths.push(path);
    const body = (async function* () {
      yield Buffer.from('{"items":[]}');
    })();
    return { status: 200, headers: {}, body, cancel: () => undefined };
  };
  return { rest: new RESTClient({ server: 'http://unused' }, { transport }), paths };
}

const inShop = '/apis/my.domain/v1/namespaces/shop/myapps';

describe('a clientset', () => {
  it('provides clients of its resources', async () => {
    const { rest, paths } = recording();
    const { myV1 } = new Clientset(rest);
    await myV1.myApps('shop').list();
    await myV1.myApps().list();
    await myV1.things().get('one');
    expect(paths).toEqual([inShop, '/apis/my.domain/v1/myapps', '/apis/my.domain/v1/things/one']);
  });

  it('throws TypeError for an empty namespace at once', () => {
    const { myV1 } = new Clientset(recording().rest);
    const missing: { namespace?: string } = {};
    expect(() => myV1.myApps('')).toThrow('the namespace of myapps is empty');
    expect(() => Reflect.apply(myV1.myApps, undefined, [5])).toThrow(
      new TypeError('the namespace of myapps must be a string, got 5'),
    );
    // @ts-expect-error a namespace that may be missing is not all namespaces
    expect(() => myV1.myApps(missing.namespace)).toThrow(
      'the namespace of myapps must be a string, got undefined',
    );
  });

  it('closes a client that it has created, and no other', async () => {
    const { rest, paths } = recording();
    await new Clientset(rest).close();
    await rest.get('/still/there');
    expect(paths).toEqual(['/still/there']);
    const own = new Clientset({ server: 'http://127.0.0.1:1' });
    await own.close();
    await expect(own.rest.get('/')).rejects.toThrow('the client is closed');
  });

  it('rejects options for an existing client', () => {
    expect(() => new Clientset(recording().rest, { userAgent: 'x' })).toThrow(
      /options belong to the RESTClient/,
    );
  });

  it('provides only supported verbs for all namespaces', () => {
    const all = new Clientset(recording().rest).myV1.myApps();
    expect('get' in all).toBe(false);
    // @ts-expect-error objects require a namespace
    expect(all.get).toBe(undefined);
  });
});

describe('resource', () => {
  it('provides the same clients without a clientset', async () => {
    const { rest, paths } = recording();
    await resource(rest, myApps).in('shop').list();
    await resource(rest, myApps).list();
    await resource(rest, things).list();
    expect(paths).toEqual([inShop, '/apis/my.domain/v1/myapps', '/apis/my.domain/v1/things']);
    expect(() => resource(rest, myApps).in('..')).toThrow(/must not be '\.\.'/);
  });
});

describe('watch helpers', () => {
  it('watch the given namespace', async () => {
    const { rest, paths } = recording();
    const stop = new AbortController();
    const follow = async (events: AsyncIterable<unknown>): Promise<void> => {
      for await (const _ of events) stop.abort();
    };
    const options = { signal: stop.signal };
    const all = [
      follow(watchMyApps(rest, { namespace: 'shop', ...options })),
      follow(watchMyApps(rest, options)),
      follow(watchThings(rest, options)),
    ];
    await expect
      .poll(() => new Set(paths))
      .toEqual(new Set([inShop, '/apis/my.domain/v1/myapps', '/apis/my.domain/v1/things']));
    stop.abort();
    await Promise.all(all);
    expect(() => watchMyApps(rest, { namespace: '' })).toThrow(/is empty/);
  });
});

describe('types', () => {
  // Never called: for the compiler only.
  const check = (rest: RESTClient, { myV1 }: Clientset, facts: ResourceFacts) => {
    expectTypeOf(myV1.myApps('shop')).toEqualTypeOf<MyAppClient>();
    expectTypeOf(myV1.myApps()).toEqualTypeOf<AllNamespaces<MyApp, MyAppList, 'spec.appName'>>();
    expectTypeOf(myV1.things()).toEqualTypeOf<ThingClient>();
    expectTypeOf(resource(rest, myApps).in('shop')).toEqualTypeOf<MyAppClient>();
    expectTypeOf(resource(rest, things)).toEqualTypeOf<ThingClient>();
    expectTypeOf(resource(rest, reviews)).toEqualTypeOf<NamespaceAccess<CreateOnly<MyApp>>>();
    expectTypeOf(resource(rest, readings)).toEqualTypeOf<
      VirtualAccess<MyApp, MyAppList, ListVirtual<MyApp, MyAppList>>
    >();
    expectTypeOf(myV1.myApps('shop').get('web')).resolves.toEqualTypeOf<Stored<MyApp>>();
    expectTypeOf(myV1.myApps('shop').find('web')).resolves.toEqualTypeOf<Stored<MyApp> | undefined>();
    expectTypeOf(myV1.myApps('shop').list()).resolves.toEqualTypeOf<MyAppList>();
    const dry = { dryRun: 'All' } as const;
    const client = myV1.myApps('shop');
    const named = { metadata: { name: 'web' } };
    const inDryRun = () => client.updateStatus({ ...named, spec: { appName: 'a' } }, dry);
    expectTypeOf(inDryRun).returns.resolves.toEqualTypeOf<MyApp>();
    const patched = () => client.patchStatus('web', {}, dry);
    expectTypeOf(patched).returns.resolves.toEqualTypeOf<MyApp>();
    const applied = () => client.applyStatus(named, { fieldManager: 'me', ...dry });
    expectTypeOf(applied).returns.resolves.toEqualTypeOf<MyApp>();
    const scaled = () => client.updateScale(named, dry);
    expectTypeOf(scaled).returns.resolves.toEqualTypeOf<Scale>();
    const patchedScale = () => client.patchScale('web', {}, dry);
    expectTypeOf(patchedScale).returns.resolves.toEqualTypeOf<Scale>();
    expectTypeOf(myV1.myApps('shop').getScale('web')).resolves.toEqualTypeOf<Stored<Scale>>();
    expectTypeOf(myV1.myApps('shop').create({}, { dryRun: 'All' })).resolves.toEqualTypeOf<MyApp>();
    expectTypeOf(watchMyApps(rest)).toEqualTypeOf<AsyncIterable<WatchEvent<MyApp>>>();
    const bookmarks: BookmarkOptions = { bookmarks: true };
    expectTypeOf(watchThings(rest, bookmarks)).toEqualTypeOf<
      AsyncIterable<WatchEvent<Thing> | BookmarkEvent>
    >();
    expectTypeOf<ObjectOf<typeof myApps>>().toEqualTypeOf<MyApp>();
    void myV1.myApps('shop').list({ fieldSelector: { 'spec.appName': 'x', 'metadata.name': 'y' } });
    // @ts-expect-error not a field that selectors of this resource accept
    void myV1.myApps('shop').list({ fieldSelector: { 'spec.version': 'x' } });
    // @ts-expect-error an update needs a name
    void myV1.myApps('shop').update({ spec: { appName: 'x' } });
    // @ts-expect-error the body of a JSON patch must be a list
    void myV1.myApps('shop').patch('web', { spec: {} }, { type: 'json' });
    // @ts-expect-error custom resources have no strategic merge patch
    void myV1.myApps('shop').patch('web', {}, { type: 'strategic' });
    void myV1.myApps('shop').apply({ metadata: { name: 'web' } });
    // @ts-expect-error no descriptor: its types are not known
    void resource(rest, facts).in('shop');
  };
  it('follow the descriptors', () => {
    expect(check).toBeTypeOf('function');
  });
});
