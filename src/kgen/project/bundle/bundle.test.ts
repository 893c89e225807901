import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { formatProblem } from '../../common/problems.ts';
import type { BundleSettings } from '../../config/bundle.ts';
import { objectsOf } from '../file-objects.ts';
import { writeBundle } from './bundle.ts';
import { type Bundle, type BundleSources, bundleFiles } from './bundle-files.ts';

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: carts.shop.example.com }
spec:
  group: shop.example.com
  names: { kind: Cart, plural: carts, singular: cart, listKind: CartList }
  scope: Namespaced
  conversion:
    strategy: Webhook
    webhook:
      clientConfig: { service: { name: shop-webhook, namespace: shop, path: /convert/shop.example.com/carts, port: 443 } }
      conversionReviewVersions: [v1]
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {}, scale: { specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas } }
      schema:
        openAPIV3Schema:
          description: A cart.
          type: object
          properties:
            spec:
              type: object
              properties:
                replicas: { type: integer, format: int32, description: Pods., maximum: 5 }
                guests: { type: boolean }
                currency: { type: string, enum: [EUR, USD] }
                passwordSecret: { type: object, properties: { name: { type: string }, key: { type: string } } }
                resources:
                  type: object
                  properties:
                    limits: { type: object, additionalProperties: { x-kubernetes-int-or-string: true } }
                    requests: { type: object, additionalProperties: { x-kubernetes-int-or-string: true } }
                port: { x-kubernetes-int-or-string: true }
            status:
              type: object
              properties:
                replicas: { type: integer }
                phase: { type: string }
                address: { type: string, format: uri }
                conditions:
                  type: array
                  items: { type: object, properties: { type: { type: string }, status: { type: string } } }
`;
const account = `
apiVersion: v1
kind: ServiceAccount
metadata: { name: shop, namespace: shop }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: shop-leader-election, namespace: shop }
rules: [{ apiGroups: [coordination.k8s.io], resources: [leases], verbs: [create] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: shop-leader-election, namespace: shop }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: shop-leader-election }
subjects: [{ kind: ServiceAccount, name: shop, namespace: shop }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: shop }
rules:
  - { apiGroups: [apps], resources: [deployments], verbs: [list, patch, watch] }
  - { apiGroups: [apiextensions.k8s.io], resources: [customresourcedefinitions], resourceNames: [carts.shop.example.com], verbs: [get, list, patch, watch] }
  - { apiGroups: [admissionregistration.k8s.io], resources: [validatingwebhookconfigurations], resourceNames: [shop], verbs: [get, list, patch, watch] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: shop }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: shop }
subjects: [{ kind: ServiceAccount, name: shop, namespace: shop }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: cart-viewer }
rules: [{ apiGroups: [shop.example.com], resources: [carts], verbs: [get] }]
`;
const workload = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: shop, namespace: shop, labels: { app.kubernetes.io/name: shop } }
spec:
  replicas: 2
  selector: { matchLabels: { app.kubernetes.io/name: shop } }
  template:
    metadata: { labels: { app.kubernetes.io/name: shop } }
    spec:
      serviceAccountName: shop
      containers:
        - name: operator
          image: registry.example.com:5000/shop:1.2.0
          env: [{ name: RELATED_IMAGE_DATA_BASE, value: 'registry.example.com/db:3' }]
---
apiVersion: v1
kind: Service
metadata: { name: shop-metrics, namespace: shop }
spec: { ports: [{ port: 8080 }] }
`;
const webhook = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: shop }
webhooks:
  - name: validates-cart.shop.example.com
    clientConfig: { service: { name: shop-webhook, namespace: shop, path: /validates/shop.example.com/v1/carts, port: 443 } }
    rules: [{ apiGroups: [shop.example.com], apiVersions: [v1], resources: [carts], operations: [CREATE, UPDATE] }]
    admissionReviewVersions: [v1]
    sideEffects: None
    failurePolicy: Fail
