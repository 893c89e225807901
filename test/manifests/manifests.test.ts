/** `applyManifests` and `deleteManifests` on a real API server. */
import { isConflict, isInvalid, isNotFound } from '@kgen/runtime';
import { DynamicClient } from '@kgen/runtime/dynamic';
import {
  applyManifests,
  deleteManifests,
  isManifestsError,
  type ManifestResult,
  type ManifestsError,
} from '@kgen/runtime/manifests';
import { dumpAllYaml } from '@kgen/runtime/yaml';
import { controlPlaneAvailability } from '@kgen/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SharedPlane, sharedPlane } from '../support/shared-plane.ts';
import { configMap, shop } from './sample-manifests.ts';

const availability = controlPlaneAvailability({});
const available = availability.available || process.env['KGEN_NOTHING_SKIPPED'] !== undefined;
const title = availability.available ? 'manifests' : `manifests: ${availability.reason}`;
const fieldManager = 'shop';
const timeoutMs = 90_000;

let server: SharedPlane | undefined;
let dynamic: DynamicClient | undefined;

function running(): { config: SharedPlane['config']; dynamic: DynamicClient } {
  if (server === undefined || dynamic === undefined) throw new Error('the server does not run');
  return { config: server.config, dynamic };
}

function actions(results: readonly ManifestResult[]): readonly string[] {
  return results.map(({ action, object }) => `${action} ${object?.kind ?? '?'} ${object?.name ?? '?'}`);
}

async function failure(work: Promise<unknown>): Promise<ManifestsError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isManifestsError(error)) throw new Error('it should have failed', { cause: error });
  return error;
}

async function namespaceOf(name: string): Promise<string> {
  await running().dynamic.resource({ group: '', version: 'v1', resource: 'namespaces' }).create({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
  });
  return name;
}

function configMaps(namespace: string) {
  return running()
    .dynamic.resource({ group: '', version: 'v1', resource: 'configmaps' })
    .namespace(namespace);
}

async function namesOf(namespace: string): Promise<readonly string[]> {
  const { items } = await configMaps(namespace).list({ labelSelector: 'part-of' });
  return items.map(({ metadata }) => metadata.name);
}

