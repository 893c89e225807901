import { describe, expect, it } from 'vitest';
import type { KubernetesList, KubernetesObject } from '../api/meta.ts';
import type { APIRequest, APIResponse } from '../api/transport.ts';
import { DynamicClient } from '../dynamic/dynamic-client.ts';
import { RESTClient } from '../rest/client.ts';
import { ResourceClient } from './resource-client.ts';
import { drain } from './tools/drain.ts';

const pods = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  listKind: 'PodList',
  plural: 'pods',
  singular: 'pod',
  scope: 'Namespaced',
  verbs: [],
  builtIn: true,
  protobuf: () => Promise.resolve({ codecs: new Map() }),
} as const;

interface ScriptedResponse {
  readonly status?: number;
  readonly type?: string;
  readonly chunks?: readonly string[];
}

function client({ status = 200, type, chunks = [] }: ScriptedResponse): RESTClient {
  const transport = async (request: APIRequest): Promise<APIResponse> => {
    if (request.method === 'GET') return listed(request);
    async function* body(): AsyncGenerator<Uint8Array> {
      for (const chunk of chunks) yield Buffer.from(chunk);
    }
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
    return { status, headers, body: body(), cancel: () => undefined };
  };
  return new RESTClient({ server: 'http://stub' }, { transport });
}

/** Lists have no `items` unless they select a node. */
function listed({ path, query }: APIRequest): APIResponse {
  const ofNode = query.some(([, value]) => value.startsWith('spec.nodeName='));
  const isPod = path.endsWith('/web');
  const pod = { metadata: { name: 'web', namespace: 'shop', ownerReferences: [{ controller: true }] } };
  const list = { kind: 'PodList', metadata: { resourceVersion: '7' }, ...(ofNode && { items: [pod] }) };
  const missing = { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 };
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(JSON.stringify(isPod ? missing : list));
  }
  return { status: isPod ? 404 : 200, headers: {}, body: body(), cancel: () => undefined };
}

const json = 'application/json';
const successes: readonly (readonly [name: string, response: ScriptedResponse])[] = [
  ['204', { status: 204 }],
  ['204 that is declared as protobuf', { status: 204, type: 'application/vnd.kubernetes.protobuf' }],
  ['200 without a body', { type: json }],
  ['200 without a body, declared as protobuf', { type: 'application/vnd.kubernetes.protobuf' }],
  ['202 with empty chunks and white space', { status: 202, chunks: ['', ' \n', '\t'] }],
  ['null', { type: json, chunks: ['nu', 'll\n'] }],
  ['a JSON string', { type: json, chunks: ['"deleted"'] }],
  ['plain text', { type: 'text/plain; charset=utf-8', chunks: ['ok'] }],
  ['text without a type', { chunks: ['deleted'] }],
];

const options = { labelSelector: { app: 'web' } };
const calls: Readonly<Record<string, (rest: RESTClient) => Promise<unknown>>> = {
  delete: (rest) => typed(rest).delete('web'),
  'a dry run of delete': (rest) => typed(rest).delete('web', { dryRun: 'All' }),
  deleteCollection: (rest) => typed(rest).deleteCollection(options),
  evict: (rest) => typed(rest).evict('web'),
  bind: (rest) => typed(rest).bind('web', {}),
  'delete of a dynamic client': (rest) => dynamic(rest).delete('web'),
  'deleteCollection of a dynamic client': (rest) => dynamic(rest).deleteCollection(options),
  'the deletion of a subresource': (rest) => dynamic(rest).subresource('log').delete('web'),
  'an eviction through a dynamic client': (rest) => dynamic(rest).subresource('eviction').create('web', {}),
  'a DELETE request': (rest) => rest.request({ method: 'DELETE', path: '/api/v1/pods/web' }),
};

function typed(rest: RESTClient): ResourceClient<KubernetesObject, KubernetesList<unknown>> {
  return new ResourceClient(rest, { resource: pods, namespace: 'shop' });
}

function dynamic(rest: RESTClient) {
  return new DynamicClient(rest).resource({ group: '', version: 'v1', resource: 'pods' }).namespace('shop');
}

const success = { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Success' };

describe.each(Object.entries(calls))('%s', (_, call) => {
  it.each(successes)('returns a Status of success for %s', async (_name, response) => {
    expect(await call(client(response))).toEqual(success);
  });

  it.each<readonly [name: string, response: ScriptedResponse, message: RegExp]>([
    ['a page', { type: 'text/html', chunks: ['Log in'] }, /is text\/html, not JSON; is there a proxy/],
    ['a page without a type', { chunks: ['\n<!doctype html>'] }, /incomplete or not JSON/],
    ['an object that is cut off', { type: json, chunks: ['{"kind":"Sta'] }, /incomplete or not JSON/],
    ['a failure', { chunks: ['{"kind":"Status","status":"Failure","message":"no"}'] }, /no/],
  ])('rejects for %s', async (_name, response, message) => {
    await expect(call(client(response))).rejects.toThrow(message);
  });
});

it('returns the object in the response in pieces of any size', async () => {
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', uid: 'u' } };
  const response = client({ type: json, chunks: [' ', '', ...JSON.stringify(object)] });
  expect(await typed(response).delete('web')).toEqual(object);
});

it.each<readonly [string, string, object]>([
  ['an empty object', '{}', success],
  ['an object of another kind', '{"kind":"Message","text":"deleted"}', success],
  ['a list without items', '{"kind":"PodList","metadata":{}}', { kind: 'PodList', metadata: {}, items: [] }],
])('resolves deleteCollection for %s', async (_name, body, want) => {
  expect(await typed(client({ chunks: [body] })).deleteCollection(options)).toEqual(want);
});

it('ends deleteAndWait after a deletion without a body', async () => {
  await typed(client({ status: 204 })).deleteAndWait('web');
});

it('drains a node whose pods are evicted without a body', async () => {
  const steps: string[] = [];
  await drain(client({ status: 204 }), 'node', { onProgress: ({ step }) => steps.push(step) });
  expect(steps).toEqual(['cordoned', 'evicting', 'evicted']);
});

it.each(['create', 'update', 'patch'] as const)('rejects %s for a success without a body', async (verb) => {
  const things = typed(client({ status: 201 }));
  const object = { metadata: { name: 'web' } };
  const call = verb === 'patch' ? things.patch('web', object) : things[verb](object);
  await expect(call).rejects.toThrow(`${verb} pods shop/web: the response is empty`);
});
