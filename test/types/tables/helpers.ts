/** Guarantees of the types of a generated client beyond its schema. */
export interface Guarantee {
  readonly guarantee: string;
  /** Statements that must compile. */
  readonly accepts: readonly string[];
  /** Statements that must not compile. */
  readonly rejects: readonly string[];
}

/** Declarations for the statements, over the clients of `crds/`. */
export const prelude: string = `
import { InformerFactory as RuntimeFactory, until, untilObjects } from '@kgen/runtime';
import { type RESTMapper } from '@kgen/runtime/discovery';
import { DynamicClient } from '@kgen/runtime/dynamic';
import type { DeletedEvent, Intent, MergePatch, Scale, Status, Stored } from '@kgen/runtime';
import type { ListMap, WithName } from '@kgen/runtime/client';
import type { PartialObjectMetadata, Unstructured } from '@kgen/runtime/dynamic';
import { redisClusters } from './generated/cache.example.com/v1/index.js';
import { showcases } from './generated/features.example.com/v2/index.js';
import { Clientset, InformerFactory } from './generated/index.js';
import type { RedisCluster, RedisClusterClient, RedisClusterWatchEvent, RedisClusterList, RedisClusterSpecUser } from './generated/cache.example.com/v1/index.js';
import type { Showcase, ShowcaseClient, ShowcaseSpec } from './generated/features.example.com/v2/index.js';
import type { FooClient } from './generated/samplecontroller.c9g.io/v1alpha1/index.js';
import type { MyAppClient } from './generated/my.domain/v1/index.js';
declare const clientset: Clientset;
declare const informers: InformerFactory;
declare const mapper: RESTMapper;
declare const caches: RedisClusterClient;
declare const foos: FooClient;
declare const apps: MyAppClient;
declare const shows: ShowcaseClient;
declare const plain: RedisCluster;
declare const stored: Stored<RedisCluster>;
declare const show: Stored<Showcase>;
declare const showSpec: ShowcaseSpec;
interface Odd { apiVersion?: 'a.b/v1'; kind?: 'Odd'; metadata?: { name?: string; namespace?: string }; spec?: { odd?: { needed: string; count: number; [key: string]: string | number }; items?: { [key: string]: { x: string; y: number } } } }
declare function same<A, B>(yes: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false): void;
`.trim();

const spec = `spec: { version: '7' }`;

