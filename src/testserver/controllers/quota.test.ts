import { expect, test } from 'vitest';
import { at, type JsonObject } from '../../schema/values/json.ts';
import { call, start } from '../client.fixture.ts';
import type { TestServer } from '../server/testserver.ts';

const root = '/api/v1/namespaces/default';

async function create(server: TestServer, kind: string, plural: string, value: JsonObject): Promise<number> {
  const body = { apiVersion: 'v1', kind, ...value };
  return (await call(server, `${root}/${plural}`, { method: 'POST', body })).code;
}

function pod(name: string, spec: JsonObject = {}): JsonObject {
  return { metadata: { name }, spec: { containers: [{ name: 'main', image: 'main' }], ...spec } };
}

test('quotas have the usage in their status, and count only the pods of their scopes', async () => {
  const server = await start({ controllers: ['resourceQuotas'] });
  const used = async (name: string): Promise<unknown> =>
    at((await call(server, `${root}/resourcequotas/${name}`)).body, 'status', 'used');
  await create(server, 'ResourceQuota', 'resourcequotas', {
    metadata: { name: 'all' },
    spec: { hard: { pods: '3', 'count/configmaps': '2' } },
  });
  await create(server, 'ResourceQuota', 'resourcequotas', {
    metadata: { name: 'short' },
    spec: { hard: { pods: '1' }, scopes: ['Terminating'] },
  });
  await create(server, 'ResourceQuota', 'resourcequotas', {
    metadata: { name: 'critical' },
    spec: {
      hard: { pods: '0' },
      scopeSelector: {
        matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['system-node-critical'] }],
      },
    },
  });
  expect(await create(server, 'ConfigMap', 'configmaps', { metadata: { name: 'a' } })).toBe(201);
  expect(await create(server, 'Pod', 'pods', pod('long'))).toBe(201);
  expect(await create(server, 'Pod', 'pods', pod('short', { activeDeadlineSeconds: 5 }))).toBe(201);
  expect(await create(server, 'Pod', 'pods', pod('shorter', { activeDeadlineSeconds: 5 }))).toBe(403);
  expect(
    await create(server, 'Pod', 'pods', pod('high', { priorityClassName: 'system-node-critical' })),
  ).toBe(403);
  await expect.poll(() => used('all')).toEqual({ pods: '2', 'count/configmaps': '1' });
  await expect.poll(() => used('short')).toEqual({ pods: '1' });
  await call(server, `${root}/pods/short`, { method: 'DELETE' });
  await expect.poll(() => used('short')).toEqual({ pods: '0' });
});
