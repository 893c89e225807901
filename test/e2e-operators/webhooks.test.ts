/** Webhooks of the operators of `examples`, called by a real API server by their URL. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '@kgen/certificates/authority';
import { Manager, type ManagerOptions } from '@kgen/controller';
import { registerWebhooks, type Webhook, webhooks } from '@kgen/controller/webhooks';
import { pods } from '@kgen/kubernetes/core/v1';
import { type ClusterConfig, RESTClient, resource, retryOnConflict } from '@kgen/runtime';
import { expect, it, onTestFinished, vi } from 'vitest';
import { operator as redisClusterOperator } from '../../examples/operators/rediscluster/src/operator.ts';
import { redisClusterWebhooks } from '../../examples/operators/rediscluster/src/webhooks/rediscluster.ts';
import { operator as sidecarOperator } from '../../examples/operators/sidecar/src/operator.ts';
import { podWebhooks } from '../../examples/operators/sidecar/src/webhooks/pod.ts';
import { redisClusters } from '../../generated/crds/cache.example.com/v1/index.ts';
import { redisClusters as alphaClusters } from '../../generated/crds/cache.example.com/v1alpha1/index.ts';
import { deadline, onControlPlane } from '../support/audited-plane.ts';

type Operator = (config: ClusterConfig, options: ManagerOptions) => Manager;

const quiet = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

onControlPlane('webhooks of operators', {}, (env) => {
  /** Runs an operator, its webhooks on a port with a certificate, and registers them as an administrator. */
  async function start(
    operator: Operator,
    webhooksOf: (rest: RESTClient) => readonly Webhook[],
    config: ClusterConfig,
  ) {
    const folder = mkdtempSync(join(tmpdir(), 'kgen-webhooks-'));
    const authority = createAuthority();
    const { cert, key } = authority.issueServer('webhooks', { names: [], addresses: ['127.0.0.1'] });
    writeFileSync(join(folder, 'tls.crt'), cert);
    writeFileSync(join(folder, 'tls.key'), key);
    const port = await freePort();
    const options = {
      ...{ metrics: undefined, health: undefined, leaderElection: undefined },
      ...{ handleSignals: false, log: quiet },
    };
    const server = new Manager(config, { ...options, name: 'webhooks' });
    server.add(webhooks({ handlers: webhooksOf(server.rest), port, certificates: { directory: folder } }));
    const managers = [operator(config, { ...options, serveWebhooks: () => () => undefined }), server];
    const stop = new AbortController();
    const ended = managers.map((manager) => manager.run({ signal: stop.signal }));
    onTestFinished(async () => {
      stop.abort();
      await Promise.all(ended);
      rmSync(folder, { recursive: true });
    });
    const rest = new RESTClient(env.plane.config, {
      onWarning: ({ text, message = text }) => warnings.push(message),
    });
    const warnings: string[] = [];
    onTestFinished(() => rest.close());
    const settings = { name: 'operator', namespace: 'operator', url: `https://127.0.0.1:${port}` };
    await registerWebhooks(rest, webhooksOf(rest), { ...settings, caBundle: authority.cert });
    return { rest, warnings };
  }

  it('of RedisClusters refuse to shrink, and convert v1alpha1, as the service account of the operator', async () => {
    const config = await env.plane.addServiceAccount('examples/operators/rediscluster/config/rbac');
    const { rest, warnings } = await start(redisClusterOperator, redisClusterWebhooks, config);
    const [namespace = ''] = await env.namespaces(1);
    const clusters = resource(rest, redisClusters).in(namespace);
    const spec = { replicas: 3, minReady: 2, version: '7.4', evictionPolicy: 'allkeys-lru' } as const;
    const edit = (replicas: number) => clusters.patch('carts', { spec: { replicas } });
    // API servers call webhooks some time after their configuration is stored.
    await vi.waitFor(async () => {
      await clusters.create({ metadata: { name: 'probe' }, spec }).catch(() => undefined);
      await expect(clusters.patch('probe', { spec: { replicas: 2 } })).rejects.toThrow('must not shrink');
    }, deadline);
    await vi.waitFor(() => clusters.create({ metadata: { name: 'carts' }, spec }), deadline);

    await expect(edit(2)).rejects.toThrow(
      /denied the request: .*spec\.replicas: Forbidden: must not shrink while 0 of at least 2 servers are ready/,
    );
    const scale = (replicas: number) => clusters.patchScale('carts', { spec: { replicas } });
    await expect(scale(2)).rejects.toThrow(/denied the request: .*must not shrink while 0 of at least 2/);
    await scale(4);
    await clusters.patchStatus('carts', { status: { readyReplicas: 2 } });
    warnings.length = 0;
    const alpha = resource(rest, alphaClusters).in(namespace);
    // The operator changes the status at the same time.
    await retryOnConflict(async () => {
      const present = await alpha.get('carts');
      expect(present.spec).toEqual({ replicas: 4, version: '7.4' });
      await alpha.update({ ...present, spec: { ...present.spec, replicas: 5 } });
    });
    expect((await clusters.get('carts')).spec).toEqual({ ...spec, replicas: 5 });
    const names = ({
      items,
    }: {
      readonly items: readonly { readonly metadata: { readonly name: string } }[];
    }) => items.map(({ metadata }) => metadata.name);
    expect(names(await alpha.list())).toEqual(names(await clusters.list()));
  });

  it('of side-cars change Pods with the label, in creations, applies and dry runs', async () => {
    const { rest, warnings } = await start(sidecarOperator, () => podWebhooks, env.plane.config);
    const labels = { 'sidecar.example.com/inject': 'enabled' };
    const [namespace = ''] = await env.namespaces(1);
    await rest.patch('/api/v1/namespaces/{namespace}', {
      path: { namespace },
      body: { metadata: { labels } },
    });
    const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
    await rest.post(accounts, { body: { metadata: { name: 'default' } } }).catch(() => undefined);
    const shop = resource(rest, pods).in(namespace);
    const spec = { containers: [{ name: 'app', image: 'app:1' }] };
    const metadata = { labels, annotations: { 'sidecar.example.com/collector': 'http://logs.example.com' } };
    const shipper = { initContainers: [{ name: 'log-shipper' }], volumes: [{ name: 'logs' }] };
    await vi.waitFor(async () => {
      const probe = { metadata: { ...metadata, name: 'probe' }, spec };
      expect((await shop.create(probe, { dryRun: 'All' })).spec).toMatchObject(shipper);
    }, deadline);

    expect((await shop.create({ metadata: { ...metadata, name: 'a' }, spec })).spec).toMatchObject(shipper);
    const applied = { metadata: { ...metadata, name: 'b' }, spec };
    expect((await shop.apply(applied, { fieldManager: 'user' })).spec).toMatchObject(shipper);
    warnings.length = 0;
    await shop.create({ metadata: { labels, name: 'c' }, spec });
    expect(warnings).toEqual([expect.stringContaining('sidecar.example.com/collector')]);
    const annotations = { 'sidecar.example.com/collector': 'none' };
    await expect(shop.create({ metadata: { labels, annotations, name: 'd' }, spec })).rejects.toThrow(
      'must be a URL',
    );
    const plain = await shop.create({ metadata: { name: 'e' }, spec });
    expect(plain.spec.initContainers).toBeUndefined();
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
