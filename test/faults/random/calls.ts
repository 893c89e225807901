/** Every call of the clients. */
import { Clientset, InformerFactory } from '@kgen/kubernetes';
import { type ClusterConfig, isTransportError, until, untilObjects } from '@kgen/runtime';
import { DiscoveryClient, RESTMapper } from '@kgen/runtime/discovery';
import {
  DynamicClient,
  dynamicResource,
  MetadataClient,
  ScaleClient,
  tableText,
} from '@kgen/runtime/dynamic';
import { listWatch } from '@kgen/runtime/informers';
import { applyManifests, deleteManifests } from '@kgen/runtime/manifests';
import type { Random } from '../../support/random.ts';

/** Clients over one set of connections. */
export interface Clients {
  readonly clientset: Clientset;
  readonly dynamic: DynamicClient;
  readonly metadata: MetadataClient;
  readonly discovery: DiscoveryClient;
  readonly mapper: RESTMapper;
  readonly scales: ScaleClient;
}

/** Limits of a call. */
export interface Limits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

export function clientsOf(config: ClusterConfig): Clients {
  const clientset = new Clientset(config, { onWarning: () => undefined });
  const { rest } = clientset;
  const discovery = new DiscoveryClient(rest);
  const mapper = new RESTMapper(discovery, { onWarning: () => undefined });
  const others = { dynamic: new DynamicClient(rest), metadata: new MetadataClient(rest) };
  return { clientset, discovery, mapper, scales: new ScaleClient(rest, mapper), ...others };
}

type Call = (clients: Clients, limits: Limits, random: Random) => Promise<unknown>;