const objects: readonly Guarantee[] = [
  {
    guarantee: 'a wait for a collection has typed objects and fields, and narrows with a type guard',
    accepts: [
      `const event: RedisClusterWatchEvent = await until(caches, ({ type, object }) => type === 'ADDED' && object.spec.version === '7', { labelSelector: { a: 'b' }, fieldSelector: { 'spec.version': '7' }, timeoutMs: 1 });`,
      `const gone: DeletedEvent<RedisCluster> = await until(caches, (event): event is DeletedEvent<RedisCluster> => event.type === 'DELETED');`,
      `const all: readonly Stored<RedisCluster>[] = await untilObjects(clientset.cacheV1.redisClusters(), (caches) => caches.every(({ spec }) => spec.version === '7'));`,
      `const none: readonly Stored<RedisCluster>[] = await untilObjects(caches, ({ length }) => length === 0, { signal: AbortSignal.timeout(1) });`,
    ],
    rejects: [
      'await until(caches, ({ object }) => object.spec.nope);',
      `await until(caches, () => true, { fieldSelector: { 'spec.nope': '7' } });`,
      `await until(caches, () => true, { resourceVersion: '7' });`,
      'await until(caches, async () => true);',
      'await untilObjects(caches, async () => true);',
      'const gone: DeletedEvent<RedisCluster> = await until(caches, ({ type }) => type === "DELETED");',
      'await until(informers, () => true);',
    ],
  },
  {
    guarantee: 'an informer has typed objects and field selectors',
    accepts: [
      `informers.cacheV1.redisClusters({ fieldSelector: { 'spec.version': '7' }, transform: (cache) => ({ ...cache, status: {} }) });`,
      `informers.myV1.myApps({ fieldSelector: { 'metadata.name': 'a' } });`,
    ],
    rejects: [
      `informers.cacheV1.redisClusters({ fieldSelector: { 'spec.nope': '7' } });`,
      `informers.myV1.myApps({ fieldSelector: { 'spec.version': '7' } });`,
    ],
  },
  {
    guarantee: 'informers of cluster-scoped kinds follow no namespace',
    accepts: [
      `informers.featuresV2.showcases({ labelSelector: 'a=b' }); informers.of(showcases, { freeze: true });`,
      `informers.cacheV1.redisClusters({ namespaces: ['a', 'b'] });`,
    ],
    rejects: [
      `informers.featuresV2.showcases({ namespace: 'shop' });`,
      `informers.of(showcases, { namespaces: ['shop'] });`,
      `informers.metadataOf(showcases, { namespace: 'shop' });`,
    ],
  },
  {
    guarantee: 'a dry run of a subresource returns no stored object',
    accepts: [
      `const dry: RedisCluster = await caches.updateStatus(stored, { dryRun: 'All' });`,
      `const scale: Scale = await caches.patchScale('a', { spec: { replicas: 1 } }, { dryRun: 'All' });`,
    ],
    rejects: [`const dry: Stored<RedisCluster> = await caches.updateStatus(stored, { dryRun: 'All' });`],
  },
  {
    guarantee: 'fields beside free keys are as optional in intents and patches as all others',
    accepts: [
      `const intent: Intent<Odd> = { metadata: { name: 'a' }, spec: { odd: { needed: 'x', free: 1 }, items: { k: { x: 'a' } } } };`,
      `const patch: MergePatch<Odd> = { spec: { odd: { needed: null, free: 'x' }, items: { k: null, l: { y: 1 } } } };`,
    ],
    rejects: [
      `const intent: Intent<Odd> = { metadata: { name: 'a' }, spec: { odd: { needed: true } } };`,
      `const intent: Intent<Odd> = { metadata: { name: 'a' }, spec: { items: { k: undefined } } };`,
      `const patch: MergePatch<Odd> = { spec: { items: { l: { y: 'text' } } } };`,
    ],
  },
  {
    guarantee: 'a stored object has name, uid, resourceVersion, creationTimestamp, apiVersion, kind',
    accepts: [
      'const all: string[] = [stored.metadata.name, stored.metadata.uid, stored.metadata.resourceVersion, stored.metadata.creationTimestamp];',
      `const version: 'cache.example.com/v1' = stored.apiVersion;`,
      `const kind: 'RedisCluster' = stored.kind;`,
      'const whole: RedisCluster = stored; const named: WithName<RedisCluster> = stored;',
    ],
    rejects: [
      'const read: Stored<RedisCluster> = plain;',
      'const uid: string = plain.metadata.uid;',
      'const label: string = stored.metadata.labels.app;',
    ],
  },
  {
    guarantee: 'a stored object of a namespaced kind has a namespace, of a cluster-scoped kind it has none',
    accepts: [
      'const namespace: string = stored.metadata.namespace;',
      'const none: undefined = show.metadata.namespace;',
    ],
    rejects: ['const namespace: string = show.metadata.namespace;', `show.metadata.namespace = 'shop';`],
  },
  {
    guarantee: 'the status of a custom resource may be missing',
    accepts: ['const replicas: number | undefined = stored.status?.replicas;'],
    rejects: ['const replicas = stored.status.replicas;'],
  },
  {
    guarantee: 'create accepts an object without apiVersion and kind, and returns the stored object',
    accepts: [
      `const made: Stored<RedisCluster> = await caches.create({ metadata: { name: 'a' }, ${spec} });`,
      'await caches.create(plain);',
      `await caches.create({ metadata: { generateName: 'a-' }, ${spec} });`,
    ],
    rejects: [
      `await caches.create({ metadata: { name: 'a' } });`,
      `await caches.create({ metadata: { name: 'a' }, spec: { versoin: '7' } });`,
      `await caches.create({ kind: 'Other', ${spec} });`,
      `await caches.create({ metadata: { name: 'a' }, ${spec} }, { dryrun: 'All' });`,
    ],
  },
  {
    guarantee: 'an object of a cluster-scoped kind accepts no namespace',
    accepts: [
      `await shows.create({ metadata: { name: 'a' }, spec: showSpec });`,
      `await caches.create({ metadata: { name: 'a', namespace: 'shop' }, ${spec} });`,
    ],
    rejects: [`await shows.create({ metadata: { name: 'a', namespace: 'shop' }, spec: showSpec });`],
  },
  {
    guarantee: 'a dry run returns T, because nothing was stored',
    accepts: [
      `const made: RedisCluster = await caches.create(plain, { dryRun: 'All' });`,
      `const changed: RedisCluster = await caches.update(stored, { dryRun: 'All' });`,
      `const patched: RedisCluster = await caches.patch('a', { ${spec} }, { dryRun: 'All' });`,
      `const applied: RedisCluster = await caches.apply({ metadata: { name: 'a' } }, { fieldManager: 'me', dryRun: 'All' });`,
      `const dry = { dryRun: 'All' } as const; const made: RedisCluster = await caches.create(plain, dry);`,
      `const maybe = (dryRun: 'All' | undefined): Promise<RedisCluster> => caches.create(plain, { dryRun });`,
      `const wet: Stored<RedisCluster> = await caches.create(plain, { dryRun: undefined, fieldManager: 'me' });`,
    ],
    rejects: [
      `const made: Stored<RedisCluster> = await caches.create(plain, { dryRun: 'All' });`,
      `const changed: Stored<RedisCluster> = await caches.update(stored, { dryRun: 'All' });`,
      `const patched: Stored<RedisCluster> = await caches.patch('a', { ${spec} }, { dryRun: 'All' });`,
      `const applied: Stored<RedisCluster> = await caches.apply({ metadata: { name: 'a' } }, { fieldManager: 'me', dryRun: 'All' });`,
      `const dry = { dryRun: 'All' } as const; const made: Stored<RedisCluster> = await caches.create(plain, dry);`,
      `const maybe = (dryRun?: 'All'): Promise<Stored<RedisCluster>> => caches.create(plain, { dryRun });`,
      `await caches.create(plain, { dryRun: 'some' });`,
    ],
  },
  {
    guarantee: 'update needs a name',
    accepts: [
      'await caches.update(stored);',
      `await caches.update({ metadata: { name: 'a' }, ${spec} });`,
      `await caches.update({ ...stored, spec: { ...stored.spec, replicas: 5 } });`,
      `await caches.updateStatus({ ...stored, status: { phase: 'Running' } });`,
    ],
    rejects: [
      'await caches.update(plain);',
      `await caches.update({ metadata: {}, ${spec} });`,
      `await caches.update({ ${spec} });`,
      `await caches.update({ ...stored, spec: { ...stored.spec, replica: 5 } });`,
      `await caches.updateStatus({ ...stored, status: { phase: 'Walking' } });`,
    ],
  },
  {
    guarantee: 'find may return undefined, get never does',
    accepts: [
      `const one: Stored<RedisCluster> | undefined = await caches.find('a');`,
      `const one: Stored<RedisCluster> = await caches.get('a');`,
    ],
    rejects: [`const one: Stored<RedisCluster> = await caches.find('a');`, `(await caches.find('a')).spec;`],
  },
  {
    guarantee: 'delete returns the object or a Status',
    accepts: [`const gone: Stored<RedisCluster> | Status = await caches.delete('a');`],
    rejects: [
      `const gone: Stored<RedisCluster> = await caches.delete('a');`,
      `await caches.delete('a', { propagationPolicy: 'foreground' });`,
    ],
  },
  {
    guarantee: 'list items were read',
    accepts: [
      'const list: RedisClusterList = await caches.list(); const uids: string[] = list.items.map((item) => item.metadata.uid);',
      'for await (const one of caches.iterate()) { const uid: string = one.metadata.uid; }',
    ],
    rejects: [
      'const list = await caches.list(); list.items[0].metadata;',
      'const list = await caches.list(); list.item;',
    ],
  },
  {
    guarantee: 'waitFor returns the type that the predicate narrows to',
    accepts: [
      `const one: Stored<RedisCluster> | undefined = await caches.waitFor('a', (object) => object?.status?.phase === 'Running');`,
      `const one: Stored<RedisCluster> = await caches.waitFor('a', (object): object is Stored<RedisCluster> => object !== undefined);`,
    ],
    rejects: [
      `const one: Stored<RedisCluster> = await caches.waitFor('a', (object): boolean => object?.spec.version === '7');`,
      `await caches.waitFor('a', (object) => object.spec.version === '7');`,
    ],
  },
];

