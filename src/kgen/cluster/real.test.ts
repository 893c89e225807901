import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClusterConfig, RESTClient } from '@kgen/runtime';
import { loadKubeconfig } from '@kgen/runtime/kubeconfig';
import type { APIRequest, APIResponse, Transport } from '@kgen/runtime/rest';
import { type ControlPlane, controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { kubeconfigOf } from '@kgen/testserver';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { runIn } from '../cli/console.fixture.ts';
import { apiVersionOf } from '../common/names.ts';
import { crd, crdsPath, temporaryFolder } from './cluster.fixture.ts';
import { loadContent } from './content.ts';
import { loadCluster } from './load.ts';

/** Sends requests with a client of its own, and records complete responses. */
class Recorder {
  readonly sent: string[] = [];
  readonly refused: string[] = [];
  readonly #client: RESTClient;

  constructor(config: ClusterConfig) {
    this.#client = new RESTClient(config);
  }

  readonly transport: Transport = async (request: APIRequest): Promise<APIResponse> => {
    const { signal: _, ...rest } = request;
    try {
      const response = await this.#client.stream(rest);
      this.sent.push(request.path);
      return response;
    } catch (cause) {
      const status = cause instanceof Error && 'code' in cause ? Number(cause.code) : 0;
      if (status !== 304) this.refused.push(`${request.path} ${status}`);
      return { status, headers: {}, body: (async function* () {})(), cancel: () => undefined };
    }
  };

  close(): Promise<void> {
    return this.#client.close();
  }
}

describe.skipIf(!controlPlaneAvailability().available)('a real cluster', () => {
  const widgets = crd('widgets', 'Widget');
  let plane: ControlPlane;
  let admin: RESTClient;
  beforeAll(async () => {
    plane = await startControlPlane({ apiServerFlags: ['--runtime-config=api/all=true'] });
    admin = new RESTClient(plane.config);
    await admin.post(crdsPath, {
      body: {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'widgets.example.com' },
        spec: widgets['spec'],
      },
    });
    await vi.waitFor(
      async () => {
        await admin.get('/apis/example.com/v1');
        await admin.get('/openapi/v3/apis/example.com/v1');
        expect(JSON.stringify(await admin.get('/openapi/v3'))).toContain('example.com/v1');
      },
      { timeout: 60_000, interval: 100 },
    );
  });
  afterAll(async () => {
    await admin?.close();
    await plane?.stop();
  });

  /** Returns a kubeconfig file for tests that use the client's own connections. */
  function kubeconfig(config: ClusterConfig): string {
    const file = join(temporaryFolder(), 'config');
    writeFileSync(file, kubeconfigOf(config));
    return file;
  }

  test('is read by a user with discovery permissions only, and from the cache afterwards', async () => {
    const reader = await plane.addUser('reader');
    const recorder = new Recorder(reader);
    const options = {
      kubeconfig: kubeconfig(reader),
      cacheFolder: temporaryFolder(),
      needsDocuments: false,
      transport: recorder.transport,
    };
    const cold = await loadContent(options);
    expect(cold.problems).toEqual([]);
    expect(cold.value?.crds).toEqual([]);
    expect(cold.value?.documents.map(({ file }) => file)).toEqual(
      [
        ...(cold.value?.discovery ?? []).map(
          (one) => `/openapi/v3/${one.group === '' ? 'api' : 'apis'}/${apiVersionOf(one)}`,
        ),
        ...['api', 'apis', 'version'].map((name) => `/openapi/v3/${name}`),
      ].sort(),
    );
    expect(cold.value?.documents.length).toBeGreaterThan(25);
    expect(recorder.sent).toContain('/openapi/v3/apis/example.com/v1');
    expect(recorder.refused).toEqual([`${crdsPath} 403`]);
    recorder.sent.length = 0;
    const warm = await loadContent(options);
    expect(recorder.sent.sort()).toEqual(['/openapi/v3', '/version']);
    expect(JSON.stringify(warm)).toBe(JSON.stringify(cold));
    await recorder.close();
  });

  test('returns CRDs to users with permission to read them, with the facts of CRD files', async () => {
    const loaded = await loadCluster({
      kubeconfig: kubeconfig(plane.config),
      cacheFolder: temporaryFolder(),
      needsDocuments: false,
    });
    expect(loaded.problems).toEqual([]);
    expect(loaded.value.crds).toMatchObject([
      { name: 'widgets.example.com', input: { file: `${crdsPath}/widgets.example.com` } },
    ]);
    expect(loaded.value.documents.map(({ file }) => file)).not.toContain('/openapi/v3/apis/example.com/v1');
    expect(loaded.value.api?.groupVersions.map(apiVersionOf)).toContain('apps/v1');
    expect(loaded.value.api?.kubernetesVersion).toMatch(/^1\.\d+$/);
  });

  test('is read with the credentials of an exec plugin, which may write to standard error', async () => {
    const folder = temporaryFolder();
    vi.stubEnv('XDG_CACHE_HOME', temporaryFolder());
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const { tls = {}, ...rest } = await plane.addUser('reader');
    const { cert: clientCertificateData, key: clientKeyData, ...trust } = tls;
    const status = { clientCertificateData, clientKeyData };
    const apiVersion = 'client.authentication.k8s.io/v1';
    writeFileSync(join(folder, 'credential'), JSON.stringify({ kind: 'ExecCredential', apiVersion, status }));
    writeFileSync(join(folder, 'config'), kubeconfigOf({ ...rest, tls: trust }));
    const kubeconfig = await loadKubeconfig({ kubeconfig: join(folder, 'config') });
    const context = kubeconfig.contexts.get(kubeconfig.currentContext);
    const script = `process.stdout.write(fs.readFileSync(${JSON.stringify(join(folder, 'credential'))}))`;
    const exec = {
      apiVersion,
      interactiveMode: 'Never',
      command: process.execPath,
      args: ['-e', script],
    };
    kubeconfig.setUser('plugin', { exec });
    kubeconfig.setContext('plugin', { cluster: context?.cluster ?? null, user: 'plugin' });
    await kubeconfig.write();
    const line = '--from-cluster --kubeconfig config --context plugin --include apps/v1 --out out';
    const { code, stderr } = await runIn(folder, line, { isTerminal: true });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^\rreading the cluster 1\/1 …/)]);
    expect(existsSync(join(folder, 'out/apps/v1'))).toBe(true);
  });

  test('rejects an invalid token with one sentence', async () => {
    const { server, tls } = plane.config;
    const wrong = { server, tls: { ca: tls?.ca ?? '' }, auth: { token: 'expired-token' } };
    const options = { cacheFolder: temporaryFolder(), needsDocuments: false };
    const { problems } = await loadCluster({ ...options, kubeconfig: kubeconfig(wrong) });
    expect(problems).toEqual([
      {
        severity: 'error',
        what: expect.stringContaining('the server does not accept the credentials (401)'),
      },
    ]);
    const trusting = await loadCluster({
      ...options,
      kubeconfig: kubeconfig({ server, tls: {}, auth: wrong.auth }),
    });
    expect(trusting.problems).toEqual([
      { severity: 'error', what: expect.stringContaining("the server's certificate is") },
    ]);
    expect(JSON.stringify([problems, trusting])).not.toContain('expired-token');
  });
});
