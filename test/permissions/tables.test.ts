/** Programs and the permissions that kgen finds in them. */
import { expect, it } from 'vitest';
import { needsOf } from './program.ts';

interface Case {
  readonly program: string;
  readonly needs?: readonly string[];
  readonly problems?: readonly string[];
}

const unknown = (place: string, reason: string): string =>
  expect.stringMatching(`^${place}: the resource of ${reason} is not known at compile time: `);

/** Clients of objects, by their types. */
const clients: readonly Case[] = [
  { program: `await kubernetes.coreV1.pods('shop').get('web');`, needs: ['get pods web in namespace shop'] },
  { program: `for await (const pod of kubernetes.coreV1.pods().iterate()) void pod;`, needs: ['list pods'] },
  {
    program: `const maps = kubernetes.coreV1.configMaps('shop'); await maps.update({ metadata: { name: 'a' } });`,
    needs: ['update configmaps a in namespace shop'],
  },
  {
    program: `await resource(rest, deployments).in(text).apply({ metadata: { name: 'web' } });`,
    needs: ['create deployments.apps', 'patch deployments.apps web'],
  },
  {
    program: `await crds.cacheV1.redisClusters('shop').patchStatus('a', {});`,
    needs: ['patch redisclusters.cache.example.com/status a in namespace shop'],
  },
  {
    program: `await crds.cacheV1.redisClusters(config.namespace ?? 'other').applyScale({ metadata: { name: 'x' } });`,
    needs: [
      'patch redisclusters.cache.example.com/scale x in namespace other',
      'patch redisclusters.cache.example.com/scale x in the namespace of the operator',
    ],
  },
  {
    program: `await kubernetes.coreV1.pods('shop').evict('web-0');`,
    needs: ['create pods/eviction web-0 in namespace shop'],
  },
  {
    program: `await kubernetes.coreV1.serviceAccounts('shop').createToken('robot');`,
    needs: ['create serviceaccounts/token robot in namespace shop'],
  },
  {
    program: `await kubernetes.coreV1.namespaces().finalize({ metadata: { name: 'a' } });`,
    needs: ['update namespaces/finalize a'],
  },
  {
    program: `await kubernetes.coreV1.nodes().deleteAndWait('n1');`,
    needs: ['delete,list,watch nodes n1'],
  },
  {
    program: `await kubernetes.coreV1.pods('shop').waitFor('web-0', (pod) => pod !== undefined);`,
    needs: ['list,watch pods web-0 in namespace shop'],
  },
  {
    program: `await kubernetes.coreV1.pods('shop').deleteCollection();`,
    needs: ['deletecollection pods in namespace shop'],
  },
  {
    program: `await kubernetes.coreV1.pods('shop').create({ metadata: { name: 'a' } });`,
    needs: ['create pods in namespace shop'],
  },
  // Constants and unions have the names of their literals.
  {
    program: `const name = 'a'; await kubernetes.coreV1.secrets('shop').delete(name);`,
    needs: ['delete secrets a in namespace shop'],
  },
  {
    program: `declare const one: 'a' | 'b'; await kubernetes.coreV1.secrets('shop').find(one);`,
    needs: ['get secrets a|b in namespace shop'],
  },
  // Members that are passed on.
  {
    program: `const { list, watch: follow } = kubernetes.coreV1.pods('shop'); await list(); void follow;`,
    needs: ['list pods in namespace shop', 'list,watch pods in namespace shop'],
  },
  {
    program: `const read = kubernetes.coreV1.secrets('shop').get; await read(text);`,
    needs: ['get secrets in namespace shop'],
  },
  {
    program: `await kubernetes.coreV1.secrets('shop')['get'](text);`,
    needs: ['get secrets in namespace shop'],
  },
  // Clients behind other types.
  {
    program: `export const prune = (client: Pick<PodClient, 'delete'>) => client.delete('x');`,
    needs: ['delete pods x'],
  },
  {
    program: `export const all = (client: AllNamespaces<Pod, unknown>) => client.list();`,
    needs: ['list pods'],
  },
  {
    program: `export const one = <C extends Get<Pod>>(client: C) => client.get('x');`,
    needs: ['get pods x'],
  },
  {
    program: `interface Getter { get(name: string): Promise<unknown> }
const getter: Getter = kubernetes.coreV1.secrets('shop'); void getter;`,
    needs: ['get secrets in namespace shop'],
  },
  {
    program: `const read = (getter: { get(name: string): Promise<unknown> }) => getter.get('a');
await read(kubernetes.coreV1.secrets('shop'));`,
    needs: ['get secrets in namespace shop'],
  },
  {
    program: `export const any = <T>(client: Apply<T>, object: never) => client.apply(object);`,
    problems: [unknown('1:67', 'apply')],
  },
];

