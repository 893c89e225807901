/** Deployments that kgen writes, with kubectl, kustomize and Helm on a real API server. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { object, text } from '@kgen/schema/values/json';
import { controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { loadAll } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ManifestsOptions, manifests } from '../../src/kgen/manifests/manifests.ts';
import { corpus, repository } from '../support/emitted.ts';
import { writeShopOperator } from '../support/shop-operator.ts';

const isAvailable = controlPlaneAvailability().available || process.env['KGEN_NOTHING_SKIPPED'] !== undefined;
const name = 'shop-operator';

/** A namespace that refuses Pods below the standard, and warns about workloads with such Pods. */
const restricted = `apiVersion: v1
kind: Namespace
metadata:
  name: ${name}
  labels:
    pod-security.kubernetes.io/enforce: restricted
    pod-security.kubernetes.io/warn: restricted
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: ${name}
  namespace: ${name}
`;

describe.skipIf(!isAvailable)('a deployment', () => {
  let folder = '';
  let tools = '';
  let stop = async (): Promise<void> => undefined;
  const run = (tool: string, line: string, input = ''): string =>
    execFileSync(join(tools, tool), line.split(' '), {
      ...({ encoding: 'utf8', cwd: folder, input, maxBuffer: 64_000_000, stdio: 'pipe' } as const),
      env: { ...process.env, KUBECONFIG: join(folder, 'kubeconfig'), HELM_CACHE_HOME: folder },
    });
  const applied = (line: string, input?: string): string =>
    run('kubectl', `apply --server-side --dry-run=server --warnings-as-errors ${line}`, input);

  beforeAll(async () => {
    const script = join(import.meta.dirname, 'tools.mjs');
    tools = execFileSync(process.execPath, [script], { encoding: 'utf8' }).trim();
    folder = mkdtempSync(join(tmpdir(), 'kgen-deployment-'));
    const plane = await startControlPlane();
    stop = plane.stop;
    writeFileSync(join(folder, 'kubeconfig'), plane.kubeconfig);
    symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'), 'junction');
    writeShopOperator(folder);
    await written(folder);
    run('kubectl', 'apply -f -', restricted);
  }, 300_000);
  afterAll(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is applied by kubectl and kustomize', () => {
    const lines = applied('-k config').trim().split('\n');
    const installed = applied('-f config/install.yaml').trim().split('\n');
    expect(lines).toContain(`deployment.apps/${name} serverside-applied (server dry run)`);
    expect(lines).toContain(
      `validatingwebhookconfiguration.admissionregistration.k8s.io/${name} serverside-applied (server dry run)`,
    );
    expect([...installed].sort()).toEqual([...lines].sort());
  });

  test('has Pods that pass the standard restricted', () => {
    const objects = loadAll(readFileSync(join(folder, 'config/manager/manager.yaml'), 'utf8')).map(Object);
    const template = object(
      objects.find((each) => text(each, 'kind') === 'Deployment'),
      'spec',
      'template',
    );
    const pod = {
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: name } },
      spec: object(template, 'spec'),
    };
    expect(applied('-f -', JSON.stringify(pod))).toContain('pod/a serverside-applied');
    const root = { ...pod, spec: { ...pod.spec, securityContext: { runAsUser: 0 } } };
    expect(() => applied('-f -', JSON.stringify(root))).toThrow('violates PodSecurity');
  });

  test.each([
    '',
    ' --set networkPolicy.enabled=true --set replicas=3 --set crds.keep=false --set priorityClassName=system-cluster-critical',
    ' --set-json resources={} --set-json podLabels={"a":"b"} --set-json tolerations=[{"operator":"Exists"}]',
  ])('has a chart that Helm accepts with the values "%s"', (values) => {
    expect(run('helm', `lint --strict config/chart${values}`)).toContain(
      '1 chart(s) linted, 0 chart(s) failed',
    );
    const rendered = run('helm', `template ${name} config/chart --namespace ${name}${values}`);
    expect(applied('-f -', rendered)).toContain(`deployment.apps/${name} serverside-applied`);
  });

  test('mounts the certificate of cert-manager, in any namespace of a release', async () => {
    await written(folder, { namespace: 'origin', webhooks: { injectCa: 'cert-manager', port: 9000 } });
    run(
      'kubectl',
      'apply --server-side -f -',
      ['Certificate', 'Issuer'].map(certManagerKind).join('\n---\n'),
    );
    run('kubectl', 'create namespace origin');
    run('kubectl', 'create namespace elsewhere');
    const lines = applied('-k config');
    for (const line of [`issuer.cert-manager.io/${name}-webhook`, `deployment.apps/${name}`])
      expect(lines).toContain(`${line} serverside-applied`);
    const rendered = run('helm', `template ${name} config/chart --namespace elsewhere`);
    expect(rendered).not.toContain('origin');
    expect(rendered).toContain(`inject-ca-from: elsewhere/${name}-webhook`);
    const objects = loadAll(rendered).map(Object);
    const found = (kind: string) => objects.find((each) => text(each, 'kind') === kind);
    expect(found('Deployment')).toMatchObject({
      spec: { template: { spec: { volumes: [{ secret: { secretName: `${name}-webhook` } }] } } },
    });
    expect(found('CustomResourceDefinition')).toMatchObject({
      spec: { conversion: { webhook: { clientConfig: { service: { namespace: 'elsewhere' } } } } },
    });
    const dnsNames = [`${name}-webhook.elsewhere.svc`, `${name}-webhook.elsewhere.svc.cluster.local`];
    expect(objects).toContainEqual(
      expect.objectContaining({ spec: expect.objectContaining({ secretName: `${name}-webhook`, dnsNames }) }),
    );
    expect(applied('-f -', rendered)).toContain(`deployment.apps/${name} serverside-applied`);
  });

  test('has a chart that refuses values of a wrong type', () => {
    expect(() => run('helm', 'template a config/chart --set replicas=many')).toThrow('replicas');
  });
});

async function written(cwd: string, more: ManifestsOptions = {}): Promise<void> {
  const deployment = { env: { LEVEL: 'debug' } };
  const { problems } = await manifests({ cwd, cacheFolder: join(cwd, 'cache'), deployment, ...more });
  expect(problems).toEqual([]);
}

/** Kinds of cert-manager; without the corpus, with any fields. */
function certManagerKind(kind: string): string {
  const plural = `${kind.toLowerCase()}s`;
  if (corpus !== undefined)
    return readFileSync(
      join(corpus, `crds/cert-manager/deploy__crds__cert-manager.io_${plural}.yaml`),
      'utf8',
    );
  return JSON.stringify({
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: `${plural}.cert-manager.io` },
    spec: {
      ...{ group: 'cert-manager.io', scope: 'Namespaced', names: { kind, plural } },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true },
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  });
}
