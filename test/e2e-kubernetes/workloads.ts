import type { appsV1 } from '@kgen/kubernetes';
import { condition, isConflict, isInvalid, type Stored } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { apiErrorOf, causesOf } from '../support/errors.ts';
import type { Env } from './env.ts';

const labels = { app: 'web' };

function spec(replicas: number): appsV1.DeploymentSpec {
  const containers = [
    { name: 'web', image: 'web:1', ports: [{ containerPort: 80 }] },
    { name: 'proxy', image: 'proxy:1', env: [{ name: 'LEVEL', value: 'info' }] },
  ];
  return {
    replicas,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers } },
  };
}

interface Web {
  readonly deployments: appsV1.DeploymentClient;
  readonly created: Stored<appsV1.Deployment>;
}

async function web(env: Env, replicas: number): Promise<Web> {
  const deployments = env.clientset.appsV1.deployments(await env.namespace());
  return {
    deployments,
    created: await deployments.create({ metadata: { name: 'web' }, spec: spec(replicas) }),
  };
}

function images({ spec }: Stored<appsV1.Deployment>): readonly string[] {
  return (spec.template.spec?.containers ?? []).map(({ name, image = '' }) => `${name}=${image}`);
}

/** Registers tests of Deployments and the objects that controllers create for them. */
export function workloadTests(env: Env): void {
  describe('a deployment', () => {
    it('has defaults, and a status from its controller', async () => {
      const { deployments, created } = await web(env, 0);
      expect(created.spec.strategy?.rollingUpdate).toEqual({ maxSurge: '25%', maxUnavailable: '25%' });
      expect(created.spec.template.spec?.restartPolicy).toBe('Always');
      const available = await deployments.waitFor('web', condition('Available'));
      expect(available.status.observedGeneration).toBe(1);
      expect(available.metadata.namespace).toBe(created.metadata.namespace);
    });

    it('creates a replica set and counts its pods', async () => {
      const { deployments, created } = await web(env, 2);
      const { namespace, uid } = created.metadata;
      const counted = await deployments.waitFor('web', (deployment) => deployment?.status.replicas === 2);
      expect(counted?.status.unavailableReplicas).toBe(2);
      const sets = await env.clientset.appsV1.replicaSets(namespace).list({ labelSelector: labels });
      const [set] = sets.items;
      expect(set?.metadata.ownerReferences).toEqual([expect.objectContaining({ kind: 'Deployment', uid })]);
      const { items } = await env.clientset.coreV1
        .pods(namespace)
        .list({ labelSelector: { matchLabels: labels } });
      expect(items.map((pod) => pod.metadata.ownerReferences?.[0]?.uid)).toEqual([
        set?.metadata.uid,
        set?.metadata.uid,
      ]);
      await deployments.deleteAndWait('web', { propagationPolicy: 'Foreground' });
      expect((await env.clientset.coreV1.pods(namespace).list()).items).toEqual([]);
    });

    it('rejects a change of its selector', async () => {
      const { deployments } = await web(env, 0);
      const patch = deployments.patch('web', { spec: { selector: { matchLabels: { app: 'other' } } } });
      expect(causesOf(await apiErrorOf(isInvalid, patch))).toContain('spec.selector: FieldValueInvalid');
    });

    strategicTests(env);
    scaleTests(env);
  });

  revisionTests(env);
}

