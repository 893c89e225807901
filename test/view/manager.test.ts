/** `kgen view --manager`, in a process of its own, and operators in Pods of a server in memory. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Manager, type ManagerOptions, type MetricsOptions } from '@kgen/controller';
import { DynamicClient } from '@kgen/runtime/dynamic';
import { applyManifests } from '@kgen/runtime/manifests';
import { startTestServer, type TestServer } from '@kgen/testserver';
import { describe, expect, onTestFinished, test } from 'vitest';
import { plainPrinter, valuesOf } from '../../src/kgen/manifests/deployment/values.ts';
import { workloadText } from '../../src/kgen/manifests/deployment/workload.ts';
import { repository } from '../support/emitted.ts';

const kgen = join(repository, 'src/kgen/bin/kgen.js');
const name = 'shop';
const ignore = (): void => undefined;
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Permission of the operator to review tokens; that of users to read the recording is in its manifests. */
const rbac = `apiVersion: v1
kind: Namespace
metadata: { name: ${name} }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: ${name}, namespace: ${name} }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: other, namespace: ${name} }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: ${name}-delegator }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: 'system:auth-delegator' }
subjects: [{ kind: ServiceAccount, name: ${name}, namespace: ${name} }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: ${name}-leases, namespace: ${name} }
rules: [{ apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, create, update] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: ${name}-leases, namespace: ${name} }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: ${name}-leases }
subjects: [{ kind: ServiceAccount, name: ${name}, namespace: ${name} }]
`;

interface Place {
  readonly server: TestServer;
  /** Starts a manager, to which connections to Pods lead from now on. */
  readonly start: (
    metrics?: Partial<MetricsOptions>,
    leaderElection?: ManagerOptions['leaderElection'],
  ) => Promise<void>;
  /** Arguments that choose the cluster. */
  readonly args: readonly string[];
  readonly folder: string;
}

