/**
 * Returns a program that uses the clients of `crds/` as a user does: every verb, informers, tree-shakeable
 * imports, types. Exports whose types are inferred from generated ones have type annotations, as isolated
 * declarations require.
 */
export function program(extension: string): string {
  return `
import { isNotFound, resource } from '@kgen/runtime';
import type { ClusterConfig } from '@kgen/runtime';
import { Clientset, InformerFactory } from './generated/index${extension}';
import type { cacheV1, ObjectMeta, Status } from './generated/index${extension}';
import { redisClusters, watchRedisClusters } from './generated/cache.example.com/v1/index${extension}';
import type { RedisCluster, RedisClusterClient, RedisClusterInformer, RedisClusterList } from './generated/cache.example.com/v1/index${extension}';
import type { MyAppSpec } from './generated/my.domain/v1/types${extension}';
import { showcases } from './generated/features.example.com/v2/index${extension}';

const config: ClusterConfig = { server: 'https://127.0.0.1:6443' };
export const clientset: Clientset = new Clientset(config);
export const second: Clientset = new Clientset(clientset.rest);
export const meta: ObjectMeta = { name: 'a', labels: { app: 'web' } };
export const spec: MyAppSpec = { appName: 'shop', version: '1.4.2' };
export const client: RedisClusterClient = clientset.cacheV1.redisClusters('shop');

export async function verbs(signal: AbortSignal): Promise<void> {
  const created = await client.create({ metadata: { name: 'a' }, spec: { version: '7.4' } }, { signal });
  const uid: string = created.metadata.uid;
  const list: RedisClusterList = await client.list({ labelSelector: { app: 'web' }, limit: 10, fieldSelector: { 'spec.version': '7.4' } });
  const names: string[] = list.items.map((item) => item.metadata.name);
  for await (const one of client.iterate({ pageSize: 5 })) names.push(one.metadata.name, one.kind);
  const found = await client.find('a');
  if (found !== undefined) await client.update({ ...found, spec: { ...found.spec, version: '7.5' } });
  await client.updateStatus({ ...created, status: { phase: 'Running' } });
  await client.patch('a', { spec: { replicas: null } });
  await client.patch('a', [{ op: 'remove', path: '/spec/replicas' }], { type: 'json' });
  await client.patchStatus('a', { status: { phase: 'Failed' } });
  await client.apply({ metadata: { name: 'a' }, spec: { users: [{ name: 'ops' }] } }, { fieldManager: 'me', force: true });
  await client.applyStatus({ metadata: { name: 'a' }, status: { replicas: 1 } }, { fieldManager: 'me' });
  const scale = await client.getScale('a');
  await client.updateScale({ ...scale, spec: { replicas: 2 } });
  await client.patchScale('a', { spec: { replicas: 3 } });
  const gone: Status | RedisCluster = await client.delete('a', { preconditions: { uid }, propagationPolicy: 'Foreground' });
  await client.deleteAndWait('a', { timeoutMs: 1000 });
  await client.deleteCollection({ labelSelector: 'app=web' });
  await client.waitFor('a', (object) => object?.status?.phase === 'Running', { signal });
  await clientset.featuresV2.showcases().get('one').catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
  console.log(names, gone);
}

export async function watches(signal: AbortSignal): Promise<void> {
  for await (const event of clientset.cacheV1.redisClusters().watch({ signal, bookmarks: true })) {
    if (event.type === 'BOOKMARK') continue;
    const phase: string | undefined = event.object.status?.phase;
    console.log(event.type, phase);
  }
  for await (const event of watchRedisClusters(clientset.rest, { namespace: 'shop', signal })) console.log(event.object.metadata.namespace);
}

export async function caches(signal: AbortSignal): Promise<void> {
  const informers = new InformerFactory(clientset, { namespace: 'shop' });
  const informer: RedisClusterInformer = informers.cacheV1.redisClusters();
  const registration = informer.handle({
    add: (object, { isInitial }) => console.log(object.metadata.name, isInitial),
    update: (object, old) => console.log(object.spec.version, old.metadata.resourceVersion),
    delete: (object, { missed }) => console.log(object.metadata.name, missed),
  });
  const byVersion = informer.addIndex('version', (object) => [object.spec.version]);
  await informers.start({ signal });
  await informers.waitForSync();
  const one: cacheV1.RedisCluster | undefined = informer.lister.get('shop', 'a');
  console.log(one, byVersion.get('7.4').length, informer.lister.list({ labelSelector: 'app=web' }).length);
  registration.remove();
  await informers.stop();
}

export async function door(): Promise<void> {
  const web = await resource(clientset.rest, redisClusters).in('shop').get('web');
  const all = await resource(clientset.rest, redisClusters).list();
  const show = await resource(clientset.rest, showcases).get('one');
  console.log(web.spec.version, all.items.length, show.spec?.color);
  await clientset.close();
}
`;
}
