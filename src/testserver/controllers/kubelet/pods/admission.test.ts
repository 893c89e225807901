import { expect, test } from 'vitest';
import { array, type JsonObject, own, text } from '../../../../schema/values/json.ts';
import { call, start } from '../../../client.fixture.ts';
import type { TestServer } from '../../../server/testserver.ts';

const path = '/api/v1/namespaces/default/pods';

async function startWith(): Promise<TestServer> {
  const capacity = { cpu: '2', memory: '4Gi', pods: '2' };
  const nodes = [{ name: 'small', capacity, labels: { zone: 'a' } }];
  return start({ controllers: true, time: 'virtual', nodes, events: true });
}

async function createPod(
  server: TestServer,
  name: string,
  spec: JsonObject,
  labels: JsonObject = {},
): Promise<JsonObject> {
  const containers = [{ name: 'a', image: 'web:1' }];
  const body = { metadata: { name, labels }, spec: { nodeName: 'small', containers, ...spec } };
  expect((await call(server, path, { method: 'POST', body })).code).toBe(201);
  await server.time.advance(0);
  return (await call(server, `${path}/${name}`)).body;
}

function requesting(resources: JsonObject): JsonObject {
  return { containers: [{ name: 'a', image: 'web:1', resources: { requests: resources } }] };
}

const ports = { containers: [{ name: 'a', image: 'web:1', ports: [{ containerPort: 80, hostPort: 80 }] }] };

test.each<[string, JsonObject, JsonObject, string, string]>([
  [
    'requests more than its node has',
    requesting({ cpu: '3' }),
    {},
    'OutOfcpu',
    "Node didn't have enough resource: cpu, requested: 3000, used: 1500, capacity: 2000",
  ],
  [
    'has another operating system',
    { os: { name: 'windows' } },
    {},
    'PodOSNotSupported',
    "Failed to admit pod as the OS field doesn't match node OS",
  ],
  [
    'has the label of another operating system',
    {},
    { 'kubernetes.io/os': 'windows' },
    'PodOSSelectorNodeLabelDoesNotMatch',
    "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
  ],
  [
    'does not select its node',
    { nodeSelector: { zone: 'b' } },
    {},
    'NodeAffinity',
    "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
  ],
  [
    'needs a port of another pod',
    ports,
    {},
    'NodePorts',
    "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
  ],
  [
    'sets an unsafe kernel parameter',
    { securityContext: { sysctls: [{ name: 'kernel/msgmax', value: '1' }] } },
    {},
    'SysctlForbidden',
    'forbidden sysctl: "kernel.msgmax" not allowlisted',
  ],
])('a kubelet rejects a pod that %s', async (_title, spec, labels, reason, message) => {
  const server = await startWith();
  const [container] = ports.containers;
  const first = { ...container, resources: { requests: { cpu: '1500m' } } };
  expect(text(await createPod(server, 'first', { containers: [first] }), 'status', 'phase')).toBe('Running');
  const pod = await createPod(server, 'second', spec, labels);
  const { status } = pod;
  expect(['phase', 'reason', 'message', 'qosClass'].map((key) => own(status, key))).toEqual([
    'Failed',
    reason,
    `Pod was rejected: ${message}`,
    reason === 'OutOfcpu' ? 'Burstable' : 'BestEffort',
  ]);
  expect(array(status ?? null, 'conditions')).toEqual([]);
  const events = (await call(server, '/api/v1/namespaces/default/events')).body;
  const found = array(events, 'items').filter((each) => text(each, 'reason') === reason);
  expect(found.map((each) => text(each, 'message'))).toEqual([message]);
});

test('a kubelet rejects pods beyond the number that its node admits, and keeps those that it has admitted', async () => {
  const server = await startWith();
  const states: string[] = [];
  for (const name of ['a', 'b', 'c'])
    states.push(text(await createPod(server, name, {}), 'status', 'reason'));
  expect(states).toEqual(['', '', 'OutOfpods']);
  await call(server, `${path}/c`, { method: 'DELETE' });
  await call(server, `${path}/a`, { method: 'DELETE' });
  await server.time.advance(0);
  expect(text(await createPod(server, 'd', {}), 'status', 'phase')).toBe('Running');
});
