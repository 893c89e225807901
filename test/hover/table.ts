/** Expected quick info of an editor at one position. */
export interface HoverRow {
  /** A statement; `^` precedes the position. */
  readonly at: string;
  /** Complete quick info. */
  readonly shows: string;
  /** Part of its documentation. */
  readonly docs?: string;
  /** Some of its tags. */
  readonly tags?: readonly string[];
}

/** Declarations for the statements. */
export const prelude: string = `
import { resource } from '@kgen/runtime';
import type { Intent } from '@kgen/runtime';
import { Clientset, InformerFactory } from './generated/index.js';
import { redisClusters, watchRedisClusters } from './generated/cache.example.com/v1/index.js';
import type { RedisCluster } from './generated/cache.example.com/v1/index.js';
import { showcases } from './generated/features.example.com/v2/index.js';
import type { Showcase } from './generated/features.example.com/v2/index.js';
declare const clientset: Clientset;
declare const informers: InformerFactory;
declare const showcase: Showcase;
const caches = clientset.cacheV1.redisClusters('shop');
const stored = await caches.get('a');
`.trim();

const clients: readonly HoverRow[] = [
  {
    at: 'clientset.^cacheV1;',
    shows: '(property) Clientset.cacheV1: CacheV1Client',
    docs: '`cache.example.com/v1`',
  },
  {
    at: `clientset.cacheV1.^redisClusters('shop');`,
    shows: '(method) CacheV1Client.redisClusters(namespace: string): RedisClusterClient (+1 overload)',
    docs: 'RedisClusters in one namespace (kubectl: `rc`, `redis`).',
  },
  {
    at: 'clientset.cacheV1.^redisClusters();',
    shows:
      '(method) CacheV1Client.redisClusters(): AllNamespaces<RedisCluster, RedisClusterList, RedisClusterSelectableField> (+1 overload)',
    docs: 'RedisClusters in all namespaces',
  },
  {
    at: `clientset.cacheV1alpha1.^redisClusters('shop');`,
    shows: '(method) CacheV1alpha1Client.redisClusters(namespace: string): RedisClusterClient (+1 overload)',
    tags: ['@deprecated cache.example.com/v1alpha1 RedisCluster is deprecated; use cache.example.com/v1'],
  },
  {
    at: 'clientset.featuresV2.^showcases();',
    shows: '(method) FeaturesV2Client.showcases(): ShowcaseClient',
    docs: 'Showcases of the cluster (kubectl: `show`).',
  },
  {
    at: '^caches;',
    shows: 'const caches: RedisClusterClient',
  },
  {
    at: 'new ^Clientset(clientset.rest);',
    shows: '(alias) new Clientset(connection: ClientConnection): Clientset (+1 overload)\nimport Clientset',
    docs: 'Creates a clientset over the connections of a REST client, a clientset or a manager',
  },
  {
    at: '^redisClusters;',
    shows:
      '(alias) const redisClusters: NamespacedResource<RedisCluster, RedisClusterList, RedisClusterClient, "spec.version">\nimport redisClusters',
    docs: '`cache.example.com/v1/redisclusters`',
  },
  {
    at: '^watchRedisClusters;',
    shows:
      '(alias) const watchRedisClusters: NamespacedWatchHelper<RedisCluster, "spec.version">\nimport watchRedisClusters',
    docs: 'for await',
  },
  {
    at: `resource(clientset.rest, redisClusters).^in('shop');`,
    shows: '(method) NamespaceAccess<RedisClusterClient>.in(namespace: string): RedisClusterClient',
    docs: 'Returns the client of one namespace.',
  },
  {
    at: 'const ^one = resource(clientset.rest, showcases);',
    shows: 'const one: ShowcaseClient',
  },
];

