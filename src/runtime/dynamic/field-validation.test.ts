import { describe, expect, it } from 'vitest';
import type { APIRequest, APIResponse } from '../api/transport.ts';
import { RESTClient } from '../rest/client.ts';
import type { RESTClientOptions } from '../rest/client-options.ts';
import { DynamicClient } from './dynamic-client.ts';

const object = { apiVersion: 'a.io/v1', kind: 'Thing', metadata: { name: 'a' } };

/** Returns a client whose requests all receive the object as response. */
function client(options: RESTClientOptions): { readonly rest: RESTClient; readonly sent: APIRequest[] } {
  const sent: APIRequest[] = [];
  const transport = async (request: APIRequest): Promise<APIResponse> => {
    sent.push(request);
    const headers = { 'content-type': 'application/json' };
    const body = (async function* () {
      yield Buffer.from(JSON.stringify(object));
    })();
    return { status: 200, headers, body, cancel: () => undefined };
  };
  return { rest: new RESTClient({ server: 'https://h' }, { ...options, transport }), sent };
}

function things(rest: RESTClient) {
  const thing = { group: 'a.io', version: 'v1', resource: 'things' };
  return new DynamicClient(rest).resource(thing).namespace('shop');
}

type Call = (rest: RESTClient) => Promise<unknown>;
const path = '/apis/a.io/v1/namespaces/shop/things';

describe('fieldValidation of a client', () => {
  it.each<{ name: string; call: Call; want: string | undefined }>([
    { name: 'create', call: (rest) => things(rest).create(object), want: 'Strict' },
    { name: 'update', call: (rest) => things(rest).update(object), want: 'Strict' },
    { name: 'patch', call: (rest) => things(rest).patch('a', {}, { type: 'merge' }), want: 'Strict' },
    { name: 'apply', call: (rest) => things(rest).apply(object, { fieldManager: 'me' }), want: 'Strict' },
    {
      name: 'a call with its own',
      call: (rest) => things(rest).create(object, { fieldValidation: 'Ignore', dryRun: 'All' }),
      want: 'Ignore',
    },
    { name: 'get', call: (rest) => things(rest).get('a'), want: undefined },
    { name: 'delete', call: (rest) => things(rest).delete('a'), want: undefined },
    {
      name: 'post',
      call: (rest) => rest.post(path, { body: object, query: { pretty: true } }),
      want: 'Strict',
    },
    {
      name: 'put with its own',
      call: (rest) => rest.put(`${path}/a`, { body: object, query: { fieldValidation: 'Warn' } }),
      want: 'Warn',
    },
    {
      name: 'post to a proxy',
      call: (rest) => rest.post('/api/v1/namespaces/a/services/b/proxy/c', { body: {} }),
      want: undefined,
    },
  ])('$name', async ({ call, want }) => {
    const { rest, sent } = client({ fieldValidation: 'Strict' });
    await call(rest);
    const [query = []] = sent.map((request) => request.query);
    const values = query.filter(([name]) => name === 'fieldValidation').map(([, value]) => value);
    expect(values).toEqual(want === undefined ? [] : [want]);
    const names = query.map(([name]) => name);
    expect(names).toEqual([...names].sort());
  });
});
