/** Certificates that replicas keep in a Secret, on a server in memory and on a real one. */
import { createAuthority } from '@kgen/certificates/authority';
import { certificateFacts, splitBundle } from '@kgen/certificates/facts';
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from '@kgen/kubernetes/admissionregistration.k8s.io/v1';
import { customResourceDefinitions } from '@kgen/kubernetes/apiextensions.k8s.io/v1';
import { namespaces, secrets } from '@kgen/kubernetes/core/v1';
import { type ClusterConfig, RESTClient, resource } from '@kgen/runtime';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { isTrusted } from '../../src/controller/webhooks/certificates/bundles.ts';
import { usualValidity } from '../../src/controller/webhooks/certificates/secret-certificates.ts';
import { deadline, unique } from '../support/cluster-tests.ts';
import { type Installation, Replica, type ReplicaOptions } from './replicas.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const dayMs = 86_400_000;

/** Registers the tests. */
export function certificatesSuite(config: () => ClusterConfig): void {
  let rest: RESTClient;
  beforeAll(() => {
    rest = new RESTClient(config());
  });
  afterAll(() => rest?.close());

  /** Creates a namespace, two configurations and a definition of an operator. */
  async function installed(caBundle?: string): Promise<Installation & { readonly secretName: string }> {
    const name = unique('hooks');
    await resource(rest, namespaces).create({ metadata: { name } });
    const service = { namespace: name, name, path: '/hook' };
    const clientConfig = { service, ...(caBundle !== undefined && { caBundle: base64(caBundle) }) };
    const rules = [
      {
        apiGroups: [`${name}.example.com`],
        apiVersions: ['v1'],
        resources: ['foos'],
        operations: ['CREATE' as const],
      },
    ];
    const webhook = { clientConfig, rules, sideEffects: 'None' as const, admissionReviewVersions: ['v1'] };
    const metadata = { name };
    const webhooks = [
      { ...webhook, name: `one.${name}.example.com` },
      { ...webhook, name: `two.${name}.example.com` },
      { ...webhook, name: 'other.example.com', clientConfig: { service: { ...service, name: 'other' } } },
    ];
    await resource(rest, validatingWebhookConfigurations).create({ metadata, webhooks });
    await resource(rest, mutatingWebhookConfigurations).create({ metadata, webhooks: webhooks.slice(0, 1) });
    const group = `${name}.example.com`;
    await resource(rest, customResourceDefinitions).create({
      metadata: { name: `foos.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { kind: 'Foo', plural: 'foos' },
        conversion: {
          strategy: 'Webhook',
          webhook: { clientConfig: { service }, conversionReviewVersions: ['v1'] },
        },
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
      },
    });
    return {
      config: config(),
      name,
      namespace: name,
      secretName: `${name}-webhook-certificates`,
      targets: [
        { kind: 'ValidatingWebhookConfiguration', name },
        { kind: 'MutatingWebhookConfiguration', name },
        { kind: 'CustomResourceDefinition', name: `foos.${group}` },
      ],
    };
  }

  async function started(installation: Installation, options: ReplicaOptions = {}): Promise<Replica> {
    const replica = new Replica(installation, options);
    onTestFinished(() => replica.stop());
    return replica.start();
  }

  /**
   * Returns the bundles of the operator: those of the validations, of the defaults, and of the conversion.
   */
  async function bundles({ name }: Installation): Promise<readonly string[]> {
    const [validating, mutating, definition] = await Promise.all([
      resource(rest, validatingWebhookConfigurations).get(name),
      resource(rest, mutatingWebhookConfigurations).get(name),
      resource(rest, customResourceDefinitions).get(`foos.${name}.example.com`),
    ]);
    const own = [...(validating.webhooks ?? []).slice(0, 2), ...(mutating.webhooks ?? [])];
    const configs = [
      ...own.map((each) => each.clientConfig),
      definition.spec.conversion?.webhook?.clientConfig,
    ];
    return configs.map((each) => Buffer.from(each?.caBundle ?? '', 'base64').toString());
  }

  async function data({
    namespace,
    secretName,
  }: {
    readonly namespace: string;
    readonly secretName: string;
  }) {
    const secret = await resource(rest, secrets).in(namespace).get(secretName);
    return Object.fromEntries(
      Object.entries(secret.data ?? {}).map(([key, value]) => [
        key,
        Buffer.from(String(value), 'base64').toString(),
      ]),
    );
  }

  const trustsAll = async (installation: Installation, cert: string): Promise<boolean> =>
    (await bundles(installation)).every((bundle) => isTrusted(cert, bundle));

  it('serves one pair in all replicas, whose authority every bundle contains', async () => {
    const installation = await installed();
    const replicas = await Promise.all([1, 2, 3].map(() => started(installation)));
    const [cert = ''] = new Set(replicas.map(({ pair }) => pair.cert));
    expect(replicas.map(({ pair }) => pair.cert)).toEqual([cert, cert, cert]);
    await expect.poll(() => trustsAll(installation, cert), deadline).toBe(true);
    const { name } = installation;
    expect(certificateFacts(cert)).toMatchObject({
      names: [
        name,
        `${name}.${name}`,
        `${name}.${name}.svc`,
        `${name}.${name}.svc.cluster.local`,
        'localhost',
      ],
      addresses: ['127.0.0.1'],
    });
    const secret = await resource(rest, secrets).in(name).get(installation.secretName);
    expect(secret.type).toBe('kubernetes.io/tls');
    expect((await data(installation))['tls.crt']).toBe(cert);
  });

  it('sets bundles and no other field, and none of other services', async () => {
    const installation = await installed();
    const read = () => resource(rest, validatingWebhookConfigurations).get(installation.name);
    const before = await read();
    const { pair } = await started(installation);
    await expect.poll(() => trustsAll(installation, pair.cert), deadline).toBe(true);
    const after = await read();
    const owned = after.metadata.managedFields?.filter(
      ({ manager }) => manager === `${installation.name}-certificates`,
    );
    const bundle = { 'f:clientConfig': { 'f:caBundle': {} } };
    const names = before.webhooks?.slice(0, 2).map(({ name }) => name) ?? [];
    expect(owned?.map(({ fieldsV1 }) => fieldsV1)).toEqual([
      {
        'f:webhooks': Object.fromEntries(
          names.map((name) => [`k:{"name":"${name}"}`, expect.objectContaining(bundle)]),
        ),
      },
    ]);
    const without = (webhooks = after.webhooks ?? []) =>
      webhooks.map(({ clientConfig: { caBundle: _, ...config }, ...webhook }) => ({ ...webhook, config }));
    expect(without()).toEqual(without(before.webhooks));
    expect(after.webhooks?.[2]?.clientConfig.caBundle).toBeUndefined();
  });

  it('keeps other entries of a bundle', async () => {
    const other = createAuthority({ name: 'other' }).cert;
    const installation = await installed(other);
    const { pair } = await started(installation);
    await expect.poll(() => trustsAll(installation, pair.cert), deadline).toBe(true);
    const [validating = ''] = await bundles(installation);
    expect(splitBundle(validating)[0]).toBe(other);
    expect(splitBundle(validating)).toHaveLength(2);
  });

  it('sets a bundle again that another field manager has set, counts it, and names the manager', async () => {
    const installation = await installed();
    const replicas = await Promise.all([1, 2, 3].map(() => started(installation)));
    const [replica] = replicas;
    const cert = replica?.pair.cert ?? '';
    await expect.poll(() => trustsAll(installation, cert), deadline).toBe(true);
    const client = resource(rest, validatingWebhookConfigurations);
    const { webhooks = [] } = await client.get(installation.name);
    const reset = webhooks.map(({ name, clientConfig, ...others }) => ({
      ...others,
      name,
      clientConfig: { ...clientConfig, caBundle: base64('\n') },
    }));
    const options = { fieldManager: 'argocd-controller', force: true };
    await client.apply({ metadata: { name: installation.name }, webhooks: reset }, options);
    await expect.poll(() => trustsAll(installation, cert), deadline).toBe(true);
    const count = async () => {
      const texts = await Promise.all(replicas.map(({ registry }) => registry.metrics()));
      return texts.join('').match(/kgen_webhook_ca_bundle_resets_total\{.*\} \d+/g);
    };
    await expect
      .poll(count, deadline)
      .toEqual([
        `kgen_webhook_ca_bundle_resets_total{kind="ValidatingWebhookConfiguration",name="${installation.name}"} 1`,
      ]);
    expect(
      replicas.flatMap(({ log }) => log).filter((line) => line.includes('argocd-controller')),
    ).toHaveLength(1);
  });

  it('stores the same pairs again after the Secret was deleted, and serves them on', async () => {
    const installation = await installed();
    const replicas = await Promise.all([1, 2].map(() => started(installation)));
    const before = await data(installation);
    await resource(rest, secrets).in(installation.namespace).delete(installation.secretName);
    await expect.poll(() => data(installation).catch(() => undefined), deadline).toEqual(before);
    expect(replicas.map(({ pairs }) => pairs.length)).toEqual([1, 1]);
  });

  it.each(['tls.key', 'tls.crt', 'authority.key', 'authority.crt'])(
    'repairs a Secret with a damaged %s',
    async (key) => {
      const installation = await installed();
      await started(installation);
      const before = await data(installation);
      const client = resource(rest, secrets).in(installation.namespace);
      await client.patch(installation.secretName, { data: { [key]: base64('damaged') } }, { type: 'merge' });
      await expect.poll(() => data(installation), deadline).toEqual(before);
    },
  );

  it('repairs a damaged Secret at the start', async () => {
    const installation = await installed();
    await (await started(installation)).stop();
    const client = resource(rest, secrets).in(installation.namespace);
    await client.patch(
      installation.secretName,
      { data: { 'authority.key': base64('x'), 'tls.key': '' } },
      { type: 'merge' },
    );
    const { pair } = await started(installation, { settleMs: 200 });
    await expect.poll(() => trustsAll(installation, pair.cert), deadline).toBe(true);
    expect((await data(installation))['tls.crt']).toBe(pair.cert);
  });

  it('refuses a Secret of somebody else, and does not change it', async () => {
    const installation = await installed();
    const { namespace, secretName } = installation;
    const { cert, key } = createAuthority().issueServer('other', { names: [], addresses: [] });
    const client = resource(rest, secrets).in(namespace);
    const stringData = { 'tls.crt': cert, 'tls.key': key };
    const created = await client.create({
      metadata: { name: secretName },
      type: 'kubernetes.io/tls',
      stringData,
    });
    await expect(started(installation)).rejects.toThrow(
      `the Secret ${secretName} in namespace ${namespace} exists`,
    );
    expect((await client.get(secretName)).metadata.resourceVersion).toBe(created.metadata.resourceVersion);
  });

  it('heals after the cluster was off for longer than the certificates are valid', async () => {
    const installation = await installed();
    const old = await started(installation);
    await expect.poll(() => trustsAll(installation, old.pair.cert), deadline).toBe(true);
    await old.stop();
    const now = (): number => Date.now() + usualValidity.authorityMs + dayMs;
    const { pair } = await started(installation, { now });
    expect(certificateFacts(pair.cert).until).toBeGreaterThan(now());
    await expect
      .poll(() => bundles(installation), deadline)
      .toSatisfy((all: readonly string[]) =>
        all.every((bundle) => isTrusted(pair.cert, bundle) && splitBundle(bundle).length === 1),
      );
  });

  it.each([
    ['a restored Secret', false],
    ['a restored Secret with restored bundles', true],
  ])('returns to %s, and serves no certificate that a bundle does not trust', async (_, hasBundles) => {
    const installation = await installed();
    const first = await started(installation);
    await expect.poll(() => trustsAll(installation, first.pair.cert), deadline).toBe(true);
    const configurations = resource(rest, validatingWebhookConfigurations);
    const { webhooks = [] } = await configurations.get(installation.name);
    const client = resource(rest, secrets).in(installation.namespace);
    const { data: backup = {} } = await client.get(installation.secretName);
    await first.stop();
    await client.delete(installation.secretName);
    const second = await started(installation, { settleMs: 200 });
    await expect.poll(() => trustsAll(installation, second.pair.cert), deadline).toBe(true);
    if (hasBundles) {
      const restored = { metadata: { name: installation.name }, webhooks };
      await configurations.apply(restored, { fieldManager: 'backup', force: true });
    }
    await client.patch(installation.secretName, { data: backup }, { type: 'merge' });
    await expect.poll(() => second.pair.cert, deadline).toBe(first.pair.cert);
    await expect.poll(() => trustsAll(installation, first.pair.cert), deadline).toBe(true);
    expect(await trustsAll(installation, first.pair.cert)).toBe(true);
  });

  it('writes nothing when objects change that need nothing, and never logs a key', async () => {
    const installation = await installed();
    const replica = await started(installation);
    await expect.poll(() => trustsAll(installation, replica.pair.cert), deadline).toBe(true);
    const writes = replica.writes.length;
    const client = resource(rest, secrets).in(installation.namespace);
    const labels = (name: string) => ({ metadata: { labels: { name } } });
    await client.patch(installation.secretName, labels('one'), { type: 'merge' });
    await resource(rest, mutatingWebhookConfigurations).patch(installation.name, labels('two'), {
      type: 'merge',
    });
    // A later change that needs a write: the earlier ones were handled before it.
    await client.delete(installation.secretName);
    await expect.poll(() => replica.writes.length, deadline).toBeGreaterThan(writes);
    expect(replica.writes.slice(writes)).toEqual([expect.stringContaining('POST')]);
    expect(replica.log.join('')).not.toContain('PRIVATE KEY');
  });
}