function strategicTests(env: Env): void {
  it('merges, adds and deletes containers by name', async () => {
    const { deployments } = await web(env, 0);
    const merged = await deployments.patch('web', {
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'web', image: 'web:2' },
              { name: 'proxy', $patch: 'delete' },
              { name: 'log', image: 'log:1' },
            ],
          },
        },
      },
    });
    expect([...images(merged)].sort()).toEqual(['log=log:1', 'web=web:2']);
    const kept = merged.spec.template.spec?.containers.find(({ name }) => name === 'web');
    expect(kept?.ports).toEqual([{ containerPort: 80, protocol: 'TCP' }]);
  });

  it('replaces containers with a directive and with a JSON merge patch', async () => {
    const { deployments } = await web(env, 0);
    const containers = [{ name: 'only', image: 'only:1' }];
    const replaced = await deployments.patch('web', {
      spec: { template: { spec: { containers: [...containers, { $patch: 'replace' }] } } },
    });
    expect(images(replaced)).toEqual(['only=only:1']);
    const other = [{ name: 'other', image: 'other:1' }];
    const merge = { spec: { template: { spec: { containers: other } } } };
    expect(images(await deployments.patch('web', merge, { type: 'merge' }))).toEqual(['other=other:1']);
  });

  it('sorts containers', async () => {
    const { deployments } = await web(env, 0);
    const ordered = await deployments.patch('web', {
      spec: { template: { spec: { '$setElementOrder/containers': [{ name: 'proxy' }, { name: 'web' }] } } },
    });
    expect(images(ordered)).toEqual(['proxy=proxy:1', 'web=web:1']);
  });

  it('replaces its strategy without leftover fields', async () => {
    const { deployments } = await web(env, 0);
    const patched = await deployments.patch('web', {
      spec: { strategy: { type: 'Recreate', $retainKeys: ['type'] } },
    });
    expect(patched.spec.strategy).toEqual({ type: 'Recreate' });
  });

  it('applies single fields of containers', async () => {
    const { deployments } = await web(env, 0);
    const intent = {
      metadata: { name: 'web' },
      spec: { template: { spec: { containers: [{ name: 'web', image: 'web:3' }] } } },
    };
    const error = await apiErrorOf(isConflict, deployments.apply(intent, { fieldManager: 'ci' }));
    expect(causesOf(error)).toEqual([
      '.spec.template.spec.containers[name="web"].image: FieldManagerConflict',
    ]);
    const applied = await deployments.apply(intent, { fieldManager: 'ci', force: true });
    expect(images(applied)).toEqual(['web=web:3', 'proxy=proxy:1']);
    const tried = await deployments.apply(intent, { fieldManager: 'ci', force: true, dryRun: 'All' });
    expect(tried.spec?.replicas).toBe(0);
  });
}

function scaleTests(env: Env): void {
  it('is scaled with update, patch and apply', async () => {
    const { deployments, created } = await web(env, 1);
    const scale = await deployments.getScale('web');
    expect(scale).toMatchObject({ apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas: 1 } });
    expect(scale.metadata.uid).toBe(created.metadata.uid);
    // The controller writes too: without a version its write does not conflict with this one.
    const { name } = scale.metadata;
    expect(
      (await deployments.updateScale({ metadata: { name }, spec: { replicas: 2 } })).spec?.replicas,
    ).toBe(2);
    expect((await deployments.patchScale('web', { spec: { replicas: 3 } })).spec?.replicas).toBe(3);
    const steps = deployments.patchScale('web', [{ op: 'replace', path: '/spec/replicas', value: 4 }], {
      type: 'json',
    });
    expect((await steps).spec?.replicas).toBe(4);
    const intent = { metadata: { name: 'web' }, spec: { replicas: 0 } };
    await apiErrorOf(isConflict, deployments.applyScale(intent, { fieldManager: 'scaler' }));
    const applied = await deployments.applyScale(intent, { fieldManager: 'scaler', force: true });
    // Servers omit a zero.
    expect(applied.spec).toEqual({});
    const emptied = await deployments.waitFor(
      'web',
      (deployment) => (deployment?.status.replicas ?? 0) === 0,
    );
    expect(emptied?.spec.replicas).toBe(0);
    expect((await deployments.getScale('web')).status?.selector).toBe('app=web');
  });

  it('rejects an invalid scale', async () => {
    const { deployments } = await web(env, 0);
    const error = await apiErrorOf(isInvalid, deployments.patchScale('web', { spec: { replicas: -1 } }));
    expect(causesOf(error)).toEqual(['spec.replicas: FieldValueInvalid']);
  });
}

function revisionTests(env: Env): void {
  it('stores any data in a controller revision', async () => {
    const revisions = env.clientset.appsV1.controllerRevisions(await env.namespace());
    const data = { spec: { template: { any: ['thing', 1, null] } } };
    const created = await revisions.create({ metadata: { name: 'first' }, revision: 1, data });
    expect(created.data).toEqual(data);
    const changed = revisions.update({ ...created, data: { other: true } });
    expect(causesOf(await apiErrorOf(isInvalid, changed))).toEqual(['data: FieldValueInvalid']);
    const stateful = env.clientset.appsV1.statefulSets(created.metadata.namespace);
    const template = { metadata: { labels }, spec: { containers: [{ name: 'db', image: 'db:1' }] } };
    await stateful.create({
      metadata: { name: 'db' },
      spec: { serviceName: 'db', replicas: 1, selector: { matchLabels: labels }, template },
    });
    const set = await stateful.waitFor('db', (found) => found?.status.currentRevision !== undefined);
    const revision = await revisions.get(set?.status.currentRevision ?? '');
    expect(revision.metadata.ownerReferences).toEqual([
      expect.objectContaining({ kind: 'StatefulSet', name: 'db' }),
    ]);
  });
}