/** Resources that are named at run time. */
const dynamic: readonly Case[] = [
  {
    program: `const dynamic = new DynamicClient(config);
await dynamic.resource({ group: 'example.com', version: 'v1', resource: 'widgets' }).namespace('shop').get('a');`,
    needs: ['get widgets.example.com a in namespace shop'],
  },
  {
    program: `const dynamic = new DynamicClient(config);
await dynamic.resource({ group: 'example.com', version: 'v1', resource: text }).get('a');`,
    problems: [unknown('2:81', 'get')],
  },
  {
    program: `const approve = new DynamicClient(config).resource({ group: 'a.b', version: 'v1', resource: 'c' });
await approve.namespace('shop').subresource('approval').create('x', {});`,
    needs: ['create c.a.b/approval x in namespace shop'],
  },
  {
    program: `const facts = { group: 'example.com', version: 'v1', resource: 'widgets', kind: 'Widget' } as const;
const widgets = dynamicResource({ ...facts, scope: 'Namespaced' }); await resource(rest, widgets).in('shop').delete('a');`,
    needs: ['delete widgets.example.com a in namespace shop'],
  },
  {
    program: `await new ObjectsClient(config).apply({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a', namespace: 'b' } });`,
    needs: ['create jobs.batch in namespace b', 'patch jobs.batch a in namespace b'],
  },
  {
    program: `await new ObjectsClient(config).get<ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });`,
    needs: ['get configmaps a in the namespace of the operator'],
  },
  {
    program: `const objects = new ObjectsClient(config);
const { client } = await objects.clientFor({ apiVersion: 'cache.example.com/v1', kind: 'RedisCluster' }); await client.list();`,
    needs: ['list redisclusters.cache.example.com'],
  },
  {
    program: `await new ObjectsClient(config).delete({ apiVersion: 'v1', kind: text, metadata: { name: 'a' } });`,
    problems: [unknown('1:33', 'delete')],
  },
  {
    program: `await new ScaleClient(config).get({ group: 'apps', resource: 'deployments' }, { namespace: 'shop', name: 'web' });`,
    needs: ['get deployments.apps/scale web in namespace shop'],
  },
  {
    program: `await new MetadataClient(config).resource(pods).namespace('shop').list();`,
    needs: ['list pods in namespace shop'],
  },
  {
    program: `await applyManifests(rest, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'b' } }, { fieldManager: 'x' });`,
    needs: ['create configmaps in namespace b', 'get,patch configmaps a in namespace b'],
  },
  {
    program: `await applyManifests(rest, [manifest(namespaces, { metadata: { name: 'b' } }), manifest(deployments, { metadata: { name: 'a' } })],
  { fieldManager: 'x', namespace: 'b' });`,
    needs: [
      'create namespaces',
      'get,patch namespaces b',
      'create deployments.apps in namespace b',
      'get,patch deployments.apps a in namespace b',
    ],
  },
  {
    program: `await createManifests(rest, 'apiVersion: v1\\nkind: Secret\\nmetadata: {name: a, namespace: b}');`,
    needs: ['create secrets in namespace b'],
  },
  {
    program: `await deleteManifests(rest, 'apiVersion: v1\\nkind: Secret\\nmetadata: {name: a, namespace: b}');`,
    needs: ['delete secrets a in namespace b'],
  },
  {
    program: `await applyManifests(rest, { files: 'deploy' }, { fieldManager: 'x' });`,
    problems: [unknown('1:7', 'applyManifests')],
  },
];

