import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../schema/values/json.ts';
import { call, start } from '../../client.fixture.ts';
import { fromStored, toStored } from './convert.ts';
import { decodeGo } from './go-decode.ts';
import { goStruct } from './go-type.ts';
import { canonicalQuantity } from './quantity.ts';
import { builtInTypes } from './types.ts';

describe('canonicalQuantity', () => {
  test.each([
    ['1000m', '1'],
    ['0.5', '500m'],
    ['1.5Gi', '1536Mi'],
    ['1024Mi', '1Gi'],
    ['1e3', '1e3'],
    ['1e-1', '100e-3'],
    ['12e6', '12e6'],
    ['1e0', '1e0'],
    ['10e0', '10e0'],
    ['1E3', '1E3'],
    ['1e1', '10'],
    ['12e2', '1200'],
    ['1000e0', '1e3'],
    ['100e-2', '1'],
    ['100000u', '100m'],
    ['0.5Ki', '512'],
    ['1.1Ki', '1126400m'],
    ['-1', '-1'],
    ['0', '0'],
    ['1000', '1k'],
    ['a', undefined],
    ['', undefined],
    ['1KB', undefined],
  ])('%s is %s', (value, want) => {
    expect(canonicalQuantity(value)).toBe(want);
  });
});

describe('decodeGo', () => {
  function decode(value: JsonObject, name = 'Pod'): ReturnType<typeof decodeGo> {
    const struct = goStruct('core/v1', name);
    if (struct === undefined) throw new Error(`no struct ${name}`);
    return decodeGo(value, struct, `${name} in version "v1"`);
  }

  test('writes the members that a Go type always has, and omits empty ones', () => {
    const { value } = decode({ metadata: { labels: {} }, spec: { containers: [{ name: 'c', tty: false }] } });
    expect(value).toEqual({
      metadata: {},
      spec: { containers: [{ name: 'c', resources: {} }] },
      status: {},
    });
  });

  test('keeps false and zero behind pointers', () => {
    const spec = { containers: null, enableServiceLinks: false, terminationGracePeriodSeconds: 0 };
    expect(decode({ spec }).value['spec']).toEqual(spec);
  });

  test('drops unknown fields and reports them in the order of the document', () => {
    const { value, unknown } = decode({ spec: { containers: [{ name: 'c', Image: 'x' }] }, Spec: {} });
    expect(unknown).toEqual(['spec.containers[0].Image', 'Spec']);
    expect(value).not.toHaveProperty('Spec');
  });

  test.each<[JsonObject, string]>([
    [
      { spec: { containers: 'x' } },
      'string into Go struct field PodSpec.spec.containers of type []v1.Container',
    ],
    [{ spec: { priority: 1.5 } }, 'number 1.5 into Go struct field PodSpec.spec.priority of type int32'],
    [
      { metadata: { labels: { a: 1 } } },
      'number into Go struct field ObjectMeta.metadata.labels of type string',
    ],
  ])('refuses %j', (value, problem) => {
    expect(() => decode(value)).toThrow(
      `Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal ${problem}`,
    );
  });
});

describe('conversion', () => {
  test.each(builtInTypes.map((type) => [`${type.apiVersion} ${type.kind}`, type] as const))(
    '%s keeps an empty object',
    (_name, type) => {
      const value = { apiVersion: type.apiVersion, kind: type.kind, metadata: { name: 'a' } };
      const there = toStored(value, type);
      expect(there['apiVersion']).toBe(type.storageApiVersion);
      expect(fromStored(there, type)).toMatchObject(value);
    },
  );
});

