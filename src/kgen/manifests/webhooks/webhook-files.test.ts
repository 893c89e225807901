import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { formatProblem } from '../../common/problems.ts';
import { moduleOf, projectWith } from '../declared.fixture.ts';
import type { WebhookSettings } from '../deployment/values.ts';
import { definitionManifests, manifests } from '../manifests.ts';

const api = `import { api, type CustomResource, version } from 'kgen/api';\n${moduleOf('name: string')}`;
const things = `import { type CustomCrud, defineResource, type NamespacedResource } from '@kgen/runtime/client';
import type { KubernetesList } from '@kgen/runtime';
import type { Thing } from '../api/thing.ts';
export const things: NamespacedResource<Thing, KubernetesList<Thing>, unknown> = defineResource({
  group: 'example.com', version: 'v1', kind: 'Thing', listKind: 'ThingList', plural: 'things', singular: 'thing',
  scope: 'Namespaced', verbs: [],
});
`;
const head = `import { admissionPolicy, converts, defaults, validates, webhooks } from '@kgen/controller/webhooks';
import { pods } from '@kgen/kubernetes/core/v1';
import { things } from './things.ts';
declare const seconds: number;
const shared = { timeoutSeconds: 5, failurePolicy: 'Ignore' } as const;
`;

const options = { name: 'thing', namespace: 'thing-system' };

function read(cwd: string, path: string): readonly unknown[] {
  return loadAll(readFileSync(join(cwd, 'config', path), 'utf8'));
}