/** Tools, streams and requests by path. */
const functions: readonly Case[] = [
  {
    program: `for await (const event of watchPods(rest, { namespace: 'shop' })) void event;`,
    needs: ['list,watch pods in namespace shop'],
  },
  {
    program: `for await (const event of watchResource(secrets)(rest)) void event;`,
    needs: ['list,watch secrets'],
  },
  {
    program: `await drain(kubernetes, 'n1');`,
    needs: ['patch nodes', 'get,list pods', 'create pods/eviction', 'get daemonsets.apps'],
  },
  { program: `await cordon(kubernetes, 'n1');`, needs: ['patch nodes'] },
  { program: `await canI(kubernetes, { verb: 'get', resource: 'pods' });` },
  {
    program: `await topPods(kubernetes, { namespace: 'shop' });`,
    needs: ['list pods.metrics.k8s.io in namespace shop'],
  },
  { program: `await topNodes(kubernetes);`, needs: ['list nodes', 'list nodes.metrics.k8s.io'] },
  {
    program: `await migrateStorage(rest, redisClusters, { pageSize: 10 });`,
    needs: [
      'get customresourcedefinitions.apiextensions.k8s.io redisclusters.cache.example.com',
      'patch customresourcedefinitions.apiextensions.k8s.io/status redisclusters.cache.example.com',
      'list,patch redisclusters.cache.example.com',
    ],
  },
  {
    program: `await rolloutStatus(kubernetes.appsV1.deployments('shop'), 'web');`,
    needs: [
      'get deployments.apps web in namespace shop',
      'list,watch deployments.apps web in namespace shop',
    ],
  },
  {
    program: `await rolloutRestart(kubernetes, 'deployment/web', { namespace: 'shop' });`,
    needs: ['get deployments.apps web in namespace shop', 'patch deployments.apps web in namespace shop'],
  },
  {
    program: `for await (const line of streamLogs(kubernetes.coreV1.pods('shop'), { pod: 'web-0' })) void line;`,
    needs: ['get pods in namespace shop', 'get pods/log in namespace shop'],
  },
  {
    program: `for await (const line of streamLogs(rest, { labelSelector: 'a', follow: true })) void line;`,
    needs: [
      'get pods in the namespace of the operator',
      'list,watch pods in the namespace of the operator',
      'get pods/log in the namespace of the operator',
    ],
  },
  {
    program: `await copyFrom(kubernetes.coreV1.pods('shop'), 'web-0', '/a', '/b'); await copyTo(rest, 'web-0', '/a', '/b');`,
    needs: [
      'create,get pods/exec in namespace shop',
      'create,get pods/exec in the namespace of the operator',
    ],
  },
  {
    program: `await until(kubernetes.coreV1.pods('shop'), () => true, {});`,
    needs: ['list,watch pods in namespace shop'],
  },
  {
    program: `await kubernetes.coreV1.pods('shop').execText('web-0', 'ls');`,
    needs: ['create,get pods/exec web-0 in namespace shop'],
  },
  {
    program: `await kubernetes.coreV1.pods('shop').attach('web-0');`,
    needs: ['create,get pods/attach web-0 in namespace shop'],
  },
  {
    program: `await kubernetes.coreV1.pods('shop').portForward('web-0', { ports: [80] });`,
    needs: ['create,get pods/portforward web-0 in namespace shop'],
  },
  {
    program: `await kubernetes.coreV1.pods('shop').portForward(text, { ports: ['http'] });`,
    needs: ['get pods in namespace shop', 'create,get pods/portforward in namespace shop'],
  },
  {
    program: `await kubernetes.coreV1.pods('shop').portForwardStream({ service: 'web' }, 80);`,
    needs: [
      'list pods in namespace shop',
      'create,get pods/portforward in namespace shop',
      'get services in namespace shop',
    ],
  },
  {
    program: `await kubernetes.coreV1.pods('shop').getLog('web-0');`,
    needs: ['get pods/log web-0 in namespace shop'],
  },
  {
    program: `listWatch(rest, { resource: pods, namespace: 'shop' });`,
    needs: ['list,watch pods in namespace shop'],
  },
  {
    program: `await rest.get('/api/v1/namespaces/shop/pods/web-0/log');`,
    needs: ['get pods/log web-0 in namespace shop'],
  },
  {
    program: `await rest.post('/apis/apps/v1/namespaces/{namespace}/deployments', { path: { namespace: 'shop' }, body: {} });`,
    needs: ['create deployments.apps in namespace shop'],
  },
  {
    program: `await rest.patch(\`/api/v1/namespaces/\${text}/configmaps/a\`, { body: {}, contentType: 'application/apply-patch+yaml' });`,
    needs: ['create configmaps', 'patch configmaps a'],
  },
  { program: `await rest.delete('/api/v1/namespaces/shop');`, needs: ['delete namespaces shop'] },
  {
    program: `await rest.delete('/api/v1/namespaces/shop/pods');`,
    needs: ['deletecollection pods in namespace shop'],
  },
  {
    program: `await rest.stream({ method: 'GET', path: '/api/v1/pods', query: [['watch', 'true']] });`,
    needs: ['watch pods'],
  },
  { program: `await rest.get('/version'); await rest.get('/apis');` },
  { program: `await rest.get(text);`, problems: [unknown('1:12', 'a request by path')] },
  {
    program: `await rest.stream(connectRequest(podProxy, { namespace: 'shop', name: 'web-0', path: '/' }));`,
    needs: ['get pods/proxy web-0 in namespace shop'],
  },
];

