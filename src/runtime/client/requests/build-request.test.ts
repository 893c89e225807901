import { describe, expect, it } from 'vitest';
import type { APIRequest } from '../../api/transport.ts';
import { configMaps } from '../protobuf.fixture.ts';
import type { RequestTarget } from './build-request.ts';
import * as subresources from './subresource-requests.ts';
import * as requests from './verb-requests.ts';

const { resource } = configMaps();
const whole: RequestTarget = { resource, namespace: 'shop' };
const table: RequestTarget = { ...whole, form: 'Table' };
const load = resource.protobuf;
if (load === undefined) throw new Error('the fixture has no codecs');
const codecs = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', load };
const metadata: RequestTarget = { ...table, form: 'PartialObjectMetadata', codecs };
const { protobuf: _, ...withoutCodecs } = resource;
const custom: RequestTarget = { resource: withoutCodecs, namespace: 'shop' };

const object = { metadata: { name: 'web' } };
const complete = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', namespace: 'shop' } };
const text = JSON.stringify(complete);
const deletion = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Orphan' };
const apply = { fieldManager: 'me' };
const json = { headers: { Accept: 'application/json' } };
const yaml = { headers: { 'content-type': 'application/yaml' } };

interface Want {
  /** Kind that may be encoded as protobuf. */
  readonly kind?: string;
  readonly object?: object;
  readonly body?: string;
}

const own = 'ConfigMap';
const cases: Readonly<Record<string, readonly [APIRequest, Want]>> = {
  get: [requests.getRequest(whole, 'web'), { kind: own }],
  'get of the status': [requests.getRequest(whole, 'web', {}, 'status'), { kind: own }],
  'get of the scale': [requests.getRequest(whole, 'web', {}, 'scale'), {}],
  list: [requests.listRequest(whole), { kind: own }],
  watch: [requests.watchRequest(whole, {}, { resourceVersion: '1' }), { kind: own }],
  create: [requests.createRequest(whole, object), { kind: own, object: complete }],
  update: [requests.updateRequest(whole, object), { kind: own, object: complete }],
  'update of the status': [
    requests.updateRequest(whole, object, {}, 'status'),
    { kind: own, object: complete },
  ],
  patch: [requests.patchRequest(whole, 'web', {}), { kind: own, body: '{}' }],
  apply: [requests.applyRequest(whole, object, apply), { kind: own, body: text }],
  delete: [requests.deleteRequest(whole, 'web'), { kind: own }],
  'delete with options': [
    requests.deleteRequest(whole, 'web', { propagationPolicy: 'Orphan' }),
    { kind: own, object: deletion },
  ],
  deletecollection: [requests.deleteCollectionRequest(whole), { kind: own }],
  eviction: [
    subresources.actionRequest(whole, 'web', {}, { subresource: 'eviction' }),
    { body: '{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"web","namespace":"shop"}}' },
  ],
  log: [subresources.textRequest(whole, 'web', { subresource: 'log' }), {}],
  'a table': [requests.listRequest(table), {}],
  metadata: [requests.listRequest(metadata), { kind: 'PartialObjectMetadata' }],
  'an accept header of the caller': [requests.getRequest(whole, 'web', json), {}],
  'a content type of the caller': [requests.createRequest(whole, object, yaml), { body: text }],
  'a resource without codecs': [requests.createRequest(custom, object), { body: text }],
};

describe('use of protobuf in a request', () => {
  it.each(Object.entries(cases))('%s', (_name, [request, { kind, object: sent, body }]) => {
    expect(request.protobuf?.kind).toBe(kind);
    expect(request.object).toEqual(sent);
    expect(request.body).toBe(body);
    // Requests that are sent unchanged accept JSON.
    expect(request.headers['accept']).toMatch(/^(application\/json|text\/plain)/);
  });

  it('uses the codecs of the resource', () => {
    expect(requests.getRequest(whole, 'web').protobuf).toEqual({ apiVersion: 'v1', kind: own, load });
  });
});
