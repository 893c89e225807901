import { deployments } from '@kgen/kubernetes/apps/v1';
import { isNotFound, RESTClient, resource } from '@kgen/runtime';
import type { APIRequest, APIResponse } from '@kgen/runtime/rest';
import {
  canI,
  cordon,
  type DrainProgress,
  drain,
  rolloutRestart,
  rolloutStatus,
  topNodes,
  topPods,
} from '@kgen/runtime/tools';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { drainDecision } from '../../src/runtime/client/tools/drain-rules.ts';
import { rolloutState } from '../../src/runtime/client/tools/rollout-step.ts';
import { holdTime, until } from '../support/runtime/no-time-passes.ts';
import { failure } from './support.ts';

/** Body of a response, or its status code. */
type Respond = (request: APIRequest, body: string) => object | number;

/** Creates a client whose requests are recorded as lines; `respond` returns the responses. */
function clientOf(respond: Respond): { readonly rest: RESTClient; readonly lines: string[] } {
  const lines: string[] = [];
  const transport = async (request: APIRequest): Promise<APIResponse> => {
    const body = request.body === undefined ? '' : String(request.body);
    const query = request.query.map((pair) => pair.join('=')).join('&');
    lines.push([request.method, `${request.path}${query && `?${query}`}`, body].filter(Boolean).join(' '));
    const result = respond(request, body);
    const status = typeof result === 'number' ? result : 200;
    const reasons: Readonly<Record<number, string>> = {
      404: 'NotFound',
      429: 'TooManyRequests',
      403: 'Forbidden',
    };
    const failed = { kind: 'Status', status: 'Failure', code: status, reason: reasons[status] };
    const text = JSON.stringify(typeof result === 'number' ? failed : result);
    const bytes = async function* (): AsyncGenerator<Uint8Array, void> {
      yield Buffer.from(text);
    };
    return {
      status,
      headers: { 'content-type': 'application/json' },
      body: bytes(),
      cancel: () => undefined,
    };
  };
  const rest = new RESTClient({ server: 'http://server' }, { transport, encoding: 'json' });
  onTestFinished(() => rest.close());
  return { rest, lines };
}

describe('rolloutState', () => {
  const meta = { name: 'web', generation: 2 };
  const deployment = (status: object, spec: object = { replicas: 3 }) => ({
    kind: 'Deployment',
    metadata: meta,
    spec,
    status: { observedGeneration: 2, ...status },
  });
  const daemonSet = (status: object, type = 'RollingUpdate') => ({
    kind: 'DaemonSet',
    metadata: meta,
    spec: { updateStrategy: { type } },
    status: { observedGeneration: 2, desiredNumberScheduled: 3, ...status },
  });
  const statefulSet = (status: object, partition?: number) => ({
    kind: 'StatefulSet',
    metadata: meta,
    spec: { replicas: 3, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } } },
    status: { observedGeneration: 2, readyReplicas: 3, ...status },
  });
  it.each<[object, boolean, string]>([
    [deployment({ observedGeneration: 1 }), false, 'Waiting for deployment spec update to be observed...'],
    [deployment({ updatedReplicas: 1 }), false, '1 out of 3 new replicas have been updated...'],
    [deployment({ updatedReplicas: 3, replicas: 5 }), false, '2 old replicas are pending termination...'],
    [
      deployment({ updatedReplicas: 3, replicas: 3, availableReplicas: 1 }),
      false,
      '1 of 3 updated replicas are available...',
    ],
    [
      deployment({ updatedReplicas: 3, replicas: 3, availableReplicas: 3 }),
      true,
      'deployment "web" successfully rolled out',
    ],
    [deployment({}, { replicas: 0 }), true, 'deployment "web" successfully rolled out'],
    [daemonSet({ observedGeneration: 1 }), false, 'Waiting for daemon set spec update to be observed...'],
    [daemonSet({ updatedNumberScheduled: 1 }), false, '1 out of 3 new pods have been updated...'],
    [
      daemonSet({ updatedNumberScheduled: 3, numberAvailable: 2 }),
      false,
      '2 of 3 updated pods are available...',
    ],
    [
      daemonSet({ updatedNumberScheduled: 3, numberAvailable: 3 }),
      true,
      'daemon set "web" successfully rolled out',
    ],
    [statefulSet({ observedGeneration: 0 }), false, 'Waiting for statefulset spec update to be observed...'],
    [statefulSet({ readyReplicas: 1 }), false, 'Waiting for 2 pods to be ready...'],
    [statefulSet({ updatedReplicas: 0 }, 2), false, '0 out of 1 new pods have been updated...'],
    [
      statefulSet({ updatedReplicas: 1 }, 2),
      true,
      'partitioned roll out complete: 1 new pods have been updated...',
    ],
    [
      statefulSet({ updatedReplicas: 1, updateRevision: 'b', currentRevision: 'a' }),
      false,
      'waiting for statefulset rolling update to complete 1 pods at revision b...',
    ],
    [
      statefulSet({ currentReplicas: 3, updateRevision: 'b', currentRevision: 'b' }),
      true,
      'statefulset rolling update complete 3 pods at revision b...',
    ],
  ])('is determined for %j', (object, done, message) => {
    const state = rolloutState(object);
    expect(state.done).toBe(done);
    expect(state.message).toContain(message);
  });

  it('fails for an exceeded deadline, other strategies and other kinds', () => {
    const conditions = [{ type: 'Progressing', reason: 'ProgressDeadlineExceeded' }];
    expect(() => rolloutState(deployment({ conditions }))).toThrow(
      'deployment "web" exceeded its progress deadline',
    );
    expect(() => rolloutState(daemonSet({}, 'OnDelete'))).toThrow(TypeError);
    expect(() => rolloutState({ kind: 'Pod' })).toThrow(TypeError);
  });
});