/** Webhooks whose certificate is mounted: the program writes no configuration. */
const mounted: readonly Case[] = [
  { program: `defaults(redisClusters, { handle() {} }); converts(redisClusters, { versions: {} });` },
  {
    program: `webhooks({ handlers: [defaults(redisClusters, { handle() {} })], certificates: { directory: text } });`,
  },
];

/** Managers, elections, events and owner references. */
const controllers: readonly Case[] = [
  {
    program: `webhooks({ handlers: [converts(redisClusters, { versions: {} }), defaults(redisClusters, { handle() {} })] });`,
    needs: [
      'create secrets in the namespace of the operator',
      'get,list,update,watch secrets in the namespace of the operator',
      'get,list,patch,watch mutatingwebhookconfigurations.admissionregistration.k8s.io',
      'get,list,patch,watch customresourcedefinitions.apiextensions.k8s.io redisclusters.cache.example.com',
    ],
  },
  {
    program: `webhooks({ handlers: [validates(redisClusters, { handle: () => [] })] });`,
    needs: [
      'create secrets in the namespace of the operator',
      'get,list,update,watch secrets in the namespace of the operator',
      'get,list,patch,watch validatingwebhookconfigurations.admissionregistration.k8s.io',
    ],
  },
  {
    program: `webhooks({ handlers: [], certificates: { secret: { name: 'tls', namespace: 'shop' } } });`,
    needs: ['create secrets in namespace shop', 'get,list,update,watch secrets tls in namespace shop'],
  },
  {
    program: `webhooks({ handlers: [], certificates: { directory: text }, register: { namespace: text } });`,
    needs: [
      'create mutatingwebhookconfigurations.admissionregistration.k8s.io',
      'delete,get,patch mutatingwebhookconfigurations.admissionregistration.k8s.io',
      'create validatingwebhookconfigurations.admissionregistration.k8s.io',
      'delete,get,patch validatingwebhookconfigurations.admissionregistration.k8s.io',
    ],
  },
  {
    program: `await new LeaderElector(config, { name: 'me' }).run({});`,
    needs: [
      'create leases.coordination.k8s.io in the namespace of the operator',
      'get,update leases.coordination.k8s.io me in the namespace of the operator',
    ],
  },
  {
    program: `new Manager(config, { leaderElection: { name: 'me', namespace: 'kube-system' } });`,
    needs: [
      'create leases.coordination.k8s.io in namespace kube-system',
      'get,update leases.coordination.k8s.io me in namespace kube-system',
    ],
  },
  {
    program: `new Manager(config, { metrics: { port: 1, tls: 'self-signed', authorize: true }, sharding: { name: 'ring' } });`,
    needs: [
      'create tokenreviews.authentication.k8s.io',
      'create subjectaccessreviews.authorization.k8s.io',
      'create,delete,list,update leases.coordination.k8s.io in the namespace of the operator',
    ],
  },
  { program: `new Manager(config, { metrics: { port: 1, authorize: false } });` },
  {
    program: `new EventRecorder({ rest, reportingController: 'x' })
  .event({ type: 'Normal', reason: 'a', action: 'b', note: 'c', regarding: cluster });`,
    needs: ['create,patch events.events.k8s.io'],
  },
  {
    program: `setControllerReference({ metadata: { name: 'a' } }, cluster);`,
    needs: ['update redisclusters.cache.example.com/finalizers'],
  },
  { program: `setControllerReference({ metadata: { name: 'a' } }, cluster, { blockOwnerDeletion: false });` },
  {
    program: `setOwnerReference({ metadata: { name: 'a' } }, cluster, { blockOwnerDeletion: true });`,
    needs: ['update redisclusters.cache.example.com/finalizers'],
  },
  { program: `ownerReference(cluster);` },
  {
    program: `const named = defaults(redisClusters, { handle: () => undefined });
await registerWebhooks(rest, [named], { name: 'redis', namespace: 'redis' });`,
    needs: [
      'get,list,patch,watch mutatingwebhookconfigurations.admissionregistration.k8s.io',
      'create mutatingwebhookconfigurations.admissionregistration.k8s.io',
      'delete,get,patch mutatingwebhookconfigurations.admissionregistration.k8s.io redis',
      'create validatingwebhookconfigurations.admissionregistration.k8s.io',
      'delete,get,patch validatingwebhookconfigurations.admissionregistration.k8s.io redis',
    ],
  },
  {
    program: `await unregisterWebhooks(rest, [converts(redisClusters, { versions: {} })], { name: 'redis' });`,
    needs: [
      'delete mutatingwebhookconfigurations.admissionregistration.k8s.io redis',
      'delete validatingwebhookconfigurations.admissionregistration.k8s.io redis',
      'get,patch customresourcedefinitions.apiextensions.k8s.io redisclusters.cache.example.com',
      'get,list,patch,watch customresourcedefinitions.apiextensions.k8s.io redisclusters.cache.example.com',
    ],
  },
];