---
apiVersion: v1
kind: Service
metadata: { name: shop-webhook, namespace: shop }
spec: { ports: [{ port: 443, targetPort: 9443 }] }
`;
const sample = `
apiVersion: shop.example.com/v1
kind: Cart
metadata: { name: apples, namespace: default }
spec: { replicas: 2 }
status: { phase: Ready }
`;
const texts = { 'config/crd/carts.yaml': definition, 'config/rbac/all.yaml': account };
const usual = {
  ...texts,
  'config/manager/manager.yaml': workload,
  'config/webhook/all.yaml': webhook,
  'samples/cart.yaml': sample,
};

function bundle(
  settings: BundleSettings = {},
  change: (text: string) => string = (text) => text,
  more: Partial<BundleSources> = {},
): Bundle {
  const objects = Object.entries(usual).flatMap(
    ([file, text]) => objectsOf([{ file, text: change(text) }]).value,
  );
  const isSample = ({ file }: { readonly file: string }): boolean => file.startsWith('samples/');
  return bundleFiles({
    manifests: objects.filter((each) => !isSample(each)),
    samples: objects.filter(isSample),
    settings,
    manifest: {
      author: 'Ada <ada@example.com> (https://ada.example.com)',
      repository: 'git+ssh://git@github.com/ada/shop.git',
    },
    version: '1.2.0',
    ...more,
  });
}

describe('a bundle', () => {
  test('has the content of the golden file', async () => {
    const { value, problems, failed } = bundle({
      ...{ categories: ['Database'], replaces: '1.1.0', skips: ['1.1.1'], skipRange: '>=1.0.0 <1.2.0' },
      channels: ['stable', 'fast'],
    });
    expect([problems, failed]).toEqual([[], []]);
    const all = [...value].map(([path, content]) => `=== ${path}\n${content}`).join('\n');
    await expect(all).toMatchFileSnapshot('./bundle.golden.txt');
  });

  const limits: readonly (readonly [
    title: string,
    settings: BundleSettings,
    change: readonly [from: string | RegExp, to: string],
    message: string,
  ])[] = [
    [
      'install modes that OLM v1 lacks',
      { installModes: ['OwnNamespace', 'AllNamespaces'] },
      [/ {2}conversion:[\s\S]*?(?= {2}versions:)/, ''],
      'error: bundle.installModes: OLM v1 installs operators for AllNamespaces only: remove OwnNamespace, or set bundle.olm',
    ],
    [
      'install modes beside a conversion',
      { installModes: ['OwnNamespace'], olm: 'v0' },
      ['', ''],
      'error: bundle.installModes: definitions with a conversion webhook need AllNamespaces alone: remove OwnNamespace',
    ],
    [
      'dependencies',
      { requires: [{ name: 'a.example.com', version: 'v1', kind: 'A', description: 'Needed.' }] },
      ['', ''],
      'error: bundle.requires: OLM v1 does not install dependencies: document a.example.com',
    ],
    [
      'a version that is replaced by itself',
      { replaces: '1.2.0' },
      ['', ''],
      'error: bundle.replaces: "1.2.0" is the version of the bundle',
    ],
    [
      'a default channel that is not a channel',
      { defaultChannel: 'fast' },
      ['', ''],
      'error: bundle.defaultChannel: "fast" is not one of the channels stable',
    ],
    [
      'conditions of webhooks',
      {},
      ['failurePolicy: Fail', 'matchConditions: [{ name: a, expression: a }]'],
      'config/webhook/all.yaml: error: webhook validates-cart.shop.example.com: OLM has no matchConditions',
    ],
    [
      'selectors of namespaces',
      {},
      ['failurePolicy: Fail', 'namespaceSelector: { matchLabels: { a: b } }'],
      'config/webhook/all.yaml: error: webhook validates-cart.shop.example.com: OLM has no namespaceSelector',
    ],
    [
      'webhooks that can block the cluster',
      {},
      [
        'failurePolicy: Fail',
        'namespaceSelector: { matchExpressions: [{ key: a, operator: NotIn, values: [kube-system, shop] }] }',
      ],
      "config/webhook/all.yaml: error: webhook validates-cart.shop.example.com: OLM calls it for all namespaces, also for kube-system and that of the operator, so that a failure blocks the cluster: state failurePolicy: 'Ignore'",
    ],
    [
      'kinds that OLM cannot install',
      {},
      ['kind: ServiceAccount', 'kind: ValidatingAdmissionPolicy'],
      'config/rbac/all.yaml: warning: OLM cannot install the ValidatingAdmissionPolicy shop: it is left out, apply config/rbac/all.yaml beside the bundle',
    ],
    [
      'roles in other namespaces',
      {},
      [/shop-leader-election, namespace: shop/g, 'shop-leader-election, namespace: other'],
      'config/rbac/all.yaml: error: OLM cannot grant permissions in namespace other alone',
    ],
    [
      'kinds of others',
      {},
      ['apiGroups: [apps]', 'apiGroups: [cert-manager.io]'],
      'warning: the operator uses kinds of cert-manager.io, which the bundle does not contain',
    ],
    [
      'images without a version',
      {},
      ['shop:1.2.0', 'shop'],
      'warning: image registry.example.com:5000/shop changes without a new version of the bundle',
    ],
    [
      'a project without a deployment',
      {},
      ['kind: Deployment', 'kind: ConfigMap'],
      'config: error: config has no Deployment: add deployment to kgen.config',
    ],
  ];
  test.each(limits)('reports %s', (_, settings, [from, to], message) => {
    const { problems } = bundle(settings, (text) => text.replace(from, to));
    expect(problems.map(formatProblem)).toEqual([expect.stringContaining(message)]);
  });

  test.each(['1.2', '1.2.0+build', 'v1.2.0', '', '01.2.0'])('refuses version %j', (version) => {
    const { value, problems } = bundle({}, undefined, { version });
    expect(value.size).toBe(0);
    expect(problems.map(formatProblem)).toEqual([
      `error: version ${JSON.stringify(version)} must be a version such as 1.2.0 or 1.2.0-rc.1: set it in package.json, or use --version`,
    ]);
  });

  test('may have what OLM v0 alone supports', () => {
    const requires = [{ name: 'a.example.com', version: 'v1', kind: 'A', description: 'Needed.' }];
    const { value, problems } = bundle({ olm: 'v0', requires });
    expect(problems).toEqual([]);
    expect(value.get('manifests/shop.clusterserviceversion.yaml')).toContain(
      'required:\n      - name: a.example.com',
    );
  });
});

describe('the tests of the scorecard', () => {
  const cases: readonly (readonly [test: string, from: string | RegExp, to: string, message: string])[] = [
    [
      'basic-check-spec',
      'spec: { replicas: 2 }',
      '',
      'samples/cart.yaml:2:1: warning: basic-check-spec: the Cart has no spec: add the fields of its spec',
    ],
    [
      'olm-bundle-validation',
      sample,
      '',
      'config/crd/carts.yaml: warning: olm-bundle-validation: the bundle has no example of Cart v1: add one to samples',
    ],
    [
      'olm-crds-have-validation',
      'spec: { replicas: 2 }',
      'spec: { replicas: 6 }',
      'samples/cart.yaml:5:9: warning: olm-crds-have-validation: spec.replicas: Invalid value: 6',
    ],
    [
      'olm-spec-descriptors',
      'spec: { replicas: 2 }',
      'spec: { replicsa: 2 }',
      'samples/cart.yaml:5:9: warning: olm-spec-descriptors: spec.replicsa has no descriptor: declare the field in the type of Cart',
    ],
    [
      'olm-status-descriptors',
      'phase: Ready',
      'phas: Ready',
      'samples/cart.yaml:6:11: warning: olm-status-descriptors: status.phas has no descriptor',
    ],
  ];
  test.each(cases)('%s fails with the place and the action', (name, from, to, message) => {
    const { failed } = bundle({}, (text) => text.replace(from, to));
    const own = failed.filter((each) => each.test === name).map(({ problem }) => formatProblem(problem));
    expect(own).toEqual([expect.stringContaining(message)]);
  });

  test('olm-bundle-validation needs an example of one version of a kind', () => {
    const second = '    - { name: v2, served: true, schema: { openAPIV3Schema: { type: object } } }\n';
    const { failed } = bundle({}, (text) => (text === definition ? `${text}${second}` : text));
    expect(failed.map(({ test }) => test)).toContain('olm-crds-have-validation');
    expect(failed.map(({ test }) => test)).not.toContain('olm-bundle-validation');
  });

  test('olm-crds-have-validation fails without a schema', () => {
    const { failed } = bundle({}, (text) => text.replace(/ {10}properties:[\s\S]*/, ''));
    expect(failed.map(({ problem }) => formatProblem(problem))).toContain(
      'config/crd/carts.yaml: warning: olm-crds-have-validation: Cart v1 has no schema: declare the fields of its type',
    );
  });
});

describe('the folder of a bundle', () => {
  function project(files: Readonly<Record<string, string>>): string {
    const cwd = mkdtempSync(join(tmpdir(), 'kgen-bundle-'));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    for (const [path, content] of Object.entries({ 'package.json': '{"version":"1.2.0"}', ...files })) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), content);
    }
    return cwd;
  }

  test('is written, compared and written again as a whole', () => {
    const cwd = project({ ...usual, 'samples/folder.yaml/notes.txt': 'not a manifest' });
    const path = join(cwd, 'bundle/manifests/shop-metrics_service.yaml');
    const run = (mode: 'write' | 'check' | 'dry-run') => writeBundle({ cwd, mode });
    expect(run('dry-run')).toMatchObject({ ok: true, problems: [] });
    expect(run('check').problems.map(formatProblem)).toContain(
      'bundle/manifests/shop-metrics_service.yaml: error: the file is missing',
    );
    expect(run('write')).toMatchObject({ ok: true, problems: [] });
    expect(run('check')).toMatchObject({ ok: true, problems: [] });
    writeFileSync(path, `${readFileSync(path, 'utf8')}edited: true\n`);
    expect(run('check').ok).toBe(false);
    expect(run('write').changes.update.map((change) => change.path)).toEqual([
      'manifests/shop-metrics_service.yaml',
    ]);
    expect(run('check').ok).toBe(true);
  });

  test('stays as it is with a damaged sample or a missing icon, whose places are reported', () => {
    const cwd = project({ ...usual, 'samples/bad.yaml': 'a: [' });
    const { problems, ok } = writeBundle({ cwd, mode: 'write', settings: { icon: 'icon.svg' } });
    expect(ok).toBe(false);
    expect(problems.map(formatProblem)).toEqual([
      'icon.svg: error: bundle.icon: file or folder not found: check the path',
      expect.stringMatching(/^samples\/bad\.yaml:1:\d+: error: broken YAML/),
    ]);
    expect(() => readFileSync(join(cwd, 'bundle/bundle.Dockerfile'))).toThrow('ENOENT');
  });
});