const partial: readonly Guarantee[] = [
  {
    guarantee: 'an intent names fields; the keys of list items are required',
    accepts: [
      `const intent: Intent<RedisCluster> = { metadata: { name: 'a' } };`,
      `const intent: Intent<RedisCluster> = { metadata: { name: 'a', labels: { b: 'c' } }, spec: { replicas: 3 } };`,
      `const intent: Intent<RedisCluster> = { metadata: { name: 'a' }, spec: { users: [{ name: 'ops' }] } };`,
      `const intent: Intent<RedisCluster> = { metadata: { name: 'a' }, spec: { users: [{ name: 'ops', passwordSecret: { key: 'p' } }] } };`,
      `const intent: Intent<RedisCluster> = { metadata: { name: 'a' }, spec: stored.spec };`,
      `await caches.apply({ metadata: { name: 'a' }, ${spec} }, { fieldManager: 'me' });`,
      `await caches.apply({ metadata: { name: 'a' } });`,
      `await caches.apply({ metadata: { name: 'a' } }, { force: true });`,
    ],
    rejects: [
      'const intent: Intent<RedisCluster> = { metadata: {} };',
      'const intent: Intent<RedisCluster> = {};',
      `const intent: Intent<RedisCluster> = { metadata: { name: 'a' }, spec: { users: [{ commands: [] }] } };`,
      `const intent: Intent<RedisCluster> = { metadata: { name: 'a' }, spec: { replicas: null } };`,
      `const intent: Intent<RedisCluster> = { metadata: { name: 'a' }, spec: { replica: 1 } };`,
      `const intent: Intent<RedisCluster> = { metadata: { name: 'a' }, spec: { evictionPolicy: 'never' } };`,
      `await caches.apply({ metadata: { name: 'a' } }, { fieldManager: 1 });`,
    ],
  },
  {
    guarantee: 'a stored object is not an apply configuration: managedFields',
    accepts: [],
    rejects: [
      `await caches.apply(stored, { fieldManager: 'me' });`,
      `const intent: Intent<RedisCluster> = { metadata: { name: 'a', managedFields: [] } };`,
    ],
  },
  {
    guarantee: 'a merge patch deletes with null',
    accepts: [
      `await caches.patch('a', { spec: { replicas: null } });`,
      `await caches.patch('a', { metadata: { labels: { app: null } } });`,
      `await caches.patch('a', { spec: { parameters: { maxmemory: null } } });`,
      `await caches.patch('a', { status: null });`,
      `await caches.patch('a', { spec: { users: [{ name: 'ops' }] } });`,
      `const patch: MergePatch<RedisCluster> = { spec: stored.spec };`,
      // Members that are undefined are not sent.
      `await caches.patch('a', { spec: { replicas: undefined } });`,
    ],
    rejects: [
      `await caches.patch('a', { spec: { replica: 3 } });`,
      `await caches.patch('a', { spec: { replicas: '3' } });`,
      `await caches.patch('a', { spec: { users: [{ commands: [] }] } });`,
      `await caches.patch('a', { spec: { parameters: { maxmemory: 1 } } });`,
    ],
  },
  {
    guarantee: 'the body of a patch follows its type',
    accepts: [
      `await caches.patch('a', [{ op: 'remove', path: '/spec/replicas' }], { type: 'json' });`,
      `await caches.patch('a', [{ op: 'add', path: '/spec/replicas', value: 3 }], { type: 'json' });`,
      `await caches.patch('a', { ${spec} }, { type: 'merge' });`,
      `await caches.patchStatus('a', { status: { phase: 'Failed' } });`,
      `await caches.patchScale('a', { spec: { replicas: 3 } });`,
    ],
    rejects: [
      `await caches.patch('a', [{ op: 'remove', path: '/spec/replicas' }]);`,
      `await caches.patch('a', { ${spec} }, { type: 'json' });`,
      `await caches.patch('a', { ${spec} }, { type: 'strategic' });`,
      `await caches.patch('a', { ${spec} }, { type: 'Merge' });`,
      `await caches.patch('a', [{ op: 'delete', path: '/spec' }], { type: 'json' });`,
      `await caches.patch('a', [{ op: 'add', path: '/spec' }], { type: 'json' });`,
      `await caches.patchStatus('a', { status: { phase: 'Sad' } });`,
      `await caches.patchScale('a', { spec: { replicas: '3' } });`,
    ],
  },
  {
    guarantee: 'a list with keys is an array to all uses',
    accepts: [
      'const users: ListMap<RedisClusterSpecUser, "name"> = []; const names: string[] = users.map((user) => user.name);',
      'const users = (stored.spec.users ?? []).filter((user) => user.name !== ""); const back: RedisCluster["spec"]["users"] = [...users];',
      'const copy = { ...stored }; const again: Stored<RedisCluster> = copy;',
    ],
    rejects: [
      `const users: ListMap<RedisClusterSpecUser, 'name'> = ['ops'];`,
      `const users: ListMap<RedisClusterSpecUser, 'nam'> = [];`,
    ],
  },
];