/** Statements in comments. */
const statements: readonly Case[] = [
  {
    program: `/** @permissions core/secrets get in shop named a b */\nexport const x = 1;`,
    needs: ['get secrets a|b in namespace shop'],
  },
  { program: `/** Text. @permissions none */\nawait rest.get(text);` },
  {
    program: `/**\n * @permissions batch/jobs list, delete\n * @permissions apps/deployments/scale patch in .\n */\nexport async function f() { await rest.get(text); }`,
    needs: ['patch deployments.apps/scale in the namespace of the operator', 'delete,list jobs.batch'],
  },
  {
    program: `export const f = async () => { /** @permissions example.com/widgets get */ await rest.get(text); };`,
    needs: ['get widgets.example.com'],
  },
  {
    program: `/** @permissions core/pods get lst */\nexport const x = 1;`,
    problems: ['1:32: "lst" is not a verb: did you mean `list`?'],
  },
  {
    program: `/** @permissions pods get */\nexport const x = 1;`,
    problems: [
      expect.stringMatching(/^1:18: "pods" must be GROUP\/RESOURCE, with `core` as the core group: /),
    ],
  },
  {
    program: `/** @permissions core/pods in shop */\nexport const x = 1;`,
    problems: [expect.stringMatching(/^1:18: "core\/pods" has no verbs: /)],
  },
  {
    program: `/** @permissions core/pods get in */\nexport const x = 1;`,
    problems: [expect.stringMatching(/^1:32: "in" is misplaced: /)],
  },
  {
    program: `/** @permissions core/pods get named A_b */\nexport const x = 1;`,
    problems: [expect.stringMatching(/^1:38: "A_b" is misplaced: /)],
  },
];

it.each([
  { title: 'clients of objects', cases: clients },
  { title: 'resources that are named at run time', cases: dynamic },
  { title: 'functions, streams and paths', cases: functions },
  { title: 'managers, events and owner references', cases: controllers },
  { title: 'webhooks with mounted certificates', cases: mounted },
  { title: 'statements', cases: statements },
])('finds the permissions of $title', ({ cases }) => {
  const found = needsOf(cases.map(({ program }) => program));
  const all = cases.map(({ program }, index) => ({ program, ...found[index] }));
  expect(all).toEqual(cases.map(({ program, needs = [], problems = [] }) => ({ program, needs, problems })));
});

