/** The operator of MyApps on a real API server, with the controllers of Deployments and of garbage. */
import type { appsV1, coreV1 } from '@kgen/kubernetes';
import { isConflict, isNotFound, type Stored } from '@kgen/runtime';
import { findCondition, isControlledBy } from '@kgen/runtime/objects';
import { controlPlaneAvailability } from '@kgen/testing';
import { describe, expect, it } from 'vitest';
import { deadline } from '../support/cluster-tests.ts';
import { apiErrorOf } from '../support/errors.ts';
import { type Env, useOperator } from './env.ts';
import { converge, type Subject, storyTests } from './stories.ts';

const { available } = controlPlaneAvailability({ controllerManager: true });
const isRequired = process.env['KGEN_NOTHING_SKIPPED'] !== undefined;

describe.skipIf(!available && !isRequired)('the operator of MyApps', { timeout: 120_000 }, () => {
  const env = useOperator('myapp');
  const subject = subjectOf(env);

  it('creates a Deployment and a Service once, owns their fields by applies, and reports readiness', async () => {
    const namespace = await env().namespace();
    await subject.create(namespace, 'web');
    await converge(subject, namespace, ['web']);
    const app = await env().crds.myV1.myApps(namespace).get('web');
    expect(app.status).toMatchObject({ observedGeneration: 1, readyReplicas: 1 });
    expect(findCondition(app.status?.conditions, 'Ready')).toMatchObject({
      reason: 'Available',
      observedGeneration: 1,
    });
    await env().rest();
    // Patches are repeated if the controllers of the cluster change an object meanwhile.
    const creations = env()
      .writesIn(namespace)
      .filter(({ verb, path }) => verb === 'create' && /deployments|services/.test(path));
    expect(creations.map(({ path }) => path.split('/').at(-1))).toEqual(['deployments', 'services']);
    const { metadata } = await env().kubernetes.appsV1.deployments(namespace).get('web');
    const managers = metadata.managedFields?.filter(({ manager }) => manager === 'myapp-operator');
    expect(managers?.map(({ operation }) => operation)).toEqual(['Apply']);
  });

  it('rolls out another version, and leaves the number of replicas to users', async () => {
    const namespace = await env().namespace();
    await subject.create(namespace, 'web');
    await converge(subject, namespace, ['web']);
    const deployments = env().kubernetes.appsV1.deployments(namespace);
    await deployments.patchScale('web', { spec: { replicas: 3 } });
    const apps = env().crds.myV1.myApps(namespace);
    await apps.waitFor('web', (app) => app?.status?.readyReplicas === 3);
    await apps.patch('web', { spec: { version: '2' } });
    await converge(subject, namespace, ['web']);
    const deployment = await deployments.get('web');
    expect(deployment.spec.template.spec?.containers[0]?.image).toBe('shop:2');
    expect(deployment.spec.replicas).toBe(3);
  });

  it('owns its fields: others receive a conflict, or lose them again', async () => {
    const namespace = await env().namespace();
    await subject.create(namespace, 'web');
    await converge(subject, namespace, ['web']);
    const deployments = env().kubernetes.appsV1.deployments(namespace);
    const containers = [{ name: 'app', image: 'other:1' }];
    const intent = { metadata: { name: 'web' }, spec: { template: { spec: { containers } } } };
    const refused = await apiErrorOf(isConflict, deployments.apply(intent, { fieldManager: 'ci' }));
    expect(refused.message).toContain('myapp-operator');
    await deployments.apply(intent, { fieldManager: 'ci', force: true });
    await expect.poll(async () => imageOf(await deployments.get('web')), deadline).toBe('shop:1');
    await converge(subject, namespace, ['web']);
    await env().rest();
  });

  it('reports objects that the server refuses in status and events, without retries', async () => {
    const namespace = await env().namespace();
    const apps = env().crds.myV1.myApps(namespace);
    const name = 'w'.repeat(64); // Values of labels have at most 63 characters.
    await apps.create({ metadata: { name }, spec: { appName: 'shop', version: '1' } });
    const failed = await apps.waitFor(name, (app) => app?.status?.conditions !== undefined);
    expect(findCondition(failed?.status?.conditions, 'Ready')).toMatchObject({ reason: 'Invalid' });
    await env().rest();
    const events = env().kubernetes.eventsV1.events(namespace);
    await expect
      .poll(async () => (await events.list()).items.map(({ reason, type }) => `${type} ${reason}`), deadline)
      .toContain('Warning Invalid');
  });

  storyTests(env, subject);
});

function imageOf({ spec }: appsV1.Deployment): string | undefined {
  return spec?.template.spec?.containers[0]?.image;
}

function subjectOf(env: () => Env): Subject {
  const apps = (namespace: string) => env().crds.myV1.myApps(namespace);
  const deployments = (namespace: string) => env().kubernetes.appsV1.deployments(namespace);
  const services = (namespace: string) => env().kubernetes.coreV1.services(namespace);
  const missing = (error: unknown): void => {
    if (!isNotFound(error)) throw error;
  };
  return {
    create: async (namespace, name) =>
      void (await apps(namespace).create({ metadata: { name }, spec: { appName: 'shop', version: '1' } })),
    change: async (namespace, name, { int }) =>
      void (await apps(namespace).patch(name, { spec: { version: `${int(10)}` } })),
    remove: async (namespace, name) => void (await apps(namespace).delete(name)),
    disturb: async (namespace, name, { pick }) => {
      const template = { spec: { containers: [{ name: 'app', image: 'edited:1' }] } };
      const act = pick<() => Promise<unknown>>([
        () => deployments(namespace).patch(name, { spec: { template } }),
        () => deployments(namespace).delete(name),
        () => services(namespace).delete(name),
        () => services(namespace).patch(name, { spec: { selector: { edited: 'yes' } } }),
      ]);
      await act().catch(missing);
    },
    expectConverged: async (namespace, name) => {
      const app = await apps(namespace).get(name);
      const deployment = await deployments(namespace).get(name);
      const service: Stored<coreV1.Service> = await services(namespace).get(name);
      expect(imageOf(deployment)).toBe(`${app.spec.appName}:${app.spec.version}`);
      expect([deployment, service].every((object) => isControlledBy(object, app))).toBe(true);
      expect(service.spec.selector).toMatchObject({ 'app.kubernetes.io/instance': name });
      expect(findCondition(app.status?.conditions, 'Ready')).toMatchObject({ status: 'True' });
      expect(app.status).toMatchObject({
        observedGeneration: app.metadata.generation,
        readyReplicas: deployment.spec.replicas,
      });
    },
    dependents: async (namespace) => [
      ...(await apps(namespace).list()).items,
      ...(await deployments(namespace).list()).items,
      ...(await services(namespace).list()).items,
      ...(await env().kubernetes.coreV1.pods(namespace).list()).items,
    ],
  };
}