describe('rollouts', () => {
  const complete = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', resourceVersion: '1', generation: 1 },
    spec: { replicas: 1 },
    status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1 },
  };

  it('returns the last message, with the client of a clientset', async () => {
    const { rest } = clientOf(({ path }) =>
      path.endsWith('/web')
        ? complete
        : { kind: 'DeploymentList', metadata: { resourceVersion: '1' }, items: [complete] },
    );
    const messages: string[] = [];
    const client = resource(rest, deployments).in('shop');
    const onProgress = (message: string): void => void messages.push(message);
    const last = await rolloutStatus(client, 'web', { onProgress, timeoutMs: 10_000 });
    expect(last).toBe('deployment "web" successfully rolled out');
    expect(messages).toEqual([last]);
  });

  it('reports an object that does not exist as the server does', async () => {
    const empty = { kind: 'DeploymentList', metadata: { resourceVersion: '1' }, items: [] };
    const { rest } = clientOf(({ path }) => (path.endsWith('/web') ? 404 : empty));
    const client = resource(rest, deployments).in('shop');
    const error = await failure(rolloutStatus(client, 'web', { timeoutMs: 10_000 }));
    expect(isNotFound(error)).toBe(true);
    expect(error.message).toMatch(/deployments.* shop/);
  });

  it('reports a deletion with kind, namespace and name', async () => {
    const pending = { ...complete, status: {} };
    const client = {
      get: async () => pending,
      waitFor: async (_: string, predicate: (object: object | undefined) => boolean) =>
        [pending, undefined].map(predicate),
    };
    await expect(rolloutStatus(client, 'web')).rejects.toThrow('Deployment shop/web was deleted');
  });

  it('restarts by the annotation of kubectl, unless the rollout is paused', async () => {
    const { rest, lines } = clientOf(() => complete);
    await rolloutRestart(resource(rest, deployments).in('shop'), 'web', { fieldManager: 'me' });
    expect(lines[1]).toMatch(
      /^PATCH .*\/web\?fieldManager=me \{"spec":\{"template":\{"metadata":\{"annotations":\{"kubectl\.kubernetes\.io\/restartedAt":"[\d-]+T[\d:]+Z"\}\}\}\}\}$/,
    );
    const paused = clientOf(() => ({ ...complete, spec: { paused: true } }));
    const error = await failure(rolloutRestart(resource(paused.rest, deployments).in('shop'), 'web'));
    expect(error.message).toMatch(/its rollout is paused/);
  });
});

