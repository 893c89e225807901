/** Files of a kind: its type, its controller, a sample and its tests. */
import { externalFolder, type ProjectKind } from '../record.ts';
import { clientOf, kindNames, variableOf } from './names.ts';

/**
 * Returns the files, by path. Kinds of others have neither a type nor a sample, which their operator has.
 * @param folders those of the definitions
 */
export function kindFiles(kind: ProjectKind, folders: readonly string[]): ReadonlyMap<string, string> {
  const { file } = kindNames(kind);
  const files: readonly (readonly [string, string])[] = [
    [`api/${file}.ts`, apiText(kind)],
    [`samples/${file}.yaml`, sampleText(kind)],
  ];
  const controlled: readonly (readonly [string, string])[] = [
    [`src/controllers/${file}.ts`, controllerText(kind)],
    [`test/${file}.test.ts`, tableText(kind, folders)],
    [`test/${file}.simulation.test.ts`, simulationText(kind, folders)],
  ];
  const own = kind.origin === undefined;
  return new Map([
    ...(own ? files : []),
    ...(kind.hasController ? controlled : []),
    ...(own && kind.hasController
      ? [[`test/${file}.e2e.test.ts`, endToEndText(kind, folders)] as const]
      : []),
  ]);
}

/** Returns an array of strings as code. */
export function listText(texts: readonly string[]): string {
  return `[${texts.map((text) => `'${text}'`).join(', ')}]`;
}

function apiText(kind: ProjectKind): string {
  const { type, file } = kindNames(kind);
  const scope = kind.scope === 'Cluster' ? `\n  scope: 'Cluster',` : '';
  const further = kind.furtherVersions ?? [];
  const suffix = (each: string): string => `${type}${each.charAt(0).toUpperCase()}${each.slice(1)}`;
  const types = further.map(
    (each) => `
/** Desired state in ${each}. src/webhooks/${file}.ts converts fields that differ. */
export interface ${suffix(each)}Spec extends ${type}Spec {}

export interface ${suffix(each)} extends CustomResource<${suffix(each)}Spec, ${type}Status> {}
`,
  );
  const versions = further.map((each) => `    ${each}: version<${suffix(each)}>()({}),\n`);
  return `import { api, type Condition, type CustomResource, type Int32, type Int64, version } from 'kgen/api';

/** Desired state. */
export interface ${type}Spec {
  /** An example: replace it with fields of your own. @minimum 0 @maximum 10 @default 1 */
  replicas?: Int32;
}

/** Observed state. */
export interface ${type}Status {
  /** Generation of the object that was reconciled last. */
  observedGeneration?: Int64;
  /** @listMap type */
  conditions?: Condition[];
}

export interface ${type} extends CustomResource<${type}Spec, ${type}Status> {}
${types.join('')}
export default api({
  group: '${kind.group}',
  kind: '${kind.kind}',${scope}
  versions: {
    ${kind.version}: version<${type}>()({
      storage: true,
      columns: [
        { name: 'Ready', path: 'status.conditions[Ready].status' },
        { name: 'Age', path: 'metadata.creationTimestamp' },
      ],
    }),
${versions.join('')}  },
});
`;
}

function sampleText(kind: ProjectKind): string {
  const { apiVersion, file } = kindNames(kind);
  const namespace = kind.scope === 'Cluster' ? '' : '  namespace: default\n';
  return `apiVersion: ${apiVersion}
kind: ${kind.kind}
metadata:
  name: ${file}-sample
${namespace}spec:
  replicas: 1
`;
}

