import { describe, expect, it } from 'vitest';
import type { APIRequest, APIResponse } from '../../api/transport.ts';
import { fetchWritten } from './refetch-written.ts';
import type { ProtobufRequest } from './requests.ts';

const written = { kind: 'Thing', metadata: { name: 'web', uid: 'u1' }, spec: { size: 1 } };
const stored = { ...written, spec: { size: 1, newer: 2 } };

function request(more: Partial<ProtobufRequest> = {}): ProtobufRequest {
  return {
    method: 'POST',
    path: '/apis/example.com/v1/namespaces/shop/things',
    query: [['fieldManager', 'me']],
    headers: { accept: 'application/json', 'content-type': 'application/json', 'x-mine': 'a' },
    body: '{}',
    object: { a: 1 },
    maxRetries: 3,
    operation: { verb: 'create', resource: 'things', namespace: 'shop' },
    protobuf: {
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      load: () => Promise.reject(new Error('unused')),
    },
    ...more,
  };
}

/** A transport that responds with one object, its requests, and the number of bytes read of its body. */
function server(body: unknown, status = 200) {
  const requests: APIRequest[] = [];
  let read = 0;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    read += 1;
    yield Buffer.from(JSON.stringify(body));
  }
  const send = async (one: APIRequest): Promise<APIResponse> => {
    requests.push(one);
    return { status, headers: {}, body: bytes(), cancel: () => undefined };
  };
  return { send, requests, read: () => read };
}

describe('fetchWritten', () => {
  it('fetches a created object as JSON, with what else is in the request', async () => {
    const { send, requests } = server(stored);
    expect(await fetchWritten(send, request(), written)).toEqual(stored);
    expect(requests).toEqual([
      {
        method: 'GET',
        path: '/apis/example.com/v1/namespaces/shop/things/web',
        query: [],
        headers: { accept: 'application/json', 'x-mine': 'a' },
        maxRetries: 3,
        operation: { verb: 'get', resource: 'things', namespace: 'shop', name: 'web' },
      },
    ]);
  });

  const path = '/apis/example.com/v1/namespaces/shop/things';
  it.each<[method: ProtobufRequest['method'], resource: string, from: string, want: string]>([
    ['POST', 'things', path, `${path}/web`],
    ['PUT', 'things', `${path}/web`, `${path}/web`],
    ['PATCH', 'things', `${path}/web`, `${path}/web`],
    ['PUT', 'things/status', `${path}/web/status`, `${path}/web`],
    ['POST', 'things/resize', `${path}/web/resize`, `${path}/web`],
  ])('of %s %s fetches the object itself', async (method, resource, from, want) => {
    const { send, requests } = server(stored);
    const operation = { verb: 'update', resource };
    await fetchWritten(send, request({ method, path: from, operation }), written);
    expect(requests.map((one) => one.path)).toEqual([want]);
  });

  it.each<[name: string, response: unknown]>([
    ['no object', 'text'],
    ['nothing', undefined],
    ['another kind', { ...written, kind: 'Status' }],
    ['no metadata', { kind: 'Thing' }],
    ['metadata of another type', { kind: 'Thing', metadata: 'web' }],
    ['no name', { kind: 'Thing', metadata: { uid: 'u1' } }],
    ['an empty name', { kind: 'Thing', metadata: { name: '', uid: 'u1' } }],
    ['no UID', { kind: 'Thing', metadata: { name: 'web' } }],
  ])('sends nothing where the response has %s', async (_, responded) => {
    const { send, requests } = server(stored);
    expect(await fetchWritten(send, request(), responded)).toBe(responded);
    expect(requests).toEqual([]);
  });

  it.each<[name: string, body: unknown, status: number]>([
    ['is gone', { kind: 'Status' }, 404],
    ['was created again', { ...stored, metadata: { name: 'web', uid: 'u2' } }, 200],
    ['comes with another status', stored, 201],
    ['is not an object', 'text', 200],
  ])('returns what was read where the object %s', async (_, body, status) => {
    const { send, read } = server(body, status);
    expect(await fetchWritten(send, request(), written)).toBe(written);
    expect(read()).toBe(1);
  });

  it('returns what was read where the object cannot be fetched, unless the call was aborted', async () => {
    const broken = async (): Promise<APIResponse> => {
      throw new Error('lost');
    };
    expect(await fetchWritten(broken, request(), written)).toBe(written);
    const { signal } = new AbortController();
    expect(await fetchWritten(broken, request({ signal }), written)).toBe(written);
    const reason = new Error('enough');
    await expect(fetchWritten(broken, request({ signal: AbortSignal.abort(reason) }), written)).rejects.toBe(
      reason,
    );
  });
});
