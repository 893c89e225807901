/** A statement with one mistake, as users make it. */
export interface Mistake {
  readonly name: string;
  readonly code: string;
  /** Part of the error. */
  readonly names: string;
  /** Whether the function also has a form for `select`: most compilers then explain both. */
  readonly hasTwoForms?: true;
  /** Maximum number of lines, if the cause stands at the end of a longer error. */
  readonly mostLines?: number;
}

/** Statements without a mistake: values that were read are written, although they may be `undefined`. */
const whatWasRead = `
const config = await core.configMaps('shop').get('a');
const { labels, annotations } = config.metadata;
await core.configMaps('shop').create({ metadata: { name: 'b', labels }, data: config.data });
await core.configMaps('shop').update({ ...config, data: config.data, immutable: config.immutable });
await core.configMaps('shop').apply({ metadata: { name: 'b', labels }, data: config.data }, { fieldManager: 'me' });
await core.configMaps('shop').patch('b', { metadata: { annotations }, data: config.data });
await core.configMaps('shop').patch('b', { metadata: { annotations }, data: config.data }, { type: 'merge' });
const web = await deployments.get('web');
await deployments.create({ metadata: { name: 'b', labels: web.metadata.labels }, spec: web.spec });
await deployments.updateStatus({ metadata: web.metadata, spec: web.spec, status: web.status });
await deployments.patchStatus('b', { status: { conditions: web.status.conditions } });
await deployments.updateScale({ metadata: { name: 'web' }, spec: (await deployments.getScale('web')).spec });
const odd = await odds.namespace('shop').get('a');
await odds.namespace('shop').create({ apiVersion: 'a.b/v1', kind: 'Odd', metadata: { name: 'b', labels: odd.metadata.labels } });
await odds.namespace('shop').patch('b', { metadata: { labels } }, { type: 'merge' });
await metadata.resource({ group: '', version: 'v1', resource: 'pods' }).namespace('shop').patch('b', { metadata: { labels } }, { type: 'merge' });
await rest.stream({ path: '/metrics' });
const token = await core.serviceAccounts('shop').createToken('robot');
console.log(dryRun.metadata?.name, token.status?.token);
`.trim();

/** Declarations that the statements use, over the built-in API. */
export const prelude: string = `
import type { ReconcileResult } from '@kgen/controller';
import { RESTClient, resource } from '@kgen/runtime';
import { DynamicClient, MetadataClient } from '@kgen/runtime/dynamic';
import { applyManifests, manifest } from '@kgen/runtime/manifests';
import { deployments as deploymentResource } from './apps/v1/index.js';
import type { CoreV1Client } from './core/v1/index.js';
import type { AppsV1Client } from './apps/v1/index.js';
import type { RbacV1Client } from './rbac.authorization.k8s.io/v1/index.js';
declare const core: CoreV1Client;
declare const rbac: RbacV1Client;
declare const apps: AppsV1Client;
declare const rest: RESTClient;
declare const dynamic: DynamicClient;
declare const metadata: MetadataClient;
declare function reconcile(work: () => ReconcileResult | Promise<ReconcileResult>): void;
const deployments = apps.deployments('shop');
const pods = core.pods('shop');
const odds = dynamic.resource({ group: 'a.b', version: 'v1', resource: 'odds' });
const dryRun = await deployments.create({ metadata: { name: 'web' } }, { dryRun: 'All' });
${whatWasRead}
`.trim();