function controllerText(kind: ProjectKind): string {
  const { type, descriptor, controller, file } = kindNames(kind);
  const client = clientOf(kind, '../../');
  const target = kind.scope === 'Cluster' ? 'client' : 'client.in(foo.metadata.namespace)';
  const variable = variableOf(type);
  const place = target.replace('foo', variable);
  const own = kind.origin === undefined;
  const body = own
    ? `      const { name, generation: observedGeneration } = ${variable}.metadata;
      // Create and change dependents here. Applies that would change nothing are not sent.
      log.info({ replicas: ${variable}.spec.replicas }, \`reconciled \${name}\`);
      await ${place}.applyStatus({ metadata: { name }, status: { observedGeneration } });
`
    : `      const { name } = ${variable}.metadata;
      // Create and change dependents here. Applies that would change nothing are not sent.
      log.info({}, \`reconciled \${name}\`);
`;
  return `/** Controller of ${type} objects. */
import { Controller, type Manager } from '@kgen/controller';
import { type InformerFactory, resource } from '@kgen/runtime';
import { ${descriptor} } from '${client}';

/** Returns the controller, for the manager of the operator. */
export function ${controller}(manager: Manager, informers: InformerFactory) {
  return new Controller({
    name: '${file}',
    for: informers.of(${descriptor}),
    client: resource(manager.rest, ${descriptor}),
    reconcile: async (${variable}, { ${own ? 'client, ' : ''}log }) => {
${body}    },
  });
}
`;
}

function tableText(kind: ProjectKind, folders: readonly string[]): string {
  const { type, descriptor } = kindNames(kind);
  const variable = variableOf(type);
  const own = kind.origin === undefined;
  const expected = own
    ? `await given(${variable}).expect({
    writes: [wrote('apply status', ${descriptor}, { status: { observedGeneration: 1 } })],
  });`
    : `await given(${variable}).expect({ writes: [] });`;
  return `import { sampleOf, tableTests${own ? ', wrote' : ''} } from '@kgen/testing';
import { test } from 'vitest';
import { ${descriptor} } from '${clientOf(kind, '../')}';
import { operator } from '../src/operator.js';

const { given } = tableTests(operator, { crds: ${listText(folders)} });

test('${own ? 'writes the generation that was reconciled' : 'writes nothing so far'}', async () => {
  const ${variable} = await sampleOf(${descriptor}, { seed: 1 });
  ${expected}
});
`;
}

function simulationText(kind: ProjectKind, folders: readonly string[]): string {
  const { descriptor } = kindNames(kind);
  return `import { samplesOf, simulate } from '@kgen/testing';
import { test } from 'vitest';
import { ${descriptor} } from '${clientOf(kind, '../')}';
import { operator } from '../src/operator.js';

test('reaches the desired state whatever happens', { timeout: 300_000 }, async () => {
  await simulate(operator, { crds: ${listText(folders)}, as: 'config/rbac', samples: samplesOf(${descriptor}), seeds: 100 });
});
`;
}

function endToEndText(kind: ProjectKind, folders: readonly string[]): string {
  const { descriptor, file } = kindNames(kind);
  // Those of the operator are part of its deployment.
  const definitions = folders.includes(externalFolder) ? `  await apply('${externalFolder}');\n` : '';
  const scoped = kind.scope === 'Cluster' ? '' : `.in('default')`;
  return `import { RESTClient, resource } from '@kgen/runtime';
import { applyManifests } from '@kgen/runtime/manifests';
import { controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { test } from 'vitest';
import { ${descriptor} } from '${clientOf(kind, '../')}';
import { operator } from '../src/operator.js';

const { available } = controlPlaneAvailability(); // etcd and kube-apiserver in KUBEBUILDER_ASSETS

test.skipIf(!available)('runs on a real API server', { timeout: 120_000 }, async () => {
  const plane = await startControlPlane();
  const stop = new AbortController();
  const apply = (files: string) => applyManifests(plane.config, { files }, { fieldManager: 'test' });
${definitions}  // All objects of kgen deploy. The operator runs here in place of its Pods, with their service account.
  const { config, serveWebhooks } = await plane.deploy('config/install.yaml');
  const options = { metrics: undefined, health: undefined, serveWebhooks };
  const running = operator(config, options).run({ signal: stop.signal });
  await apply('samples');
  const objects = resource(new RESTClient(plane.config), ${descriptor})${scoped};
  await objects.waitFor('${file}-sample', (object) => object?.status?.observedGeneration === 1);
  stop.abort();
  await running;
  await plane.stop();
});
`;
}
