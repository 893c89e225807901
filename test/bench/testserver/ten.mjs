// Ten tests as users of an operator write them. The programs in go/ have the same tests.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { RESTClient, resource } from '@kgen/runtime';
import { dynamicResource } from '@kgen/runtime/dynamic';
import { startTestServer } from '@kgen/testserver';

const crd = new URL('../../../crds/rediscluster.yaml', import.meta.url);
const descriptor = dynamicResource({
  group: 'cache.example.com',
  version: 'v1',
  resource: 'redisclusters',
  kind: 'RedisCluster',
  scope: 'Namespaced',
});

let server;
let rest;
let clusters;
before(async () => {
  server = await startTestServer({ crds: [crd] });
  rest = new RESTClient(server.config);
  clusters = resource(rest, descriptor).in('default');
});
after(async () => {
  await rest.close();
  await server.stop();
});

const cluster = (name, spec = {}, metadata = {}) => ({
  apiVersion: 'cache.example.com/v1',
  kind: 'RedisCluster',
  metadata: { name, ...metadata },
  spec: { version: '7.4', ...spec },
});

test('an object that was created can be read', async () => {
  await clusters.create(cluster('created'));
  assert.equal((await clusters.get('created')).spec.version, '7.4');
});

test('a label selector finds its objects', async () => {
  await clusters.create(cluster('labelled', {}, { labels: { team: 'shop' } }));
  const { items } = await clusters.list({ labelSelector: 'team=shop' });
  assert.deepEqual(
    items.map(({ metadata }) => metadata.name),
    ['labelled'],
  );
});

test('an update of an old version is a conflict', async () => {
  const old = await clusters.create(cluster('stale'));
  await clusters.update({ ...old, spec: { ...old.spec, replicas: 2 } });
  await assert.rejects(clusters.update({ ...old, spec: { ...old.spec, replicas: 4 } }), {
    code: 409,
  });
});

test('the status has a subresource of its own', async () => {
  const made = await clusters.create({ ...cluster('reported'), status: { readyReplicas: 1 } });
  assert.equal(made.status, undefined);
  const updated = await clusters.updateStatus({ ...made, status: { readyReplicas: 2 } });
  assert.equal(updated.status.readyReplicas, 2);
});

test('two managers that apply a field are in conflict', async () => {
  await clusters.apply(cluster('applied', { replicas: 2 }), { fieldManager: 'one' });
  await assert.rejects(clusters.apply(cluster('applied', { replicas: 4 }), { fieldManager: 'two' }), {
    code: 409,
  });
});

test('a watch sees a new object', async () => {
  const names = (async () => {
    for await (const { object } of clusters.watch()) if (object.metadata.name === 'watched') return true;
    return false;
  })();
  await clusters.create(cluster('watched'));
  assert.equal(await names, true);
});

test('a finalizer holds a deleted object', async () => {
  await clusters.create(cluster('held', {}, { finalizers: ['cache.example.com/backup'] }));
  await clusters.delete('held');
  const held = await clusters.get('held');
  assert.notEqual(held.metadata.deletionTimestamp, undefined);
  await clusters.patch('held', { metadata: { finalizers: null } }, { type: 'merge' });
  await assert.rejects(clusters.get('held'), { code: 404 });
});

test('a value outside of an enum is invalid', async () => {
  await assert.rejects(clusters.create(cluster('invalid', { evictionPolicy: 'none' })), { code: 422 });
});

test('defaults are filled in', async () => {
  assert.equal((await clusters.create(cluster('defaulted'))).spec.replicas, 3);
});

test('names are generated', async () => {
  const { metadata } = await clusters.create(cluster(undefined, {}, { generateName: 'carts-' }));
  assert.match(metadata.name, /^carts-\w{5}$/);
});
