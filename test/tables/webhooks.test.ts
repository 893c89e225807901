/** Webhooks of the operators of `examples`, called by the server of table tests. */
import { webhooks } from '@kgen/controller/webhooks';
import { pods } from '@kgen/kubernetes/core/v1';
import { RESTClient, resource } from '@kgen/runtime';
import { roundTrips, stored, tableTests } from '@kgen/testing';
import { describe, expect, test } from 'vitest';
import { operator as redisClusterOperator } from '../../examples/operators/rediscluster/src/operator.ts';
import { redisClusterWebhooks } from '../../examples/operators/rediscluster/src/webhooks/rediscluster.ts';
import { operator as sidecarOperator } from '../../examples/operators/sidecar/src/operator.ts';
import { redisClusters } from '../../generated/crds/cache.example.com/v1/index.ts';
import { redisClusters as alphaClusters } from '../../generated/crds/cache.example.com/v1alpha1/index.ts';

const namespace = (name: string, labels: Readonly<Record<string, string>>) => ({
  ...{ apiVersion: 'v1', kind: 'Namespace' },
  metadata: { name, labels },
});
const inject = { 'sidecar.example.com/inject': 'enabled' };
const collector = 'sidecar.example.com/collector';

describe('the side-car operator', () => {
  const files = ['mutating', 'validating'].map(
    (name) => `examples/operators/sidecar/config/webhook/${name}.yaml`,
  );
  const { given } = tableTests(sidecarOperator, {
    objects: [...files, namespace('shop', inject), namespace('plain', {})],
  });
  const pod = (place: string, labels = inject, annotations: Readonly<Record<string, string>> = {}) =>
    stored(pods, {
      metadata: { name: 'web', namespace: place, labels, annotations },
      spec: { containers: [{ name: 'app', image: 'app:1' }] },
    });

  test('adds its container to new Pods, and mounts the volume into the others', async () => {
    const url = 'http://logs.example.com';
    const admission = await given().admission({ create: pod('shop', inject, { [collector]: url }) });
    expect(admission).toMatchObject({ allowed: true, code: 201, warnings: [] });
    expect(admission.object?.spec).toMatchObject({
      initContainers: [{ name: 'log-shipper', args: expect.arrayContaining([url]), restartPolicy: 'Always' }],
      containers: [{ name: 'app', volumeMounts: [{ name: 'logs', mountPath: '/var/log/app' }] }],
      volumes: [{ name: 'logs' }],
    });
  });

  test('warns of Pods without a collector, and refuses one that is not a URL', async () => {
    const without = await given().admission({ create: pod('shop') });
    expect(without).toMatchObject({ allowed: true, warnings: [expect.stringContaining(collector)] });
    const invalid = await given().admission({ create: pod('shop', inject, { [collector]: 'none' }) });
    expect(invalid).toMatchObject({
      ...{ allowed: false, code: 422 },
      message: expect.stringMatching(/^admission webhook "[\w.-]+" denied the request: /),
      causes: [{ reason: 'FieldValueInvalid', field: `metadata.annotations[${collector}]` }],
    });
  });

  test.each([
    { what: 'of another namespace', place: 'plain', labels: inject },
    { what: 'without the label', place: 'shop', labels: { 'sidecar.example.com/inject': 'disabled' } },
  ])('changes no Pod $what', async ({ place, labels }) => {
    const { object } = await given().admission({ create: pod(place, labels) });
    expect(object?.spec?.initContainers).toBeUndefined();
  });
});

const client = new RESTClient({ server: 'http://127.0.0.1:1' });

await roundTrips(webhooks({ handlers: redisClusterWebhooks(client) }), {
  // v1alpha1 describes no status: the operator alone writes it, in v1.
  ignore: ({ from, path }) => from === 'v1alpha1' && path.startsWith('.status'),
});

describe('the RedisCluster operator', () => {
  const folder = 'examples/operators/rediscluster';
  const { given } = tableTests(redisClusterOperator, {
    crds: [`${folder}/config/crd`],
    objects: [`${folder}/config/webhook/validating.yaml`],
  });
  const cluster = (replicas: number, readyReplicas: number) =>
    stored(redisClusters, {
      metadata: { name: 'carts' },
      spec: { replicas, minReady: 2, version: '7.4' },
      status: { readyReplicas },
    });

  test.each([
    { what: 'refuses to shrink', ready: 1, replicas: 2, allowed: false, warnings: 0 },
    { what: 'shrinks with a warning', ready: 2, replicas: 2, allowed: true, warnings: 1 },
    { what: 'grows', ready: 0, replicas: 4, allowed: true, warnings: 0 },
  ])('$what with $ready ready servers', async ({ ready, replicas, allowed, warnings }) => {
    const response = await given(cluster(3, ready)).admission({ update: cluster(replicas, ready) });
    expect(response).toMatchObject({
      allowed,
      warnings: { length: warnings },
      causes: allowed ? [] : [{ reason: 'FieldValueForbidden', field: 'spec.replicas' }],
    });
  });

  test.each([
    { what: 'refuses to scale down', ready: 1, replicas: 2, error: /must not shrink while 1 of at least 2/ },
    { what: 'scales down', ready: 2, replicas: 2, error: undefined },
    { what: 'scales up', ready: 0, replicas: 4, error: undefined },
  ])('$what by kubectl scale with $ready ready servers', async ({ ready, replicas, error }) => {
    const errors: unknown[] = [];
    const scale = (rest: RESTClient) =>
      resource(rest, redisClusters).in('default').patchScale('carts', { spec: { replicas } });
    await given(cluster(3, ready))
      .when(async (rest) => void (await scale(rest).catch((error) => errors.push(error))))
      .run();
    expect(errors).toEqual(error ? [expect.objectContaining({ message: expect.stringMatching(error) })] : []);
  });

  test('converts v1alpha1, which keeps the fields that it does not have', async () => {
    const specs: unknown[] = [];
    const { writes } = await given(cluster(3, 0))
      .when(async (rest) => {
        const alpha = resource(rest, alphaClusters).in('default');
        const present = await alpha.get('carts');
        specs.push(present.spec);
        await alpha.update({ ...present, spec: { ...present.spec, replicas: 5 } });
        specs.push((await resource(rest, redisClusters).in('default').get('carts')).spec);
      })
      .run();
    expect(specs).toEqual([
      { replicas: 3, version: '7.4' },
      { replicas: 5, version: '7.4', minReady: 2, evictionPolicy: 'noeviction' },
    ]);
    expect(writes.map(({ resource: plural }) => plural)).toContain('statefulsets');
  });
});