const deployment = { group: 'apps', version: 'v1', resource: 'deployments' };
const pod = {
  metadata: { name: 'web', namespace: 'shop', resourceVersion: '1', uid: '1' },
  spec: { containers: [] },
};
const intent = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { replicas: 1 },
};
const described = dynamicResource({ ...deployment, kind: 'Deployment', scope: 'Namespaced' });
const fieldManager = 'me';
const text = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ovens.example.com, labels: { app: web } }
spec: { group: example.com, names: { kind: Oven, plural: ovens } }
---
apiVersion: v1
kind: Pod
metadata: { name: web, labels: { app: web } }
`;

async function drained(items: AsyncIterable<unknown>): Promise<void> {
  for await (const item of items) void item;
}

const pods = ({ clientset }: Clients) => clientset.coreV1.pods('shop');

const deployments = ({ dynamic }: Clients) => dynamic.resource(deployment).namespace('shop');

/** Calls that `timeoutMs` ends, whatever the server does. */
export const limited: Readonly<Record<string, Call>> = {
  get: (clients, limits) => pods(clients).get('web', limits),
  find: (clients, limits) => pods(clients).find('web', limits),
  list: (clients, limits) => pods(clients).list(limits),
  'list of all': ({ clientset }, limits) => clientset.coreV1.pods().list(limits),
  create: (clients, limits) => pods(clients).create(pod, limits),
  update: (clients, limits) => pods(clients).update(pod, limits),
  updateStatus: (clients, limits) => pods(clients).updateStatus(pod, limits),
  patch: (clients, limits) => pods(clients).patch('web', {}, limits),
  apply: (clients, limits) => pods(clients).apply({ metadata: { name: 'web' } }, { fieldManager, ...limits }),
  delete: (clients, limits) => pods(clients).delete('web', limits),
  deleteAndWait: (clients, limits) => pods(clients).deleteAndWait('web', limits),
  deleteCollection: (clients, limits) => pods(clients).deleteCollection(limits),
  evict: (clients, limits) => pods(clients).evict('web', {}, limits),
  createToken: ({ clientset }, limits) =>
    clientset.coreV1.serviceAccounts('shop').createToken('web', { spec: { audiences: [] } }, limits),
  getScale: ({ clientset }, limits) => clientset.appsV1.deployments('shop').getScale('web', limits),
  getLog: (clients, limits) => pods(clients).getLog('web', limits),
  watch: (clients, limits) => drained(pods(clients).watch({ ...limits, onRetry: () => undefined })),
  waitFor: (clients, limits, random) => pods(clients).waitFor('web', () => random.chance(0.05), limits),
  until: (clients, limits, random) => until(pods(clients), () => random.chance(0.05), limits),
  untilObjects: (clients, limits, random) => untilObjects(pods(clients), () => random.chance(0.05), limits),
  'rest.get': ({ clientset }, limits) => clientset.rest.get('/version', limits),
  'rest.post': ({ clientset }, limits) => clientset.rest.post('/x', { body: { a: 1 }, ...limits }),
  'rest.request': ({ clientset }, limits) =>
    clientset.rest.request({
      method: 'OPTIONS',
      path: '/x',
      query: [],
      headers: {},
      operation: { verb: 'ask', resource: 'x' },
      ...limits,
    }),
  'dynamic get': (clients, limits) => deployments(clients).get('web', limits),
  'dynamic list': (clients, limits) => deployments(clients).list(limits),
  'dynamic apply': (clients, limits) => deployments(clients).apply(intent, { fieldManager, ...limits }),
  'dynamic patch': (clients, limits) => deployments(clients).patch('web', {}, { type: 'merge', ...limits }),
  'dynamic waitFor': (clients, limits) => deployments(clients).waitFor('web', () => false, limits),
  'dynamic subresource': (clients, limits) => deployments(clients).subresource('scale').get('web', limits),
  table: async (clients, limits) => tableText(await deployments(clients).table(limits)),
  getTable: async (clients, limits) => tableText(await deployments(clients).getTable('web', limits)),
  watchTable: (clients, limits) =>
    drained(deployments(clients).watchTable({ ...limits, onRetry: () => undefined })),
  'metadata get': ({ metadata }, limits) =>
    metadata.resource(deployment).namespace('shop').get('web', limits),
  'metadata list': ({ metadata }, limits) => metadata.resource(deployment).namespace('shop').list(limits),
  'metadata watch': ({ metadata }, limits) =>
    drained(
      metadata
        .resource(deployment)
        .namespace('shop')
        .watch({ ...limits, onRetry: () => undefined }),
    ),
  serverVersion: ({ discovery }, limits) => discovery.serverVersion(limits),
  serverGroups: ({ discovery }, limits) => discovery.serverGroups(limits),
  serverGroupsAndResources: ({ discovery }, limits) => discovery.serverGroupsAndResources(limits),
  serverPreferredResources: ({ discovery }, limits) => discovery.serverPreferredResources(limits),
  serverResources: ({ discovery }, limits) => discovery.serverResourcesForGroupVersion('v1', limits),
  openAPIV3: ({ discovery }, limits) => discovery.openAPIV3(limits),
  openAPIV3Document: ({ discovery }, limits) => discovery.openAPIV3Document('v1', limits),
  openAPIV2: ({ discovery }, limits) => discovery.openAPIV2(limits),
  mapping: ({ mapper }, limits) => mapper.mapping({ group: '', kind: 'Pod' }, limits),
  mappingFor: ({ mapper }, limits) => mapper.mappingFor('po', limits),
  applyManifests: ({ clientset }, limits) => {
    const prune = {
      labelSelector: 'app=web',
      allowEmpty: true,
      kinds: [{ group: 'apps', kind: 'Deployment' }],
    };
    return applyManifests(clientset, text, { fieldManager, prune, namespace: 'shop', ...limits });
  },
  deleteManifests: ({ clientset }, limits) =>
    deleteManifests(clientset, text, { namespace: 'shop', ...limits }),
};

/** Calls that only a signal, `close()` or the server ends. */
export const unlimited: Readonly<Record<string, Call>> = {
  iterate: (clients, limits) => drained(pods(clients).iterate(limits)),
  'dynamic iterate': (clients, limits) => drained(deployments(clients).iterate({ pageSize: 2, ...limits })),
  streamLog: (clients, limits) => drained(pods(clients).streamLog('web', { follow: true, ...limits })),
  'streamLog as bytes': (clients, limits) =>
    drained(pods(clients).streamLog('web', { as: 'bytes', ...limits })),
  'watch without a limit': (clients, { signal }) =>
    drained(pods(clients).watch({ signal, bookmarks: true, onRetry: () => undefined })),
  'waitFor without a limit': (clients, { signal }) => pods(clients).waitFor('web', () => false, { signal }),
  'rest.stream': async ({ clientset }, limits) => {
    const operation = { verb: 'follow', resource: 'x' };
    const request = { method: 'GET', path: '/x', query: [], headers: {}, operation, ...limits } as const;
    const { body } = await clientset.rest.stream(request);
    await drained(body);
  },
  'scale of a mapped resource': ({ scales }, limits) =>
    scales.get({ group: 'apps', resource: 'deployments' }, { namespace: 'shop', name: 'web' }, limits),
  listWatch: async ({ clientset }, { signal }) => {
    const source = listWatch(clientset.rest, { resource: described, namespace: 'shop' });
    await source.list({}, signal);
    await drained((await source.watch({ timeoutSeconds: 300 }, signal)).body);
  },
  informers: async ({ clientset }, { signal, timeoutMs }, random) => {
    const informers = new InformerFactory(clientset, { namespace: 'shop', streaming: random.chance(0.5) });
    const names = [informers.coreV1.pods(), informers.appsV1.deployments()];
    const closed = new Promise<void>((resolve) => {
      informers.on(
        'error',
        (error) => isTransportError(error) && error.code === 'CLIENT_CLOSED' && resolve(),
      );
    });
    for (const one of names)
      one.handle({ add: () => undefined, update: () => undefined, delete: () => undefined });
    informers.start(random.chance(0.5) ? { signal } : {});
    try {
      await informers.waitForSync({ signal, timeoutMs, handlers: random.chance(0.5) });
      const aborted = new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      await Promise.race([aborted, closed]);
    } finally {
      await informers.stop();
    }
  },
};
