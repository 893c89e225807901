/** The forms of a connection, in every tool and client of a server. */
import { join } from 'node:path';
import { Manager } from '@kgen/controller';
import { Clientset } from '@kgen/kubernetes';
import { type ClientConnection, type ClusterConfig, InformerFactory, RESTClient } from '@kgen/runtime';
import { DiscoveryClient } from '@kgen/runtime/discovery';
import { DynamicClient, MetadataClient, ObjectsClient, ScaleClient } from '@kgen/runtime/dynamic';
import { LeaderElector } from '@kgen/runtime/election';
import { applyManifests, createManifests, deleteManifests } from '@kgen/runtime/manifests';
import { copyFrom, copyTo, streamLogs } from '@kgen/runtime/streams';
import { canI, cordon, drain, rolloutRestart, rolloutStatus, topNodes, topPods } from '@kgen/runtime/tools';
import { checkContract } from '@kgen/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { write } from './images.ts';
import { processes } from './processes.ts';
import { startServer } from './support.ts';
import { temporaryFolder } from './tar-entries.ts';

const workload = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '1', generation: 1 },
  spec: { replicas: 1 },
  status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1 },
};

const core = {
  kind: 'APIResourceList',
  groupVersion: 'v1',
  resources: [{ name: 'configmaps', kind: 'ConfigMap', namespaced: true, verbs: ['get', 'patch'] }],
};

function body(path: string): object {
  if (path.endsWith('/deployments')) {
    return { kind: 'DeploymentList', metadata: { resourceVersion: '1' }, items: [workload] };
  }
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] };
  if (path === '/apis') return { kind: 'APIGroupList', groups: [] };
  if (path === '/api/v1') return core;
  if (path === '/version') return { major: '1', minor: '36', gitVersion: 'v1.36.0' };
  return { ...workload, items: [], status: { ...workload.status, allowed: true } };
}

/** Starts a server with every resource that the tools use, and returns its configuration. */
async function serving(): Promise<{ readonly config: ClusterConfig; readonly paths: readonly string[] }> {
  const paths: string[] = [];
  const server = await startServer(
    processes(await temporaryFolder()),
    undefined,
    ({ url = '' }, response) => {
      const { pathname } = new URL(url, 'http://server');
      paths.push(pathname);
      if (pathname.endsWith('/log')) return void response.end('2026-01-31T12:00:00.123456789Z ready\n');
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body(pathname)));
    },
  );
  return { config: { server, namespace: 'shop' }, paths };
}

/** Returns a connection of a form and the REST client in it, which no tool may close. */
const forms: Readonly<
  Record<
    string,
    (config: ClusterConfig) => { readonly connection: ClientConnection; readonly rest?: RESTClient }
  >
> = {
  'a configuration': (config) => ({ connection: config }),
  'a RESTClient': (config) => {
    const rest = new RESTClient(config);
    return { connection: rest, rest };
  },
  'a Clientset': (config) => {
    const connection = new Clientset(config);
    return { connection, rest: connection.rest };
  },
  'a manager': (config) => {
    const connection = new Manager(config);
    return { connection, rest: connection.rest };
  },
};

const local = async (): Promise<string> => join(await write(await temporaryFolder(), { file: 'x' }), 'file');

const tools: Readonly<Record<string, (connection: ClientConnection) => Promise<unknown>>> = {
  drain: (connection) => drain(connection, 'node-1', { timeoutMs: 10_000 }),
  cordon: (connection) => cordon(connection, 'node-1'),
  canI: (connection) => canI(connection, { verb: 'get', resource: 'pods' }),
  topPods: (connection) => topPods(connection),
  topNodes: (connection) => topNodes(connection),
  rolloutStatus: (connection) => rolloutStatus(connection, 'deployment/web', { timeoutMs: 10_000 }),
  rolloutRestart: (connection) => rolloutRestart(connection, 'deploy/web', { namespace: 'shop' }),
  copyTo: async (connection) => {
    const file = await local();
    return copyTo(connection, 'web-0', file, `${file}-copy`, { container: 'main' });
  },
  copyFrom: async (connection) => {
    const file = await local();
    return copyFrom(connection, 'web-0', file, `${file}-copy`, { namespace: 'shop', container: 'main' });
  },
  applyManifests: (connection) =>
    applyManifests(connection, '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}', {
      fieldManager: 'me',
    }),
  createManifests: (connection) =>
    createManifests(connection, '{apiVersion: v1, kind: ConfigMap, metadata: {generateName: a-}}'),
  deleteManifests: (connection) =>
    deleteManifests(connection, '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}', {}),
  streamLogs: async (connection) => {
    const lines: string[] = [];
    for await (const { line } of streamLogs(connection, { pod: 'web-0', containers: ['main'] }))
      lines.push(line);
    expect(lines).toEqual(['ready']);
  },
  InformerFactory: async (connection) => {
    const informers = new InformerFactory(connection, { streaming: false });
    const { lister } = informers.of({ group: 'apps', version: 'v1', resource: 'deployments' });
    await informers.start();
    await informers.waitForSync();
    expect(lister.list()).toHaveLength(1);
    await informers.close();
  },
  checkContract: (connection) => checkContract([], connection),
};

