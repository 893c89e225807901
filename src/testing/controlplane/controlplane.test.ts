import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { ClusterConfig } from '@kgen/runtime';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ControlPlane, controlPlaneAvailability, startControlPlane } from './controlplane.ts';
import { get } from './probe.ts';

interface Reply {
  readonly status: number | undefined;
  readonly body: unknown;
}

/** Sends one request over plain HTTPS, so that only the control plane itself is tested. */
function call(config: ClusterConfig, method: string, path: string, body?: unknown): Promise<Reply> {
  const { ca, cert, key } = config.tls ?? {};
  const headers = { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const options = { method, ca, cert, key, headers, agent: false, timeout: 20_000 };
    request(new URL(path, config.server), options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(text) }));
    })
      .on('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Opens a watch. `closed` settles when its connection is closed, and never rejects. */
async function openWatch(config: ClusterConfig): Promise<{ readonly closed: Promise<void> }> {
  const watch = request(new URL(`${namespaces}?watch=true`, config.server), { ...config.tls, agent: false });
  const closed = new Promise<void>((resolve) => watch.on('close', resolve).on('error', () => undefined));
  await new Promise((resolve) => watch.on('response', (response) => resolve(response.resume())).end());
  return { closed };
}

const namespaces = '/api/v1/namespaces';
const configMaps = `${namespaces}/default/configmaps`;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A definition whose versions a Service converts. */
const convertedDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boxes.deployed.example.com' },
  spec: {
    group: 'deployed.example.com',
    scope: 'Namespaced',
    names: { kind: 'Box', plural: 'boxes', singular: 'box', listKind: 'BoxList' },
    conversion: {
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { service: { name: 'webhooks', namespace: 'deployed', path: '/convert' } },
      },
    },
    versions: ['v1', 'v2'].map((name) => ({
      ...{ name, served: true, storage: name === 'v1' },
      schema: { openAPIV3Schema: { type: 'object' } },
    })),
  },
};

