import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { holdTime, until } from '../../../test/support/runtime/no-time-passes.ts';
import { isTimeoutError, TransportError } from '../api/errors.ts';
import type { APIRequest, APIResponse } from '../api/transport.ts';
import type { ClusterConfig } from '../config/types.ts';
import { RESTClient } from './client.ts';
import type { RESTClientOptions } from './client-options.ts';
import { callRequest } from './request/call-request.ts';

function response(status: number, body: string, headers: Record<string, string> = {}): APIResponse {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(body);
  }
  return { status, headers, body: { [Symbol.asyncIterator]: bytes }, cancel: () => undefined };
}

/** Returns a client, and the requests that it sends. */
function client(
  reply: APIResponse | Error = response(200, '{}'),
  config?: Partial<ClusterConfig>,
  options?: RESTClientOptions,
) {
  const sent: APIRequest[] = [];
  const transport = async (request: APIRequest): Promise<APIResponse> => {
    sent.push(request);
    if (reply instanceof Error) throw reply;
    return reply;
  };
  return { rest: new RESTClient({ server: 'https://h', ...config }, { ...options, transport }), sent };
}

/** Waits for the delay of a retry while time is held, ends it, and waits until the retry has come so far. */
async function retryOf(isFar: () => boolean): Promise<void> {
  // The time limit and the delay.
  await until(() => vi.getTimerCount() === 2);
  vi.advanceTimersToNextTimer();
  await until(isFar);
}

const request: APIRequest = {
  method: 'GET',
  path: '/api/v1/pods',
  query: [],
  headers: { accept: 'application/json' },
  operation: { verb: 'list', resource: 'pods' },
};

describe('callRequest', () => {
  const json = 'application/json';
  const accept = 'application/json, */*';
  const cases: readonly [given: Parameters<typeof callRequest>, want: Partial<APIRequest>][] = [
    [['GET', '/version'], { path: '/version', query: [], headers: { accept } }],
    [
      ['GET', '/api/{v}', { path: { v: 'v1' }, query: { b: ['2', '3'], a: 1 } }],
      {
        path: '/api/v1',
        query: [
          ['a', '1'],
          ['b', '2'],
          ['b', '3'],
        ],
      },
    ],
    [['POST', '/x', { body: { a: 1 } }], { body: '{"a":1}', headers: { accept, 'content-type': json } }],
    [
      ['PATCH', '/x', { body: {} }],
      { body: '{}', headers: { accept, 'content-type': 'application/merge-patch+json' } },
    ],
    [
      ['PATCH', '/x', { body: '[]', contentType: 'application/json-patch+json', headers: { Accept: 'x' } }],
      { body: '[]', headers: { accept: 'x', 'content-type': 'application/json-patch+json' } },
    ],
  ];
  it.each(cases)('%j', (given, want) => {
    const made = callRequest(...given);
    expect(made).toMatchObject(want);
    expect(made.headers).toEqual(want.headers ?? made.headers);
  });
});

