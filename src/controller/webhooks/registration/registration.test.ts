import { describe, expect, it } from 'vitest';
import type { WebhookOptions } from '../declarations/options.ts';
import type {
  RegisteredAdmission,
  RegisteredDeclaration,
  RegisteredResource,
} from '../declarations/registered.ts';
import { pathOf } from '../declarations/webhook.ts';
import {
  type RegistrationSettings,
  webhookCertificate,
  webhookConfigurations,
  webhookService,
} from './configurations.ts';
import { registrationProblems } from './problems.ts';

const clusters: RegisteredResource = {
  group: 'cache.example.com',
  version: 'v1',
  kind: 'RedisCluster',
  plural: 'redisclusters',
  scope: 'Namespaced',
};
const builtIn = (
  group: string,
  plural: string,
  kind: string,
  scope: 'Namespaced' | 'Cluster' = 'Namespaced',
) => ({
  group,
  version: 'v1',
  kind,
  plural,
  scope,
  builtIn: true,
});
const pods = builtIn('', 'pods', 'Pod');
const services = builtIn('', 'services', 'Service');
const settings: RegistrationSettings = { name: 'redis', namespace: 'redis-system' };

type Options = WebhookOptions & { readonly subresource?: string };

const validates = (resource: RegisteredResource, options: Options = {}): RegisteredAdmission => ({
  type: 'validates',
  resource,
  options,
});
const defaults = (resource: RegisteredResource, options: Options = {}): RegisteredAdmission => ({
  type: 'defaults',
  resource,
  options,
});
const converts = (versions: Readonly<Record<string, unknown>>): RegisteredDeclaration => ({
  type: 'converts',
  resource: clusters,
  options: { versions },
});