const clients: readonly Guarantee[] = [
  {
    guarantee: 'a missing group version, resource or verb is an error',
    accepts: [
      `clientset.cacheV1.redisClusters('shop').get('a');`,
      `clientset.cacheV1alpha1.redisClusters('shop').get('a');`,
    ],
    rejects: [
      'clientset.cacheV2;',
      `clientset.cacheV1.redisCluster('shop');`,
      `clientset.cacheV1.redisClusters('shop').read('a');`,
      'clientset.features;',
      'clientset.featuresV1beta1;',
    ],
  },
  {
    guarantee: 'clients of all namespaces have list, iterate and watch',
    accepts: [
      'await clientset.cacheV1.redisClusters().list();',
      'clientset.cacheV1.redisClusters().iterate();',
      'clientset.cacheV1.redisClusters().watch();',
    ],
    rejects: [
      `await clientset.cacheV1.redisClusters().get('a');`,
      'await clientset.cacheV1.redisClusters().create(plain);',
      `await clientset.cacheV1.redisClusters().delete('a');`,
      'await clientset.cacheV1.redisClusters().deleteCollection();',
      'clientset.cacheV1.redisClusters(1);',
      `clientset.cacheV1.redisClusters(undefined);`,
    ],
  },
  {
    guarantee: 'a cluster-scoped resource has no namespace',
    accepts: [
      `await clientset.featuresV2.showcases().get('a');`,
      'await clientset.featuresV2.showcases().deleteCollection();',
    ],
    rejects: [`clientset.featuresV2.showcases('shop');`],
  },
  {
    guarantee: 'subresources are there where the resource has them',
    accepts: [
      `const scale: Stored<Scale> = await caches.getScale('a'); await caches.updateScale({ ...scale, spec: { replicas: 3 } });`,
      `await foos.updateStatus({ metadata: { name: 'a' }, status: { availableReplicas: 1 } });`,
      `await apps.applyStatus({ metadata: { name: 'a' }, status: { conditions: [{ type: 'Ready' }] } }, { fieldManager: 'me' });`,
    ],
    rejects: [
      `await foos.getScale('a');`,
      `await apps.getScale('a');`,
      `await apps.applyStatus({ metadata: { name: 'a' }, status: { conditions: [{ status: 'True' }] } }, { fieldManager: 'me' });`,
    ],
  },
  {
    guarantee: 'field selectors know the fields that can be selected',
    accepts: [
      `await caches.list({ fieldSelector: { 'spec.version': '7' } });`,
      `await caches.list({ fieldSelector: { 'metadata.name': 'a', 'metadata.namespace': 'shop' } });`,
      `await caches.list({ fieldSelector: 'spec.version=7' });`,
      `await clientset.cacheV1.redisClusters().list({ fieldSelector: { 'spec.version': '7' } });`,
      `await shows.list({ fieldSelector: { 'spec.color': 'red', 'spec.flag': 'true' } });`,
      `await foos.list({ fieldSelector: { 'metadata.name': 'a' } });`,
    ],
    rejects: [
      `await caches.list({ fieldSelector: { 'spec.replicas': '3' } });`,
      `caches.watch({ fieldSelector: { 'spec.replicas': '3' } });`,
      `caches.iterate({ fieldSelector: { 'spec.replicas': '3' } });`,
      `await caches.deleteCollection({ fieldSelector: { 'spec.replicas': '3' } });`,
      `await foos.list({ fieldSelector: { 'spec.image': 'a' } });`,
      `await clientset.cacheV1.redisClusters().list({ fieldSelector: { 'spec.replicas': '3' } });`,
    ],
  },
  {
    guarantee: 'label selectors are text, labels or an API object',
    accepts: [
      `await caches.list({ labelSelector: 'app in (web, db),!old' });`,
      `await caches.list({ labelSelector: { app: 'web' } });`,
      `await caches.list({ labelSelector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } });`,
    ],
    rejects: [
      'await caches.list({ labelSelector: 1 });',
      `await caches.list({ labelSelector: { app: 1 } });`,
      `await caches.list({ labelSelectors: '' });`,
    ],
  },
  {
    guarantee: 'the type of an event narrows it; bookmarks come on request',
    accepts: [
      `for await (const event of caches.watch()) { const version: string = event.object.spec.version; const known: 'ADDED' | 'MODIFIED' | 'DELETED' = event.type; }`,
      `for await (const event of caches.watch({ bookmarks: true })) { if (event.type !== 'BOOKMARK') { const version: string = event.object.spec.version; } else { const version: string = event.object.metadata.resourceVersion; } }`,
      'for await (const event of caches.watch()) { const typed: RedisClusterWatchEvent = event; }',
    ],
    rejects: [
      `for await (const event of caches.watch()) { if (event.type === 'BOOKMARK') { break; } }`,
      'for await (const event of caches.watch({ bookmarks: true })) { event.object.spec; }',
      `for await (const event of caches.watch()) { if (event.type === 'added') { break; } }`,
      'caches.watch({ bookmarks: false });',
    ],
  },
  {
    guarantee: 'informers know their objects',
    accepts: [
      'const informer = informers.cacheV1.redisClusters(); informer.handle({ add: (object) => { const version: string = object.spec.version; } });',
      `const one: Stored<RedisCluster> | undefined = informers.cacheV1.redisClusters().lister.get('shop', 'a');`,
      `const one: Stored<Showcase> | undefined = informers.featuresV2.showcases().lister.get('a');`,
      'const all: readonly Stored<RedisCluster>[] = informers.cacheV1.redisClusters().lister.list();',
      `informers.cacheV1.redisClusters().on('error', (error, { informer, during, object }) => console.error(informer, during, object?.name, error));`,
    ],
    rejects: [
      `informers.cacheV1.redisClusters().lister.get('a');`,
      `informers.featuresV2.showcases().lister.get('shop', 'a');`,
      'informers.cacheV1.redisClusters().handle({ added: () => {} });',
      `informers.cacheV1.redisClusters().on('add', () => {});`,
      'informers.cacheV1.redisCluster();',
      `const one: Stored<RedisCluster> = informers.cacheV1.redisClusters().lister.get('shop', 'a');`,
    ],
  },
];

