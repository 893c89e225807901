import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RESTClient } from '@kgen/runtime';
import { startObservedServer } from '@kgen/testserver/internal/server/testserver';
import type { ActionResult, PlayState } from 'kgen/commands';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ClusterRecording } from './cluster-recording.ts';
import { Play } from './play.ts';

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: carts.shop.example.com }
spec:
  group: shop.example.com
  names: { plural: carts, singular: cart, kind: Cart, listKind: CartList }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { scale: { specReplicasPath: .spec.size, statusReplicasPath: .status.size } }
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                size: { type: integer, maximum: 5 }
                items: { type: array, items: { type: object, properties: { name: { type: string, minLength: 2 } } } }
            status: { type: object, properties: { size: { type: integer } } }
`;

const account = `apiVersion: v1
kind: ServiceAccount
metadata: { name: operator, namespace: default }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: operator, namespace: default }
rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: operator, namespace: default }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: operator }
subjects: [{ kind: ServiceAccount, name: operator, namespace: default }]
`;

function cart(spec: string, name = 'one'): string {
  return `apiVersion: shop.example.com/v1\nkind: Cart\nmetadata:\n  name: ${name}\n  namespace: default\nspec:\n${spec}`;
}

const one = { apiVersion: 'shop.example.com/v1', kind: 'Cart', namespace: 'default', name: 'one' };
const map = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'map' };
const user = 'system:serviceaccount:default:operator';

let cwd = '';
let world: Awaited<ReturnType<typeof started>>;

async function started() {
  const observed = await startObservedServer({
    crds: [{ yaml: definition }],
    as: { yaml: account },
    time: 'movable',
  });
  const { server, store, log } = observed;
  const recording = new ClusterRecording({ store, log, program: 'shop', now: () => Date.now() });
  const calls: string[] = [];
  const operator = {
    isRunning: true,
    restart: async () => void calls.push('restart'),
    kill: async () => void calls.push('kill'),
  };
  const play = new Play({ cwd, observed, recording, operator });
  const client = new RESTClient(server.config, { transport: server.transport });
  return { server, store, play, operator, calls, client };
}

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'kgen-play-'));
  mkdirSync(join(cwd, 'samples'));
  writeFileSync(join(cwd, 'samples/cart.yaml'), cart('  size: 1\n'));
  world = await started();
});
afterAll(async () => {
  await world.client.close();
  await world.server.stop();
  rmSync(cwd, { recursive: true });
});

/** Actions in their order: each depends on those before. */
const actions: readonly (readonly [name: string, action: unknown, expected: Partial<ActionResult>])[] = [
  ['no object', 'restart', { isDone: false, message: 'the action is unknown' }],
  ['an inherited name', { type: 'constructor' }, { isDone: false }],
  ['a missing member', { type: 'create' }, { isDone: false, message: 'create: yaml is missing or invalid' }],
  [
    'an invalid member',
    { type: 'scale', ...one, replicas: -1 },
    { isDone: false, message: /replicas/ as never },
  ],
  [
    'create',
    { type: 'create', yaml: cart('  size: 1\n  items:\n    - name: ab\n') },
    {
      isDone: true,
      message: 'created Cart default/one',
      code: `await cluster.create({
  apiVersion: 'shop.example.com/v1',
  kind: 'Cart',
  metadata: { name: 'one', namespace: 'default' },
  spec: { size: 1, items: [{ name: 'ab' }] },
});`,
    },
  ],
  ['create again', { type: 'create', yaml: cart('  size: 1\n') }, { isDone: false }],
  [
    'invalid syntax',
    { type: 'create', yaml: 'kind: [' },
    { isDone: false, errors: [expect.objectContaining({ line: 1, column: 8 })] },
  ],
  [
    'a value that the schema refuses',
    { type: 'create', yaml: cart('  items:\n    - name: ab\n    - name: x\n', 'two') },
    { isDone: false, errors: [expect.objectContaining({ line: 9, column: 7 })] },
  ],
  [
    'an unknown field',
    { type: 'create', yaml: cart('  sizes: 1\n', 'two') },
    { isDone: false, errors: [expect.objectContaining({ line: 7, column: 3 })] },
  ],
  [
    'an unknown kind',
    { type: 'create', yaml: 'apiVersion: v1\nkind: Nothing\nmetadata: {name: a}' },
    { isDone: false },
  ],
  [
    'update',
    { type: 'update', base: cart('  size: 1\n'), yaml: cart('  size: 2\n') },
    {
      isDone: true,
      code: `await cluster.patch(
  {
    apiVersion: 'shop.example.com/v1',
    kind: 'Cart',
    metadata: { name: 'one', namespace: 'default' },
  },
  { spec: { size: 2 } },
  { type: 'merge' },
);`,
    },
  ],
  [
    'update without a change',
    { type: 'update', base: cart('  size: 1\n'), yaml: cart('  size: 1\n') },
    { isDone: true, message: 'nothing has changed' },
  ],
  [
    'update of the name',
    { type: 'update', base: cart('  size: 1\n'), yaml: cart('  size: 1\n', 'two') },
    { isDone: false },
  ],
  [
    'scale',
    { type: 'scale', ...one, replicas: 4 },
    { isDone: true, message: 'Cart default/one has 4 replicas' },
  ],
  ['scale beyond the schema', { type: 'scale', ...one, replicas: 6 }, { isDone: false }],
  ['scale of a kind without replicas', { type: 'scale', ...map, replicas: 1 }, { isDone: false }],
  [
    'failNext',
    { type: 'failNext', verb: 'create', resource: 'configmaps', times: 2, effect: '409' },
    {
      isDone: true,
      code: `server.faults.failNext({
  status: 409,
  times: 2,
  match: { user: '${user}', verb: 'create', resource: 'configmaps' },
});`,
    },
  ],
  ['clearFaults', { type: 'clearFaults' }, { isDone: true, code: 'server.faults.clear();' }],
  [
    'cutWatches',
    { type: 'cutWatches' },
    { isDone: true, code: `server.faults.cutWatches({ user: '${user}' });` },
  ],
  [
    'holdWatches',
    { type: 'holdWatches', resource: 'carts' },
    { isDone: true, code: `const hold1 = server.hold({ user: '${user}', resource: 'carts' });` },
  ],
  ['releaseWatches', { type: 'releaseWatches' }, { isDone: true, code: 'hold1.release();' }],
  [
    'takeSnapshot',
    { type: 'takeSnapshot', name: "a'b" },
    { isDone: true, code: 'const snapshot2 = server.snapshot();' },
  ],
  [
    'delete',
    { type: 'delete', ...one, policy: 'Foreground' },
    { isDone: true, code: expect.stringContaining("{ propagationPolicy: 'Foreground' });") },
  ],
  ['delete again', { type: 'delete', ...one }, { isDone: false }],
  [
    'restoreSnapshot',
    { type: 'restoreSnapshot', name: "a'b" },
    { isDone: true, code: 'server.restore(snapshot2);' },
  ],
  ['delete of the restored object', { type: 'delete', ...one }, { isDone: true }],
  [
    'advanceTime',
    { type: 'advanceTime', ms: 3_600_000 },
    { isDone: true, code: 'await server.time.advance(3600000);' },
  ],
  ['kill', { type: 'kill' }, { isDone: true, code: 'await end(); // SIGKILL' }],
  ['restart', { type: 'restart' }, { isDone: true, code: 'await end();\nstart();' }],
  ['schema', { type: 'schema', apiVersion: 'shop.example.com/v1', kind: 'Cart' }, { isDone: true }],
  ['sample', { type: 'sample', apiVersion: 'shop.example.com/v1', kind: 'Cart' }, { isDone: true }],
];

function hasCart(): boolean {
  const [, carts = []] = [...world.store.content()].find(([resource]) => resource.startsWith('carts.')) ?? [];
  return carts.some(([key]) => key === 'default/one');
}

describe('actions', () => {
  for (const [name, action, expected] of actions)
    test(name, async () => {
      const { message, ...rest } = expected;
      // The garbage collector ends the deletion.
      if (name === 'delete again') await vi.waitUntil(() => !hasCart());
      const result = await world.play.act(action);
      expect(result).toMatchObject(rest);
      expect(result.message).toMatch(message ?? '');
    });

  test('reach the operator, the state and the clock', async () => {
    expect(world.calls).toEqual(['kill', 'restart']);
    expect(world.server.time.now() - Date.now()).toBeGreaterThan(3_000_000);
    const { value } = await world.play.act({ type: 'state' });
    const state = value as PlayState; // seam: the value of this action
    expect(state.kinds[0]).toMatchObject({
      kind: 'Cart',
      isCustom: true,
      isScalable: true,
      resource: 'carts',
    });
    expect(state).toMatchObject({ snapshots: ["a'b"], holds: 0, isRunning: true });
    expect(state.samples.map(({ name }) => name)).toEqual(['cart.yaml']);
    expect(state.steps.length).toBeGreaterThan(10);
    world.operator.isRunning = false;
    expect(await world.play.act({ type: 'kill' })).toMatchObject({ isDone: false });
  });

  test('fail requests of the operator only', async () => {
    const path = '/api/v1/namespaces/default/configmaps/none';
    await world.play.act({ type: 'failNext', times: 1, effect: '403' });
    const admin = new RESTClient(world.server.admin, { transport: world.server.transport });
    await expect(admin.get(path)).rejects.toThrow('not found');
    await admin.close();
    await expect(world.client.get(path)).rejects.toThrow('403');
    await expect(world.client.get(path)).rejects.toThrow('not found');
  });

  test('do not store the placeholders of hidden values of Secrets', async () => {
    const secret = (value: string): string =>
      `apiVersion: v1\nkind: Secret\nmetadata: { name: s, namespace: default }\ndata:\n  password: ${value}\n`;
    expect(await world.play.act({ type: 'create', yaml: secret('aHVudGVyMg==') })).toMatchObject({
      isDone: true,
    });
    const update = { type: 'update', base: secret('(12 characters)'), yaml: secret('"(3 characters)"') };
    expect(await world.play.act(update)).toMatchObject({
      isDone: false,
      message: expect.stringContaining('hidden'),
    });
  });

  test('begin again with the objects that actions have created', async () => {
    await world.play.act({ type: 'create', yaml: cart('  size: 1\n', 'kept') });
    await world.play.act({ type: 'scale', ...one, name: 'kept', replicas: 3 });
    await world.play.act({ type: 'clear' });
    const { value } = await world.play.act({ type: 'test' });
    expect(value).toContain("metadata: { name: 'kept', namespace: 'default' },\n    spec: { size: 3 }");
    expect(value).not.toContain("name: 'one'");
  });
});
