import { expect, test } from 'vitest';
import { array, type JsonObject, text } from '../../../schema/values/json.ts';
import { call, start } from '../../client.fixture.ts';
import type { TestServer } from '../../server/testserver.ts';

const root = '/apis/apps/v1/namespaces/default';
const revision = 'deployment.kubernetes.io/revision';

async function patch(server: TestServer, path: string, body: JsonObject): Promise<void> {
  await call(server, `${root}/${path}`, { method: 'PATCH', type: 'application/merge-patch+json', body });
}

async function setsOf(server: TestServer): Promise<readonly JsonObject[]> {
  const { body } = await call(server, `${root}/replicasets`);
  return array(body, 'items').filter((item): item is JsonObject => text(item, 'metadata', 'name') !== '');
}

async function revisionOf(server: TestServer): Promise<string> {
  return text((await call(server, `${root}/deployments/web`)).body, 'metadata', 'annotations', revision);
}

/** A Deployment without replicas: its ReplicaSets stay, and only their revisions change. */
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'main', image: 'main:1' }] },
    },
  },
} as const;

const next = { spec: { template: { metadata: { annotations: { changed: 'yes' } } } } };

test.each([
  ['beyond 2^53', '9007199254740993', '9007199254740994'],
  ['of 19 digits', '3546343826724305832', '3546343826724305833'],
  ['beyond 2^63', '9223372036854775808', '1'],
  ['in another notation', '1e3', '1'],
])('a rollout after a revision %s', async (_, before, after) => {
  const server = await start({ controllers: ['deployments', 'replicaSets'] });
  await call(server, `${root}/deployments`, { method: 'POST', body: deployment });
  await expect.poll(() => revisionOf(server)).toBe('1');
  const [set] = await setsOf(server);
  const annotations = { [revision]: before };
  await patch(server, `replicasets/${text(set, 'metadata', 'name')}`, { metadata: { annotations } });
  await patch(server, 'deployments/web', next);
  await expect.poll(async () => (await setsOf(server)).length).toBe(2);
  await expect.poll(() => revisionOf(server)).toBe(after);
});
