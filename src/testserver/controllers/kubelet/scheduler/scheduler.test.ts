import { describe, expect, test } from 'vitest';
import { array, type JsonObject, object, own, text } from '../../../../schema/values/json.ts';
import { call, start } from '../../../client.fixture.ts';
import type { TestServer } from '../../../server/testserver.ts';

const podsPath = '/api/v1/namespaces/default/pods';
const zone = 'topology.kubernetes.io/zone';

function node(name: string, allocatable: JsonObject = {}, spec: JsonObject = {}): JsonObject {
  const labels = { [zone]: name.slice(0, 1), 'kubernetes.io/hostname': name };
  return {
    kind: 'Node',
    apiVersion: 'v1',
    metadata: { name, labels },
    spec,
    status: { allocatable, capacity: allocatable },
  };
}

function sourceOf(object_: JsonObject): { readonly yaml: string } {
  return { yaml: JSON.stringify(object_) };
}

async function clusterOf(...nodes: readonly JsonObject[]): Promise<TestServer> {
  return start({ controllers: true, time: 'virtual', seed: 1, objects: nodes.map(sourceOf) });
}

async function add(
  server: TestServer,
  name: string,
  spec: JsonObject,
  labels: JsonObject = {},
): Promise<void> {
  const body = { metadata: { name, labels }, spec: { containers: [container({})], ...spec } };
  const { code, body: created } = await call(server, podsPath, { method: 'POST', body });
  expect([code, own(created, 'message')]).toEqual([201, undefined]);
  await server.time.advance(0);
}

function container(requests: JsonObject, more: JsonObject = {}): JsonObject {
  return { name: 'a', image: 'web:1', resources: { requests, limits: requests }, ...more };
}

/** Returns the node of a pod, or why it has none. */
async function placeOf(server: TestServer, name: string): Promise<string> {
  const { body } = await call(server, `${podsPath}/${name}`);
  const condition = array(body, 'status', 'conditions').find((each) => text(each, 'type') === 'PodScheduled');
  return text(body, 'spec', 'nodeName') || text(condition, 'message').replace(/ no new claims.*/, '');
}

const term = (labels: JsonObject, topologyKey = zone): JsonObject => ({
  requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: labels }, topologyKey }],
});

describe('the scheduler', () => {
  const small = { cpu: '1', 'example.com/gpu': '1', pods: '10' };
  const port = (hostIP?: string): JsonObject =>
    container(
      {},
      { ports: [{ containerPort: 80, hostPort: 80, ...(hostIP === undefined ? {} : { hostIP }) }] },
    );

  test.each<
    [
      string,
      readonly JsonObject[],
      readonly (readonly [spec: JsonObject, place: string, labels?: JsonObject])[],
    ]
  >([
    [
      'fills a node up to its resources',
      [node('a', small)],
      [
        [{ containers: [container({ cpu: '600m' })] }, 'a'],
        [{ containers: [container({ cpu: '600m' })] }, '0/1 nodes are available: 1 Insufficient cpu.'],
        [{ containers: [container({ cpu: '400m' })] }, 'a'],
        [
          { containers: [container({ 'example.com/gpu': '2' })] },
          '0/1 nodes are available: 1 Insufficient example.com/gpu.',
        ],
      ],
    ],
    [
      'counts pods',
      [node('a', { pods: '1' }), node('b', { pods: '1' })],
      [
        [{}, 'a'],
        [{}, 'b'],
        [{}, '0/2 nodes are available: 2 Too many pods.'],
      ],
    ],
    [
      'lists the reasons of all nodes',
      [node('a', small), node('b', {}, { taints: [{ key: 'x', effect: 'NoSchedule' }] })],
      [
        [
          { containers: [container({ cpu: '2' })] },
          '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s).',
        ],
      ],
    ],
    [
      'keeps host ports apart',
      [node('a')],
      [
        [{ containers: [port('127.0.0.1')] }, 'a'],
        [{ containers: [port('127.0.0.2')] }, 'a'],
        [
          { containers: [port()] },
          "0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.",
        ],
      ],
    ],
    [
      'follows the affinity of pods',
      [node('a1'), node('a2'), node('b1')],
      [
        [{ nodeSelector: { 'kubernetes.io/hostname': 'b1' } }, 'b1', { app: 'db' }],
        [{ affinity: { podAffinity: term({ app: 'db' }) } }, 'b1'],
        [{ affinity: { podAntiAffinity: term({ app: 'db' }) } }, 'a1', { app: 'lone' }],
        [{ affinity: { podAntiAffinity: term({ app: 'lone' }) } }, 'b1'],
        [
          { affinity: { podAffinity: term({ app: 'none' }) } },
          "0/3 nodes are available: 3 node(s) didn't match pod affinity rules.",
        ],
      ],
    ],
    [
      'spreads pods over topologies',
      [node('a1'), node('b1', small)],
      [...'abab'].map((each) => [
        {
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: zone,
              whenUnsatisfiable: 'DoNotSchedule',
              labelSelector: { matchLabels: { app: 'web' } },
            },
          ],
        },
        `${each}1`,
        { app: 'web' },
      ]),
    ],
    [
      'prefers nodes by weight, and avoids taints',
      [node('a', {}, { taints: [{ key: 'x', effect: 'PreferNoSchedule' }] }), node('b'), node('c')],
      [
        [{}, 'b'],
        [{}, 'c'],
        [{}, 'b'],
        [{ tolerations: [{ operator: 'Exists' }] }, 'a'],
        [
          {
            affinity: {
              nodeAffinity: {
                preferredDuringSchedulingIgnoredDuringExecution: [
                  {
                    weight: 10,
                    preference: { matchExpressions: [{ key: zone, operator: 'In', values: ['c'] }] },
                  },
                ],
              },
            },
          },
          'c',
        ],
      ],
    ],
    ['leaves pods of other schedulers alone', [node('a')], [[{ schedulerName: 'mine' }, '']]],
  ])('%s', async (_title, nodes, pods) => {
    const server = await clusterOf(...nodes);
    const places: string[] = [];
    for (const [index, [spec, , labels]] of pods.entries()) {
      await add(server, `pod-${index}`, spec, labels);
      places.push(await placeOf(server, `pod-${index}`));
    }
    expect(places).toEqual(pods.map(([, place]) => place));
  });

  test('retries waiting pods once another one has ended', async () => {
    const server = await clusterOf(node('a', { pods: '1' }));
    await add(server, 'first', {});
    await add(server, 'second', {});
    expect(await placeOf(server, 'second')).toBe('0/1 nodes are available: 1 Too many pods.');
    await call(server, `${podsPath}/first`, { method: 'DELETE' });
    await server.time.advance(0);
    expect(await placeOf(server, 'second')).toBe('a');
  });
});

