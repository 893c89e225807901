/** Changes of built-in kinds, as a real server handles them: `contract/kinds/changes.fixture.ts`. */
import { describe, expect, test } from 'vitest';
import { array, at, type Json, type JsonObject, object, text } from '../../../schema/values/json.ts';
import { call, type Reply, start } from '../../client.fixture.ts';
import type { TestServer } from '../../server/testserver.ts';

const core = '/api/v1/namespaces/default';

function merge(server: TestServer, path: string, body: Json): Promise<Reply> {
  return call(server, path, { method: 'PATCH', type: 'application/merge-patch+json', body });
}

function apply(server: TestServer, path: string, body: JsonObject, manager = 'one'): Promise<Reply> {
  const type = 'application/apply-patch+yaml';
  return call(server, `${path}?fieldManager=${manager}`, { method: 'PATCH', type, body });
}

/** Returns the code and the fields of the errors of a response. */
function outcome({ code, body }: Reply): string {
  const fields = array(body, 'details', 'causes').map((cause) => text(cause, 'field'));
  return [code, ...new Set(fields)].join(' ');
}

describe('services', () => {
  const address = '10.0.0.91';
  const balancer = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', loadBalancerClass: 'a/b' };

  test.each<[JsonObject, JsonObject, string]>([
    [{ clusterIP: address }, { clusterIP: 'None' }, '422 spec.clusterIPs[0]'],
    [{ clusterIP: address }, { clusterIP: '10.0.0.92' }, '422 spec.clusterIPs[0]'],
    [{ clusterIP: address }, { clusterIPs: ['None'] }, '422 spec.clusterIPs'],
    [{ clusterIP: address }, { clusterIP: 'x' }, '422 spec.clusterIPs[0]'],
    [{ clusterIP: address }, { ipFamilies: ['IPv6'] }, '422 spec.clusterIPs[0]'],
    [{ clusterIP: address }, { clusterIP: null }, '200'],
    [{ clusterIP: address }, { type: 'NodePort' }, '200'],
    [{ clusterIP: 'None', selector: { a: 'b' } }, { clusterIP: address }, '422 spec.clusterIPs[0]'],
    [{ clusterIP: 'None' }, { type: 'NodePort' }, '422 spec.clusterIPs[0]'],
    [balancer, { loadBalancerClass: 'c/d' }, '422 spec.loadBalancerClass'],
    [balancer, { healthCheckNodePort: 30_083 }, '422 spec.healthCheckNodePort'],
    [balancer, { type: 'ClusterIP' }, '200'],
  ])('with %j and the change %j respond %s', async (spec, change, want) => {
    const server = await start({});
    const metadata = { name: 'a' };
    const body = { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 80 }], ...spec } };
    expect((await call(server, `${core}/services`, { method: 'POST', body })).code).toBe(201);
    expect(outcome(await merge(server, `${core}/services/a`, { spec: change }))).toBe(want);
  });
});

describe('suspended jobs', () => {
  const path = '/apis/batch/v1/namespaces/default/jobs';
  const container = { name: 'a', image: 'b' };

  test.each<[JsonObject, JsonObject, string]>([
    [{}, { containers: [{ ...container, image: 'z' }] }, '422 spec.template.spec'],
    [{}, { containers: [{ ...container, command: ['x'] }] }, '422 spec.template.spec'],
    [{}, { restartPolicy: 'OnFailure' }, '422 spec.template.spec'],
    [{}, { containers: [{ ...container, resources: { limits: { cpu: '1' } } }] }, '200'],
    [{}, { nodeSelector: { a: 'b' } }, '200'],
    [{ active: 1 }, { nodeSelector: { a: 'b' } }, '422 spec.template'],
  ])('with the status %j and the change %j respond %s', async (status, change, want) => {
    const server = await start({ controllers: false });
    const template = { spec: { restartPolicy: 'Never', containers: [container] } };
    const body = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'a' },
      spec: { suspend: true, template },
    };
    expect((await call(server, path, { method: 'POST', body })).code).toBe(201);
    expect((await merge(server, `${path}/a/status`, { status })).code).toBe(200);
    expect(outcome(await merge(server, `${path}/a`, { spec: { template: { spec: change } } }))).toBe(want);
  });
});

