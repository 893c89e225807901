import { startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { KubernetesObject } from '../../api/meta.ts';
import type { Stored } from '../../api/types.ts';
import { RESTClient } from '../../rest/client.ts';
import { InformerFactoryBase } from '../factory.ts';
import type { ObjectShard } from './object-shard.ts';

const path = '/apis/my.domain/v1/namespaces/shop/myapps';
const myApps = { group: 'my.domain', version: 'v1', resource: 'myapps', scope: 'Namespaced' } as const;

let server: TestServer;
let rest: RESTClient;

beforeAll(async () => {
  const crd = new URL('../../../../crds/myapp.yaml', import.meta.url);
  server = await startTestServer({ crds: [crd], namespaces: ['shop'] });
  rest = new RESTClient(server.config);
});

afterAll(async () => {
  await rest.close();
  await server.stop();
});

/** Objects whose label `team` is the current one. */
class TeamShard implements ObjectShard {
  team = 'a';
  selector: string | undefined;
  readonly #listeners = new Set<() => Promise<void>>();

  includes({ metadata }: Stored<KubernetesObject>): boolean {
    return metadata.labels?.['team'] === this.team;
  }

  onChange(listener: () => Promise<void>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async change(team: string, selector?: string): Promise<void> {
    this.team = team;
    this.selector = selector;
    await Promise.all([...this.#listeners].map((listener) => listener()));
  }
}

it('stores the objects of its shard, and relists when the shard changes', async () => {
  for (const [name, team] of [
    ['one', 'a'],
    ['two', 'b'],
  ]) {
    const body = {
      apiVersion: 'my.domain/v1',
      kind: 'MyApp',
      metadata: { name, labels: { team } },
      spec: { appName: 'x', version: '1' },
    };
    await rest.post(path, { body });
  }
  const shard = new TeamShard();
  const factory = new InformerFactoryBase({ rest });
  onTestFinished(() => factory.stop());
  const informer = factory.of(myApps, { namespace: 'shop', shard });
  const calls: string[] = [];
  informer.handle({
    add: ({ metadata }) => void calls.push(`add ${metadata.name}`),
    delete: ({ metadata }) => void calls.push(`delete ${metadata.name}`),
  });
  factory.start();
  await factory.waitForSync({ handlers: true });
  expect(calls).toEqual(['add one']);

  const selector = "shardRange(object.metadata.uid, '0x0000000000000000', '0x10000000000000000')";
  await shard.change('b', selector);
  expect(informer.find({ namespace: 'shop', name: 'two' })).toBeDefined();
  expect(informer.find({ namespace: 'shop', name: 'one' })).toBeUndefined();
  expect(server.requests.at(-1)?.query['shardSelector']).toBe(selector);
  await expect.poll(() => calls).toEqual(['add one', 'delete one', 'add two']);

  // An object that leaves the shard is deleted.
  await rest.patch(`${path}/two`, { body: { metadata: { labels: { team: 'a' } } } });
  await expect.poll(() => calls.at(-1)).toBe('delete two');
  await rest.patch(`${path}/one`, { body: { metadata: { labels: { team: 'b' } } } });
  await expect.poll(() => calls.at(-1)).toBe('add one');
});

it('does not wait for the objects of a kind that is not installed', async () => {
  const shard = new TeamShard();
  const factory = new InformerFactoryBase({ rest });
  onTestFinished(() => factory.stop());
  const informer = factory.of({ ...myApps, resource: 'absent' }, { namespace: 'shop', shard });
  const failed = new Promise((resolve) => informer.on('error', resolve));
  factory.start();
  await failed;
  await shard.change('b');
  expect(informer.isSynced).toBe(false);
});
