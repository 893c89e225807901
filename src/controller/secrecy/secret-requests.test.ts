import { RESTClient } from '@kgen/runtime';
import { eventLoopTurn } from '@kgen/runtime/queue';
import type { APIResponse, RESTRequest } from '@kgen/runtime/rest';
import { describe, expect, it } from 'vitest';
import { observingSecrets } from './secret-requests.ts';
import { SecretValues } from './secret-values.ts';

const value = 'hunter22-ö';
const secret = {
  kind: 'Secret',
  metadata: { name: 'db', uid: 'u1', resourceVersion: '1' },
  data: { a: Buffer.from(value).toString('base64') },
};
const line = Buffer.from(`${JSON.stringify({ type: 'ADDED', object: secret })}\n`);

/** A client whose requests have this response. */
function clientOf(respond: (request: RESTRequest) => unknown) {
  const values = new SecretValues();
  const rest = new RESTClient(
    { server: 'http://stub.invalid' },
    { transport: () => Promise.reject(new Error()) },
  );
  const response = async (request: RESTRequest): Promise<unknown> => respond(request);
  // seam: both methods of a client that is not connected.
  const stub: RESTClient = Object.assign(rest, { request: response, stream: response as never });
  return { values, rest: observingSecrets(stub, values, eventLoopTurn({ now: () => 0 })) };
}

function responseOf(chunks: readonly Uint8Array[], more: Partial<APIResponse> = {}): APIResponse {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield* chunks;
  }
  const headers = { 'content-type': 'application/json' };
  return { status: 200, headers, body: body(), cancel: () => undefined, ...more };
}

const secretsPath = '/api/v1/namespaces/shop/secrets';

describe('values are kept', () => {
  it.each([1, 3, line.length])('of watches in JSON, in chunks of %i bytes', async (size) => {
    const chunks = Array.from({ length: Math.ceil(line.length / size) }, (_, index) =>
      line.subarray(index * size, (index + 1) * size),
    );
    const { rest, values } = clientOf(() => responseOf(chunks));
    const read: Uint8Array[] = [];
    for await (const chunk of (await rest.stream({ path: secretsPath })).body) read.push(chunk);
    expect(Buffer.concat(read)).toEqual(line);
    expect(values.mask(value)).toBe('(redacted)');
  });

  it('of watches in protobuf, as their frames are decoded', async () => {
    const event = { type: 'ADDED', object: secret };
    const headers = { 'content-type': 'application/vnd.kubernetes.protobuf;stream=watch' };
    const { rest, values } = clientOf(() => responseOf([], { headers, readFrame: () => event }));
    const { readFrame } = await rest.stream({ path: secretsPath });
    expect(values.size).toBe(0);
    expect(readFrame?.(new Uint8Array())).toBe(event);
    expect(values.mask(value)).toBe('(redacted)');
  });

  it('of the items of a list, in several turns', async () => {
    const items = Array.from({ length: 1000 }, (_, index) => ({
      ...secret,
      metadata: { name: `s${index}`, uid: `u${index}`, resourceVersion: '1' },
      data: { a: Buffer.from(`value-${index}`).toString('base64') },
    }));
    const { rest, values } = clientOf(() => ({ kind: 'SecretList', items: [null, ...items] }));
    let isRead = false;
    const reading = rest.request({ path: secretsPath }).then(() => {
      isRead = true;
    });
    const sizes: number[] = [];
    for (; !isRead; sizes.push(values.size)) await new Promise((resolve) => setImmediate(resolve));
    await reading;
    expect(sizes.length).toBeGreaterThan(3);
    expect(sizes[0]).toBeLessThan(500);
    expect(values.mask('value-0, value-999')).toBe('(redacted), (redacted)');
  });

  it('of writes that fail', async () => {
    const { rest, values } = clientOf(() => Promise.reject(new Error('invalid')));
    const body = JSON.stringify({ stringData: { a: value } });
    const headers = { 'content-type': 'application/json' };
    await expect(rest.request({ method: 'POST', path: secretsPath, body, headers })).rejects.toThrow(
      'invalid',
    );
    expect(values.mask(value)).toBe('(redacted)');
  });
});

describe('nothing is kept, and the response is that of the server,', () => {
  it.each([
    '/api/v1/namespaces/shop/configmaps/secrets',
    '/api/v1/namespaces/secrets',
    '/apis/example.com/v1/namespaces/shop/secrets/db',
    '/api/v1/namespaces/secrets/pods',
  ])('for %s', async (path) => {
    const response = responseOf([line]);
    const { rest, values } = clientOf((request) => (request.method === undefined ? response : secret));
    expect(await rest.stream({ path })).toBe(response);
    expect(await rest.request({ path, method: 'GET' })).toBe(secret);
    expect(values.size).toBe(0);
  });
});

it('malformed lines of a watch are those of its reader', async () => {
  const chunks = [Buffer.from('{"type"\nnull\n\n'), line];
  const { rest, values } = clientOf(() => responseOf(chunks));
  const read: Uint8Array[] = [];
  for await (const chunk of (await rest.stream({ path: secretsPath })).body) read.push(chunk);
  expect(read).toEqual(chunks);
  expect(values.size).toBe(1);
});
