import { expect, test } from 'vitest';
import { array, type JsonObject, object, text } from '../../schema/values/json.ts';
import { call, start } from '../client.fixture.ts';
import type { TestServer } from '../server/testserver.ts';

const deployment = {
  metadata: { name: 'web' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'main', image: 'main:1' }] },
    },
  },
};

async function post(server: TestServer, path: string, body: JsonObject): Promise<void> {
  expect((await call(server, path, { method: 'POST', body })).code).toBe(201);
}

async function eventsOf(server: TestServer, kind: string): Promise<readonly JsonObject[]> {
  const { body } = await call(server, '/api/v1/namespaces/default/events');
  const own = array(body, 'items').filter((each) => text(each, 'involvedObject', 'kind') === kind);
  return own.map((each) => object(each));
}

test.each([
  [true, ['Scaled up replica set web-HASH from 0 to 1']],
  [false, []],
])('controllers record events if the option is %s', async (events, messages) => {
  const server = await start({ controllers: true, time: 'virtual', seed: 1, events });
  await post(server, '/apis/apps/v1/namespaces/default/deployments', deployment);
  await server.time.advance(1_000);
  const found = await eventsOf(server, 'Deployment');
  expect(found.map((each) => text(each, 'message').replace(/web-\w+/, 'web-HASH'))).toEqual(messages);
});

test('many events with different messages are combined', async () => {
  const server = await start({ controllers: true, time: 'virtual', seed: 1, events: true });
  const quota = { metadata: { name: 'none' }, spec: { hard: { pods: '0' } } };
  await post(server, '/api/v1/namespaces/default/resourcequotas', quota);
  await server.time.advance(0);
  await post(server, '/apis/apps/v1/namespaces/default/deployments', deployment);
  await server.time.advance(600_000);
  const found = await eventsOf(server, 'ReplicaSet');
  const [last] = found.filter((each) => text(each, 'message').startsWith('(combined from similar events): '));
  expect([found.length, last]).toEqual([10, expect.objectContaining({ reason: 'FailedCreate' })]);
  expect(last?.['count']).toBeGreaterThan(5);
});