describe('built-in kinds', () => {
  const spec = { containers: [{ name: 'c', image: 'nginx' }] };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec };
  const pods = '/api/v1/namespaces/default/pods';

  test('complete an object, and refuse an invalid one', async () => {
    const server = await start({ controllers: false });
    const created = await call(server, pods, { method: 'POST', body: pod });
    expect(created.body).toMatchObject({
      spec: { restartPolicy: 'Always', priority: 0 },
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    });
    const refused = await call(server, pods, { method: 'POST', body: { ...pod, spec: {} } });
    expect([refused.code, refused.body['message']]).toEqual([
      422,
      'Pod "a" is invalid: spec.containers: Required value',
    ]);
  });

  test('keep a pod on a node until its grace period is over', async () => {
    const server = await start({ controllers: false });
    await call(server, pods, { method: 'POST', body: { ...pod, spec: { ...spec, nodeName: 'n1' } } });
    const deleted = await call(server, `${pods}/a`, { method: 'DELETE' });
    expect(deleted.body).toMatchObject({ metadata: { deletionGracePeriodSeconds: 30 } });
    expect((await call(server, `${pods}/a`)).code).toBe(200);
    await call(server, `${pods}/a?gracePeriodSeconds=0`, { method: 'DELETE' });
    expect((await call(server, `${pods}/a`)).code).toBe(404);
  });

  test('refuse an eviction that the budget does not allow', async () => {
    const server = await start({ controllers: false });
    const labels = { app: 'web' };
    await call(server, pods, { method: 'POST', body: { ...pod, metadata: { name: 'a', labels } } });
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'b' },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    };
    await call(server, '/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
      method: 'POST',
      body: budget,
    });
    const running = { status: { phase: 'Running' } };
    const type = 'application/merge-patch+json';
    await call(server, `${pods}/a/status`, { method: 'PATCH', body: running, type });
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } };
    const refused = await call(server, `${pods}/a/eviction`, { method: 'POST', body: eviction });
    expect([refused.code, refused.body['reason']]).toEqual([429, 'TooManyRequests']);
  });

  test('let the containers of a StatefulSet mount its claims, and nothing else', async () => {
    const server = await start({ controllers: false });
    const create = (mount: string) => {
      const containers = [{ name: 'c', image: 'x', volumeMounts: [{ name: mount, mountPath: '/data' }] }];
      const template = { metadata: { labels: { app: 'web' } }, spec: { containers } };
      const resources = { requests: { storage: '1Gi' } };
      const claim = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources } };
      const selector = { matchLabels: { app: 'web' } };
      const spec = { selector, serviceName: 'web', template, volumeClaimTemplates: [claim] };
      const body = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: mount }, spec };
      return call(server, '/apis/apps/v1/namespaces/default/statefulsets', { method: 'POST', body });
    };
    const created = await create('data');
    expect(created.code).toBe(201);
    expect(created.body).not.toHaveProperty('spec.template.spec.volumes');
    expect(await create('other')).toMatchObject({ code: 422 });
  });

  test('mount the token of an existing service account', async () => {
    const server = await start({ controllers: false });
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } };
    await call(server, '/api/v1/namespaces/default/serviceaccounts', { method: 'POST', body: account });
    const body = { ...pod, spec: { ...spec, serviceAccountName: 'robot' } };
    const created = await call(server, pods, { method: 'POST', body });
    const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
    expect(created.body).toMatchObject({
      spec: {
        serviceAccount: 'robot',
        volumes: [{ name: expect.stringMatching(/^kube-api-access-/), projected: { defaultMode: 420 } }],
        containers: [{ volumeMounts: [{ readOnly: true, mountPath }] }],
      },
    });
  });

  test('refuse an object that exceeds a quota', async () => {
    const server = await start({ controllers: false });
    const quota = {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'few' },
      spec: { hard: { pods: '1', configmaps: '0' } },
    };
    await call(server, '/api/v1/namespaces/default/resourcequotas', { method: 'POST', body: quota });
    await call(server, pods, { method: 'POST', body: pod });
    const refused = await call(server, pods, { method: 'POST', body: { ...pod, metadata: { name: 'b' } } });
    expect([refused.code, refused.body['message']]).toEqual([
      403,
      'pods "b" is forbidden: exceeded quota: few, requested: pods=1, used: pods=1, limited: pods=1',
    ]);
  });

  test('publish the schema of a definition', async () => {
    const server = await start();
    const index = await call(server, '/openapi/v3');
    expect(index.body).toHaveProperty(['paths', 'apis/test.example.com/v1']);
    const document = await call(server, '/openapi/v3/apis/test.example.com/v1');
    expect(document.body).toMatchObject({
      components: { schemas: { 'com.example.test.v1.Foo': { properties: { spec: { type: 'object' } } } } },
    });
  });
});
