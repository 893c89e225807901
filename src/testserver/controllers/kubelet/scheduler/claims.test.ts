import { expect, test } from 'vitest';
import { array, type JsonObject, text } from '../../../../schema/values/json.ts';
import { call, start } from '../../../client.fixture.ts';
import type { TestServer, TestServerOptions } from '../../../server/testserver.ts';

const root = '/api/v1/namespaces/default';

const classes = [
  ['now', 'disks.example.com', 'Immediate'],
  ['manual', 'kubernetes.io/no-provisioner', 'WaitForFirstConsumer'],
  ['later', 'disks.example.com', 'WaitForFirstConsumer'],
].map(([name, provisioner, volumeBindingMode]) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  provisioner,
  volumeBindingMode,
}));

async function clusterOf(options: TestServerOptions = {}): Promise<TestServer> {
  const objects = classes.map((each) => ({ yaml: JSON.stringify(each) }));
  const nodes = ['a', 'b'];
  return start({ controllers: true, time: 'virtual', seed: 1, objects, nodes, ...options });
}

async function send(
  server: TestServer,
  method: string,
  path: string,
  body?: JsonObject,
): Promise<JsonObject> {
  const response = await call(server, path, { method, ...(body === undefined ? {} : { body }) });
  expect([response.code < 300, response.body]).toEqual([true, expect.anything()]);
  await server.time.advance(0);
  return response.body;
}

function claim(storageClassName: string, more: JsonObject = {}): JsonObject {
  const resources = { requests: { storage: '1Gi' } };
  return {
    metadata: { name: 'data', ...more },
    spec: { accessModes: ['ReadWriteOnce'], resources, storageClassName },
  };
}

function volume(storageClassName: string, node = 'a'): JsonObject {
  const matchExpressions = [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }];
  return {
    metadata: { name: 'disk' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      storageClassName,
      hostPath: { path: '/data' },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } },
    },
  };
}

async function addPod(server: TestServer, spec: JsonObject = {}): Promise<void> {
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  const containers = [{ name: 'main', image: 'main' }];
  await send(server, 'POST', `${root}/pods`, {
    metadata: { name: 'web' },
    spec: { containers, volumes, ...spec },
  });
}

/** Returns the node of the pod, or why it has none. */
async function placeOf(server: TestServer): Promise<string> {
  const { body } = await call(server, `${root}/pods/web`);
  const condition = array(body, 'status', 'conditions').find((each) => text(each, 'type') === 'PodScheduled');
  return text(body, 'spec', 'nodeName') || text(condition, 'message');
}

const notHelpful =
  ' no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.';

type Step = (server: TestServer) => Promise<unknown>;
const addClaim =
  (body: JsonObject): Step =>
  (server) =>
    send(server, 'POST', `${root}/persistentvolumeclaims`, body);
const addVolume =
  (body: JsonObject): Step =>
  (server) =>
    send(server, 'POST', '/api/v1/persistentvolumes', body);
const endClaim: Step = (server) => send(server, 'DELETE', `${root}/persistentvolumeclaims/data`);
const missing = 'persistentvolumeclaim "data" not found.';

test.each<[string, readonly Step[], string, Step | undefined, string]>([
  ['does not exist', [], missing, addClaim(claim('now')), 'a'],
  ['is not bound', [addClaim(claim(''))], unbound(), addVolume(volume('')), 'a'],
  [
    'is being deleted',
    [addClaim(claim('now', { finalizers: ['example.com/kept'] })), endClaim],
    'persistentvolumeclaim "data" is being deleted.',
    undefined,
    '',
  ],
  ['waits for a volume', [addClaim(claim('manual'))], unavailable(2), addVolume(volume('manual', 'b')), 'b'],
  ['is bound to a volume of a node', [addVolume(volume('', 'b')), addClaim(claim(''))], 'b', undefined, ''],
  ['is bound after its pod', [addClaim(claim('later'))], 'a', undefined, ''],
])('a pod whose claim %s', async (_, before, place, change, after) => {
  const server = await clusterOf();
  for (const step of before) await step(server);
  await addPod(server);
  expect((await placeOf(server)).replace(/^0\/2 nodes are available: /, '').replace(notHelpful, '')).toBe(
    place,
  );
  if (change === undefined) return;
  await change(server);
  expect(await placeOf(server)).toBe(after);
});

function unbound(): string {
  return 'pod has unbound immediate PersistentVolumeClaims.';
}

function unavailable(count: number): string {
  return `${count} node(s) didn't find available persistent volumes to bind.`;
}

test('pods do not wait for the node of their volume', async () => {
  const server = await clusterOf();
  await addVolume(volume('', 'b'))(server);
  await addClaim(claim(''))(server);
  await addPod(server, { nodeSelector: { 'kubernetes.io/hostname': 'a' } });
  expect(await placeOf(server)).toBe(
    "0/2 nodes are available: 1 node(s) didn't match PersistentVolume's node affinity, " +
      `1 node(s) didn't match Pod's node affinity/selector.${notHelpful}`,
  );
});

test('pods run on the default node without their claims', async () => {
  const server = await start({ controllers: true, time: 'virtual', seed: 1 });
  await addPod(server);
  expect(await placeOf(server)).toBe('test-node');
});