describe.skipIf(!controlPlaneAvailability().available)('startControlPlane', () => {
  let plane: ControlPlane;
  beforeAll(async () => {
    plane = await startControlPlane({ apiServerFlags: ['--runtime-config=api/all=true'] });
  });
  afterAll(() => plane?.stop());

  it('is ready for its administrators', async () => {
    expect(await get(plane.config, '/readyz')).toEqual({ status: 200, text: 'ok' });
    expect(await get(plane.tokenConfig, '/readyz')).toEqual({ status: 200, text: 'ok' });
    expect((await get(plane.tokenConfig, namespaces)).status).toBe(200);
  });

  it('rejects other credentials', async () => {
    const { server, tls } = plane.config;
    const anonymous = { server, tls: { ca: tls?.ca ?? '' } };
    expect((await get(anonymous, namespaces)).status).toBe(403);
    expect((await get({ ...anonymous, auth: { token: 'wrong' } }, namespaces)).status).toBe(401);
    expect((await get({ server }, namespaces)).status).toBeUndefined();
  });

  it('accepts users that were added, with their groups', async () => {
    const jane = await plane.addUser('jane@example.com', ['system:devs', 'team a']);
    expect(await call(jane, 'GET', namespaces)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('User "jane@example.com" cannot list') },
    });
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    expect(
      await call(jane, 'POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', review),
    ).toMatchObject({
      status: 201,
      body: { status: { userInfo: { groups: ['system:devs', 'team a', 'system:authenticated'] } } },
    });
  });

  it('returns the configuration of a service account, with the permissions of its manifests', async () => {
    const rbac = 'rbac.authorization.k8s.io';
    const named = { name: 'operator', namespace: 'accounts' };
    const reader = { apiGroups: [''], resources: ['configmaps'], verbs: ['list'] };
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: named };
    const role = { apiVersion: `${rbac}/v1`, kind: 'Role', metadata: named, rules: [reader] };
    const binding = {
      ...{ ...role, kind: 'RoleBinding', rules: undefined },
      roleRef: { apiGroup: rbac, kind: 'Role', name: named.name },
      subjects: [{ kind: 'ServiceAccount', ...named }],
    };
    const operator = await plane.addServiceAccount([account, role, binding]);
    expect(operator.namespace).toBe('accounts');
    const statusOf = async (plural: string) =>
      (await get(operator, `${namespaces}/accounts/${plural}`)).status;
    // A server applies a new binding a moment later.
    await expect.poll(() => statusOf('configmaps'), { timeout: 20_000 }).toBe(200);
    expect(await statusOf('secrets')).toBe(403);
    await expect(plane.addServiceAccount([])).rejects.toThrow('no ServiceAccount');
  });

  it('deploys an operator whose webhooks the test serves: calls before that wait', async () => {
    const group = 'admissionregistration.k8s.io';
    const service = { name: 'webhooks', namespace: 'deployed', path: '/limits' };
    const rules = [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
    ];
    const webhook = {
      ...{ name: 'limits.example.com', clientConfig: { service }, rules, sideEffects: 'None' },
      ...{ admissionReviewVersions: ['v1'], timeoutSeconds: 30 },
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'deployed' } },
    };
    const account = {
      ...{ apiVersion: 'v1', kind: 'ServiceAccount' },
      metadata: { name: 'operator', namespace: 'deployed' },
    };
    const configuration = {
      ...{ apiVersion: `${group}/v1`, kind: 'ValidatingWebhookConfiguration' },
      ...{ metadata: { name: 'limits' }, webhooks: [webhook] },
    };
    const { config, serveWebhooks } = await plane.deploy([account, configuration, convertedDefinition]);
    expect(config.namespace).toBe('deployed');
    const { body: definition } = await call(plane.config, 'GET', `${definitions}/boxes.deployed.example.com`);
    expect(definition).toMatchObject({
      spec: {
        conversion: { webhook: { clientConfig: { url: expect.stringMatching(/^https.*\/convert$/) } } },
      },
    });
    const paths: string[] = [];
    const create = async () => {
      const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a-' } };
      return (await call(plane.config, 'POST', `${namespaces}/deployed/configmaps`, map)).body;
    };
    const respond = async (path: string, review: Uint8Array) => {
      paths.push(path);
      const { request } = JSON.parse(Buffer.from(review).toString());
      const response = { uid: request.uid, allowed: false, status: { message: 'too many' } };
      const body = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
      return { status: 200, body: JSON.stringify(body) };
    };
    // A configuration takes effect a moment after it is stored.
    const refused = vi.waitFor(
      async () => expect(await create()).toMatchObject({ message: expect.stringContaining('too many') }),
      { timeout: 30_000, interval: 100 },
    );
    const served = { paths: ['/limits'], respond };
    const release = serveWebhooks(served);
    await refused;
    expect(new Set(paths)).toEqual(new Set(['/limits']));
    release();
    const waiting = create();
    await call(plane.config, 'GET', definitions);
    serveWebhooks(served);
    expect(await waiting).toMatchObject({ message: expect.stringContaining('too many') });
  });

  it('returns a kubeconfig of itself', () => {
    expect(load(plane.kubeconfig)).toMatchObject({
      'current-context': 'test',
      clusters: [{ name: 'test', cluster: { server: plane.config.server } }],
    });
  });

  it('passes flags to the API server', async () => {
    expect((await get(plane.config, '/apis/internal.apiserver.k8s.io/v1alpha1')).status).toBe(200);
  });

  it('creates, updates and deletes', async () => {
    const one = `${namespaces}/crud`;
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'crud', labels: { a: '1' } } };
    expect(await call(plane.config, 'POST', namespaces, namespace)).toMatchObject({ status: 201 });
    const changed = { ...namespace, metadata: { name: 'crud', labels: { a: '2' } } };
    expect(await call(plane.config, 'PUT', one, changed)).toMatchObject({ status: 200 });
    expect(await call(plane.config, 'GET', one)).toMatchObject({
      body: { metadata: { labels: { a: '2' } } },
    });
    expect(await call(plane.config, 'DELETE', one)).toMatchObject({ status: 200 });
    expect(await call(plane.config, 'GET', one)).toMatchObject({
      body: { status: { phase: 'Terminating' } },
    });
  });

  it('restarts the API server with the same address, credentials and data', async () => {
    await call(plane.config, 'POST', configMaps, { metadata: { name: 'kept' }, data: { a: '1' } });
    const before = await call(plane.config, 'GET', `${configMaps}/kept`);
    const { closed } = await openWatch(plane.config);
    const running = apiServers();

    await Promise.all([plane.restart(), plane.restart()]);

    await closed;
    expect(await call(plane.config, 'GET', `${configMaps}/kept`)).toEqual(before);
    expect((await get(plane.tokenConfig, '/readyz')).status).toBe(200);
    expect(apiServers()).toHaveLength(1);
    expect(apiServers()).not.toEqual(running);
  });

  it('restarts an API server that has crashed', async () => {
    for (const pid of apiServers()) process.kill(pid, 'SIGKILL');
    await expect.poll(async () => (await get(plane.config, '/readyz')).status).toBeUndefined();
    await plane.restart();
    expect((await get(plane.config, '/readyz')).status).toBe(200);
  });

  it('restarts although another process uses its port for a moment', async () => {
    for (const pid of apiServers()) process.kill(pid, 'SIGKILL');
    await expect.poll(async () => (await get(plane.config, '/readyz')).status).toBeUndefined();
    const other = createServer().listen(Number(new URL(plane.config.server).port), '127.0.0.1');
    await once(other, 'listening');
    const restarted = plane.restart();
    const log = join(plane.folder, 'kube-apiserver.log');
    await expect.poll(() => readFileSync(log, 'utf8')).toContain('address already in use');
    other.close();
    await restarted;
    expect((await get(plane.config, '/readyz')).status).toBe(200);
  });

  it('leaves no process and no file after stop, also with an open watch', async () => {
    const { closed } = await openWatch(plane.config);

    await plane.stop();

    await closed;
    expect(existsSync(plane.folder)).toBe(false);
    expect(execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })).not.toContain(plane.folder);
    await expect(plane.stop()).resolves.toBeUndefined();
    await expect(plane.restart()).rejects.toThrow('the control plane has been stopped');
  });

  /** Returns the process ids of the API servers of this control plane: exactly one if it runs. */
  function apiServers(): readonly number[] {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n');
    return lines
      .filter((line) => /^ *\d+ \S*kube-apiserver /.test(line) && line.includes(plane.folder))
      .map((line) => Number.parseInt(line, 10));
  }
});