describe('preemption', () => {
  const priority = (name: string, value: number): JsonObject => ({
    kind: 'PriorityClass',
    apiVersion: 'scheduling.k8s.io/v1',
    metadata: { name },
    value,
  });
  const classes = [priority('low', 1), priority('high', 9)];

  test('deletes pods of a lower priority: as few as possible, the youngest first', async () => {
    const server = await start({
      controllers: true,
      time: 'virtual',
      objects: [node('a', { cpu: '2' }), ...classes].map(sourceOf),
      pods: [{ terminateAfterMs: 5_000 }],
    });
    const spec = (cpu: string, priorityClassName: string): JsonObject => ({
      priorityClassName,
      containers: [container({ cpu })],
    });
    await add(server, 'low-1', spec('1', 'low'));
    await add(server, 'low-2', spec('500m', 'low'));
    await add(server, 'high', spec('1', 'high'));
    const victim = await call(server, `${podsPath}/low-2`);
    const waiting = await call(server, `${podsPath}/high`);
    const reasons = array(victim.body, 'status', 'conditions').map((each) => text(each, 'reason'));
    expect(reasons).toContain('PreemptionByScheduler');
    expect(text(waiting.body, 'status', 'nominatedNodeName')).toBe('a');
    // The room is reserved for the pod with the high priority.
    await add(server, 'low-3', spec('500m', 'low'));
    await server.time.advance(5_000);
    expect(await Promise.all(['low-1', 'high', 'low-3'].map((name) => placeOf(server, name)))).toEqual([
      'a',
      'a',
      '0/1 nodes are available: 1 Insufficient cpu.',
    ]);
    expect((await call(server, `${podsPath}/low-2`)).code).toBe(404);
  });

  test('never happens with the policy Never', async () => {
    const never = { ...priority('polite', 9), preemptionPolicy: 'Never' };
    const server = await clusterOf(node('a', { pods: '1' }), never);
    await add(server, 'first', {});
    await add(server, 'second', { priorityClassName: 'polite' });
    expect((await call(server, `${podsPath}/first`)).code).toBe(200);
  });
});

describe('taints and nodes', () => {
  const taint = { key: 'broken', effect: 'NoExecute' };
  const tolerating = (seconds: number): JsonObject => ({
    tolerations: [{ key: 'broken', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: seconds }],
  });

  test('evict pods at the end of their toleration', async () => {
    const server = await clusterOf(node('a'));
    await add(server, 'none', {});
    await add(server, 'some', tolerating(10));
    await add(server, 'all', { tolerations: [{ operator: 'Exists' }] });
    await call(server, '/api/v1/nodes/a', {
      method: 'PATCH',
      body: { spec: { taints: [taint] } },
      type: 'application/merge-patch+json',
    });
    const codes = async (): Promise<readonly number[]> =>
      Promise.all(
        ['none', 'some', 'all'].map(async (name) => (await call(server, `${podsPath}/${name}`)).code),
      );
    await server.time.advance(0);
    expect(await codes()).toEqual([404, 200, 200]);
    await server.time.advance(9_000);
    expect(await codes()).toEqual([404, 200, 200]);
    await server.time.advance(1_000);
    expect(await codes()).toEqual([404, 404, 200]);
  });

  test('delete the pods of a node that was deleted', async () => {
    const server = await clusterOf(node('a'));
    await add(server, 'web', {});
    await call(server, '/api/v1/nodes/a', { method: 'DELETE' });
    await server.time.advance(39_000);
    expect((await call(server, `${podsPath}/web`)).code).toBe(200);
    await server.time.advance(1_000);
    expect((await call(server, `${podsPath}/web`)).code).toBe(404);
  });

  test('taint a node that is not ready, or cordoned', async () => {
    const server = await clusterOf(node('a', {}, { unschedulable: true }));
    const conditions = [{ type: 'Ready', status: 'False' }];
    await call(server, '/api/v1/nodes/a/status', {
      method: 'PATCH',
      body: { status: { conditions } },
      type: 'application/merge-patch+json',
    });
    await server.time.advance(0);
    const { body } = await call(server, '/api/v1/nodes/a');
    const taints = array(object(body, 'spec'), 'taints').map(
      (each) => `${text(each, 'key')}:${text(each, 'effect')}`,
    );
    expect(taints.sort()).toEqual([
      'node.kubernetes.io/not-ready:NoExecute',
      'node.kubernetes.io/not-ready:NoSchedule',
      'node.kubernetes.io/unschedulable:NoSchedule',
    ]);
  });
});
