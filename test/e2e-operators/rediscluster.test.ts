/** The operator of RedisClusters on a real API server, with the controllers of StatefulSets and Jobs. */
import { isInvalid, isNotFound } from '@kgen/runtime';
import { hasFinalizer, isControlledBy } from '@kgen/runtime/objects';
import { controlPlaneAvailability } from '@kgen/testing';
import { describe, expect, it } from 'vitest';
import { deadline } from '../support/cluster-tests.ts';
import { apiErrorOf, causesOf } from '../support/errors.ts';
import { type Env, useOperator } from './env.ts';
import { converge, type Subject, storyTests } from './stories.ts';

const { available } = controlPlaneAvailability({ controllerManager: true });
const isRequired = process.env['KGEN_NOTHING_SKIPPED'] !== undefined;
const finalizer = 'cache.example.com/rediscluster';

describe.skipIf(!available && !isRequired)('the operator of RedisClusters', { timeout: 120_000 }, () => {
  const env = useOperator('rediscluster');
  const subject = subjectOf(env);
  const clustersIn = (namespace: string) => env().crds.cacheV1.redisClusters(namespace);

  it('is scaled by the scale subresource, within the limits of the schema', async () => {
    const namespace = await env().namespace();
    await subject.create(namespace, 'carts');
    await converge(subject, namespace, ['carts']);
    const clusters = clustersIn(namespace);
    await clusters.patchScale('carts', { spec: { replicas: 4 } });
    await converge(subject, namespace, ['carts']);
    await expect
      .poll(async () => (await clusters.getScale('carts')).status, deadline)
      .toEqual({
        replicas: 4,
        selector: 'app.kubernetes.io/name=redis,app.kubernetes.io/instance=carts',
      });
    const tooMany = await apiErrorOf(isInvalid, clusters.patchScale('carts', { spec: { replicas: 10 } }));
    expect(causesOf(tooMany)).toEqual(['spec.replicas: FieldValueInvalid']);
    const rule = await apiErrorOf(isInvalid, clusters.patch('carts', { spec: { minReady: 5 } }));
    expect(rule.message).toContain('minReady must not exceed replicas');
    await env().rest();
    const creations = env()
      .writesIn(namespace)
      .filter(({ verb, path }) => verb === 'create' && path.endsWith('/statefulsets'));
    expect(creations).toHaveLength(1);
  });

  it('backs up before the deletion, and keeps the Job', async () => {
    const namespace = await env().namespace();
    await subject.create(namespace, 'carts');
    await converge(subject, namespace, ['carts']);
    const clusters = clustersIn(namespace);
    const { metadata } = await clusters.get('carts');
    await clusters.deleteAndWait('carts');
    const job = await env().kubernetes.batchV1.jobs(namespace).get(`backup-${metadata.uid}`);
    expect(job.status.succeeded).toBe(1);
    expect(job.metadata.ownerReferences).toBeUndefined();
  });

  storyTests(env, subject);
});

function subjectOf(env: () => Env): Subject {
  const clusters = (namespace: string) => env().crds.cacheV1.redisClusters(namespace);
  const sets = (namespace: string) => env().kubernetes.appsV1.statefulSets(namespace);
  const services = (namespace: string) => env().kubernetes.coreV1.services(namespace);
  const missing = (error: unknown): void => {
    if (!isNotFound(error)) throw error;
  };
  return {
    create: async (namespace, name) =>
      void (await clusters(namespace).create({ metadata: { name }, spec: { version: '7.4', replicas: 2 } })),
    change: async (namespace, name, { int }) =>
      void (await clusters(namespace).patch(name, {
        spec: { replicas: 1 + int(4), memory: `${1 + int(4)}Gi` },
      })),
    remove: async (namespace, name) => void (await clusters(namespace).delete(name)),
    disturb: async (namespace, name, { pick }) => {
      const template = { spec: { containers: [{ name: 'redis', image: 'edited:1' }] } };
      const act = pick<() => Promise<unknown>>([
        () => sets(namespace).patch(name, { spec: { template } }),
        () => sets(namespace).patchScale(name, { spec: { replicas: 5 } }),
        () => sets(namespace).delete(name),
        () => services(namespace).delete(name),
        () => clusters(namespace).patch(name, { metadata: { finalizers: [] } }),
      ]);
      await act().catch(missing);
    },
    expectConverged: async (namespace, name) => {
      const cluster = await clusters(namespace).get(name);
      const set = await sets(namespace).get(name);
      const service = await services(namespace).get(name);
      const { replicas, version } = cluster.spec;
      expect(set.spec.replicas).toBe(replicas);
      expect(set.spec.template.spec?.containers[0]?.image).toBe(`redis:${version}`);
      expect([set, service].every((object) => isControlledBy(object, cluster))).toBe(true);
      expect(hasFinalizer(cluster, finalizer)).toBe(true);
      expect(cluster.status).toMatchObject({ phase: 'Running', replicas, readyReplicas: replicas });
    },
    dependents: async (namespace) => [
      ...(await clusters(namespace).list()).items,
      ...(await sets(namespace).list()).items,
      ...(await services(namespace).list()).items,
    ],
  };
}