export const mistakes: readonly Mistake[] = [
  {
    name: 'an unknown operation in a JSON patch',
    code: `await deployments.patch('web', [{ op: 'increment', path: '/spec/replicas', value: 2 }], { type: 'json' });`,
    names: '"increment"',
  },
  {
    name: 'an operation of a JSON patch without value',
    code: `await deployments.patch('web', [{ op: 'replace', path: '/spec/replicas' }], { type: 'json' });`,
    names: `'value' is missing`,
  },
  {
    name: 'a JSON patch that is not an array',
    code: `await deployments.patch('web', { op: 'remove', path: '/spec/replicas' }, { type: 'json' });`,
    names: 'JsonPatchOperation[]',
  },
  {
    name: 'an intent without metadata',
    code: `await deployments.apply({ spec: { replicas: 2 } }, { fieldManager: 'me' });`,
    names: `'metadata' is missing`,
  },
  {
    name: 'an unknown field in a patch',
    code: `await deployments.patch('web', { spec: { replica: 2 } });`,
    names: `'replica' does not exist`,
  },
  {
    name: 'an unknown field in an intent',
    code: `await deployments.apply({ metadata: { name: 'web' }, spec: { replica: 2 } }, { fieldManager: 'me' });`,
    names: `'replica' does not exist`,
  },
  {
    name: 'a field of a wrong type',
    code: `await deployments.create({ metadata: { name: 'web' }, spec: { replicas: '2', selector: {}, template: {} } });`,
    names: `'string' is not assignable to type 'number`,
  },
  {
    name: 'a number in the data of a config map',
    code: `await core.configMaps('shop').create({ metadata: { name: 'a' }, data: { a: 1 } });`,
    names: `'number' is not assignable to type 'string'`,
  },
  {
    name: 'a container without name',
    code: `await pods.create({ metadata: { name: 'a' }, spec: { containers: [{ image: 'web' }] } });`,
    names: `'name' is missing`,
  },
  {
    name: 'a container without name in a patch',
    code: `await pods.patch('a', { spec: { containers: [{ image: 'web' }] } });`,
    names: `StrategicItem<Container, "name">`,
  },
  {
    name: 'an unknown field in a manifest',
    code: `manifest(deploymentResource, { metadata: { name: 'web' }, spec: { replica: 2, selector: {}, template: {} } });`,
    names: `'replica' does not exist in type 'DeploymentSpec'`,
  },
  {
    name: 'a manifest without a required field',
    code: `manifest(deploymentResource, { metadata: { name: 'web' }, spec: { selector: {} } });`,
    names: `'template' is missing`,
  },
  {
    name: 'a manifest of another kind',
    code: `manifest(deploymentResource, { kind: 'Pod', metadata: { name: 'web' } });`,
    names: `'"Pod"' is not assignable to type '"Deployment"'`,
  },
  {
    name: 'an object without apiVersion among manifests',
    code: `await applyManifests(rest, [{ kind: 'Pod', metadata: { name: 'web' } }], { fieldManager: 'me' });`,
    names: 'missing the following properties',
  },
  {
    name: 'get without a name',
    code: 'await deployments.get();',
    names: 'Expected 1-2 arguments',
  },
  {
    name: 'an update without a name',
    code: 'await deployments.update({ spec: { selector: {}, template: {} } });',
    names: `'metadata' is missing`,
  },
  {
    name: 'an unknown option',
    code: `await deployments.list({ labels: 'app=web' });`,
    names: `'labels' does not exist`,
    hasTwoForms: true,
  },
  {
    name: 'a misspelled option of a patch',
    code: `await deployments.patch('web', {}, { dryrun: 'All' });`,
    names: `Did you mean to write 'dryRun'?`,
  },
  {
    name: 'a dry run that is a boolean',
    code: `await deployments.create({ metadata: { name: 'web' } }, { dryRun: true });`,
    names: '"All"',
  },
  {
    name: 'a field that cannot be selected',
    code: `await core.namespaces().list({ fieldSelector: { 'spec.finalizers': 'a' } });`,
    names: `'spec.finalizers'`,
    hasTwoForms: true,
  },
  {
    name: 'an unknown type of a patch',
    code: `await deployments.patch('web', {}, { type: 'apply' });`,
    names: '"strategic"',
  },
  {
    name: 'a strategic merge patch of a scale',
    code: `await deployments.patchScale('web', {}, { type: 'strategic' });`,
    names: '"merge"',
  },
  {
    name: 'a patch of unknown objects without type',
    code: `await odds.namespace('shop').patch('a', {}, {});`,
    names: `'type' is missing`,
  },
  {
    name: 'a namespace for a cluster-scoped resource',
    code: `core.nodes('shop');`,
    names: 'Expected 0 arguments',
  },
  {
    name: 'a verb of one namespace without a namespace',
    code: `await apps.deployments().get('web');`,
    names: `'get' does not exist`,
  },
  {
    name: 'a number as namespace',
    code: 'core.pods(5);',
    names: `'number' is not assignable to parameter of type 'string'`,
  },
  {
    name: 'a number as namespace of a resource',
    code: 'resource(rest, deploymentResource).in(5);',
    names: `'number' is not assignable to parameter of type 'string'`,
  },
  {
    name: 'the status of a resource without status',
    code: `await rbac.clusterRoles().patchStatus('view', {});`,
    names: `'patchStatus' does not exist`,
  },
  {
    name: 'a result of a dry run as a stored object',
    code: `console.log((await deployments.create({}, { dryRun: 'All' })).spec.replicas);`,
    names: `is possibly 'undefined'`,
  },
  {
    name: 'a request without a path',
    code: `await rest.stream({ method: 'GET' });`,
    names: `'path' is missing`,
  },
  {
    name: 'a token of a number',
    code: `await core.serviceAccounts('shop').createToken(5);`,
    names: `'number' is not assignable to parameter of type 'string'`,
  },
  {
    name: 'a string as object',
    code: `await deployments.create('kind: Deployment');`,
    names: `has no properties in common with type 'Deployment'`,
  },
  {
    name: 'a string as patch',
    code: `await pods.patchStatus('a', 'Running');`,
    names: `StrategicPatch<Pod>`,
  },
  {
    name: 'a delay without its unit',
    code: `reconcile(() => ({ requeueAfter: 5 }));`,
    names: 'UseInstead<"requeueAfterMs">',
  },
  {
    name: 'a delay without its unit in an asynchronous function',
    code: `reconcile(async () => ({ requeueAfter: 5 }));`,
    names: 'UseInstead<"requeueAfterMs">',
    mostLines: 8,
  },
  {
    name: 'labels of a selector in the singular',
    code: `await deployments.list({ labelSelector: { matchLabel: { app: 'web' } } });`,
    names: 'UseInstead<"matchLabels">',
    hasTwoForms: true,
  },
  {
    name: 'a misspelled option of a list',
    code: `await deployments.list({ labelselector: 'app=web' });`,
    names: `Did you mean to write 'labelSelector'?`,
    hasTwoForms: true,
  },
];
