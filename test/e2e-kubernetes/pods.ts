import type { coreV1 } from '@kgen/kubernetes';
import {
  hasStatusCause,
  isApiError,
  isBadRequest,
  isConflict,
  isInvalid,
  isTooManyRequests,
  type Stored,
} from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { unique } from '../support/cluster-tests.ts';
import { apiErrorOf, causesOf } from '../support/errors.ts';
import type { Env } from './env.ts';

const containers = [
  { name: 'web', image: 'web:1', resources: { requests: { cpu: '100m' }, limits: { cpu: '200m' } } },
];

interface Shop {
  readonly pods: coreV1.PodClient;
  readonly created: Stored<coreV1.Pod>;
}

async function shop(env: Env): Promise<Shop> {
  const pods = env.clientset.coreV1.pods(await env.namespace());
  return {
    pods,
    created: await pods.create({ metadata: { name: 'web', labels: { app: 'web' } }, spec: { containers } }),
  };
}

/** Creates a pod on a node without a kubelet. */
async function bound(env: Env): Promise<Shop & { readonly node: string }> {
  const { pods, created } = await shop(env);
  const node = unique('node');
  const status = { capacity: { cpu: '4', memory: '8Gi' } };
  await env.clientset.coreV1.nodes().create({ metadata: { name: node }, status });
  const response = await pods.bind('web', { target: { kind: 'Node', name: node } });
  expect(response.status).toBe('Success');
  return { pods, created, node };
}

/** Creates a pod with the status Running: disruption budgets count no others. */
async function running(env: Env): Promise<Shop> {
  const { pods, created } = await bound(env);
  await pods.patchStatus('web', {
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  });
  return { pods, created };
}

/** Registers tests of pods and all their subresources. */
export function podTests(env: Env): void {
  describe('a pod', () => {
    it('is bound to a node once', async () => {
      const { pods, node } = await bound(env);
      const web = await pods.get('web');
      expect(web.spec.nodeName).toBe(node);
      expect(web.status.conditions).toEqual([
        expect.objectContaining({ type: 'PodScheduled', status: 'True' }),
      ]);
      const { items } = await env.clientset.coreV1.pods().list({ fieldSelector: `spec.nodeName=${node}` });
      expect(items.map(({ metadata }) => metadata.uid)).toEqual([web.metadata.uid]);
      const error = await apiErrorOf(isConflict, pods.bind('web', { target: { kind: 'Node', name: node } }));
      expect(error.message).toMatch(/^bind pods(\/binding)? .*web: 409 Conflict: /);
    });

    it('is bound with the bindings of its namespace', async () => {
      const { pods, created } = await shop(env);
      const { namespace, name } = created.metadata;
      const bindings = env.clientset.coreV1.bindings(namespace);
      const status = await bindings.create({ metadata: { name }, target: { kind: 'Node', name: 'nowhere' } });
      expect(status.status).toBe('Success');
      expect((await pods.get(name)).spec.nodeName).toBe('nowhere');
    });

    it('has a separate status', async () => {
      const { pods, created } = await shop(env);
      expect(created.status).toMatchObject({ phase: 'Pending', qosClass: 'Burstable' });
      const status = {
        ...created.status,
        message: 'waits',
        conditions: [{ type: 'Ready', status: 'False' }],
      };
      const updated = await pods.updateStatus({ ...created, status });
      expect((await pods.getStatus('web')).status).toEqual(updated.status);
      const added = await pods.patchStatus('web', {
        status: { conditions: [{ type: 'Seen', status: 'True' }] },
      });
      expect(added.status.conditions?.map(({ type }) => type).sort()).toEqual(['Ready', 'Seen']);
      const intent = {
        metadata: { name: 'web' },
        status: { conditions: [{ type: 'Mine', status: 'True' }] },
      };
      const applied = await pods.applyStatus(intent, { fieldManager: 'me' });
      expect(applied.status.conditions).toHaveLength(3);
    });

    it('is rejected with the paths of all invalid fields', async () => {
      const pods = env.clientset.coreV1.pods(await env.namespace());
      const wrong = [{ name: 'Web', image: '' }];
      const error = await apiErrorOf(
        isInvalid,
        pods.create({ metadata: { name: 'web' }, spec: { containers: wrong } }),
      );
      expect(causesOf(error)).toEqual([
        'spec.containers[0].image: FieldValueRequired',
        'spec.containers[0].name: FieldValueInvalid',
      ]);
    });

    evictionTests(env);
    logTests(env);
    partTests(env);
  });
}

function evictionTests(env: Env): void {
  it('is evicted', async () => {
    const { pods } = await running(env);
    const status = await pods.evict('web', { deleteOptions: { gracePeriodSeconds: 0 } });
    expect(status.status).toBe('Success');
    expect(await pods.find('web')).toBeUndefined();
  });

  it('is evicted in a dry run', async () => {
    const { pods, created } = await shop(env);
    await pods.evict('web', {}, { dryRun: 'All' });
    expect((await pods.get('web')).metadata.uid).toBe(created.metadata.uid);
    await pods.evict('web');
    await pods.waitFor('web', (pod) => pod === undefined);
  });

  it('is not evicted with a disruption budget', async () => {
    const { pods, created } = await running(env);
    const budgets = env.clientset.policyV1.podDisruptionBudgets(created.metadata.namespace);
    const selector = { matchLabels: { app: 'web' } };
    await budgets.create({ metadata: { name: 'one' }, spec: { minAvailable: 1, selector } });
    const counted = await budgets.waitFor('one', (budget) => budget?.status.currentHealthy === 1);
    expect(counted?.status.disruptionsAllowed).toBe(0);
    const error = await apiErrorOf(isTooManyRequests, pods.evict('web'));
    expect(error.message).toMatch(
      /^evict pods(\/eviction)? .*web: 429 TooManyRequests: .*; .* budget one needs/,
    );
    expect(hasStatusCause(error, 'DisruptionBudget')).toBe(true);
    expect((await pods.get('web')).metadata.deletionTimestamp).toBeUndefined();
    const patched = await budgets.patch('one', { spec: { minAvailable: null, maxUnavailable: '50%' } });
    expect(patched.spec.maxUnavailable).toBe('50%');
    await budgets.patch('one', { spec: { minAvailable: 0, maxUnavailable: null } });
    await budgets.waitFor('one', (budget) => budget?.status.disruptionsAllowed === 1);
    expect((await pods.evict('web')).status).toBe('Success');
  });
}

