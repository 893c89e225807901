import { describe, expect, it } from 'vitest';
import type { KubernetesList, KubernetesObject } from '../api/meta.ts';
import type { ResourceFacts } from '../api/resource.ts';
import type { APIRequest } from '../api/transport.ts';
import { RESTClient } from '../rest/client.ts';
import { encodeQuery } from '../rest/request/query.ts';
import { ResourceClient } from './resource-client.ts';

const pods: ResourceFacts = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  listKind: 'PodList',
  plural: 'pods',
  singular: 'pod',
  scope: 'Namespaced',
  verbs: [],
  builtIn: true,
  bodies: { shape: { apiVersion: 'shapes/v1', kind: 'Shape' } },
};
const namespaces: ResourceFacts = { ...pods, kind: 'Namespace', plural: 'namespaces', scope: 'Cluster' };

type Client = ResourceClient<KubernetesObject, KubernetesList<unknown>>;

/** Returns the request of a call: method, path and query; media type; body. */
async function sent(
  call: (client: Client) => Promise<unknown>,
  resource: ResourceFacts = pods,
): Promise<readonly [string, (string | undefined)?, unknown?]> {
  const requests: APIRequest[] = [];
  const rest = new RESTClient(
    { server: 'http://unused' },
    {
      transport: async (request) => {
        requests.push(request);
        async function* body(): AsyncGenerator<Uint8Array> {
          yield Buffer.from('{"kind":"Status","status":"Success"}');
        }
        return { status: 200, headers: {}, body: body(), cancel: () => undefined };
      },
    },
  );
  const namespace = resource.scope === 'Cluster' ? undefined : 'shop';
  await call(new ResourceClient(rest, { resource, namespace }));
  const [request, more] = requests;
  if (request === undefined || more !== undefined) throw new Error(`${requests.length} requests`);
  const { method, path, query, headers, body } = request;
  const line = `${method} ${path}${query.length === 0 ? '' : `?${encodeQuery(query)}`}`;
  return body === undefined ? [line] : [line, headers['content-type'], JSON.parse(String(body))];
}

/** Body or options whose type is known to generated code only. */
const some = (fields: object): object => fields;

const path = '/api/v1/namespaces/shop/pods/web';
const json = 'application/json';
const strategic = 'application/strategic-merge-patch+json';
const merge = 'application/merge-patch+json';
const applied = 'application/apply-patch+yaml';
const metadata = { name: 'web', namespace: 'shop' };
const pod = { apiVersion: 'v1', kind: 'Pod', metadata };
const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata };
const binding = { apiVersion: 'v1', kind: 'Binding', metadata };
const token = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata };
const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata };
const shape = { apiVersion: 'shapes/v1', kind: 'Shape', metadata };
const named = { metadata: { name: 'web' } };
const me = { fieldManager: 'me' };

interface Case {
  readonly name: string;
  readonly call: (client: Client) => Promise<unknown>;
  readonly want: readonly [string, string?, unknown?];
}

