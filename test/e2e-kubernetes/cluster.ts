import { condition, isForbidden, isInvalid } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { unique } from '../support/cluster-tests.ts';
import { apiErrorOf, causesOf } from '../support/errors.ts';
import type { Env } from './env.ts';

/** Registers tests of cluster-scoped objects and of information about the server. */
export function clusterTests(env: Env): void {
  describe('cluster-scoped resources', () => {
    it('include a priority class, which sets the priority of pods', async () => {
      const name = unique('urgent');
      const classes = env.clientset.schedulingV1.priorityClasses();
      await classes.create({ metadata: { name }, value: 1000, description: 'before others' });
      const error = await apiErrorOf(isInvalid, classes.patch(name, { value: 2000 }));
      expect(causesOf(error)).toEqual(['value: FieldValueForbidden']);
      const pods = env.clientset.coreV1.pods(await env.namespace());
      const spec = { priorityClassName: name, containers: [{ name: 'web', image: 'web:1' }] };
      expect((await pods.create({ metadata: { name: 'web' }, spec })).spec.priority).toBe(1000);
    });

    it('include a storage class and a volume', async () => {
      const name = unique('disk');
      const { coreV1, storageV1 } = env.clientset;
      const created = await storageV1.storageClasses().create({
        metadata: { name },
        provisioner: 'example.com/disk',
        parameters: { kind: 'fast' },
        volumeBindingMode: 'WaitForFirstConsumer',
      });
      expect(created.reclaimPolicy).toBe('Delete');
      const volume = await coreV1.persistentVolumes().create({
        metadata: { name },
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          storageClassName: name,
          hostPath: { path: '/data' },
        },
      });
      expect(volume.spec.persistentVolumeReclaimPolicy).toBe('Retain');
      const free = await coreV1
        .persistentVolumes()
        .waitFor(name, (found) => found?.status.phase === 'Available');
      expect(free?.spec.capacity).toEqual({ storage: '1Gi' });
    });

    it('include a flow schema, which the server validates', async () => {
      const name = unique('flow');
      const flows = env.clientset.flowcontrolV1.flowSchemas();
      await flows.create({
        metadata: { name },
        spec: {
          matchingPrecedence: 9000,
          priorityLevelConfiguration: { name: 'nowhere' },
          distinguisherMethod: { type: 'ByUser' },
          rules: [
            {
              subjects: [{ kind: 'Group', group: { name: 'system:authenticated' } }],
              resourceRules: [{ verbs: ['list'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'] }],
            },
          ],
        },
      });
      const dangling = await flows.waitFor(name, condition('Dangling'));
      expect(dangling.spec.matchingPrecedence).toBe(9000);
      await flows.patch(name, { spec: { priorityLevelConfiguration: { name: 'workload-low' } } });
      await flows.waitFor(name, condition('Dangling', 'False'));
      await flows.delete(name);
    });

    serverTests(env);
  });
}

function serverTests(env: Env): void {
  it('include the API services of the server itself', async () => {
    const services = env.clientset.apiregistrationV1.apiServices();
    const { items } = await services.list();
    expect(items.map(({ metadata }) => metadata.name)).toEqual(
      expect.arrayContaining(['v1.', 'v1.apps', 'v1.batch']),
    );
    const apps = await services.waitFor('v1.apps', condition('Available'));
    expect(apps.spec).toMatchObject({ group: 'apps', version: 'v1' });
    expect(apps.spec.service).toBeUndefined();
  });

  it('include component statuses, which are generated', async () => {
    const statuses = env.clientset.coreV1.componentStatuses();
    const { items } = await statuses.list();
    const names = items.map(({ metadata }) => metadata?.name);
    expect(names).toEqual(expect.arrayContaining(['controller-manager', 'etcd-0', 'scheduler']));
    const etcd = await statuses.get('etcd-0');
    expect(etcd.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual(['Healthy=True']);
    // It is not stored.
    expect(etcd.metadata?.uid).toBeUndefined();
    const seen: (string | undefined)[] = [];
    for await (const { metadata } of statuses.iterate()) seen.push(metadata?.name);
    expect(seen.sort()).toEqual(names.sort());
  });

  it('include groups in alpha and beta', async () => {
    const { items } = await env.clientset.resourceV1beta1.deviceClasses().list();
    expect(items).toEqual([]);
    const name = unique('device');
    await env.clientset.resourceV1.deviceClasses().create({ metadata: { name }, spec: {} });
    expect((await env.clientset.resourceV1beta1.deviceClasses().get(name)).apiVersion).toBe(
      'resource.k8s.io/v1beta1',
    );
  });

  it('include a node, which an unauthorized user cannot read', async () => {
    const nodes = env.clientset.coreV1.nodes();
    await apiErrorOf(
      isForbidden,
      nodes.create({ metadata: { name: unique('node') } }, { impersonate: { user: 'eve' } }),
    );
    const name = unique('node');
    await nodes.create({
      metadata: { name },
      spec: { taints: [{ key: 'example.com/own', effect: 'NoSchedule' }] },
    });
    const capacity = { cpu: '4', memory: '8Gi' };
    const patched = await nodes.patchStatus(name, {
      status: { capacity, conditions: [{ type: 'Ready', status: 'True' }] },
    });
    expect(patched.status.allocatable).toEqual(capacity);
    expect((await nodes.waitFor(name, condition('Ready'))).status.capacity).toEqual(capacity);
    await nodes.delete(name);
  });
}