const informers: readonly Guarantee[] = [
  {
    guarantee: 'informers of metadata know that they have nothing else',
    accepts: [
      `const one: Stored<PartialObjectMetadata> | undefined = informers.metadataOf(redisClusters).lister.get('shop', 'a');`,
      `const one: Stored<PartialObjectMetadata> | undefined = informers.metadataOf(showcases).lister.get('a');`,
      `informers.metadataOf(redisClusters, { namespace: 'shop', fieldSelector: { 'spec.version': '7' } });`,
      `informers.metadataOf({ group: '', version: 'v1', resource: 'secrets' }).lister.get('shop', 'a');`,
      `informers.metadataOf({ group: '', version: 'v1', resource: 'nodes', scope: 'Cluster' }).lister.get('a');`,
      `informers.metadataOf(redisClusters).handle({ add: ({ metadata }) => { const uid: string = metadata.uid; } });`,
    ],
    rejects: [
      `informers.metadataOf(redisClusters).lister.get('shop', 'a')?.spec;`,
      `informers.metadataOf(redisClusters).lister.get('a');`,
      `informers.metadataOf(showcases).lister.get('shop', 'a');`,
      `informers.metadataOf(redisClusters, { fieldSelector: { 'spec.nope': '7' } });`,
    ],
  },
  {
    guarantee: 'informers of dynamic resources have the declared type',
    accepts: [
      `const one: Stored<Unstructured> | undefined = informers.of({ group: 'a.b', version: 'v1', resource: 'odds' }).lister.get('shop', 'a');`,
      `informers.of({ group: 'a.b', version: 'v1', resource: 'odds', kind: 'Odd', scope: 'Namespaced' }, { fieldSelector: { 'spec.any': 'x' } });`,
      `informers.of({ group: 'a.b', version: 'v1', resource: 'odds', scope: 'Cluster' }).lister.get('a');`,
      `informers.of(await mapper.mappingFor('deploy')).lister.get('shop', 'a');`,
      `(all: boolean) => informers.of(all ? ({ group: '', version: 'v1', resource: 'nodes', scope: 'Cluster' } as const) : { group: '', version: 'v1', resource: 'pods' }).lister.list();`,
      `const spec: unknown = informers.of({ group: 'a.b', version: 'v1', resource: 'odds' }).lister.list()[0]?.['spec'];`,
      'const factory: RuntimeFactory = new RuntimeFactory(new DynamicClient(clientset.rest)); factory.of(redisClusters);',
    ],
    rejects: [
      `informers.of({ group: 'a.b', version: 'v1', resource: 'odds' }).lister.get('a');`,
      `informers.of({ group: 'a.b', version: 'v1', resource: 'odds', scope: 'Cluster' }).lister.get('shop', 'a');`,
      `informers.of({ version: 'v1', resource: 'odds' });`,
      `informers.of({ group: 'a.b', version: 'v1', kind: 'Odd' });`,
    ],
  },
  {
    guarantee: 'informers expose their state',
    accepts: [
      'for (const [name, { objects, lagMs, synced }] of informers.stats()) { const text: string = name; const sum: number = objects + lagMs; const is: boolean = synced; }',
      'const quiet: number | undefined = informers.cacheV1.redisClusters().stats().quietMs;',
      'await informers.waitForSync({ handlers: true, timeoutMs: 1000 });',
      `informers.on('error', (error, { during, object }) => { const name: string | undefined = object?.name; if (during === 'decode') { throw error; } });`,
    ],
    rejects: [
      'const quiet: number = informers.cacheV1.redisClusters().stats().quietMs;',
      `informers.on('error', (error, { during }) => { if (during === 'object') { throw error; } });`,
      'informers.cacheV1.redisClusters().stats().objects = 1;',
    ],
  },
];

export const guarantees: readonly Guarantee[] = [...objects, ...partial, ...clients, ...informers];
