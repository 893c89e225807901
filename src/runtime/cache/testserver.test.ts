import { startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isExpired } from '../api/failure-reasons.ts';
import type { KubernetesList, KubernetesObject, ObjectMeta } from '../api/meta.ts';
import { defineResource, type NamespacedResource } from '../api/resource.ts';
import type { Stored } from '../api/types.ts';
import type { CustomCrud } from '../api/verbs/crud.ts';
import { resource } from '../client/access.ts';
import { listWatch } from '../client/reading/list-watch.ts';
import { type RuntimeEnvironment, systemEnvironment } from '../common/clock.ts';
import { MetadataClient } from '../dynamic/metadata/metadata-client.ts';
import { RESTClient } from '../rest/client.ts';
import { condition } from '../watch/wait/condition.ts';
import { waitFor } from '../watch/wait/wait.ts';
import { watch } from '../watch/watch.ts';
import { InformerFactoryBase } from './factory.ts';

interface MyApp extends KubernetesObject {
  spec: { appName: string; version: string };
}
type MyAppList = KubernetesList<Stored<MyApp>>;

const myApps: NamespacedResource<MyApp, MyAppList, CustomCrud<MyApp, MyAppList>> = defineResource({
  group: 'my.domain',
  version: 'v1',
  kind: 'MyApp',
  listKind: 'MyAppList',
  plural: 'myapps',
  singular: 'myapp',
  scope: 'Namespaced',
  verbs: ['create', 'delete', 'get', 'list', 'update', 'watch'],
});

const app = (name: string, version = '1'): MyApp => ({
  metadata: { name },
  spec: { appName: name, version },
});

let server: TestServer;
let rest: RESTClient;
let namespace = '';
let namespaces = 0;

beforeAll(async () => {
  const crd = new URL('../../../crds/myapp.yaml', import.meta.url);
  const names = Array.from({ length: 10 }, (_, count) => `ns-${count}`);
  server = await startTestServer({ crds: [crd], namespaces: names });
  rest = new RESTClient(server.config);
});

beforeEach(() => {
  namespace = `ns-${namespaces}`;
  namespaces += 1;
});

afterAll(async () => {
  await rest.close();
  await server.stop();
});

const client = () => resource(rest, myApps).in(namespace);
const source = () => listWatch<MyApp>(rest, { resource: myApps, namespace });
/** Returns the number of LIST responses for the namespace of this test. */
const lists = () =>
  server.requests.filter(
    ({ method, path, query }) =>
      method === 'GET' && path.endsWith(`/${namespace}/myapps`) && query['watch'] === undefined,
  ).length;

/** Time passes five times as fast, and delays have no jitter, so that the tests do not wait. */
const environment: RuntimeEnvironment = {
  clock: {
    now: () => systemEnvironment.clock.now() * 5,
    timer: (ms, callback) => systemEnvironment.clock.timer(ms / 5, callback),
  },
  random: () => 0,
};

/** Creates an informer whose handlers record their calls. */
async function follow(streaming: boolean) {
  const factory = new InformerFactoryBase({ rest }, { namespace, streaming, environment });
  const informer = factory.of(myApps);
  const reported: string[] = [];
  let wake = (): void => undefined;
  const notify = (what: string): void => {
    reported.push(what);
    wake();
  };
  informer.handle({
    add: ({ metadata }) => notify(`add ${metadata.name}`),
    update: ({ metadata, spec }) => notify(`update ${metadata.name} to ${spec.version}`),
    delete: ({ metadata }, { missed }) => notify(`delete ${metadata.name}${missed ? ', missed' : ''}`),
  });
  await factory.start();
  await factory.waitForSync();
  /** Resolves once the handlers have received these calls. */
  const receive = async (want: readonly string[]): Promise<void> => {
    while (reported.length < want.length) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    expect(reported).toEqual(want);
  };
  return { factory, informer, reported, receive };
}