describe('configurations of webhooks', () => {
  it('contain a webhook for each declaration, with the defaults of Kubernetes', () => {
    const declarations = [
      defaults(clusters),
      validates(clusters, { operations: ['DELETE'] }),
      converts({ v2: {} }),
    ];
    const service = { name: 'redis-webhook', namespace: 'redis-system', port: 443 };
    const webhook = { admissionReviewVersions: ['v1'], sideEffects: 'None', failurePolicy: 'Fail' };
    const rule = { apiGroups: ['cache.example.com'], apiVersions: ['v1'], resources: ['redisclusters'] };
    const metadata = { name: 'redis', labels: { 'app.kubernetes.io/managed-by': 'redis' } };
    expect(webhookConfigurations(declarations, settings)).toEqual({
      configurations: [
        {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'MutatingWebhookConfiguration',
          metadata,
          webhooks: [
            {
              ...webhook,
              name: 'defaults-rediscluster.cache.example.com',
              clientConfig: { service: { ...service, path: '/defaults/cache.example.com/v1/redisclusters' } },
              rules: [{ ...rule, operations: ['CREATE', 'UPDATE'] }],
            },
          ],
        },
        {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingWebhookConfiguration',
          metadata,
          webhooks: [
            {
              ...webhook,
              name: 'validates-rediscluster.cache.example.com',
              clientConfig: {
                service: { ...service, path: '/validates/cache.example.com/v1/redisclusters' },
              },
              rules: [{ ...rule, operations: ['DELETE'] }],
            },
          ],
        },
      ],
      conversions: [
        {
          name: 'redisclusters.cache.example.com',
          conversion: {
            strategy: 'Webhook',
            webhook: {
              clientConfig: { service: { ...service, path: '/convert/cache.example.com/redisclusters' } },
              conversionReviewVersions: ['v1'],
            },
          },
        },
      ],
    });
  });

  it.each([
    [
      'a base URL',
      { url: 'https://127.0.0.1:9443/' },
      { url: 'https://127.0.0.1:9443/defaults/core/v1/services' },
    ],
    [
      'another service',
      { service: { name: 'hooks', port: 8443 } },
      {
        service: { name: 'hooks', namespace: 'redis-system', port: 8443, path: '/defaults/core/v1/services' },
      },
    ],
  ])('have the address of %s', (_title, more, clientConfig) => {
    const { configurations } = webhookConfigurations([defaults(services)], { ...settings, ...more });
    expect(configurations[0]?.webhooks[0]?.clientConfig).toEqual(clientConfig);
  });

  const excluded = {
    key: 'kubernetes.io/metadata.name',
    operator: 'NotIn',
    values: ['kube-system', 'redis-system'],
  };
  const labelled = { matchLabels: { inject: 'true' } };
  it.each<[string, RegisteredAdmission, unknown]>([
    ['a built-in kind', validates(services), { matchExpressions: [excluded] }],
    [
      'a selected built-in kind',
      validates(pods, { namespaceSelector: {} }),
      { matchExpressions: [excluded] },
    ],
    [
      'a built-in kind with labels',
      validates(pods, { namespaceSelector: labelled }),
      { ...labelled, matchExpressions: [excluded] },
    ],
    [
      'Namespaces',
      validates(builtIn('', 'namespaces', 'Namespace', 'Cluster')),
      { matchExpressions: [excluded] },
    ],
    [
      'a cluster-scoped kind',
      validates(builtIn('storage.k8s.io', 'storageclasses', 'StorageClass', 'Cluster')),
      undefined,
    ],
    ['a custom resource', validates(clusters), undefined],
    [
      'a selector of names',
      validates(pods, { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } } }),
      { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } },
    ],
  ])('exclude the own namespace and kube-system for %s as needed', (_title, declaration, selector) => {
    const { configurations } = webhookConfigurations([declaration], settings);
    expect(configurations[0]?.webhooks[0]?.namespaceSelector).toEqual(selector);
  });

  it.each([
    ['cert-manager', { 'cert-manager.io/inject-ca-from': 'redis-system/redis-webhook' }],
    ['service-ca', { 'service.beta.openshift.io/inject-cabundle': 'true' }],
  ] as const)('have the annotations of %s', (injectCa, annotations) => {
    const found = webhookConfigurations([validates(clusters), converts({})], { ...settings, injectCa });
    expect(found.configurations[0]?.metadata.annotations).toEqual(annotations);
    expect(found.conversions[0]?.annotations).toEqual(annotations);
  });

  it.each([
    { name: 'Redis' },
    { namespace: '' },
    { url: 'http://127.0.0.1' },
    { url: 'https://user@host' },
    { url: 'https://host?a=b' },
    { url: 'host' },
    { service: { port: 0 } },
  ])('throw TypeError for %o', (more) => {
    expect(() => webhookConfigurations([validates(clusters)], { ...settings, ...more })).toThrow(TypeError);
  });

  it('throw the errors of declarations with their names', () => {
    expect(() => webhookConfigurations([validates(pods)], settings)).toThrow(
      /^validates\(pods\): failurePolicy/,
    );
  });

  it('belong to a service with the port of the server', () => {
    expect(webhookService({ ...settings, injectCa: 'service-ca' }, 9443)).toEqual({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        name: 'redis-webhook',
        namespace: 'redis-system',
        annotations: { 'service.beta.openshift.io/serving-cert-secret-name': 'redis-webhook' },
      },
      spec: {
        selector: { 'app.kubernetes.io/name': 'redis' },
        ports: [{ name: 'webhooks', port: 443, protocol: 'TCP', targetPort: 9443 }],
      },
    });
  });
});

describe('objects of cert-manager', () => {
  it('are the certificate of the Service that configurations name, and its authority', () => {
    const [root, authority, issuer, certificate] = webhookCertificate({
      ...settings,
      service: { name: 'hooks' },
    });
    const own = { name: 'redis-webhook', namespace: 'redis-system' };
    const ca = { ...own, name: 'redis-webhook-authority' };
    expect(root).toMatchObject({ kind: 'Issuer', metadata: ca, spec: { selfSigned: {} } });
    expect(authority).toMatchObject({
      ...{ kind: 'Certificate', metadata: ca },
      spec: { isCA: true, secretName: ca.name, issuerRef: { name: ca.name } },
    });
    expect(issuer).toMatchObject({ kind: 'Issuer', metadata: own, spec: { ca: { secretName: ca.name } } });
    expect(certificate).toMatchObject({
      ...{ kind: 'Certificate', metadata: own },
      spec: {
        ...{ secretName: own.name, issuerRef: { name: own.name } },
        dnsNames: ['hooks.redis-system.svc', 'hooks.redis-system.svc.cluster.local'],
      },
    });
  });
});