describe('drainDecision', () => {
  const owned = (kind: string) => ({ ownerReferences: [{ kind, name: 'x', controller: true }] });
  const local = { volumes: [{ name: 'a', emptyDir: {} }] };
  it.each<[string, object, object, boolean, string]>([
    ['evicts a controlled pod', { metadata: owned('ReplicaSet') }, {}, false, 'evict'],
    ['refuses a pod without a controller', { metadata: {} }, {}, false, 'refuse'],
    ['evicts it with force', { metadata: {} }, { force: true }, false, 'evict'],
    ['evicts a finished one', { metadata: {}, status: { phase: 'Succeeded' } }, {}, false, 'evict'],
    [
      'skips mirror pods',
      { metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } },
      {},
      false,
      'skip',
    ],
    ['refuses pods of DaemonSets', { metadata: owned('DaemonSet') }, {}, true, 'refuse'],
    [
      'skips them with ignoreDaemonSets',
      { metadata: owned('DaemonSet') },
      { ignoreDaemonSets: true },
      true,
      'skip',
    ],
    [
      'refuses pods of a missing DaemonSet',
      { metadata: owned('DaemonSet') },
      { ignoreDaemonSets: true },
      false,
      'refuse',
    ],
    ['evicts them with force', { metadata: owned('DaemonSet') }, { force: true }, false, 'evict'],
    [
      'evicts finished pods of DaemonSets',
      { metadata: owned('DaemonSet'), status: { phase: 'Failed' } },
      {},
      true,
      'evict',
    ],
    ['refuses local storage', { metadata: owned('ReplicaSet'), spec: local }, {}, false, 'refuse'],
    [
      'evicts it with deleteEmptyDirData',
      { metadata: owned('ReplicaSet'), spec: local },
      { deleteEmptyDirData: true },
      false,
      'evict',
    ],
  ])('%s', (_, pod, rules, exists, want) => expect(drainDecision(pod, rules, exists).action).toBe(want));
});