/** Starts a server with the deployment of an operator. */
async function place(): Promise<Place> {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const metrics = { port: 8443, isSecure: true, isAuthorized: true, hasRecording: true };
  const workload = workloadText({ name, metrics }, plainPrinter(valuesOf(name, {}), name));
  for (const text of [rbac, workload]) await applyManifests(server.config, text, { fieldManager: 'test' });
  let port = 0;
  server.onPortForward(async ({ stream, port: requested }) => {
    if (requested !== metrics.port) throw new Error('connection refused');
    await pipeline(stream, connect(port, '127.0.0.1'), stream);
  });
  const start: Place['start'] = async (more, leaderElection) => {
    const served = {
      port: 0,
      host: '127.0.0.1',
      tls: 'self-signed',
      authorize: true,
      recording: true,
    } as const;
    const config = server.as({ user: `system:serviceaccount:${name}:${name}` });
    const metricsOptions = { ...served, ...more };
    const options = { name, metrics: metricsOptions, leaderElection, log, handleSignals: false };
    const manager = new Manager(config, options);
    const stop = new AbortController();
    const ended = manager.run({ signal: stop.signal });
    onTestFinished(async () => {
      stop.abort();
      await ended;
    });
    await expect.poll(() => manager.ports.metrics).toBeDefined();
    port = manager.ports.metrics ?? 0;
  };
  const folder = mkdtempSync(join(tmpdir(), 'kgen-view-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'kubeconfig'), server.kubeconfig);
  const args = ['--kubeconfig', join(folder, 'kubeconfig'), '--namespace', name];
  return { server, start, args, folder };
}

/** Returns the names of the Pods that are ready. */
async function readyPods({ config }: TestServer): Promise<readonly string[]> {
  const client = new DynamicClient(config);
  const pods = client.resource({ group: '', version: 'v1', resource: 'pods' }).namespace(name);
  const { items } = await pods.list();
  await client.close();
  return items.filter((pod) => JSON.stringify(pod).includes('"Ready"')).map((pod) => pod.metadata.name);
}

interface Served {
  readonly sources: readonly { readonly tag: string; readonly text: string }[];
  readonly hasActions: boolean;
}

interface Shown {
  readonly child: ChildProcessWithoutNullStreams;
  readonly output: () => string;
  /** Returns the lines of the operator since a tag. */
  readonly documentOf: (tag?: string) => Promise<{ readonly tag: string; readonly text: string }>;
}

/** Runs the command, until its page is served. */
async function shown(args: readonly string[]): Promise<Shown> {
  const child = spawn(process.execPath, [kgen, 'view', ...args]);
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const address = (): string => /^http:\S+$/m.exec(output)?.[0] ?? '';
  await expect.poll(() => address() !== '' || child.exitCode, { timeout: 20_000 }).toBe(true);
  const documentOf: Shown['documentOf'] = async (tag) => {
    const url = new URL(address());
    url.pathname = '/document';
    if (tag !== undefined) url.searchParams.set('after.operator', tag);
    const shownDocument: Served = JSON.parse(await (await fetch(url)).text());
    const [source] = shownDocument.sources;
    if (source === undefined || shownDocument.hasActions)
      throw new Error('it has one source, and no actions');
    return source;
  };
  return { child, output: () => output, documentOf };
}

describe('kgen view --manager', () => {
  test('shows the operator with a token of its account, follows it, and ends with SIGINT', async () => {
    const { server, start, args } = await place();
    await start();
    await expect.poll(() => readyPods(server)).toHaveLength(2);
    const { child, output, documentOf } = await shown(['--manager', `deployment/${name}`, ...args]);
    expect(output()).toMatch(/^Pod shop\/shop-\S+, port 8443: the first of 2 ready ones$/m);
    const { text, tag } = await documentOf();
    expect(text).toMatch(/^\{"type":"kgen recording","version":1,.*"program":"shop"/);
    expect((await documentOf(tag)).text).toMatch(/^\{"type":"kgen recording increment"/);
    server.requests.expect({ verb: 'create', resource: 'serviceaccounts', subresource: 'token' }, 1);
    // One connection for all requests of the page.
    server.requests.expect({ subresource: 'portforward', status: 101 }, 1);
    const end = once(child, 'exit');
    child.kill('SIGINT');
    expect(await end).toEqual([0, null]);
    expect(output()).not.toMatch(/eyJ/);
  }, 60_000);

  test('needs no token for an endpoint of the loopback interface without authorization, over HTTP', async () => {
    const { server, start, args } = await place();
    await start({ tls: undefined, authorize: false });
    await expect.poll(() => readyPods(server)).toHaveLength(2);
    const [pod = ''] = await readyPods(server);
    const { output, documentOf } = await shown(['--manager', `pod/${pod}`, ...args]);
    expect(output()).toContain(`Pod shop/${pod}, port 8443: as requested\n`);
    const { tag } = await documentOf();
    expect((await documentOf(tag)).text).toMatch(/^\{"type":"kgen recording increment"/);
    server.requests.expect({ verb: 'create', resource: 'serviceaccounts', subresource: 'token' }, 0);
  }, 60_000);

  test('continues with another Pod when its own has been replaced', async () => {
    const { server, start, args } = await place();
    await start();
    await expect.poll(() => readyPods(server)).toHaveLength(2);
    const { output, documentOf } = await shown(['--manager', name, ...args]);
    const { tag } = await documentOf();
    const [, pod = ''] = /^Pod shop\/(\S+),/m.exec(output()) ?? [];
    await start();
    const client = new DynamicClient(server.config);
    onTestFinished(() => client.close());
    await client.resource({ group: '', version: 'v1', resource: 'pods' }).namespace(name).delete(pod);
    await expect
      .poll(async () => (await documentOf(tag)).text, { timeout: 20_000 })
      .toMatch(/^\{"type":"kgen recording","version":1/);
    expect(output().match(/^Pod shop\//gm)).toHaveLength(2);
  }, 60_000);

  test('continues with the leader when another Pod leads', async () => {
    const { server, start, args } = await place();
    await expect.poll(() => readyPods(server)).toHaveLength(2);
    const [, leader = ''] = await readyPods(server);
    const client = new DynamicClient(server.config);
    onTestFinished(() => client.close());
    const leaseName = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
    const leases = client.resource(leaseName).namespace(name);
    const now = new Date().toISOString().replace('Z', '000Z');
    const times = { leaseDurationSeconds: 3600, acquireTime: now, renewTime: now };
    const spec = { ...times, holderIdentity: 'elsewhere_1' };
    const { group, version } = leaseName;
    await leases.create({
      ...{ apiVersion: `${group}/${version}`, kind: 'Lease', metadata: { name: 'shop' } },
      spec,
    });
    await start({}, { name: 'shop', namespace: name, identity: 'another' });
    const { output, documentOf } = await shown(['--manager', name, ...args]);
    expect(output()).toMatch(/^Pod shop\/\S+, port 8443: the first of 2 ready ones$/m);
    await leases.patch('shop', { spec: { holderIdentity: `${leader}_1` } }, { type: 'merge' });
    let tag: string | undefined;
    const followed = async (): Promise<string> => {
      tag = (await documentOf(tag)).tag;
      return output();
    };
    await expect
      .poll(followed, { timeout: 30_000 })
      .toContain(`Pod shop/${leader}, port 8443: it holds the Lease shop`);
  }, 90_000);

  test('writes a page with the present state', async () => {
    const { server, start, args, folder } = await place();
    await start();
    await expect.poll(() => readyPods(server)).toHaveLength(2);
    const out = join(folder, 'page.html');
    const child = spawn(process.execPath, [kgen, 'view', '--manager', name, ...args, '--out', out]);
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(readFileSync(out, 'utf8')).toContain('"title":"shop"');
    expect(statSync(out).mode & 0o777).toBe(0o600);
  }, 60_000);

  test.each<readonly [string, Partial<MetricsOptions>, readonly string[], RegExp]>([
    [
      'is not served',
      { recording: false },
      [],
      /does not serve its recording: set metrics: \{ recording: true \}/,
    ],
    [
      'is refused',
      {},
      ['--service-account', 'other'],
      /service account shop\/other may not get \/debug\/recording/,
    ],
    [
      'needs another account',
      {},
      ['--service-account', 'none'],
      /the service account shop\/none does not exist/,
    ],
    ['has another port', {}, ['--port', '81'], /port 81: .*connection refused.*pass --port/],
  ])(
    'ends with the reason if a recording %s',
    async (_, metrics, more, reason) => {
      const { server, start, args } = await place();
      await start(metrics);
      await expect.poll(() => readyPods(server)).toHaveLength(2);
      const child = spawn(process.execPath, [kgen, 'view', '--manager', name, ...args, ...more]);
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      expect(await once(child, 'close')).toEqual([1, null]);
      expect(stderr).toMatch(reason);
    },
    60_000,
  );

  test.each([
    [['a.jsonl', '--manager', 'a'], /pass a file, or --manager, not both/],
    [[], /pass the file of a recording, or --manager/],
    [['a.jsonl', '--service-account', 'a'], /--service-account is an option of kgen view --manager/],
    [['--manager', 'service/a'], /Give deployment\/NAME, pod\/NAME or the name of a Deployment/],
    [['--manager', 'a', '--port', '0'], /--port/],
  ])('refuses the command line %j', (args, message) => {
    const { status, stderr } = spawnSync(process.execPath, [kgen, 'view', ...args], { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  });
});