describe.skipIf(!available)(title, { timeout: 120_000 }, () => {
  beforeAll(async () => {
    server = await sharedPlane();
    dynamic = new DynamicClient(server.config);
  });
  afterAll(async () => {
    await dynamic?.close();
    await server?.stop();
  });

  it('applies objects in the order of their dependencies, and reports them unchanged the second time', async () => {
    const { config, dynamic } = running();
    const text = shop('orders', 'orders.example.com');
    const options = { fieldManager, namespace: 'orders', source: 'shop.yaml', timeoutMs };
    const results = await applyManifests(config, text, options);
    expect(actions(results)).toEqual([
      'created Namespace orders',
      'created CustomResourceDefinition ovens.orders.example.com',
      'created ConfigMap settings',
      'created Deployment web',
      'created Oven big',
    ]);
    expect(results.map(({ place }) => place)).toEqual([
      'shop.yaml:43:1',
      'shop.yaml:24:1',
      'shop.yaml:19:1 items[0]',
      'shop.yaml:2:1',
      'shop.yaml:12:1',
    ]);
    const ovens = dynamic.resource({ group: 'orders.example.com', version: 'v1', resource: 'ovens' });
    const { spec } = await ovens.namespace('orders').get('big');
    expect(spec).toEqual({ degrees: 256, on: 'yes' });
    const again = await applyManifests(dynamic, text, options);
    expect(new Set(again.map(({ action }) => action))).toEqual(new Set(['unchanged']));
    const changed = await applyManifests(dynamic.rest, text.replace('replicas: 0', 'paused: true'), options);
    expect(changed.filter(({ action }) => action !== 'unchanged').map(({ object }) => object?.name)).toEqual([
      'web',
    ]);
  });

  it('stores nothing in a dry run, and reports skipped checks', async () => {
    const { config, dynamic } = running();
    const text = shop('dry', 'dry.example.com');
    const options = { fieldManager, namespace: 'dry', dryRun: 'All', timeoutMs } as const;
    expect(actions(await applyManifests(config, text, options))).toEqual([
      'created Namespace dry',
      'created CustomResourceDefinition ovens.dry.example.com',
      'unchecked ConfigMap settings',
      'unchecked Deployment web',
      'unchecked Oven big',
    ]);
    const namespaces = dynamic.resource({ group: '', version: 'v1', resource: 'namespaces' });
    await expect(namespaces.get('dry')).rejects.toSatisfy(isNotFound);
    await applyManifests(config, text, { ...options, dryRun: undefined });
    const again = await applyManifests(config, text.replace('replicas: 0', 'paused: true'), options);
    expect(actions(again).toSorted()).toEqual([
      'configured Deployment web',
      'unchanged ConfigMap settings',
      'unchanged CustomResourceDefinition ovens.dry.example.com',
      'unchanged Namespace dry',
      'unchanged Oven big',
    ]);
  });

  it('continues after failures and names all of them', async () => {
    const namespace = await namespaceOf('failures');
    const good = await dumpAllYaml([configMap('one', 'x'), configMap('two', 'x')]);
    const text = [
      'a: [',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { generateName: x- }',
      'apiVersion: example.com/v1\nkind: Nothing\nmetadata: { name: x }',
      'apiVersion: v1\nkind: Service\nmetadata: { name: Not_a_name }\nspec: { ports: [{ port: 80 }] }',
      good,
    ].join('\n---\n');
    const options = { fieldManager, namespace, source: 'all.yaml', timeoutMs };
    const error = await failure(applyManifests(running().config, text, options));
    expect(error.results.map(({ action }) => action).toSorted()).toEqual([
      'created',
      'created',
      ...Array.from({ length: 4 }, () => 'failed'),
    ]);
    expect(error.message).toMatch(/^4 of 6 manifests failed:\n/);
    expect(error.message).toMatch(/\n {2}all\.yaml:\d+:\d+: not YAML: /);
    expect(error.message).toContain('all.yaml:3:1: not a Kubernetes object: it has generateName and no name');
    expect(error.message).toMatch(/all\.yaml:7:1: Nothing x: .*Nothing/);
    expect(error.message).toMatch(
      /all\.yaml:11:1: Service failures\/Not_a_name: apply services failures\/Not_a_name: 422 Invalid/,
    );
    expect(error.results.some((result) => isInvalid(result.error))).toBe(true);
    expect(await namesOf(namespace)).toEqual(['one', 'two']);
  });

  it('takes no fields from other managers without force', async () => {
    const { config } = running();
    const namespace = await namespaceOf('conflicts');
    const text = (value: string) => dumpAllYaml([configMap('shared', 'x', { key: value })]);
    await applyManifests(config, await text('theirs'), { fieldManager: 'them', namespace, timeoutMs });
    const ours = { fieldManager, namespace, timeoutMs };
    const error = await failure(applyManifests(config, await text('ours'), ours));
    expect(isConflict(error.results[0]?.error)).toBe(true);
    const forced = await applyManifests(config, await text('ours'), { ...ours, force: true });
    expect(actions(forced)).toEqual(['configured ConfigMap shared']);
  });

  it('prunes objects that it applied and that are no longer in the manifests', async () => {
    const { config } = running();
    const namespace = await namespaceOf('pruned');
    await namespaceOf('untouched');
    const maps = (...names: string[]) => dumpAllYaml(names.map((name) => configMap(name, 'prune')));
    const options = { fieldManager, namespace, timeoutMs };
    await applyManifests(config, await maps('a', 'b', 'c'), options);
    await applyManifests(config, await maps('b'), { ...options, namespace: 'untouched' });
    await applyManifests(config, await maps('foreign'), { ...options, fieldManager: 'other' });
    const prune = { labelSelector: { 'part-of': 'prune' } };
    const dry = await applyManifests(config, await maps('a'), { ...options, prune, dryRun: 'All' });
    expect(actions(dry)).toEqual(['unchanged ConfigMap a', 'pruned ConfigMap b', 'pruned ConfigMap c']);
    expect(await namesOf(namespace)).toEqual(['a', 'b', 'c', 'foreign']);
    const results = await applyManifests(config, await maps('a'), { ...options, prune });
    expect(actions(results)).toEqual(actions(dry));
    expect(await namesOf(namespace)).toEqual(['a', 'foreign']);
    expect(await namesOf('untouched')).toEqual(['b']);
    const kinds = [{ group: '', kind: 'ConfigMap' }];
    const none = await applyManifests(config, '', {
      ...options,
      prune: { ...prune, kinds, namespaces: [namespace], allowEmpty: true },
    });
    expect(actions(none)).toEqual(['pruned ConfigMap a']);
  });

  it('prunes nothing after a failure', async () => {
    const { config } = running();
    const namespace = await namespaceOf('careful');
    const options = { fieldManager, namespace, timeoutMs, prune: { labelSelector: 'part-of=careful' } };
    await applyManifests(config, await dumpAllYaml([configMap('old', 'careful')]), options);
    const text = `${await dumpAllYaml([configMap('new', 'careful')])}---\na: [`;
    await failure(applyManifests(config, text, options));
    expect(await namesOf(namespace)).toEqual(['new', 'old']);
  });

  it('deletes in reverse order, and reports missing objects the second time', async () => {
    const { config } = running();
    const text = shop('deleted', 'deleted.example.com');
    const options = { fieldManager, namespace: 'deleted', timeoutMs };
    await applyManifests(config, text, options);
    const deleted = [
      'Oven big',
      'Deployment web',
      'ConfigMap settings',
      'CustomResourceDefinition ovens.deleted.example.com',
      'Namespace deleted',
    ];
    const dry = await deleteManifests(config, text, { namespace: 'deleted', dryRun: 'All', timeoutMs });
    expect(actions(dry)).toEqual(deleted.map((name) => `deleted ${name}`));
    const results = await deleteManifests(config, text, { namespace: 'deleted', timeoutMs });
    expect(actions(results)).toEqual(deleted.map((name) => `deleted ${name}`));
    const again = await deleteManifests(config, await dumpAllYaml([configMap('settings', 'x')]), {
      namespace: 'deleted',
      timeoutMs,
    });
    expect(actions(again)).toEqual(['absent ConfigMap settings']);
  });
});