describe('RESTClient', () => {
  it('has the namespace of its configuration', () => {
    expect(client().rest.namespace).toBe('default');
    expect(client(undefined, { namespace: 'shop' }).rest.namespace).toBe('shop');
  });

  it('adds credentials and a User-Agent', async () => {
    const config = { auth: { token: 't' }, impersonate: { user: 'jane' } };
    const { rest, sent } = client(undefined, config, { userAgent: 'me/1' });
    await rest.request(request);
    await rest.request({ ...request, headers: { 'user-agent': 'you/2' }, impersonate: { user: 'joe' } });
    expect(sent).toMatchObject([
      { headers: { 'user-agent': 'me/1', authorization: 'Bearer t' }, impersonate: { user: 'jane' } },
      { headers: { 'user-agent': 'you/2', authorization: 'Bearer t' }, impersonate: { user: 'joe' } },
    ]);
  });

  it('sends the request of each method', async () => {
    const { rest, sent } = client();
    const options = { body: { a: 1 } };
    await rest.get('/a');
    await rest.post('/b', options);
    await rest.put('/c', options);
    await rest.patch('/d', options);
    await rest.delete('/e');
    expect(sent.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', '/a', undefined],
      ['POST', '/b', '{"a":1}'],
      ['PUT', '/c', '{"a":1}'],
      ['PATCH', '/d', '{"a":1}'],
      ['DELETE', '/e', undefined],
    ]);
  });

  it.each<{ type: string | undefined; body: string; want: unknown }>([
    { type: 'application/json', body: '{"a":1}', want: { a: 1 } },
    { type: undefined, body: '{"a":1}', want: { a: 1 } },
    { type: 'text/plain; charset=utf-8', body: '[+]ping ok\n', want: '[+]ping ok\n' },
    { type: 'Text/Plain', body: '{"level":"info"}', want: '{"level":"info"}' },
    { type: 'text/plain', body: '', want: '' },
  ])('decodes a response of type $type: $body', async ({ type, body, want }) => {
    const { rest } = client(response(200, body, type === undefined ? {} : { 'content-type': type }));
    expect(await rest.get('/readyz')).toEqual(want);
  });

  it('returns an empty string for 204', async () => {
    expect(await client(response(204, '')).rest.get('/log')).toBe('');
    await expect(client(response(200, '')).rest.get('/log')).rejects.toThrow('the response is empty');
  });

  it.each<{ type: string; body: string; want: RegExp }>([
    {
      type: 'text/html',
      body: '<html>log in</html>',
      want: /^get \/logs\/: the response is text\/html, not JSON; is there a proxy/,
    },
    { type: 'application/json', body: '{', want: /incomplete or not JSON/ },
    { type: 'text/plainer', body: 'a', want: /text\/plainer, not JSON/ },
  ])('throws DecodeError for a response of type $type', async ({ type, body, want }) => {
    const { rest } = client(response(200, body, { 'content-type': type }));
    await expect(rest.get('/logs/')).rejects.toThrow(want);
  });

  it('decodes only JSON for requests to a resource', async () => {
    const { rest } = client(response(200, 'hello', { 'content-type': 'text/plain' }));
    await expect(rest.request(request)).rejects.toThrow(/text\/plain, not JSON/);
  });

  it('rejects invalid arguments without sending a request', async () => {
    const { rest, sent } = client();
    await expect(rest.get('/a/../b')).rejects.toThrow(TypeError);
    await expect(rest.get('/{x}', { path: { x: '' } })).rejects.toThrow(TypeError);
    await expect(rest.get('/namespaces//pods')).rejects.toThrow('path must not contain empty segments');
    await expect(rest.delete('/namespaces/shop/pods/')).rejects.toThrow('ends with an empty name');
    await expect(rest.get('/readyz?verbose')).rejects.toThrow(
      /must not contain '\?', pass the parameters as `query`/,
    );
    expect(sent).toEqual([]);
  });

  it('calls onWarning once per warning', async () => {
    const seen: string[] = [];
    const reply = response(404, '', { warning: '299 - "old"' });
    const { rest } = client(
      reply,
      {},
      { onWarning: ({ text }, { resource }) => seen.push(`${resource} ${text}`) },
    );
    await expect(rest.get('/a')).rejects.toThrow('404');
    await expect(rest.get('/b')).rejects.toThrow('404');
    expect(seen).toEqual(['/a old']);
  });

  it('does not retry if Retry-After exceeds timeoutMs, and throws the error of the response', async () => {
    const { rest, sent } = client(response(429, '', { 'retry-after': '60' }));
    const error: unknown = await rest.get('/a', { timeoutMs: 20_000 }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'ApiError', code: 429, retryAfterSeconds: 60 });
    expect(sent.length).toBe(1);
  });

  it('names the number of attempts after retries', async () => {
    const { rest } = client(response(503, '', { 'retry-after': '0' }));
    await expect(rest.request({ ...request, maxRetries: 1 })).rejects.toThrow(
      'list pods: 503 ServiceUnavailable: the server is not available at the moment; tried 2 times',
    );
    const reset = client(new TransportError('reset', undefined, { code: 'ECONNRESET' }));
    await expect(reset.rest.request({ ...request, maxRetries: 1 })).rejects.toThrow('reset; tried 2 times');
  });

  it('names the failure that was being retried when it times out', async () => {
    holdTime();
    const responses = [response(429, 'not now', { 'retry-after': '0' })];
    let isRetried = false;
    const transport = () => {
      const reply = responses.shift();
      if (reply !== undefined) return Promise.resolve(reply);
      isRetried = true;
      return new Promise<never>(() => undefined);
    };
    const rest = new RESTClient({ server: 'https://h' }, { transport });
    const end = rest.get('/a', { timeoutMs: 500 }).catch((reason: unknown) => reason);
    await retryOf(() => isRetried);
    vi.advanceTimersByTime(500);
    const error: unknown = await end;
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /^get \/a: timed out after 500 ms; last response: 429 TooManyRequests: .*: not now$/,
      ),
      cause: { name: 'ApiError', code: 429 },
    });
    expect(isTimeoutError(error)).toBe(true);
  });

  it.each([{ signal: new AbortController().signal }, {}])(
    'times out a stream that does not begin',
    async (more) => {
      const transport = (sent: APIRequest) =>
        new Promise<never>((_, reject) => {
          sent.signal?.addEventListener('abort', () => reject(sent.signal?.reason));
        });
      const rest = new RESTClient({ server: 'https://h' }, { transport });
      await expect(rest.stream({ ...request, ...more, timeoutMs: 5 })).rejects.toThrow(
        'timed out after 5 ms: no response from the server',
      );
      await expect(rest.stream({ ...request, timeoutMs: -1 })).rejects.toThrow(RangeError);
    },
  );

  const waits: Readonly<Record<string, [Partial<ClusterConfig>, RESTClientOptions]>> = {
    'for a retry': [{}, {}],
    'for the rate limit': [{}, { rateLimit: { qps: 0.001, burst: 1 } }],
  };
  it.each(Object.entries(waits))(
    'aborts requests that wait %s when it is closed',
    async (_, [config, options]) => {
      const { rest, sent } = client(response(429, '', { 'retry-after': '200' }), config, options);
      const call = rest.get('/a').catch((reason: unknown) => reason);
      const another = options.rateLimit && rest.get('/b').catch((reason: unknown) => reason);
      await expect.poll(() => sent.length).toBe(1);
      await rest.close();
      for (const error of [await call, await another]) {
        if (error !== undefined)
          expect(error).toMatchObject({ name: 'TransportError', code: 'CLIENT_CLOSED' });
      }
    },
  );

  it('sends one user if the caller sets an impersonation header', async () => {
    const { rest, sent } = client(undefined, { impersonate: { user: 'jane' } });
    await rest.get('/a', { headers: { 'Impersonate-User': 'joe' }, impersonate: { user: 'jim' } });
    expect(sent[0]?.headers).toMatchObject({ 'impersonate-user': 'joe' });
    expect(sent[0]?.impersonate).toBeUndefined();
  });

  it.each([() => 1, Symbol('a')])('throws TypeError for a body that is not JSON: %s', async (body) => {
    const { rest, sent } = client();
    await expect(rest.post('/a', { body })).rejects.toThrow(/cannot be sent as a body/);
    expect(sent).toEqual([]);
  });

  it.each(['/api/v1/namespaces/proxy/pods/', '/api/v1/pods/'])('throws for a DELETE of %s', async (path) => {
    const { rest, sent } = client();
    await expect(rest.delete(path)).rejects.toThrow(/ends with an empty name/);
    expect(sent).toEqual([]);
  });

  it('ends a stream that has begun only by the signal of its caller', async () => {
    const controller = new AbortController();
    const { rest, sent } = client();
    await rest.stream({ ...request, signal: controller.signal, timeoutMs: 60_000 });
    controller.abort(new Error('enough'));
    expect(sent[0]?.signal?.reason).toBe(controller.signal.reason);
  });

  it('does not name a failure after a successful retry', async () => {
    const responses = [response(429, '', { 'retry-after': '0' })];
    holdTime();
    let isRead = false;
    const next = (): Promise<never> => {
      isRead = true;
      return new Promise(() => undefined);
    };
    const never: APIResponse = { ...response(200, ''), body: { [Symbol.asyncIterator]: () => ({ next }) } };
    const transport = () => Promise.resolve(responses.shift() ?? never);
    const rest = new RESTClient({ server: 'https://h' }, { transport });
    const end = rest.get('/a', { timeoutMs: 500 }).catch((reason: unknown) => reason);
    await retryOf(() => isRead);
    vi.advanceTimersByTime(500);
    const error: unknown = await end;
    const message = 'get /a: timed out after 500 ms: the response was not complete';
    expect(error).toMatchObject({ message });
    expect(responses).toEqual([]);
  });

  it('rejects with the reason of a signal, even if the transport ignores it', async () => {
    const rest = new RESTClient({ server: 'https://h' }, { transport: () => new Promise(() => undefined) });
    const reason = new Error('enough');
    const controller = new AbortController();
    const { signal } = controller;
    const calls = [rest.get('/a', { signal }), rest.stream({ ...request, signal })];
    controller.abort(reason);
    for (const call of calls) await expect(call).rejects.toBe(reason);
  });

  it('streams successes only', async () => {
    const streamed = await client(response(200, 'line\n')).rest.stream(request);
    for await (const chunk of streamed.body) expect(Buffer.from(chunk).toString()).toBe('line\n');
    const gone = response(410, '{"kind":"Status","status":"Failure","reason":"Expired"}');
    await expect(client(gone).rest.stream(request)).rejects.toMatchObject({ code: 410, reason: 'Expired' });
  });

  it('completes requests of which only the path is set', async () => {
    const { rest, sent } = client(response(200, '{}'));
    await rest.request({ path: '/version', query: undefined, signal: undefined });
    await rest.get('/version');
    const operation = { verb: 'get', resource: '/version' };
    const complete = { method: 'GET', path: '/version', query: [], operation };
    expect(sent).toMatchObject([complete, complete]);
    const { rest: other } = client(response(404, '{}'));
    await expect(other.stream({ path: '/metrics' })).rejects.toThrow(/^get \/metrics: /);
  });

  it('marks streams for the transport', async () => {
    const { rest, sent } = client();
    await rest.stream(request);
    await rest.request(request);
    expect(sent.map(({ stream }) => stream)).toEqual([true, undefined]);
  });

  const problems: readonly [config: ClusterConfig, want: RegExp][] = [
    [{ server: '' }, /must be a URL/],
    [{ server: 'https://h', auth: { token: 'a', username: 'b' } }, /are set together/],
  ];
  it.each(problems)('throws ConfigError for %j', (config, want) => {
    expect(() => new RESTClient(config)).toThrow(expect.objectContaining({ name: 'ConfigError' }));
    expect(() => new RESTClient(config)).toThrow(want);
  });
});