function logTests(env: Env): void {
  it('without a node has an empty log', async () => {
    const { pods } = await shop(env);
    expect(await pods.getLog('web')).toBe('');
    expect(await pods.getLog('web', { sinceTime: '2026-01-31T12:00:00Z' })).toBe('');
    expect(await valuesOf(pods.streamLog('web', { follow: true, tailLines: 10 }))).toEqual([]);
  });

  it('rejects the log if its node does not respond', async () => {
    const { pods, created } = await bound(env);
    const where = `${created.metadata.namespace}/web`;
    const error = await apiErrorOf(isApiError, pods.getLog('web', { container: 'web', timestamps: true }));
    expect(error.message).toMatch(`get pods/log ${where}: 500: no preferred addresses found`);
    const streamed = await apiErrorOf(isApiError, valuesOf(pods.streamLog('web', { follow: true })));
    expect(streamed.message).toBe(error.message);
    const bytes = await apiErrorOf(isApiError, valuesOf(pods.streamLog('web', { as: 'bytes' })));
    expect(bytes.code).toBe(500);
  });

  it('rejects the log of an unknown container', async () => {
    const { pods } = await bound(env);
    const error = await apiErrorOf(isBadRequest, pods.getLog('web', { container: 'other' }));
    expect(error.message).toContain('container other is not valid');
    const streamed = await apiErrorOf(isBadRequest, valuesOf(pods.streamLog('web', { container: 'other' })));
    expect(streamed.message).toBe(error.message);
  });
}

async function valuesOf<T>(stream: AsyncIterable<T>): Promise<readonly T[]> {
  const values: T[] = [];
  for await (const value of stream) values.push(value);
  return values;
}

function partTests(env: Env): void {
  it('accepts ephemeral containers, which remain', async () => {
    const { pods } = await bound(env);
    const debug = { name: 'debug', image: 'debug:1', targetContainerName: 'web' };
    const patched = await pods.patchEphemeralContainers('web', { spec: { ephemeralContainers: [debug] } });
    expect(patched.spec.ephemeralContainers).toEqual([expect.objectContaining(debug)]);
    const read = await pods.getEphemeralContainers('web');
    const more = {
      ...read.spec,
      ephemeralContainers: [...(read.spec.ephemeralContainers ?? []), { name: 'second', image: 'debug:2' }],
    };
    const updated = await pods.updateEphemeralContainers({ ...read, spec: more });
    expect(updated.spec.ephemeralContainers?.map(({ name }) => name)).toEqual(['debug', 'second']);
    const removed = pods.updateEphemeralContainers({
      ...updated,
      spec: { ...updated.spec, ephemeralContainers: [] },
    });
    const error = await apiErrorOf(isInvalid, removed);
    expect(causesOf(error)).toContain('spec.ephemeralContainers: FieldValueForbidden');
  });

  it('accepts applied ephemeral containers and sizes', async () => {
    const { pods } = await bound(env);
    const metadata = { name: 'web' };
    const fieldManager = 'me';
    const debug = { name: 'debug', image: 'debug:1' };
    const intent = { metadata, spec: { ephemeralContainers: [debug] } };
    const debugged = await pods.applyEphemeralContainers(intent, { fieldManager });
    expect(debugged.spec.ephemeralContainers).toEqual([expect.objectContaining(debug)]);
    const resources = { limits: { cpu: '300m' } };
    const size = { metadata, spec: { containers: [{ name: 'web', resources }] } };
    await apiErrorOf(isConflict, pods.applyResize(size, { fieldManager }));
    const tried = await pods.applyResize(size, { fieldManager, force: true, dryRun: 'All' });
    expect(tried.spec?.containers[0]?.resources?.limits).toEqual({ cpu: '300m' });
    const resized = await pods.applyResize(size, { fieldManager, force: true });
    expect(resized.spec.containers[0]?.resources?.requests).toEqual({ cpu: '100m' });
  });

  it('is resized', async () => {
    const { pods } = await bound(env);
    const larger = { name: 'web', resources: { requests: { cpu: '150m' } } };
    const patched = await pods.patchResize('web', { spec: { containers: [larger] } });
    expect(patched.spec.containers[0]?.resources).toEqual({
      requests: { cpu: '150m' },
      limits: { cpu: '200m' },
    });
    expect((await pods.getResize('web')).spec).toEqual(patched.spec);
    const removed = { name: 'web', resources: { requests: { cpu: null }, limits: { cpu: null } } };
    await apiErrorOf(isInvalid, pods.patchResize('web', { spec: { containers: [removed] } }));
    // Resources can be changed only through the subresource.
    await apiErrorOf(
      isInvalid,
      pods.patch('web', {
        spec: { containers: [larger, { name: 'web', resources: { requests: { cpu: '10m' } } }] },
      }),
    );
  });
}