describe.each(Object.keys(forms))('%s', (form) => {
  async function connected() {
    const { config, paths } = await serving();
    const { connection, rest } = forms[form]?.(config) ?? { connection: config };
    onTestFinished(async () => rest?.close());
    return { connection, rest, paths };
  }

  it.each(Object.keys(tools))('is accepted by %s, which closes a client of its own only', async (tool) => {
    const close = vi.spyOn(RESTClient.prototype, 'close');
    onTestFinished(() => void vi.restoreAllMocks());
    const { connection, rest } = await connected();
    await tools[tool]?.(connection);
    expect(close).toHaveBeenCalledTimes(rest === undefined ? 1 : 0);
    if (rest !== undefined) expect(await rest.get('/version')).toMatchObject({ major: '1' });
  });

  it('is accepted by clients and electors', async () => {
    const { connection, rest } = await connected();
    const clients = [
      new Clientset(connection),
      new DiscoveryClient(connection),
      new DynamicClient(connection),
      new MetadataClient(connection),
      new ObjectsClient(connection, { fieldManager: 'me' }),
      new ScaleClient(connection),
    ];
    for (const client of clients) {
      expect(await client.rest.get('/version')).toMatchObject({ major: '1' });
      await client.close();
    }
    if (rest !== undefined) expect(await rest.get('/version')).toMatchObject({ major: '1' });
    const elector = new LeaderElector(connection, { name: 'me', thread: false });
    expect(elector.isLeader).toBe(false);
  });
});

describe('a rollout over a connection', () => {
  it.each(['web', 'pod/web', 'deployment/', 'deployment/a/b', '/web', ''])(
    'requires kind and name, not %j',
    async (name) => {
      await expect(rolloutStatus({ server: 'http://server' }, name)).rejects.toThrow(
        'the name must be deployment/NAME, daemonset/NAME or statefulset/NAME',
      );
    },
  );
});

it('a namespace in addition to a client of one is rejected', async () => {
  const pods = new Clientset({ server: 'http://server' }).coreV1.pods('shop');
  const options = { namespace: 'other' };
  await expect(copyFrom(pods, 'web-0', '/a', '/b', options)).rejects.toThrow('namespace is an option for');
  const { appsV1 } = new Clientset({ server: 'http://server' });
  const restart = rolloutRestart(appsV1.deployments('shop'), 'web', options);
  await expect(restart).rejects.toThrow('namespace is an option for');
});

describe.each(Object.keys(tools))('%s', (tool) => {
  it.each([[undefined], [null], ['http://x'], [{ rest: undefined }]])(
    'rejects %j with the forms that it accepts',
    async (connection) => {
      const call = async (): Promise<unknown> =>
        Reflect.apply(tools[tool] ?? expect.fail, undefined, [connection]);
      await expect(call()).rejects.toThrow(/must be a configuration/);
    },
  );
});

it('members of a configuration may be undefined', () => {
  const token: string | undefined = process.env['KGEN_ABSENT_TOKEN'];
  const config: ClusterConfig = {
    server: 'http://server',
    namespace: undefined,
    proxyUrl: undefined,
    context: undefined,
    impersonate: undefined,
    disableCompression: undefined,
    auth: { token, tokenFile: undefined, username: undefined, password: undefined, exec: undefined },
    tls: {
      ca: undefined,
      cert: undefined,
      key: undefined,
      caFile: undefined,
      insecureSkipTlsVerify: undefined,
    },
  };
  expect(new RESTClient(config).namespace).toBe('default');
});