describe('strings of secrets', () => {
  const path = `${core}/secrets/a`;
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } };
  const docker = { ...secret, type: 'kubernetes.io/dockercfg', stringData: { '.dockercfg': '{}' } };
  const expected = { '.dockercfg': Buffer.from('{}').toString('base64') };

  test.each<[string, (server: TestServer) => Promise<Reply>]>([
    ['a create', (server) => call(server, `${core}/secrets`, { method: 'POST', body: docker })],
    ['an apply', (server) => apply(server, path, docker)],
  ])('become data in %s', async (_, write) => {
    const server = await start({});
    expect(object((await write(server)).body, 'data')).toEqual(expected);
    const { body } = await call(server, path);
    expect([at(body, 'data'), at(body, 'stringData')]).toEqual([expected, undefined]);
  });

  test('belong to the manager that applies them', async () => {
    const server = await start({});
    await apply(server, path, { ...secret, stringData: { b: '1' } });
    const refused = await apply(server, path, { ...secret, stringData: { b: '2' } }, 'two');
    expect(outcome(refused)).toBe('409 .stringData.b');
    const applied = await apply(server, path, { ...secret, stringData: { c: '3' } });
    expect(applied.body['data']).toEqual({ b: 'MQ==', c: 'Mw==' });
  });
});

describe('applied configurations', () => {
  const path = `${core}/configmaps/a`;
  const map = { apiVersion: 'v1', kind: 'ConfigMap' };

  test.each<[Json, number]>([
    [{ name: 'a', managedFields: null }, 201],
    [{ name: 'a', managedFields: [null] }, 201],
    [{ name: 'a', managedFields: [] }, 400],
    [{ name: 'a', managedFields: [{}] }, 400],
    [{ name: 'a', managedFields: ['x'] }, 500],
    [{ name: 'a', managedFields: {} }, 500],
    [{ name: null }, 400],
    [[], 500],
    ['x', 500],
  ])('with the metadata %j respond %i', async (metadata, want) => {
    const server = await start({});
    expect((await apply(server, path, { ...map, metadata })).code).toBe(want);
  });

  test('conflict with the fields that an object without managers has', async () => {
    const server = await start({});
    const metadata = { name: 'a' };
    await call(server, `${core}/configmaps`, {
      method: 'POST',
      body: { ...map, metadata, data: { b: '1' } },
    });
    const reset = await merge(server, path, { metadata: { managedFields: [] } });
    expect(at(reset.body, 'metadata', 'managedFields')).toBeUndefined();
    const { code, body } = await apply(server, path, { ...map, metadata, data: { b: '2' } });
    expect([code, body['message']]).toEqual([
      409,
      'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.b',
    ]);
  });

  test('own zero values', async () => {
    const server = await start({});
    const apps = '/apis/apps/v1/namespaces/default/deployments/a';
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'b' }] } };
    const spec = { selector: { matchLabels: { a: 'b' } }, template };
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } };
    await apply(server, apps, { ...deployment, spec: { ...spec, paused: false } });
    const other = await apply(server, apps, { ...deployment, spec: { ...spec, paused: true } }, 'two');
    expect(outcome(other)).toBe('409 .spec.paused');
  });
});

test.each<[JsonObject, JsonObject | string]>([
  [{ podCIDR: '10.1.0.0/24' }, { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'] }],
  [{ podCIDRs: ['10.1.0.0/24'] }, { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'] }],
  [{ podCIDR: 'x' }, '422 spec.podCIDRs[0]'],
  [{ podCIDRs: ['10.1.0.0/24', '10.2.0.0/24'] }, '422 spec.podCIDRs'],
])('nodes with the ranges %j have %j', async (spec, want) => {
  const server = await start({ controllers: false });
  const body = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' }, spec };
  const reply = await call(server, '/api/v1/nodes', { method: 'POST', body });
  if (typeof want === 'string') expect(outcome(reply)).toBe(want);
  else expect(reply.body['spec']).toMatchObject(want);
});