const verbs: readonly HoverRow[] = [
  {
    at: `caches.^get('a');`,
    shows:
      '(method) Get<RedisCluster>.get(name: string, options?: GetOptions): Promise<Stored<RedisCluster>>',
    docs: 'Returns one object by name.',
    tags: ['@throws {ApiError} `isNotFound` if it does not exist'],
  },
  {
    at: `caches.^find('a');`,
    shows:
      '(method) Get<RedisCluster>.find(name: string, options?: GetOptions): Promise<Stored<RedisCluster> | undefined>',
    docs: 'or `undefined` if it does not exist',
  },
  {
    at: 'caches.^list();',
    shows:
      '(method) List<RedisCluster, RedisClusterList, "spec.version">.list(options?: ListOptions<"spec.version"> | undefined): Promise<RedisClusterList> (+1 overload)',
    docs: 'Returns the objects',
  },
  {
    at: 'caches.^iterate();',
    shows:
      '(method) List<RedisCluster, RedisClusterList, "spec.version">.iterate(options?: IterateOptions<"spec.version"> | undefined): ListIteration<RedisCluster> (+1 overload)',
    docs: 'page by page',
  },
  {
    at: 'caches.^watch();',
    shows:
      '(method) Watch<RedisCluster, "spec.version">.watch(options?: WatchOptions<"spec.version"> | undefined): AsyncIterable<WatchEvent<RedisCluster>> (+3 overloads)',
    docs: 'Watches changes.',
  },
  {
    at: `caches.^create({ spec: { version: '' } });`,
    shows:
      '(method) Create<RedisCluster>.create<undefined>(object: RedisCluster, options?: WriteOptions<undefined> | undefined): Promise<Stored<RedisCluster>>',
    docs: 'Creates an object.',
  },
  {
    at: `caches.^create({ spec: { version: '' } }, { dryRun: 'All' });`,
    shows:
      '(method) Create<RedisCluster>.create<"All">(object: RedisCluster, options?: WriteOptions<"All"> | undefined): Promise<RedisCluster>',
    docs: "as a dry run (`dryRun: 'All'`)",
  },
  {
    at: 'caches.^update(stored);',
    shows:
      '(method) Update<RedisCluster>.update<undefined>(object: WithName<RedisCluster>, options?: WriteOptions<undefined> | undefined): Promise<Stored<RedisCluster>>',
    docs: 'Replaces an object.',
  },
  {
    at: 'caches.^updateStatus(stored);',
    shows:
      '(method) CustomWriteStatus<RedisCluster>.updateStatus<undefined>(object: WithName<RedisCluster>, options?: WriteOptions<undefined> | undefined): Promise<Stored<RedisCluster>>',
    docs: 'Replaces the status',
  },
  {
    at: `caches.^patch('a', {});`,
    shows:
      '(method) CustomPatch<RedisCluster>.patch<"merge", undefined>(name: string, body: MergePatch<RedisCluster>, options?: CustomPatchOptions<"merge", undefined> | undefined): Promise<Stored<RedisCluster>>',
    docs: 'Patches an object.',
  },
  {
    at: `caches.^patch('a', [], { type: 'json' });`,
    shows:
      '(method) CustomPatch<RedisCluster>.patch<"json", undefined>(name: string, body: JsonPatchOperation[], options?: CustomPatchOptions<"json", undefined> | undefined): Promise<Stored<RedisCluster>>',
  },
  {
    at: `caches.^apply({ metadata: { name: 'a' } }, { fieldManager: 'me' });`,
    shows:
      '(method) Apply<RedisCluster>.apply<undefined>(intent: Intent<RedisCluster>, options?: ApplyOptions<undefined> | undefined): Promise<Stored<RedisCluster>>',
    docs: 'by server-side apply',
  },
  {
    at: `caches.^delete('a');`,
    shows:
      '(method) Delete<RedisCluster>.delete(name: string, options?: DeleteOptions): Promise<Stored<RedisCluster> | Status>',
    docs: 'Requests the deletion',
  },
  {
    at: 'caches.^deleteCollection();',
    shows:
      '(method) DeleteCollection<RedisClusterList, "spec.version">.deleteCollection(options?: DeleteCollectionOptions<"spec.version"> | undefined): Promise<RedisClusterList | Status>',
  },
  {
    at: `caches.^getScale('a');`,
    shows: '(method) WriteScale.getScale(name: string, options?: GetOptions): Promise<Stored<Scale>>',
  },
  {
    at: `caches.^waitFor('a', () => true);`,
    shows:
      '(method) WaitFor<RedisCluster>.waitFor(name: string, predicate: (object: Stored<RedisCluster> | undefined) => boolean, options?: WaitOptions): Promise<Stored<RedisCluster> | undefined> (+1 overload)',
    docs: 'Waits until a predicate accepts',
  },
];