describe('webhooks of a program', () => {
  const valid = `export const handlers = [
  defaults(things, { ...shared, handle() {} }),
  validates(pods, { namespaceSelector: { matchLabels: { a: 'b' } }, handle: () => [] }),
  validates(pods, { name: 'images.example.com', failurePolicy: 'Ignore', handle: () => [] }),
  converts(things, { versions: {} }),
];
export const served = webhooks({ handlers });
export const policies = [
  admissionPolicy(things, {
    name: 'short-names', variables: [{ name: 'size', expression: 'size(object.spec.name)' }],
    validations: [{ expression: 'oldObject == null || variables.size < 9 && !has(object.metadata.labels)' }],
  }),
  admissionPolicy(pods, { name: 'labels', bindings: [{ name: 'all', objectSelector: {} }], mutations: [
    { applyConfiguration: 'Object{metadata: Object.metadata{labels: {"a": "b"}}}' },
  ] }),
  admissionPolicy(pods, {
    name: 'named', params: things, bindings: [{ paramRef: { selector: {} } }],
    matchConditions: [{ name: 'limited', expression: 'params == null || has(params.spec.name)' }],
    variables: [{ name: 'limit', expression: 'params.spec' }],
    validations: [{ expression: 'object.metadata.name == variables.limit.name' }],
    auditAnnotations: [{ key: 'by', valueExpression: 'params.metadata.name' }, { key: 'none', valueExpression: 'null' }],
  }),
];
`;

  test('are written as configurations, a service and the conversion of definitions', async () => {
    const files = { 'api/thing.ts': api, 'src/things.ts': things, 'src/main.ts': `${head}${valid}` };
    const cwd = projectWith(files);
    const { problems } = await manifests({ ...options, cwd, cacheFolder: join(cwd, 'cache') });
    expect(problems).toEqual([]);
    expect(read(cwd, 'webhook/mutating.yaml')).toMatchObject([
      {
        metadata: { name: 'thing' },
        webhooks: [
          {
            name: 'defaults-thing.example.com',
            failurePolicy: 'Ignore',
            timeoutSeconds: 5,
            clientConfig: {
              service: {
                name: 'thing-webhook',
                namespace: 'thing-system',
                path: '/defaults/example.com/v1/things',
              },
            },
          },
        ],
      },
    ]);
    expect(read(cwd, 'webhook/validating.yaml')).toMatchObject([
      {
        webhooks: [
          {
            namespaceSelector: {
              matchLabels: { a: 'b' },
              matchExpressions: [{ operator: 'NotIn', values: ['kube-system', 'thing-system'] }],
            },
          },
          {
            name: 'images.example.com',
            clientConfig: { service: { path: '/validates/core/v1/pods/images.example.com' } },
          },
        ],
      },
    ]);
    expect(read(cwd, 'webhook/service.yaml')).toMatchObject([
      { kind: 'Service', spec: { ports: [{ port: 443, targetPort: 9443 }] } },
    ]);
    expect(read(cwd, 'crd/example.com_things.yaml')).toMatchObject([
      {
        spec: {
          conversion: { webhook: { clientConfig: { service: { path: '/convert/example.com/things' } } } },
        },
      },
    ]);
    expect(read(cwd, 'policy/short-names.yaml')).toMatchObject([
      {
        kind: 'ValidatingAdmissionPolicy',
        spec: { matchConstraints: { resourceRules: [{ resources: ['things'] }] } },
      },
      { kind: 'ValidatingAdmissionPolicyBinding', spec: { validationActions: ['Deny'] } },
    ]);
    expect(read(cwd, 'policy/labels.yaml')).toMatchObject([
      { kind: 'MutatingAdmissionPolicy', spec: { mutations: [{ patchType: 'ApplyConfiguration' }] } },
      { kind: 'MutatingAdmissionPolicyBinding', metadata: { name: 'all' } },
    ]);
    expect(read(cwd, 'policy/named.yaml')).toMatchObject([
      { spec: { paramKind: { apiVersion: 'example.com/v1', kind: 'Thing' }, auditAnnotations: [{}, {}] } },
      { spec: { paramRef: { selector: {}, parameterNotFoundAction: 'Deny' } } },
    ]);
    const roles = readFileSync(join(cwd, 'config/rbac/role.yaml'), 'utf8');
    expect(roles).toContain(`  # src/main.ts:7 authority of the certificate of defaults()
  # src/main.ts:8 authority of the certificate of validates()
  # src/main.ts:9 authority of the certificate of validates()
  - apiGroups: [admissionregistration.k8s.io]
    resources: [mutatingwebhookconfigurations, validatingwebhookconfigurations]
    resourceNames: [thing]
    verbs: [get, list, patch, watch]
`);
    expect(roles).toContain('resourceNames: [things.example.com]');
    expect(
      await manifests({ ...options, cwd, cacheFolder: join(cwd, 'cache'), mode: 'check' }),
    ).toMatchObject({ ok: true, problems: [] });
    // Definitions that are written alone keep their conversion.
    const { changes } = await definitionManifests({ ...options, cwd, cacheFolder: join(cwd, 'cache') });
    expect(changes).toMatchObject({ create: [], update: [], remove: [] });
  });

  const mistakes: readonly (readonly [program: string, problem: RegExp])[] = [
    [`validates(pods, { handle: () => [] });`, /^:6:17: error: failurePolicy Fail refuses every Pod/],
    [
      `validates(things, { timeoutSeconds: seconds, handle: () => [] });`,
      /^:6:37: error: is computed, and kgen does not run/,
    ],
    [
      `defaults(things, { timeoutSeconds: 31, handle() {} });`,
      /^:6:36: error: timeoutSeconds must be an integer from 1 to 30, got 31/,
    ],
    [
      `validates(things, { subresource: 'status', matchConditions: [{ name: 'a', expression: 'a ==' }], handle() {} });`,
      /^:6:87: error: the expression does not compile: .*<input>:1:5/s,
    ],
    [
      `defaults(things, { subresource: 'status', matchConditions: [{ name: 'a', expression: '1' }], handle() {} });`,
      /^:6:86: error: the expression must evaluate to bool, not int/,
    ],
    [
      `converts(things, { versions: { v2: { resource: things, toHub: () => ({}), fromHub: () => ({}) } } });`,
      /^:6:1: error: the versions of the conversion are v1, v2, those of api\(\) v1: remove v2/,
    ],
    [
      `admissionPolicy(things, { name: 'a', validations: [{ expression: 'object.spec.nam == ""' }] });`,
      /^:6:66: error: the expression does not compile: .*<input>:1:12: undefined field 'nam'/,
    ],
    [
      `admissionPolicy(things, { name: 'b', mutations: [{ applyConfiguration: 'Object{spec: Object.spec{x: 1}}' }] });`,
      /^:6:72: error: the expression does not compile: .*undefined field 'x'/,
    ],
    [
      `admissionPolicy(pods, { name: 'c', params: things, bindings: [{ paramRef: { name: 'a' } }], validations: [{ expression: 'params.spec.nam == ""' }] });`,
      /^:6:121: error: the expression does not compile: .*undefined field 'nam'/,
    ],
    [
      `admissionPolicy(pods, { name: 'd', validations: [{ expression: 'params == null' }] });`,
      /^:6:64: error: the expression does not compile: .*undeclared reference to 'params'/,
    ],
    [
      `admissionPolicy(pods, { name: 'e', auditAnnotations: [{ key: 'a', valueExpression: '1' }] });`,
      /^:6:84: error: the expression must evaluate to string, not int/,
    ],
    [
      `declare const kind: typeof things | typeof pods;\nadmissionPolicy(pods, { name: 'f', params: kind, bindings: [{ paramRef: { name: 'a' } }], validations: [{ expression: 'params != null' }] });`,
      /^:7:44: error: the resource is not known at compile time/,
    ],
    [`converts(pods, { versions: {} });`, /^:6:1: error: no module declares pods: add its api\(\)/],
    [
      `declare const any: typeof things | typeof pods;\nvalidates(any, { handle: () => [] });`,
      /^:7:11: error: the resource is not known at compile time/,
    ],
  ];

  test('have errors with their places, and nothing is written', async () => {
    const files = mistakes.map(([text], index) => [
      `src/case-${index + 10}.ts`,
      `${head}${text}\nexport {};\n`,
    ]);
    const cwd = projectWith({ 'api/thing.ts': api, 'src/things.ts': things, ...Object.fromEntries(files) });
    const { problems } = await manifests({ cwd, name: 'thing', cacheFolder: join(cwd, 'cache') });
    const expected = mistakes.map(([, { source }], index) => `src/case-${index + 10}.ts${source.slice(1)}`);
    expect(problems.map(formatProblem)).toEqual(
      expected.map((source) => expect.stringMatching(new RegExp(`^${source}`, 's'))),
    );
    expect(existsSync(join(cwd, 'config'))).toBe(false);
  });

  const named =
    "export const m = new Manager({ server: '' }, { NAME });\nm.add(webhooks({ handlers: [], OPTIONS }));\n";
  const served = (name: string, served: string) => ({
    'api/thing.ts': api,
    'src/things.ts': things,
    'src/main.ts': `import { Manager } from '@kgen/controller';\n${head}export const handlers = [defaults(things, { handle() {} })];\n${named.replace('NAME', name).replace('OPTIONS', served)}`,
  });
  const mounted = "port: seconds, certificates: { directory: '/tls' }";

  test.each<{
    what: string;
    webhooks: WebhookSettings;
    clientConfig: object;
    annotations: object | undefined;
    service: object | undefined;
  }>([
    {
      what: 'a Service, with the authority of cert-manager',
      webhooks: { service: { name: 'hooks', port: 8443 }, port: 9000, injectCa: 'cert-manager' },
      clientConfig: { service: { name: 'hooks', port: 8443, namespace: 'thing-system' } },
      annotations: { 'cert-manager.io/inject-ca-from': 'thing-system/thing-webhook' },
      service: { metadata: { name: 'hooks' }, spec: { ports: [{ port: 8443, targetPort: 9000 }] } },
    },
    {
      what: 'a URL, without a Service',
      webhooks: { url: 'https://hooks.example.com/a', port: 9000 },
      clientConfig: { url: 'https://hooks.example.com/a/defaults/example.com/v1/things' },
      ...{ annotations: undefined, service: undefined },
    },
  ])('are registered by the settings of the configuration: $what', async ({ webhooks, ...expected }) => {
    const cwd = projectWith(served("name: 'thing'", mounted));
    const { problems } = await manifests({ ...options, webhooks, cwd, cacheFolder: join(cwd, 'cache') });
    expect(problems).toEqual([]);
    const [configuration] = read(cwd, 'webhook/mutating.yaml');
    expect(configuration).toMatchObject({ webhooks: [{ clientConfig: expected.clientConfig }] });
    expect(Object(configuration).metadata.annotations).toEqual(expected.annotations);
    const path = join(cwd, 'config/webhook/service.yaml');
    expect(existsSync(join(cwd, 'config/webhook/certificate.yaml'))).toBe(expected.service !== undefined);
    if (expected.service === undefined) expect(existsSync(path)).toBe(false);
    else expect(read(cwd, 'webhook/service.yaml')).toMatchObject([expected.service]);
  });

  test.each<{ what: string; name: string; own?: string; webhooks?: WebhookSettings; problem: RegExp }>([
    {
      what: 'another name of the manager than that of its manifests',
      name: "name: 'rings'",
      problem:
        /^src\/main\.ts:8:54: error: the manager has the name "rings", and its manifests "thing": .*--name rings/,
    },
    {
      what: 'the name of the election, which is that of the manager',
      name: "leaderElection: { name: 'rings' }",
      problem: /^src\/main\.ts:8:72: error: the manager has the name "rings"/,
    },
    {
      what: 'another Service than that of the certificate',
      name: "name: 'thing'",
      webhooks: { service: { name: 'hooks' } },
      problem: /^src\/main\.ts:9:7: error: the certificate .* of the Service "thing-webhook", .* as "hooks"/,
    },
    {
      what: 'a certificate of another Service',
      name: "name: 'thing'",
      own: "certificates: { secret: { service: 'hooks' } }",
      problem: /^src\/main\.ts:9:67: error: the certificate .* of the Service "hooks", .* as "thing-webhook"/,
    },
  ])('have an error for $what', async ({ name, own = 'port: 9443', webhooks = {}, problem }) => {
    const cwd = projectWith(served(name, own));
    const { problems } = await manifests({ ...options, webhooks, cwd, cacheFolder: join(cwd, 'cache') });
    expect(problems.map(formatProblem)).toEqual([expect.stringMatching(problem)]);
    expect(existsSync(join(cwd, 'config'))).toBe(false);
  });

  test.each([
    { what: 'the name of the manifests', name: "name: 'thing'" },
    { what: 'a name that is computed', name: 'name: String(seconds)' },
  ])('have no error for a manager with $what', async ({ name }) => {
    const cwd = projectWith(served(name, 'port: 9443'));
    const { problems } = await manifests({ ...options, cwd, cacheFolder: join(cwd, 'cache') });
    expect(problems).toEqual([]);
  });
});