describe('errors of declarations', () => {
  const conditions = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `c${index}`, expression: 'true' }));
  const own = { matchLabels: { 'kubernetes.io/metadata.name': 'redis-system' } };
  const system = { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'Exists' }] } as const;

  it.each<[string, RegisteredDeclaration, RegExp, string?]>([
    ['every Pod', validates(pods), /refuses every Pod of the cluster/, 'failurePolicy'],
    ['every binding', validates(pods, { subresource: 'binding', operations: ['CREATE'] }), /every Pod/],
    ['every node', validates(builtIn('', 'nodes', 'Node', 'Cluster')), /no node could register/],
    [
      'definitions',
      defaults(
        builtIn('apiextensions.k8s.io', 'customresourcedefinitions', 'CustomResourceDefinition', 'Cluster'),
      ),
      /its own definitions/,
    ],
    [
      'the own namespace',
      validates(services, { namespaceSelector: own }),
      /contains the namespace redis-system/,
    ],
    ['kube-system', validates(pods, { namespaceSelector: system }), /contains the namespace kube-system/],
    [
      'Leases',
      validates(builtIn('coordination.k8s.io', 'leases', 'Lease'), { failurePolicy: 'Ignore' }),
      /Leases/,
    ],
    [
      'webhooks',
      validates(builtIn('admissionregistration.k8s.io', 'validatingwebhookconfigurations', 'X', 'Cluster')),
      /never send/,
    ],
    [
      'token reviews',
      validates(builtIn('authentication.k8s.io', 'tokenreviews', 'TokenReview', 'Cluster')),
      /login/,
    ],
    ['any resource', validates(builtIn('', '*', 'Any')), /`\*`/],
    ['any group', validates({ ...clusters, group: '*' }), /`\*`/],
    ['any version', validates({ ...clusters, version: '*' }), /`\*`/],
    ['any subresource', validates(services, { subresource: '*' }), /`\*`/],
    ['a short name', validates(clusters, { name: 'redis.example' }), /at least three labels/, 'name'],
    ['an invalid name', validates(clusters, { name: 'Redis.example.com' }), /subdomain/, 'name'],
    ['65 conditions', validates(clusters, { matchConditions: conditions(65) }), /64 conditions, got 65/],
    [
      'equal conditions',
      validates(clusters, { matchConditions: [...conditions(1), ...conditions(1)] }),
      /two conditions/,
      'matchConditions',
    ],
    [
      'an empty condition',
      validates(clusters, { matchConditions: [{ name: 'a', expression: ' ' }] }),
      /empty/,
    ],
    ['31 s', validates(clusters, { timeoutSeconds: 31 }), /from 1 to 30, got 31/, 'timeoutSeconds'],
    ['0 s', validates(clusters, { timeoutSeconds: 0 }), /from 1 to 30/],
    ['1.5 s', validates(clusters, { timeoutSeconds: 1.5 }), /from 1 to 30/],
    ['defaults of deletions', defaults(clusters, { operations: ['DELETE'] }), /validates\(\)/, 'operations'],
    ['creations of exec', validates(pods, { subresource: 'exec' }), /operations: \['CONNECT'\]/],
    ['connects of objects', validates(clusters, { operations: ['CONNECT'] }), /attach, exec/],
    ['no operation', validates(clusters, { operations: [] }), /empty/],
    ['equal operations', validates(clusters, { operations: ['CREATE', 'CREATE'] }), /twice/],
    [
      'an invalid selector',
      validates(clusters, { objectSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }),
      /In of a needs values/,
      'objectSelector',
    ],
    ['the hub among the versions', converts({ v1: {} }), /v1 is the hub/, 'versions'],
  ])('contain the reason for %s', (_title, declaration, message, option) => {
    const problems = registrationProblems([declaration], 'redis-system');
    expect(problems).toEqual([
      expect.objectContaining({ declaration: 0, message: expect.stringMatching(message) }),
    ]);
    if (option !== undefined) expect(problems[0]?.path[0]).toBe(option);
  });

  it.each<[string, RegisteredDeclaration]>([
    ['every Pod, if failures are ignored', validates(pods, { failurePolicy: 'Ignore' })],
    ['every Pod, if all namespaces are stated', validates(pods, { namespaceSelector: {} })],
    ['every exec', validates(pods, { subresource: 'exec', operations: ['CONNECT'] })],
    [
      'every node, if all are stated',
      validates(builtIn('', 'nodes', 'Node', 'Cluster'), { objectSelector: {} }),
    ],
    ['every service', validates(services)],
    ['64 conditions', validates(clusters, { matchConditions: conditions(64) })],
    ['the own namespace of a custom resource', validates(clusters, { namespaceSelector: own })],
  ])('are absent for %s', (_title, declaration) => {
    expect(registrationProblems([declaration], 'redis-system')).toEqual([]);
  });

  const [size, budget] = [{ name: 'size.cache.example.com' }, { name: 'budget.cache.example.com' }];
  const repeated = 'set the option `name` of one';
  it.each<[string, readonly RegisteredDeclaration[], string?, option?: string]>([
    ['two types', [validates(clusters), defaults(clusters)]],
    ['one name of two types', [validates(clusters, size), defaults(clusters, size)]],
    ['one of two with a name', [validates(clusters), validates(clusters, size)]],
    ['two names', [validates(clusters, size), validates(clusters, budget)]],
    [
      'no name',
      [validates(clusters), validates(clusters)],
      'set the option `name` of one, such as other-validates-rediscluster.cache.example.com',
    ],
    [
      'no name, of another version',
      [validates(clusters), validates({ ...clusters, version: 'v2' })],
      repeated,
    ],
    ['one name', [validates(clusters, size), validates(clusters, size)], 'rename one', 'name'],
    [
      'one name, of two resources',
      [validates(services, size), validates(clusters, size)],
      'rename one',
      'name',
    ],
    [
      'the name that the other has without the option',
      [validates(clusters), validates(clusters, { name: 'validates-rediscluster.cache.example.com' })],
      'rename one',
      'name',
    ],
    ['two conversions', [converts({ v2: {} }), converts({ v3: {} })], 'combine the versions'],
  ])('have one path or name: %s', (_title, declarations, message, option) => {
    const problems = registrationProblems(declarations);
    const path = option === undefined ? [] : [option];
    const found = { declaration: 1, path, message: expect.stringContaining(message ?? '') };
    expect(problems).toEqual(message === undefined ? [] : [found]);
  });

  it('name the second of two declarations of one resource, which a name distinguishes', () => {
    const { configurations } = webhookConfigurations(
      [validates(clusters), validates(clusters, size)],
      settings,
    );
    const webhooks = configurations[0]?.webhooks ?? [];
    expect(webhooks.map(({ name, clientConfig }) => [name, clientConfig.service?.path])).toEqual([
      ['validates-rediscluster.cache.example.com', '/validates/cache.example.com/v1/redisclusters'],
      [size.name, `/validates/cache.example.com/v1/redisclusters/${size.name}`],
    ]);
  });

  it.each<[RegisteredDeclaration, string]>([
    [validates(clusters), '/validates/cache.example.com/v1/redisclusters'],
    [validates(pods, { subresource: 'exec' }), '/validates/core/v1/pods/exec'],
    [defaults(pods), '/defaults/core/v1/pods'],
    [converts({}), '/convert/cache.example.com/redisclusters'],
  ])('are not those of paths', (declaration, path) => {
    expect(pathOf(declaration)).toBe(path);
  });
});
