/** Stories of users with workloads. Each runs in a namespace of its own, on both servers. */
import type { appsV1, coreV1 } from '@kgen/kubernetes';
import { vi } from 'vitest';
import { createVolume, labels, relabel, type Scene, type Story, template } from './scene.ts';

function deployment(spec: Partial<appsV1.DeploymentSpec> = {}): appsV1.Deployment {
  return {
    metadata: { name: 'web', annotations: { note: 'kept' } },
    spec: { replicas: 3, selector: { matchLabels: labels }, template: template('web:1'), ...spec },
  };
}

/** Returns a story that creates a Deployment and changes it step by step. */
function rollout(spec: Partial<appsV1.DeploymentSpec>, ...patches: readonly object[]): Story {
  return async ({ clientset, namespace, settled }) => {
    const deployments = clientset.appsV1.deployments(namespace);
    await deployments.create(deployment(spec));
    await settled();
    for (const patch of patches) {
      await deployments.patch('web', patch);
      await settled();
    }
  };
}

const image = (name: string): object => ({
  spec: { template: { spec: { containers: [{ name: 'main', image: name }] } } },
});

/** Stories by title. */
export const stories: Readonly<Record<string, Story>> = {
  'a quota refuses pods of a deployment': async ({ clientset, namespace, settled }) => {
    await settled();
    const quotas = clientset.coreV1.resourceQuotas(namespace);
    await quotas.create({ metadata: { name: 'few' }, spec: { hard: { pods: '0' } } });
    await settled();
    await clientset.appsV1.deployments(namespace).create(deployment());
    await settled();
  },
  'a deleted claim exists until no pod uses it': async (scene) => {
    const { clientset, namespace, settled } = scene;
    await createVolume(scene, 'used');
    const claims = clientset.coreV1.persistentVolumeClaims(namespace);
    const pods = clientset.coreV1.pods(namespace);
    const resources = { requests: { storage: '1Gi' } };
    for (const name of ['used', 'unused'])
      await claims.create({ metadata: { name }, spec: { accessModes: ['ReadWriteOnce'], resources } });
    const { containers = [] } = template('web:1').spec ?? {};
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'used' } }];
    await pods.create({ metadata: { name: 'web' }, spec: { containers, volumes } });
    await settled();
    for (const name of ['used', 'unused']) await claims.delete(name);
    await settled();
    const left = await claims.list();
    if (left.items.map(({ metadata }) => metadata.name).join() !== 'used')
      throw new Error(`claims are left: ${left.items.map(({ metadata }) => metadata.name).join()}`);
    await pods.delete('web', { gracePeriodSeconds: 0 });
    await settled();
  },
  'an autoscaler keeps the replicas of a Deployment between its limits': async (scene) => {
    const { clientset, namespace, settled } = scene;
    const deployments = clientset.appsV1.deployments(namespace);
    await deployments.create(deployment({ replicas: 1 }));
    await clientset.autoscalingV2.horizontalPodAutoscalers(namespace).create({
      metadata: { name: 'web' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        minReplicas: 2,
        maxReplicas: 4,
      },
    });
    // A real cluster looks every 15 seconds.
    const hasReplicas = async () => (await deployments.get('web')).spec.replicas === 2;
    await vi.waitUntil(hasReplicas, { timeout: 60_000, interval: 500 });
    await settled();
  },
  'a namespace gets its service account and root certificate': ({ settled }) => settled(),
  'quotas count objects, and the pods of their scopes': async ({ clientset, namespace, settled }) => {
    const { coreV1 } = clientset;
    await settled();
    const quotas = coreV1.resourceQuotas(namespace);
    await quotas.create({
      metadata: { name: 'all' },
      spec: { hard: { pods: '4', services: '1', 'count/configmaps': '5' } },
    });
    await quotas.create({
      metadata: { name: 'short' },
      spec: { hard: { pods: '1' }, scopes: ['Terminating'] },
    });
    await settled();
    const { spec } = template('web:1');
    const pods = coreV1.pods(namespace);
    await pods.create({ metadata: { name: 'long' }, spec });
    await pods.create({
      metadata: { name: 'short' },
      spec: { containers: spec?.containers ?? [], activeDeadlineSeconds: 1_000 },
    });
    await settled();
  },
  'a Deployment creates a ReplicaSet and its pods': rollout({}),
  'a Deployment with a new image rolls out': rollout({}, image('web:2')),
  'a Deployment with the image of an old revision reuses its ReplicaSet': rollout(
    {},
    image('web:2'),
    image('web:1'),
  ),
  'a Deployment scales': rollout({}, { spec: { replicas: 5 } }, { spec: { replicas: 1 } }),
  'a Deployment scales to zero': rollout({}, { spec: { replicas: 0 } }),
  'a Deployment with the strategy Recreate': rollout({ strategy: { type: 'Recreate' } }, image('web:2')),
  'a paused Deployment does not roll out': rollout({}, { spec: { paused: true } }, image('web:2')),
  'a resumed Deployment rolls out': rollout({}, { spec: { paused: true } }, image('web:2'), {
    spec: { paused: false },
  }),
  'a Deployment keeps the requested number of revisions': rollout(
    { revisionHistoryLimit: 1 },
    image('web:2'),
    image('web:3'),
    image('web:4'),
  ),
  'a rollout with pods that are not ready stops': rollout(
    { replicas: 4 },
    {
      spec: { template: { metadata: { labels: { unready: 'yes' } } } },
    },
  ),
  'a failed rollout scales in proportion': rollout(
    { replicas: 4 },
    { spec: { template: { metadata: { labels: { unready: 'yes' } } } } },
    { spec: { replicas: 10 } },
  ),
  'a rollout with limits': rollout(
    {
      replicas: 5,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '40%' } },
    },
    { spec: { template: { metadata: { labels: { unready: 'yes' } } } } },
  ),
  'a StatefulSet creates pods in order': async (scene) => createStatefulSet(scene, {}),
  'a StatefulSet rolls out to its partition': async (scene) => {
    await createStatefulSet(scene, {
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
    });
    await scene.clientset.appsV1.statefulSets(scene.namespace).patch('web', image('web:2'));
    await scene.settled();
  },
  'a StatefulSet rolls out and scales down': async (scene) => {
    await createStatefulSet(scene, {});
    const sets = scene.clientset.appsV1.statefulSets(scene.namespace);
    await sets.patch('web', image('web:2'));
    await scene.settled();
    await sets.patch('web', { spec: { replicas: 1 } });
    await scene.settled();
  },
  'a parallel StatefulSet': async (scene) => createStatefulSet(scene, { podManagementPolicy: 'Parallel' }),
  'a DaemonSet runs on every node': async (scene) => createDaemonSet(scene, template('web:1')),
  'a DaemonSet rolls out': async (scene) => {
    await createDaemonSet(scene, template('web:1'));
    await scene.clientset.appsV1.daemonSets(scene.namespace).patch('web', image('web:2'));
    await scene.settled();
  },
  'a DaemonSet with the strategy OnDelete replaces pods that are deleted': async (scene) => {
    const { clientset, namespace, settled } = scene;
    await createDaemonSet(scene, template('web:1'), { type: 'OnDelete' });
    await clientset.appsV1.daemonSets(namespace).patch('web', image('web:2'));
    await settled();
    // Names of pods are random, and their nodes are part of the state.
    const { items } = await clientset.coreV1.pods(namespace).list();
    const first = items.find(({ spec }) => spec.nodeName === 'node-1');
    await clientset.coreV1.pods(namespace).delete(first?.metadata.name ?? '');
    await settled();
  },
  'a DaemonSet with a surge keeps its old pods until the new ones are ready': async (scene) => {
    const { clientset, namespace, settled } = scene;
    const rollingUpdate = { maxSurge: '50%', maxUnavailable: 0 };
    await createDaemonSet(scene, template('web:1'), { type: 'RollingUpdate', rollingUpdate });
    const sets = clientset.appsV1.daemonSets(namespace);
    await sets.patch('web', { spec: { template: template('web:2', { unready: 'yes' }) } });
    await settled();
    await sets.patch('web', { spec: { template: { metadata: { labels: { unready: null } } } } });
    await settled();
  },
  'a DaemonSet returns to a template whose pods still run': async (scene) => {
    const { clientset, namespace, settled } = scene;
    await createDaemonSet(scene, template('web:1'));
    const sets = clientset.appsV1.daemonSets(namespace);
    await sets.patch('web', { spec: { template: template('web:1', { unready: 'yes' }) } });
    await settled();
    await sets.patch('web', { spec: { template: { metadata: { labels: { unready: null } } } } });
    await settled();
  },
  'a DaemonSet with a node selector': async (scene) => {
    const { metadata, spec } = template('web:1');
    const nodeSelector = { 'kubernetes.io/hostname': 'node-2' };
    await createDaemonSet(scene, { metadata, spec: { containers: spec?.containers ?? [], nodeSelector } });
  },
  'a ReplicaSet releases a pod with other labels and creates another one': async (scene) => {
    await rollout({ replicas: 2 })(scene);
    await relabel(scene, { app: 'other' });
  },
  'a ReplicationController creates pods, adopts and releases them': async (scene) => {
    const { clientset, namespace, settled } = scene;
    await clientset.coreV1
      .pods(namespace)
      .create({ ...template('web:1'), metadata: { name: 'solo', labels } });
    await settled();
    const controllers = clientset.coreV1.replicationControllers(namespace);
    await controllers.create({
      metadata: { name: 'web' },
      spec: { replicas: 2, template: template('web:1') },
    });
    await settled();
    await relabel(scene, { app: 'other' });
    await controllers.patch('web', { spec: { replicas: 1 } });
    await settled();
  },
  'a quota refuses pods of a ReplicationController': async ({ clientset, namespace, settled }) => {
    const quotas = clientset.coreV1.resourceQuotas(namespace);
    await quotas.create({ metadata: { name: 'few' }, spec: { hard: { pods: '1' } } });
    await settled();
    const controllers = clientset.coreV1.replicationControllers(namespace);
    await controllers.create({
      metadata: { name: 'web' },
      spec: { replicas: 2, template: template('web:1') },
    });
    await settled();
    await controllers.patch('web', { spec: { replicas: 1 } });
    await settled();
  },
  'a service has endpoints': async (scene) => {
    const { clientset, namespace, settled } = scene;
    await clientset.coreV1.services(namespace).create({
      metadata: { name: 'web', labels: { tier: 'front' } },
      spec: { selector: labels, ports: [{ name: 'web', port: 8080, targetPort: 'http' }] },
    });
    await rollout({ replicas: 2 })(scene);
    await clientset.coreV1.pods(namespace).create({
      ...template('web:1', { unready: 'yes' }),
      metadata: { name: 'solo', labels: { ...labels, unready: 'yes' } },
    });
    await settled();
  },
  'a service without pods has an empty slice': async ({ clientset, namespace, settled }) => {
    await clientset.coreV1.services(namespace).create({
      metadata: { name: 'web' },
      spec: { clusterIP: 'None', selector: labels, ports: [{ port: 80 }] },
    });
    await settled();
  },
  'slices of a service are created again, and changes of them are undone': async (scene) => {
    const { clientset, namespace, settled } = scene;
    await clientset.coreV1.services(namespace).create({
      metadata: { name: 'web' },
      spec: { selector: labels, ports: [{ name: 'web', port: 8080, targetPort: 'http' }] },
    });
    await rollout({ replicas: 2 })(scene);
    const slices = clientset.discoveryV1.endpointSlices(namespace);
    const complete = await waitForSlice(scene, 'web', 2);
    await slices.delete(complete);
    const next = await waitForSlice(scene, 'web', 2);
    await slices.patch(next, { endpoints: [] });
    await waitForSlice(scene, 'web', 2);
    const endpoints = clientset.coreV1.endpoints(namespace);
    await endpoints.delete('web');
    const restored = () => endpoints.get('web').catch(() => undefined);
    await vi.waitUntil(restored, { timeout: 60_000, interval: 200 });
    // The states are compared after a change: restored objects have no time of one on a real cluster.
    await clientset.appsV1.deployments(namespace).patch('web', { spec: { replicas: 3 } });
    await waitForSlice(scene, 'web', 3);
    await settled();
  },
  'Endpoints of a service without a selector are mirrored': async (scene) => {
    const { clientset, namespace, settled } = scene;
    const endpoints = clientset.coreV1.endpoints(namespace);
    const subset = {
      addresses: [{ ip: '192.0.2.1', hostname: 'a' }, { ip: '2001:db8::1' }],
      notReadyAddresses: [{ ip: '192.0.2.2' }],
      ports: [{ name: 'web', port: 80, appProtocol: 'http' }],
    };
    const create = (name: string, metadata: object = {}) =>
      endpoints.create({ metadata: { name, ...metadata }, subsets: [subset] });
    await create('early', { annotations: { note: 'kept' }, labels: { tier: 'front' } });
    await create('skipped', { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } });
    await create('alone');
    for (const name of ['early', 'skipped', 'removed', 'changed']) {
      await clientset.coreV1
        .services(namespace)
        .create({ metadata: { name }, spec: { ports: [{ port: 80 }] } });
    }
    await create('removed');
    await create('changed');
    await settled();
    await endpoints.delete('removed');
    await endpoints.patch('changed', { subsets: [{ ...subset, notReadyAddresses: [{ ip: '192.0.2.3' }] }] });
    await settled();
    const slices = clientset.discoveryV1.endpointSlices(namespace);
    const { items } = await slices.list({ labelSelector: 'kubernetes.io/service-name=changed' });
    for (const { metadata } of items) await slices.delete(metadata.name);
    await waitForSlice(scene, 'changed', 2);
    await settled();
  },
  'a disruption budget counts pods and limits evictions': async (scene) => {
    const { clientset, namespace, settled } = scene;
    await clientset.policyV1.podDisruptionBudgets(namespace).create({
      metadata: { name: 'web' },
      spec: { minAvailable: '50%', selector: { matchLabels: labels } },
    });
    await rollout({ replicas: 4 })(scene);
    await settled();
  },
  'foreground deletion of a Deployment deletes its pods': async (scene) => {
    await rollout({})(scene);
    await scene.clientset.appsV1
      .deployments(scene.namespace)
      .delete('web', { propagationPolicy: 'Foreground' });
    await scene.settled();
  },
  'background deletion of a Deployment deletes its pods': async (scene) => {
    await rollout({})(scene);
    await scene.clientset.appsV1
      .deployments(scene.namespace)
      .delete('web', { propagationPolicy: 'Background' });
    await scene.settled();
  },
  'an orphaned ReplicaSet is adopted': async (scene) => {
    await rollout({})(scene);
    const deployments = scene.clientset.appsV1.deployments(scene.namespace);
    await deployments.delete('web', { propagationPolicy: 'Orphan' });
    await scene.settled();
    await deployments.create(deployment({}));
    await scene.settled();
  },
};