describe('drain', () => {
  const pod = (name: string, more: object = {}) => ({
    metadata: {
      name,
      namespace: 'shop',
      uid: name,
      ownerReferences: [{ kind: 'ReplicaSet', controller: true }],
      ...more,
    },
  });

  it('cordons, evicts, retries what a budget prevents, and waits until the pods are gone', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    let blocked = 2;
    let polls = 0;
    const { rest, lines } = clientOf(({ path, method }) => {
      if (path === '/api/v1/pods')
        return {
          items: [
            pod('a'),
            pod('b'),
            pod('d', { ownerReferences: [], annotations: { 'kubernetes.io/config.mirror': '' } }),
          ],
        };
      if (path.endsWith('/a/eviction')) {
        blocked -= 1;
        return blocked >= 0 ? 429 : { kind: 'Status', status: 'Success' };
      }
      if (path.endsWith('/eviction')) return { kind: 'Status', status: 'Success' };
      if (path.endsWith('/pods/b')) return pod('b', { uid: 'another' });
      if (path.endsWith('/pods/a')) {
        polls += 1;
        return polls < 3 ? pod('a') : 404;
      }
      return method === 'PATCH' ? { kind: 'Node' } : 404;
    });
    const steps: string[] = [];
    const onProgress = ({ step, pod: name = '' }: DrainProgress): void =>
      void steps.push(`${step} ${name}`.trim());
    const drained = drain(rest, 'node-1', { gracePeriodSeconds: 5, onProgress, timeoutMs: 600_000 });
    let isDrained = false;
    const noted = drained.then(() => {
      isDrained = true;
    });
    while (!isDrained) {
      // Modules that are loaded on demand need real time, during which only the time limit may be pending.
      if (vi.getTimerCount() > 1) await vi.advanceTimersByTimeAsync(200);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await noted;
    expect(lines[0]).toBe('PATCH /api/v1/nodes/node-1 {"spec":{"unschedulable":true}}');
    expect(lines[1]).toBe('GET /api/v1/pods?fieldSelector=spec.nodeName=node-1');
    expect(lines.filter((line) => line.includes('/a/eviction')).length).toBe(3);
    expect(lines.find((line) => line.includes('/b/eviction'))).toContain(
      '"deleteOptions":{"gracePeriodSeconds":5}',
    );
    expect(steps.filter((step) => step !== 'blocked shop/a')).toEqual([
      'cordoned',
      'skipped shop/d',
      'evicting shop/a',
      'evicting shop/b',
      'evicted shop/b',
      'evicted shop/a',
    ]);
  });

  it('evicts nothing if a pod must not be evicted', async () => {
    const { rest, lines } = clientOf(({ path }) =>
      path === '/api/v1/pods' ? { items: [pod('a'), pod('b', { ownerReferences: [] })] } : {},
    );
    const error = await failure(drain(rest, 'node-1'));
    expect(error.message).toMatch(
      /"node-1" cannot be drained: the pod shop\/b has no controller \(set force/,
    );
    expect(lines.filter((line) => line.includes('eviction'))).toEqual([]);
  });

  it('evicts no pod any further once one has failed', async () => {
    holdTime();
    const { rest, lines } = clientOf(({ path }) => {
      if (path === '/api/v1/pods') return { items: [pod('a'), pod('b')] };
      if (path.endsWith('/eviction')) return path.includes('/a/') ? 429 : 403;
      return {};
    });
    const steps: string[] = [];
    const onProgress = ({ step, pod: name }: DrainProgress): void => void steps.push(`${step} ${name}`);
    const error = await failure(drain(rest, 'node-1', { onProgress }));
    expect(error).toMatchObject({ reason: 'Forbidden' });
    const [sent, reported] = [lines.length, steps.length];
    await vi.advanceTimersByTimeAsync(60_000);
    expect(vi.getTimerCount()).toBe(0);
    expect([lines.length, steps.length]).toEqual([sent, reported]);
  });

  it('names the pods that are left after timeoutMs', async () => {
    holdTime();
    const { rest } = clientOf(({ path }) =>
      path === '/api/v1/pods' ? { items: [pod('a')] } : path.endsWith('eviction') ? 429 : {},
    );
    const steps: string[] = [];
    const onProgress = ({ step }: DrainProgress): void => void steps.push(step);
    const drained = failure(drain(rest, 'node-1', { timeoutMs: 50, onProgress }));
    await until(() => steps.includes('blocked'));
    vi.advanceTimersByTime(50);
    const error = await drained;
    expect(error.message).toMatch(/timed out after 50 ms: 1 pods left: shop\/a/);
  });

  it('cordon(…, false) makes a node schedulable', async () => {
    const { rest, lines } = clientOf(() => ({}));
    await cordon(rest, 'node-1', false);
    expect(lines).toEqual(['PATCH /api/v1/nodes/node-1 {"spec":{"unschedulable":null}}']);
  });
});

describe('canI and top', () => {
  it('returns the decision and its reason', async () => {
    const { rest, lines } = clientOf(() => ({ status: { allowed: true, reason: 'RBAC' } }));
    expect(
      await canI(rest, { verb: 'create', resource: 'pods', subresource: 'exec', namespace: 'shop' }),
    ).toEqual({
      allowed: true,
      reason: 'RBAC',
    });
    expect(lines[0]).toContain(
      '"spec":{"resourceAttributes":{"verb":"create","resource":"pods","subresource":"exec","namespace":"shop"}}',
    );
    await canI(rest, { verb: 'get', path: '/metrics' });
    expect(lines[1]).toContain('"spec":{"nonResourceAttributes":{"path":"/metrics","verb":"get"}}');
  });

  it('sums the containers of pods, and returns the shares of nodes', async () => {
    const usage = { cpu: '250m', memory: '64Mi' };
    const { rest, lines } = clientOf(({ path }) =>
      path.endsWith('/v1/nodes')
        ? { items: [{ metadata: { name: 'n' }, status: { allocatable: { cpu: '1', memory: '128Mi' } } }] }
        : path.endsWith('/nodes')
          ? {
              items: [
                { metadata: { name: 'n' }, usage },
                { metadata: { name: 'gone' }, usage },
              ],
            }
          : {
              items: [
                {
                  metadata: { name: 'p', namespace: 'shop' },
                  containers: [
                    { name: 'a', usage },
                    { name: 'b', usage },
                  ],
                },
              ],
            },
    );
    const [pod] = await topPods(rest, { namespace: 'shop', labelSelector: { app: 'web' } });
    expect(pod).toMatchObject({
      name: 'p',
      cpu: 0.5,
      memory: 2 ** 27,
      containers: [{ name: 'a', cpu: 0.25 }, { name: 'b' }],
    });
    expect(lines[0]).toBe('GET /apis/metrics.k8s.io/v1beta1/namespaces/shop/pods?labelSelector=app=web');
    expect(await topNodes(rest)).toEqual([
      { name: 'n', cpu: 0.25, memory: 2 ** 26, cpuShare: 0.25, memoryShare: 0.5 },
      { name: 'gone', cpu: 0.25, memory: 2 ** 26, cpuShare: undefined, memoryShare: undefined },
    ]);
  });

  it('mentions metrics-server if its API does not exist', async () => {
    const { rest } = clientOf(() => 404);
    expect((await failure(topPods(rest))).message).toMatch(/is metrics-server installed\?/);
  });
});