const withManager = { controllerManager: true } as const;

describe.skipIf(!controlPlaneAvailability(withManager).available)(
  'startControlPlane with kube-controller-manager',
  () => {
    let plane: ControlPlane;
    const deadline = { timeout: 60_000, interval: 100 };
    const status = async (path: string): Promise<number | undefined> =>
      (await get(plane.config, path)).status;
    beforeAll(async () => {
      plane = await startControlPlane(withManager);
    });
    afterAll(() => plane?.stop());

    it('finishes the deletion of a namespace', { timeout: 90_000 }, async () => {
      await call(plane.config, 'POST', namespaces, { metadata: { name: 'gone' } });
      await call(plane.config, 'POST', `${namespaces}/gone/configmaps`, { metadata: { name: 'a' } });
      await call(plane.config, 'DELETE', `${namespaces}/gone`);
      await expect.poll(() => status(`${namespaces}/gone`), deadline).toBe(404);
    });

    it('deletes with foreground propagation', { timeout: 90_000 }, async () => {
      const { body } = await call(plane.config, 'POST', configMaps, { metadata: { name: 'owner' } });
      const owner = body as { readonly metadata: { readonly uid: string } };
      const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid };
      const ownerReferences = [{ ...reference, blockOwnerDeletion: true }];
      await call(plane.config, 'POST', configMaps, { metadata: { name: 'owned', ownerReferences } });
      await call(plane.config, 'DELETE', `${configMaps}/owner`, { propagationPolicy: 'Foreground' });
      await expect.poll(() => status(`${configMaps}/owner`), deadline).toBe(404);
      expect(await status(`${configMaps}/owned`)).toBe(404);
    });
  },
);
