import type { appsV1 } from '@kgen/kubernetes';
import { isBadRequest, isConflict, type Stored } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { apiErrorOf } from '../support/errors.ts';
import { type Pair, pair } from './clientset-pair.ts';
import type { Env } from './env.ts';
import { json, protobuf } from './raw-client.ts';
import { otherThanProtobuf } from './traffic.ts';

const labels = { app: 'web' };
const resources = { requests: { cpu: '0.5', memory: '1e3' } };
const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1', resources }] } };

interface Shop extends Pair {
  readonly namespace: string;
  readonly deployments: appsV1.DeploymentClient;
  readonly created: Stored<appsV1.Deployment>;
  /** Reads the deployment as JSON. */
  read(): Promise<Stored<appsV1.Deployment>>;
}

/** Creates a deployment for one test. */
async function shop(env: Env): Promise<Shop> {
  const both = pair(env);
  const { namespace } = await env.home();
  const deployments = both.protobuf.appsV1.deployments(namespace);
  const spec = { replicas: 2, selector: { matchLabels: labels }, template };
  const created = await deployments.create({ metadata: { name: 'web' }, spec });
  const read = (): Promise<typeof created> => both.json.appsV1.deployments(namespace).get('web');
  return { ...both, namespace, deployments, created, read };
}

/** Registers tests of all writes through a clientset that uses protobuf. */
export function writeTests(env: Env): void {
  describe('a write', () => {
    it('is sent as protobuf after the server has responded with protobuf', async () => {
      const { protobuf: clientset, json: other, seen } = pair(env);
      const { namespace } = await env.home();
      const maps = clientset.coreV1.configMaps(namespace);
      const first = await maps.create({
        metadata: { name: 'a' },
        data: { a: '1' },
        binaryData: { b: 'AP8=' },
      });
      const second = await maps.update({ ...first, data: { a: '2', empty: '' } });
      const third = await maps.create({
        metadata: { name: 'b' },
        data: { text: '\u{1F600}\u0000\u2028\uFEFF' },
      });
      const { items } = await other.coreV1.configMaps(namespace).list();
      expect([second, third]).toStrictEqual(items);
      expect(seen.map(({ request, sent }) => `${request.split(' ')[0]} ${sent}`)).toEqual([
        `POST ${json}`,
        `PUT ${protobuf}`,
        `POST ${protobuf}`,
      ]);
      expect(otherThanProtobuf(seen)).toEqual([]);
    });

    it('replaces an object of one resource version only', async () => {
      const { deployments, created, read, seen } = await shop(env);
      expect(created).toStrictEqual(await read());
      const updated = await deployments.update({ ...created, spec: { ...created.spec, paused: true } });
      expect(updated).toStrictEqual(await read());
      expect(updated.metadata.generation).toBe(2);
      const error = await apiErrorOf(isConflict, deployments.update(created));
      expect(error.details).toEqual({ name: 'web', group: 'apps', kind: 'deployments' });
      const puts = seen.filter(({ request }) => request.startsWith('PUT'));
      expect(puts.map(({ sent }) => sent)).toEqual([protobuf, protobuf]);
      expect(otherThanProtobuf(seen)).toEqual([]);
    });

    it('patches with every patch type, and applies', async () => {
      const { deployments, read, seen } = await shop(env);
      const spec = { template: { spec: { containers: [{ name: 'more', image: 'more:1' }] } } };
      const strategic = await deployments.patch('web', { spec });
      expect(strategic.spec?.template.spec?.containers.map(({ name }) => name).sort()).toEqual([
        'more',
        'web',
      ]);
      const merge = { metadata: { labels: { a: 'b' }, annotations: { '': null, y: '' } } };
      const merged = await deployments.patch('web', merge, { type: 'merge' });
      expect(merged.metadata).toMatchObject({ labels: { a: 'b' }, annotations: { y: '' } });
      const step = { op: 'add', path: '/metadata/annotations/x', value: '' } as const;
      const stepped = await deployments.patch('web', [step], { type: 'json' });
      expect(stepped.metadata.annotations).toEqual({ x: '', y: '' });
      const intent = { metadata: { name: 'web' }, spec: { minReadySeconds: 5 } };
      const applied = await deployments.apply(intent, { fieldManager: 'e2e' });
      expect(applied.spec?.minReadySeconds).toBe(5);
      expect(applied).toStrictEqual(await read());
      const patches = seen.filter(({ request }) => request.startsWith('PATCH'));
      expect(patches.map(({ sent }) => sent)).toEqual([
        'application/strategic-merge-patch+json',
        'application/merge-patch+json',
        'application/json-patch+json',
        'application/apply-patch+yaml',
      ]);
      expect(otherThanProtobuf(seen)).toEqual([]);
    });

    mistakeTests(env);
    partTests(env);
    deletionTests(env);
  });
}

/**
 * Registers tests of bodies with unknown members, which protobuf cannot contain: they are sent as JSON for
 * the server to validate.
 */