it.each<Case>([
  {
    program: `const informers = new InformerFactory(rest, { namespace: 'shop' }); informers.of(pods);
await kubernetes.coreV1.configMaps(cluster.metadata.namespace).get('a');`,
    needs: ['get configmaps a in namespace shop', 'list,watch pods in namespace shop'],
  },
  {
    program: `const informers = new AllInformers(rest, { namespaces: ['a', 'b'] });
informers.coreV1.pods(); informers.coreV1.nodes(); informers.coreV1.secrets({ namespace: 'c' });`,
    needs: [
      'list,watch nodes',
      'list,watch pods in namespace a',
      'list,watch pods in namespace b',
      'list,watch secrets in namespace c',
    ],
  },
  {
    program: `new InformerFactory(rest).of(pods, { namespace: config.namespace });`,
    needs: ['list,watch pods in the namespace of the operator'],
  },
  {
    program: `const informers = new InformerFactory(rest, { namespace: text }); informers.metadataOf(deployments);
informers.of({ group: 'example.com', version: 'v1', resource: 'widgets' });`,
    needs: [
      'list,watch deployments.apps in the watched namespaces',
      'list,watch widgets.example.com in the watched namespaces',
    ],
  },
  {
    program: `const informers = new InformerFactory(new Manager(config), { namespace: 'shop' });
export const controller = new Controller({
  name: 'a', for: informers.of(redisClusters), owns: [informers.of(nodes)],
  reconcile: async ({ metadata: { namespace, name } }, { record }) => {
    record.event({ type: 'Normal', reason: 'a', action: 'b', note: 'c' });
    await crds.cacheV1.redisClusters(namespace).applyStatus({ metadata: { name } });
  },
  async finalize() {},
});`,
    needs: [
      'list,watch nodes',
      'patch redisclusters.cache.example.com in namespace shop',
      'list,watch redisclusters.cache.example.com in namespace shop',
      'patch redisclusters.cache.example.com/status in namespace shop',
      // Events about cluster-scoped objects.
      'create,patch events.events.k8s.io in namespace default',
      'create,patch events.events.k8s.io in namespace shop',
    ],
  },
  {
    program: `const informers = new InformerFactory(rest);
export const controller = new Controller({
  name: 'x', for: informers.of({ group: 'example.com', version: 'v1', resource: 'widgets' }),
  reconcile: async () => undefined, formerFinalizers: ['a/b'],
});`,
    needs: ['patch widgets.example.com', 'list,watch widgets.example.com'],
  },
  {
    program: `const informers = new InformerFactory(rest);
const nameOf = ({ metadata }: Stored<RedisCluster>) => ({ name: \`\${metadata.name}-x\` });
export const dependents = new OwnedDependents<Stored<RedisCluster>>([
  dependent({ name: 'a', informer: informers.of(configMaps), desired: (c) => ({ metadata: nameOf(c) }) }),
  dependent({ name: 'b', informer: informers.of(secrets), desired: (c) => ({ metadata: { name: c.spec.version } }) }),
  dependent({ name: 'c', informer: informers.of(pods), desired: (c) => c.spec.memory ? { metadata: { name: 'x' } } : undefined }),
]);`,
    needs: [
      'create,patch configmaps',
      'list,watch configmaps',
      'create,patch pods',
      'delete pods',
      'list,watch pods',
      'create,patch secrets',
      'delete secrets',
      'list,watch secrets',
      'update redisclusters.cache.example.com/finalizers',
    ],
  },
  {
    program: `const informers = new InformerFactory(rest);
const dependents = new OwnedDependents<Stored<RedisCluster>>([
  { name: 'a', trackedBy: 'labels', informer: informers.of(configMaps) as never, desired: ({ metadata: { name } }) => ({ metadata: { name } }) },
]);
await dependents.finalize(cluster);`,
    needs: ['create,patch configmaps', 'delete configmaps', 'list,watch configmaps'],
  },
  {
    program: `const informers = new InformerFactory(rest);
const map = dependent<Stored<RedisCluster>, ConfigMap>({
  name: 'a', trackedBy: 'labels', informer: informers.of(configMaps), desired: ({ metadata: { name } }) => ({ metadata: { name } }),
});
await new OwnedDependents([map]).finalize(cluster);`,
    needs: ['create,patch configmaps', 'delete configmaps', 'list,watch configmaps'],
  },
])('finds the permissions of caches: $program', ({ program, needs = [], problems = [] }) => {
  expect(needsOf([program])).toEqual([{ needs, problems }]);
});

it('takes permissions from the configuration, by file', () => {
  const stated = { 'case-0.ts': ['apps/deployments get in shop'] };
  const [first, second] = needsOf(['await rest.get(text);', 'await rest.get(text);'], stated);
  expect(first).toEqual({ needs: ['get deployments.apps in namespace shop'], problems: [] });
  expect(second?.problems).toHaveLength(1);
});
