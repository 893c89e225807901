/** The operator of Foos on a real API server, with the controllers of Deployments and of garbage. */
import type { appsV1 } from '@kgen/kubernetes';
import { isNotFound } from '@kgen/runtime';
import { isControlledBy } from '@kgen/runtime/objects';
import { controlPlaneAvailability } from '@kgen/testing';
import { describe, expect, it } from 'vitest';
import { deadline } from '../support/cluster-tests.ts';
import { type Env, useOperator } from './env.ts';
import { converge, type Subject, storyTests } from './stories.ts';

const { available } = controlPlaneAvailability({ controllerManager: true });
const isRequired = process.env['KGEN_NOTHING_SKIPPED'] !== undefined;

describe.skipIf(!available && !isRequired)('the operator of Foos', { timeout: 120_000 }, () => {
  const env = useOperator('foo');
  const subject = subjectOf(env);

  it('scales its Deployment, and records an event for each change', async () => {
    const namespace = await env().namespace();
    await subject.create(namespace, 'web');
    await converge(subject, namespace, ['web']);
    await env()
      .crds.samplecontrollerV1alpha1.foos(namespace)
      .patch('web', { spec: { replicas: 4 } });
    await converge(subject, namespace, ['web']);
    const events = env().kubernetes.eventsV1.events(namespace);
    const synced = async () => (await events.list()).items.filter(({ reason }) => reason === 'Synced');
    await expect.poll(async () => (await synced())[0]?.series?.count, deadline).toBe(2);
    expect(await synced()).toMatchObject([{ type: 'Normal', regarding: { kind: 'Foo', name: 'web' } }]);
    await env().rest();
    const writes = env()
      .writesIn(namespace)
      .filter(({ path }) => path.includes('/deployments/'));
    // Applies are repeated after changes by the controllers of the cluster; two had an effect.
    expect(new Set(writes.map(({ verb }) => verb))).toEqual(new Set(['patch']));
    const { metadata } = await env().kubernetes.appsV1.deployments(namespace).get('web');
    expect(metadata.generation).toBe(2);
  });

  it('does not take over a Deployment of others, and continues once it is deleted', async () => {
    const namespace = await env().namespace();
    const deployments = env().kubernetes.appsV1.deployments(namespace);
    const labels = { app: 'other' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'other:1' }] } };
    await deployments.create({
      metadata: { name: 'web' },
      spec: { selector: { matchLabels: labels }, template },
    });
    await subject.create(namespace, 'web');
    const events = env().kubernetes.eventsV1.events(namespace);
    await expect
      .poll(async () => (await events.list()).items.map(({ reason }) => reason), deadline)
      .toContain('ResourceExists');
    expect(imageOf(await deployments.get('web'))).toBe('other:1');
    await deployments.delete('web');
    await converge(subject, namespace, ['web']);
  });

  storyTests(env, subject);
});

function imageOf({ spec }: appsV1.Deployment): string | undefined {
  return spec?.template.spec?.containers[0]?.image;
}

function subjectOf(env: () => Env): Subject {
  const foos = (namespace: string) => env().crds.samplecontrollerV1alpha1.foos(namespace);
  const deployments = (namespace: string) => env().kubernetes.appsV1.deployments(namespace);
  const missing = (error: unknown): void => {
    if (!isNotFound(error)) throw error;
  };
  return {
    create: async (namespace, name) =>
      void (await foos(namespace).create({ metadata: { name }, spec: { image: 'web:1', replicas: 1 } })),
    change: async (namespace, name, { int }) =>
      void (await foos(namespace).patch(name, { spec: { image: `web:${int(10)}`, replicas: int(4) } })),
    remove: async (namespace, name) => void (await foos(namespace).delete(name)),
    disturb: async (namespace, name, { pick }) => {
      const template = { spec: { containers: [{ name: 'main', image: 'edited:1' }] } };
      const act = pick<() => Promise<unknown>>([
        () => deployments(namespace).patch(name, { spec: { template } }),
        () => deployments(namespace).patchScale(name, { spec: { replicas: 5 } }),
        () => deployments(namespace).delete(name),
      ]);
      await act().catch(missing);
    },
    expectConverged: async (namespace, name) => {
      const foo = await foos(namespace).get(name);
      const deployment = await deployments(namespace).get(name);
      expect(imageOf(deployment)).toBe(foo.spec?.image);
      expect(deployment.spec.replicas).toBe(foo.spec?.replicas);
      expect(isControlledBy(deployment, foo)).toBe(true);
      expect(foo.status?.availableReplicas).toBe(foo.spec?.replicas);
    },
    dependents: async (namespace) => [
      ...(await foos(namespace).list()).items,
      ...(await deployments(namespace).list()).items,
      ...(await env().kubernetes.coreV1.pods(namespace).list()).items,
    ],
  };
}
