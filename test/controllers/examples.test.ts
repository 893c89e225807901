/** The operators of `examples` in situations that end the life of their objects. */
import type { Manager, ManagerOptions } from '@kgen/controller';
import { deployments, statefulSets } from '@kgen/kubernetes/apps/v1';
import { jobs } from '@kgen/kubernetes/batch/v1';
import { namespaces, services } from '@kgen/kubernetes/core/v1';
import { events } from '@kgen/kubernetes/events.k8s.io/v1';
import { type ClusterConfig, RESTClient, resource } from '@kgen/runtime';
import { isConditionTrue } from '@kgen/runtime/objects';
import { startTestServer } from '@kgen/testserver';
import { expect, it, onTestFinished } from 'vitest';
import { operator as myAppOperator } from '../../examples/operators/myapp/src/operator.ts';
import { operator as redisClusterOperator } from '../../examples/operators/rediscluster/src/operator.ts';
import { redisClusters } from '../../generated/crds/cache.example.com/v1/index.ts';
import { myApps } from '../../generated/crds/my.domain/v1/index.ts';

/** Runs an operator until the end of the test. Returns a client of a user. */
async function running(operator: (config: ClusterConfig, options: ManagerOptions) => Manager) {
  const server = await startTestServer({ crds: ['crds/*.yaml'], namespaces: ['shop'] });
  const log: string[] = [];
  const write = (_: object, message: string) => void log.push(message);
  const manager = operator(server.config, {
    leaderElection: undefined,
    metrics: undefined,
    health: undefined,
    handleSignals: false,
    log: { debug: () => undefined, info: () => undefined, warn: write, error: write },
  });
  const stop = new AbortController();
  const ended = manager.run({ signal: stop.signal });
  const rest = new RESTClient(server.config);
  onTestFinished(async () => {
    stop.abort();
    await ended;
    await rest.close();
    await server.stop();
  });
  return { rest, log };
}

it('MyApp: its objects outlive it if they are orphaned', async () => {
  const { rest, log } = await running(myAppOperator);
  const apps = resource(rest, myApps).in('shop');
  const owned = [resource(rest, deployments).in('shop'), resource(rest, services).in('shop')] as const;
  const hold = 'example.com/hold';
  const spec = { appName: 'web', version: '1' };
  await apps.create({ metadata: { name: 'web', finalizers: [hold] }, spec });
  const uids = async () =>
    (await Promise.all(owned.map((each) => each.find('web')))).map((each) => each?.metadata);
  // The operator rests: an apply that is under way during the deletion would add its reference again.
  const conditions = async () => (await apps.get('web')).status?.conditions;
  await expect.poll(async () => isConditionTrue(await conditions(), 'Ready')).toBe(true);
  const before = (await uids()).map((each) => each?.uid);
  await apps.delete('web', { propagationPolicy: 'Orphan' });
  await expect.poll(async () => (await apps.get('web')).metadata.finalizers).toEqual([hold]);
  // Another change of each object, which causes a run.
  await owned[0].patch('web', { metadata: { labels: { run: 'again' } } });
  await owned[1].patch('web', { metadata: { labels: { run: 'again' } } });
  await apps.patch('web', { metadata: { labels: { run: 'again' } } });
  await apps.patch('web', { metadata: { finalizers: null } } as never);
  await expect.poll(() => apps.find('web')).toBeUndefined();
  const after = await uids();
  expect(after.map((each) => each?.uid)).toEqual(before);
  expect(after.map((each) => each?.ownerReferences ?? [])).toEqual([[], []]);
  expect(log).toEqual([]);
});

it('MyApp: objects of a user that have its name stay as they are, and its objects follow them', async () => {
  const { rest, log } = await running(myAppOperator);
  const apps = resource(rest, myApps).in('shop');
  const [theirDeployments, theirServices] = [resource(rest, deployments), resource(rest, services)];
  const containers = [{ name: 'theirs', image: 'theirs:1' }];
  const template = { metadata: { labels: { app: 'theirs' } }, spec: { containers } };
  const deployment = await theirDeployments.in('shop').create({
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: { app: 'theirs' } }, template, paused: true, replicas: 0 },
  });
  const service = await theirServices
    .in('shop')
    .create({ metadata: { name: 'web' }, spec: { ports: [{ port: 81 }] } });
  await apps.create({ metadata: { name: 'web' }, spec: { appName: 'web', version: '1' } });
  const ready = async () => (await apps.get('web')).status?.conditions?.[0];
  await expect.poll(ready).toMatchObject({
    status: 'False',
    reason: 'Conflict',
    message: expect.stringContaining('Deployment shop/web has no controller'),
  });
  await apps.patch('web', { spec: { version: '2' } });
  await expect.poll(async () => (await ready())?.observedGeneration).toBe(2);
  const live = await theirDeployments.in('shop').get('web');
  expect({ spec: live.spec, owners: live.metadata.ownerReferences }).toEqual({
    spec: deployment.spec,
    owners: undefined,
  });
  expect(await theirServices.in('shop').get('web')).toEqual(service);
  await theirDeployments.in('shop').delete('web');
  await theirServices.in('shop').delete('web');
  await expect.poll(async () => (await ready())?.reason).toBe('Available');
  expect((await theirServices.in('shop').get('web')).metadata.uid).not.toBe(service.metadata.uid);
  expect(log).toEqual([]);
});

it('RedisCluster: objects of a user that have its name stay as they are', async () => {
  const { rest, log } = await running(redisClusterOperator);
  const clusters = resource(rest, redisClusters).in('shop');
  const [theirs, sets] = [resource(rest, services).in('shop'), resource(rest, statefulSets).in('shop')];
  const service = await theirs.create({ metadata: { name: 'carts' }, spec: { ports: [{ port: 81 }] } });
  await clusters.create({ metadata: { name: 'carts' }, spec: { version: '7.4', replicas: 1 } });
  const notes = async () => (await resource(rest, events).in('shop').list()).items.map(({ note }) => note);
  await expect
    .poll(notes)
    .toContainEqual(expect.stringContaining('Service is in conflict: Service shop/carts has no controller'));
  await expect.poll(() => sets.find('carts')).toBeDefined();
  expect(await theirs.get('carts')).toEqual(service);
  expect(log).toEqual([]);
});

it('RedisCluster: ends with its namespace, without a backup', async () => {
  const { rest } = await running(redisClusterOperator);
  const clusters = resource(rest, redisClusters).in('shop');
  await clusters.create({ metadata: { name: 'carts' }, spec: { version: '7.4', replicas: 1 } });
  await expect.poll(async () => (await clusters.get('carts')).metadata.finalizers).toHaveLength(1);
  await resource(rest, namespaces).delete('shop');
  await expect.poll(() => clusters.find('carts')).toBeUndefined();
  expect((await resource(rest, jobs).in('shop').list()).items).toEqual([]);
});