/** Creates a StatefulSet of three pods. */
export async function createStatefulSet(
  { clientset, namespace, settled }: Scene,
  spec: Partial<appsV1.StatefulSetSpec>,
): Promise<void> {
  await clientset.appsV1.statefulSets(namespace).create({
    metadata: { name: 'web' },
    spec: {
      replicas: 3,
      serviceName: 'web',
      selector: { matchLabels: labels },
      template: template('web:1'),
      ...spec,
    },
  });
  await settled();
}

async function createDaemonSet(
  { clientset, namespace, settled }: Scene,
  pod: coreV1.PodTemplateSpec,
  updateStrategy: appsV1.DaemonSetUpdateStrategy = {},
): Promise<void> {
  await clientset.appsV1.daemonSets(namespace).create({
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: labels }, template: pod, updateStrategy },
  });
  await settled();
}

/** Waits for a slice of a controller: a real cluster creates it again a second after its deletion. */
async function waitForSlice({ clientset, namespace }: Scene, service: string, size: number): Promise<string> {
  const labelSelector = `kubernetes.io/service-name=${service}`;
  const find = async (): Promise<string | undefined> => {
    const { items } = await clientset.discoveryV1.endpointSlices(namespace).list({ labelSelector });
    const found = items.find(
      ({ metadata, endpoints }) =>
        endpoints?.length === size &&
        metadata.labels?.['endpointslice.kubernetes.io/managed-by']?.endsWith('.k8s.io'),
    );
    return found?.metadata.name;
  };
  return (await vi.waitUntil(find, { timeout: 60_000, interval: 200 })) ?? '';
}