function mistakeTests(env: Env): void {
  it('with a misspelt member is rejected with strict field validation', async () => {
    const { deployments, created, json: other, namespace, read } = await shop(env);
    const spec = { ...created.spec, replicass: 3 };
    // @ts-expect-error unknown member
    const wrong: Stored<appsV1.Deployment> = { ...created, spec, statuss: {} };
    const strict = { fieldValidation: 'Strict' } as const;
    const refused = await apiErrorOf(isBadRequest, deployments.update(wrong, strict));
    expect(refused.message).toContain('unknown field "spec.replicass"');
    expect(refused.message).toContain('unknown field "statuss"');
    const same = await apiErrorOf(isBadRequest, other.appsV1.deployments(namespace).update(wrong, strict));
    expect(refused.status).toEqual(same.status);
    const ignored = await deployments.update(wrong, { fieldValidation: 'Ignore' });
    expect(ignored).toStrictEqual(await read());
  });

  it('with a value of another type is rejected', async () => {
    const { deployments, created, json: other, namespace } = await shop(env);
    // @ts-expect-error must be a number
    const wrong: Stored<appsV1.Deployment> = { ...created, spec: { ...created.spec, replicas: 'two' } };
    const refused = await apiErrorOf(isBadRequest, deployments.update(wrong));
    const same = await apiErrorOf(isBadRequest, other.appsV1.deployments(namespace).update(wrong));
    expect(refused.status).toEqual(same.status);
  });
}

function partTests(env: Env): void {
  it('updates a status and a scale', async () => {
    const { deployments, created, json: other, namespace, read, seen } = await shop(env);
    const conditions = [{ type: 'Seen', status: 'True', lastUpdateTime: '2026-01-02T03:04:05Z' }];
    const reported = await deployments.updateStatus({ ...created, status: { replicas: 1, conditions } });
    expect(reported).toStrictEqual(await read());
    expect(reported.status?.conditions?.[0]?.lastTransitionTime).toBeNull();
    const scale = await deployments.getScale('web');
    expect(scale).toStrictEqual(await other.appsV1.deployments(namespace).getScale('web'));
    const scaled = await deployments.updateScale({ ...scale, spec: { replicas: 3 } });
    expect(scaled).toStrictEqual(await other.appsV1.deployments(namespace).getScale('web'));
    await apiErrorOf(isConflict, deployments.updateScale(scale));
    expect((await deployments.patchScale('web', { spec: { replicas: 0 } })).spec).toEqual({});
    expect((await read()).spec?.replicas).toBe(0);
    expect(seen.filter(({ status }) => status >= 500)).toEqual([]);
  });

  it('evicts a pod, and creates a token', async () => {
    const { protobuf: clientset, json: other, seen } = pair(env);
    const { namespace } = await env.home();
    const pods = clientset.coreV1.pods(namespace);
    const created = await pods.create({ metadata: { name: 'web' }, spec: template.spec });
    expect(created).toStrictEqual(await other.coreV1.pods(namespace).get('web'));
    expect((await pods.evict('web', {}, { dryRun: 'All' })).status).toBe('Success');
    expect((await pods.evict('web')).status).toBe('Success');
    expect(await pods.find('web')).toBeUndefined();
    const accounts = clientset.coreV1.serviceAccounts(namespace);
    const { status } = await accounts.createToken('default', {
      spec: { audiences: [], expirationSeconds: 600 },
    });
    expect(status?.token).toMatch(/^ey/);
    expect(status?.expirationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(seen.filter(({ request }) => request.endsWith('/eviction'))).toHaveLength(2);
  });
}

function deletionTests(env: Env): void {
  it('deletes with preconditions, and rejects for a missing object', async () => {
    const { deployments, created, read, seen } = await shop(env);
    const stale = { preconditions: { resourceVersion: '1' } };
    const error = await apiErrorOf(isConflict, deployments.delete('web', stale));
    expect(error.message).toContain('the ResourceVersion in the precondition (1) does not match');
    await apiErrorOf(isConflict, deployments.delete('web', { preconditions: { uid: 'other' } }));
    await deployments.delete('web', { dryRun: 'All' });
    expect(await read()).toStrictEqual(created);
    // No controller deletes its dependents here, so that it stays and the response is the object.
    const { uid } = created.metadata;
    await deployments.delete('web', { propagationPolicy: 'Foreground', preconditions: { uid } });
    const going = await read();
    expect(going.metadata.finalizers).toEqual(['foregroundDeletion']);
    await deployments.update({ ...going, metadata: { ...going.metadata, finalizers: [] } });
    expect(await deployments.find('web')).toBeUndefined();
    expect(otherThanProtobuf(seen)).toEqual([]);
  });

  it('deletes a collection', async () => {
    const { protobuf: clientset, json: other, seen } = pair(env);
    const { namespace } = await env.home();
    const maps = clientset.coreV1.configMaps(namespace);
    for (const [name, app] of Object.entries({ a: 'x', b: 'x', c: 'y' })) {
      await maps.create({ metadata: { name, labels: { app } } });
    }
    await maps.deleteCollection({ labelSelector: 'app=x', gracePeriodSeconds: 0 });
    const { items } = await other.coreV1.configMaps(namespace).list({ labelSelector: 'app' });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['c']);
    expect(otherThanProtobuf(seen)).toEqual([]);
  });
}