describe('credentials', () => {
  const config: ClusterConfig = {
    server: 'http://127.0.0.1:1',
    auth: { token: 'sesame-token' },
    tls: { key: 'sesame-key' },
  };
  const echo = 'GET / HTTP/1.1\nAuthorization: Bearer sesame-token\n';

  async function everything(rest: RESTClient): Promise<string> {
    const error: unknown = await rest
      .post('/a', { body: {}, timeoutMs: 2000 })
      .catch((reason: unknown) => reason);
    if (!(error instanceof Error)) throw new TypeError('did not fail');
    return [
      error.message,
      error.stack,
      JSON.stringify(error),
      inspect(error, { depth: null, showHidden: true }),
      inspect(rest, { depth: null, showHidden: true }),
      JSON.stringify(rest),
    ].join('\n');
  }

  it.each([
    ['a refused connection', new RESTClient(config)],
    ['TLS material that cannot be used', new RESTClient({ ...config, server: 'https://127.0.0.1:1' })],
    ['a 401 response', client(response(401, ''), config).rest],
    ['a proxy that echoes the request', client(response(502, echo), config).rest],
    ['a response that is not JSON', client(response(200, echo), config).rest],
    ['a broken connection', client(new TransportError('reset'), config).rest],
  ])('are not revealed by %s', async (_, rest) => {
    expect(await everything(rest)).not.toContain('sesame');
    await rest.close();
  });
});