describe.each([{ streaming: false }, { streaming: true }])(
  'an informer (streaming: $streaming)',
  ({ streaming }) => {
    it('follows changes over interruptions, without a list', async () => {
      await client().create(app('a'));
      const { factory, informer, receive } = await follow(streaming);
      const listed = lists();
      const b = await client().create(app('b'));
      await receive(['add a', 'add b']);
      server.faults.cutWatches();
      await client().update({ ...b, spec: { appName: 'b', version: '2' } });
      await client().delete('a');
      await receive(['add a', 'add b', 'update b to 2', 'delete a']);
      expect(informer.lister.list()).toEqual((await client().list()).items.map(withoutManagedFields));
      expect(lists()).toBe(listed + 1);
      await factory.stop();
    });

    it('detects missed changes after the history has expired', async () => {
      await client().create(app('a'));
      const { factory, informer, receive } = await follow(streaming);
      const relists: string[] = [];
      informer.on('relist', ({ reason }) => relists.push(reason));
      server.faults.failNext({
        status: 503,
        match: ({ path, query }) => path.endsWith(`/${namespace}/myapps`) && query['watch'] !== undefined,
      });
      server.faults.cutWatches();
      await client().delete('a');
      await client().create(app('b'));
      server.faults.compact();
      await receive(['add a', 'delete a, missed', 'add b']);
      expect(relists).toEqual(['expired']);
      await factory.stop();
    });
  },
);

it('an informer of a closed client ends, reports it, and releases everything', async () => {
  const own = new RESTClient(server.config);
  const factory = new InformerFactoryBase({ rest: own }, { namespace });
  const informer = factory.of(myApps);
  const reported: unknown[] = [];
  factory.on('error', (error, { during }) => reported.push([during, String(error)]));
  await factory.start();
  await factory.waitForSync();
  const registration = informer.handle({});
  await registration.synced;
  await own.close();
  await expect.poll(() => reported).toHaveLength(1);
  expect(reported).toEqual([['request', expect.stringContaining('the client is closed')]]);
  expect(informer.isSynced).toBe(false);
  const ended = /informer for myapps.my.domain in namespace ns-\d has ended: .*the client is closed/;
  await expect(informer.synced).rejects.toThrow(ended);
  await expect(factory.waitForSync()).rejects.toThrow(ended);
  await expect(factory.of(myApps, { freeze: true }).synced).rejects.toThrow('has ended');
  await factory.stop();
});

describe('an informer of metadata', () => {
  it('follows changes', async () => {
    await client().create({ ...app('a'), metadata: { name: 'a', labels: { tier: 'web' } } });
    const factory = new InformerFactoryBase({ rest }, { namespace });
    const informer = factory.metadataOf({ group: 'my.domain', version: 'v1', resource: 'myapps' });
    await factory.start();
    await factory.waitForSync();
    const b = await client().create(app('b'));
    await client().update({ ...b, spec: { appName: 'b', version: '2' } });
    await client().delete('a');
    const { items } = await new MetadataClient(rest).resource(myApps).namespace(namespace).list();
    await expect.poll(() => informer.lister.list()).toEqual(items.map(withoutManagedFields));
    expect(items.map(({ kind, metadata }) => [kind, metadata.name])).toEqual([
      ['PartialObjectMetadata', 'b'],
    ]);
    await factory.stop();
  });
});

function withoutManagedFields(object: { readonly metadata: ObjectMeta }): unknown {
  const { managedFields: _, ...metadata } = { managedFields: undefined, ...object.metadata };
  return { ...object, metadata };
}

describe('a watch', () => {
  it('yields every change in order, also over interruptions', async () => {
    await client().create(app('a'));
    const seen: string[] = [];
    for await (const { type, object } of watch(source(), { environment })) {
      seen.push(`${type} ${object.kind} ${object.metadata.name} ${object.spec.version}`);
      if (seen.length === 1) await client().update({ ...object, spec: { appName: 'a', version: '2' } });
      if (seen.length === 2) {
        server.faults.cutWatches();
        await client().delete('a');
        await client().create(app('b'));
      }
      if (seen.length === 4) break;
    }
    expect(seen).toEqual(['ADDED MyApp a 1', 'MODIFIED MyApp a 2', 'DELETED MyApp a 2', 'ADDED MyApp b 1']);
  });

  it('throws if its start version has expired', async () => {
    const { metadata } = await client().create(app('a'));
    await client().delete('a');
    server.faults.compact();
    const events = watch(source(), { resourceVersion: metadata.resourceVersion })[Symbol.asyncIterator]();
    await expect(events.next()).rejects.toSatisfy(isExpired);
  });
});

it('waitFor waits for a condition', async () => {
  const operation = { verb: 'wait for', resource: 'myapps', namespace, name: 'a' };
  const ready = waitFor(source(), condition('Ready'), { operation });
  const made = await client().create(app('a'));
  const status = {
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        reason: 'Up',
        message: '',
        lastTransitionTime: '2024-01-31T12:00:00Z',
      },
    ],
  };
  await rest.put(`${path()}/a/status`, { body: { ...made, status } });
  expect((await ready).metadata.uid).toBe(made.metadata.uid);
});

const path = () => `/apis/my.domain/v1/namespaces/${namespace}/myapps`;