const objects: readonly HoverRow[] = [
  {
    at: '^stored;',
    shows: 'const stored: Stored<RedisCluster>',
  },
  {
    at: 'stored.^metadata;',
    shows: '(property) metadata: ObjectMeta & StoredMeta & InNamespace',
  },
  {
    at: 'stored.metadata.^name;',
    shows: '(property) name: string',
    docs: 'Unique among',
  },
  {
    at: 'stored.^kind;',
    shows: '(property) kind: "RedisCluster"',
  },
  {
    at: 'stored.^spec;',
    shows: '(property) RedisCluster.spec: RedisClusterSpec',
    docs: 'Desired state of the group.',
    tags: [
      '@validate !has(self.minReady) || self.minReady <= self.replicas -- minReady must not exceed replicas',
    ],
  },
  {
    at: 'stored.spec.^version;',
    shows: '(property) RedisClusterSpec.version: string',
    docs: 'Redis release, major and minor.',
    tags: ['@pattern ^[0-9]+\\.[0-9]+(\\.[0-9]+)?$'],
  },
  {
    at: 'stored.spec.^replicas;',
    shows: '(property) RedisClusterSpec.replicas?: number | undefined',
    docs: 'Number of servers.\n\nAlways set in responses',
    tags: ['@default 3', '@format int32', '@minimum 1', '@maximum 9'],
  },
  {
    at: 'stored.spec.^evictionPolicy;',
    shows:
      '(property) RedisClusterSpec.evictionPolicy?: "noeviction" | "allkeys-lru" | "allkeys-lfu" | "volatile-ttl" | undefined',
  },
  {
    at: 'stored.spec.^users;',
    shows: '(property) RedisClusterSpec.users?: ListMap<RedisClusterSpecUser, "name"> | undefined',
    docs: 'Accounts besides the default one.',
    tags: ['@listMap name'],
  },
  {
    at: 'stored.spec.^memory;',
    shows: '(property) RedisClusterSpec.memory?: string | number | undefined',
  },
  {
    at: 'stored.^status;',
    shows: '(property) RedisCluster.status?: RedisClusterStatus | undefined',
  },
  {
    at: 'const ^list = await caches.list();',
    shows: 'const list: RedisClusterList',
  },
  {
    at: 'list.^items;',
    shows: '(property) RedisClusterList.items: Stored<RedisCluster>[]',
  },
  {
    at: 'for await (const ^event of caches.watch()) event.object;',
    shows: 'const event: WatchEvent<RedisCluster>',
  },
  {
    at: 'for await (const event of caches.watch()) event.^object;',
    shows: '(property) object: Stored<RedisCluster>',
  },
  {
    at: `const whole: Intent<RedisCluster> = { ^metadata: { name: 'a' } };`,
    shows: '(property) metadata: IntentMeta',
  },
  {
    at: `const part: Intent<RedisCluster> = { metadata: { name: 'a' }, ^spec: {} };`,
    shows: '(property) spec?: IntentOf<RedisClusterSpec>',
    docs: 'Desired state of the group.',
  },
  {
    at: `const item: Intent<RedisCluster> = { metadata: { name: 'a' }, spec: { ^users: [] } };`,
    shows: '(property) users?: IntentItem<RedisClusterSpecUser, "name">[] | undefined',
    docs: 'Accounts besides the default one.',
  },
  {
    at: 'showcase.spec?.^old;',
    shows: '(property) ShowcaseSpec.old?: string | undefined',
    docs: 'A field of the past.',
    tags: ['@deprecated use `color` instead.'],
  },
  {
    at: 'showcase.spec?.lists?.^keyed;',
    shows:
      '(property) ShowcaseSpecLists.keyed?: ListMap<ShowcaseSpecListsKeyed, "port" | "protocol"> | undefined',
  },
  {
    at: 'showcase.spec?.^manifest;',
    shows: '(property) ShowcaseSpec.manifest?: EmbeddedObject | undefined',
    docs: 'A whole object of any kind.',
  },
  {
    at: 'showcase.spec?.^partly;',
    shows: '(property) ShowcaseSpec.partly?: ShowcaseSpecPartly | undefined',
  },
  {
    at: 'showcase.spec?.^anything;',
    shows: '(property) ShowcaseSpec.anything?: unknown',
    docs: 'Any value at all.',
  },
];

const informers: readonly HoverRow[] = [
  {
    at: 'informers.cacheV1.^redisClusters();',
    shows:
      '(method) CacheV1Informers.redisClusters(options?: InformerOptions<RedisCluster, RedisClusterSelectableField>): RedisClusterInformer (+1 overload)',
    docs: 'Shared informer of RedisClusters.',
  },
  {
    at: 'informers.cacheV1.redisClusters().^lister;',
    shows: '(property) Informer<RedisCluster, RedisClusterLister>.lister: RedisClusterLister',
  },
  {
    at: `informers.cacheV1.redisClusters().lister.^get('a', 'b');`,
    shows:
      '(method) NamespacedLister<RedisCluster>.get(namespace: string, name: string): Stored<RedisCluster> | undefined',
  },
  {
    at: 'informers.cacheV1.redisClusters().^handle({});',
    shows:
      '(method) Informer<RedisCluster, RedisClusterLister>.handle(handlers: InformerHandlers<RedisCluster>, options?: HandleOptions): HandlerRegistration',
  },
];

export const rows: readonly HoverRow[] = [...clients, ...verbs, ...objects, ...informers];
