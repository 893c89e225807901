import { isObject, type JsonObject } from '@kgen/schema/values/json';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../cluster/refusal.ts';
import { chooseManagerPod, type ManagerTarget } from './manager-pod.ts';

const deployment: JsonObject = {
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'shop', namespace: 'shop' } },
  spec: { selector: { matchLabels: { app: 'shop' } } },
};
const target: ManagerTarget = { kind: 'deployment', namespace: 'shop', name: 'shop' };

interface PodState {
  readonly name: string;
  readonly phase?: string;
  readonly isReady?: boolean;
  readonly isEnding?: boolean;
  readonly spec?: JsonObject;
}

const podOf = ({
  name,
  phase = 'Running',
  isReady = true,
  isEnding = false,
  spec = {},
}: PodState): JsonObject => ({
  ...{ apiVersion: 'v1', kind: 'Pod' },
  metadata: { name, namespace: 'shop', ...(isEnding && { deletionTimestamp: '2026-01-05T00:00:00Z' }) },
  spec,
  status: { phase, conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
});

const leaseOf = (name: string, holderIdentity: string): JsonObject => ({
  ...{ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' },
  ...{ metadata: { name, namespace: 'shop' }, spec: { holderIdentity } },
});

/** A cluster with these objects. `undefined` leases: the user may not list them. */
function clusterOf(pods: readonly PodState[], leases: readonly JsonObject[] | undefined = []) {
  const objects = [deployment, ...pods.map(podOf)];
  return {
    find: async ({ kind, name }: { readonly kind: string; readonly name: string }) =>
      objects.find(
        ({ kind: other, metadata }) => other === kind && isObject(metadata) && metadata['name'] === name,
      ),
    list: async ({ kind }: { readonly kind: string }) => {
      if (kind === 'Pod') return objects.slice(1);
      if (leases === undefined) throw new Error('forbidden');
      return leases;
    },
  };
}

const [a, b] = [{ name: 'shop-a' }, { name: 'shop-b' }];

describe('the Pod of a Deployment', () => {
  test.each<readonly [string, readonly PodState[], readonly JsonObject[] | undefined, string, string]>([
    ['the only one', [a], [], 'shop-a', 'it is the only ready one'],
    ['the first one', [a, b], [], 'shop-a', 'the first of 2 ready ones'],
    ['the leader', [a, b], [leaseOf('shop', 'shop-b_1')], 'shop-b', 'it holds the Lease shop'],
    ['a leader by its name', [a, b], [leaseOf('shop', 'shop-b')], 'shop-b', 'it holds the Lease shop'],
    [
      'the first one, as another process leads',
      [a, b],
      [leaseOf('shop', 'shop')],
      'shop-a',
      'the first of 2 ready ones',
    ],
    [
      'the first member of a ring',
      [a, b],
      [leaseOf('x', 'shop-a_1'), leaseOf('y', 'shop-b_1')],
      'shop-a',
      'the first of 2 ready ones',
    ],
    [
      'the first one without the permission to list Leases',
      [a, b],
      undefined,
      'shop-a',
      'the first of 2 ready ones',
    ],
    ['a ready one', [{ ...a, isReady: false }, b], [], 'shop-b', 'it is the only ready one'],
    [
      'one that is not being deleted',
      [{ ...a, isEnding: true }, b],
      [],
      'shop-b',
      'it is the only ready one',
    ],
    [
      'one that runs',
      [
        { ...a, phase: 'Pending', isReady: false },
        { ...b, isReady: false },
      ],
      [],
      'shop-b',
      'none of 1 is ready',
    ],
  ])('is %s', async (_, pods, leases, name, reason) => {
    expect(await chooseManagerPod(clusterOf(pods, leases), target)).toMatchObject({ name, reason });
  });

  test('has the port of its metrics, and its account', async () => {
    const containers = [
      { ports: [{ name: 'health', containerPort: 8081 }] },
      { ports: [{ name: 'metrics', containerPort: 9090 }] },
    ];
    const pods = [{ ...a, spec: { containers, serviceAccountName: 'operator' } }];
    expect(await chooseManagerPod(clusterOf(pods), target)).toEqual({
      ...{ namespace: 'shop', name: 'shop-a', metricsPort: 9090, serviceAccount: 'operator' },
      reason: 'it is the only ready one',
    });
    expect(await chooseManagerPod(clusterOf([a]), target)).toMatchObject({
      metricsPort: undefined,
      serviceAccount: 'default',
    });
  });

  test.each<readonly [string, readonly PodState[], ManagerTarget, string]>([
    [
      'another Deployment',
      [a],
      { ...target, name: 'x' },
      'Deployment shop/x does not exist: pass --namespace',
    ],
    [
      'another Pod',
      [a],
      { ...target, kind: 'pod', name: 'x' },
      'Pod shop/x does not exist: pass --namespace',
    ],
    [
      'a Pod that does not run',
      [{ ...a, phase: 'Pending' }],
      { ...target, kind: 'pod', name: 'shop-a' },
      'Pod shop/shop-a does not run: it is Pending',
    ],
    ['no Pods', [], target, 'Deployment shop/shop has no running Pod; kgen doctor'],
    [
      'Pods that do not run',
      [
        { ...a, phase: 'Pending' },
        { ...b, isEnding: true },
      ],
      target,
      'Deployment shop/shop has no running Pod: shop-a is Pending, shop-b is being deleted; kgen doctor',
    ],
  ])('is refused for %s', async (_, pods, of, message) => {
    const choice = chooseManagerPod(clusterOf(pods), of);
    await expect(choice).rejects.toThrow(Refusal);
    await expect(choice).rejects.toThrow(message);
  });
});