describe('subresources', () => {
  it.each<Case>([
    { name: 'getStatus', call: (c) => c.getStatus('web'), want: [`GET ${path}/status`] },
    {
      name: 'applyScale',
      call: (c) => c.applyScale({ ...named, spec: { replicas: 2 } }, me),
      want: [`PATCH ${path}/scale?fieldManager=me&force=false`, applied, { ...scale, spec: { replicas: 2 } }],
    },
    {
      name: 'getEphemeralContainers',
      call: (c) => c.getEphemeralContainers('web'),
      want: [`GET ${path}/ephemeralcontainers`],
    },
    {
      name: 'updateEphemeralContainers',
      call: (c) => c.updateEphemeralContainers(named),
      want: [`PUT ${path}/ephemeralcontainers`, json, pod],
    },
    {
      name: 'patchEphemeralContainers',
      call: (c) => c.patchEphemeralContainers('web', {}, { dryRun: 'All' }),
      want: [`PATCH ${path}/ephemeralcontainers?dryRun=All`, strategic, {}],
    },
    {
      name: 'applyEphemeralContainers',
      call: (c) => c.applyEphemeralContainers(named, me),
      want: [`PATCH ${path}/ephemeralcontainers?fieldManager=me&force=false`, applied, pod],
    },
    { name: 'getResize', call: (c) => c.getResize('web'), want: [`GET ${path}/resize`] },
    { name: 'updateResize', call: (c) => c.updateResize(named), want: [`PUT ${path}/resize`, json, pod] },
    {
      name: 'patchResize',
      call: (c) => c.patchResize('web', {}, { type: 'merge' }),
      want: [`PATCH ${path}/resize`, merge, {}],
    },
    {
      name: 'applyResize',
      call: (c) => c.applyResize(named, me),
      want: [`PATCH ${path}/resize?fieldManager=me&force=false`, applied, pod],
    },
    { name: 'getApproval', call: (c) => c.getApproval('web'), want: [`GET ${path}/approval`] },
    {
      name: 'updateApproval',
      call: (c) => c.updateApproval(named),
      want: [`PUT ${path}/approval`, json, pod],
    },
    {
      name: 'patchApproval',
      call: (c) => c.patchApproval('web', {}),
      want: [`PATCH ${path}/approval`, strategic, {}],
    },
    {
      name: 'applyApproval',
      call: (c) => c.applyApproval(named, me),
      want: [`PATCH ${path}/approval?fieldManager=me&force=false`, applied, pod],
    },
    {
      name: 'evict without a body',
      call: (c) => c.evict('web'),
      want: [`POST ${path}/eviction`, json, eviction],
    },
    {
      name: 'evict with options of the deletion',
      call: (c) => c.evict('web', some({ deleteOptions: { gracePeriodSeconds: 0 } }), { dryRun: 'All' }),
      want: [
        `POST ${path}/eviction?dryRun=All`,
        json,
        { ...eviction, deleteOptions: { gracePeriodSeconds: 0 } },
      ],
    },
    {
      name: 'bind',
      call: (c) => c.bind('web', some({ target: { kind: 'Node', name: 'n1' } }), me),
      want: [
        `POST ${path}/binding?fieldManager=me`,
        json,
        { ...binding, target: { kind: 'Node', name: 'n1' } },
      ],
    },
    {
      name: 'createToken',
      call: (c) => c.createToken('web', some({ spec: { audiences: ['a'] } })),
      want: [`POST ${path}/token`, json, { ...token, spec: { audiences: ['a'] } }],
    },
    {
      name: 'createToken without a request',
      call: (c) => c.createToken('web'),
      want: [`POST ${path}/token`, json, token],
    },
    {
      name: 'getLog',
      call: (c) => c.getLog('web', some({ container: 'main', tailLines: 5, timeoutMs: 1000 })),
      want: [`GET ${path}/log?container=main&tailLines=5`],
    },
    {
      name: 'get of a named subresource',
      call: (c) => c.subresource('shape').get('web', { resourceVersion: '0' }),
      want: [`GET ${path}/shape?resourceVersion=0`],
    },
    {
      name: 'create of a named subresource',
      call: (c) => c.subresource('shape').create('web', {}),
      want: [`POST ${path}/shape`, json, shape],
    },
    {
      name: 'update of a named subresource',
      call: (c) => c.subresource('shape').update('web', {}, me),
      want: [`PUT ${path}/shape?fieldManager=me`, json, shape],
    },
    {
      name: "update of one of the resource's own kind",
      call: (c) => c.subresource('other').update('web', {}),
      want: [`PUT ${path}/other`, json, pod],
    },
    {
      name: 'patch of a named subresource',
      call: (c) => c.subresource('shape').patch('web', { a: 1 }),
      want: [`PATCH ${path}/shape`, merge, { a: 1 }],
    },
    {
      name: 'apply of a named subresource',
      call: (c) => c.subresource('shape').apply('web', {}, { ...me, force: true }),
      want: [`PATCH ${path}/shape?fieldManager=me&force=true`, applied, shape],
    },
    {
      name: 'delete of a named subresource',
      call: (c) => c.subresource('shape').delete('web', { gracePeriodSeconds: 1 }),
      want: [
        `DELETE ${path}/shape`,
        json,
        { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 1 },
      ],
    },
    {
      name: 'text of a named subresource',
      call: (c) => c.subresource('story').getText('web', some({ chapter: 2 })),
      want: [`GET ${path}/story?chapter=2`],
    },
  ])('$name', async ({ call, want }) => {
    expect(await sent(call)).toEqual(want);
  });

  it('finalize', async () => {
    expect(await sent((client) => client.finalize({ metadata: { name: 'old' } }), namespaces)).toEqual([
      'PUT /api/v1/namespaces/old/finalize',
      json,
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'old' } },
    ]);
  });

  it.each<{ call: (client: Client) => Promise<unknown>; want: string }>([
    {
      call: (c) => c.evict('web', { metadata: { name: 'other' } }),
      want: 'metadata.name of the object is "other", the client is for "web"',
    },
    {
      call: (c) => c.bind('web', { kind: 'Pod' }),
      want: 'kind of the object is "Pod", the client is for "Binding"',
    },
    {
      call: (c) => c.createToken('web', { metadata: { namespace: 'other' } }),
      want: 'metadata.namespace of the object is "other", the client is for "shop"',
    },
    { call: (c) => c.evict(''), want: 'the name of the Pod is empty' },
    {
      call: (c) => c.subresource('../secrets').get('web'),
      want: `the subresource must not contain '/', '%' or a lone surrogate: "../secrets"`,
    },
    {
      call: (c) => c.subresource('shape').apply('web', {}, { fieldManager: '' }),
      want: 'apply pods/shape: fieldManager is missing, the name that owns the fields; set it in the options of the call or of the client',
    },
  ])('throw TypeError for a body that contradicts the client: $want', async ({ call, want }) => {
    await expect(sent(call)).rejects.toThrow(new TypeError(want));
  });

  it('fail with messages that contain the subresource', async () => {
    const rest = new RESTClient(
      { server: 'http://unused' },
      {
        transport: async () => {
          async function* body(): AsyncGenerator<Uint8Array> {
            yield Buffer.from('{"kind":"Status","status":"Failure","reason":"TooManyRequests","code":429}');
          }
          return { status: 429, headers: {}, body: body(), cancel: () => undefined };
        },
      },
    );
    const client = new ResourceClient(rest, { resource: pods, namespace: 'shop' });
    await expect(client.evict('web')).rejects.toThrow('evict pods/eviction shop/web: 429 TooManyRequests');
  });
});
