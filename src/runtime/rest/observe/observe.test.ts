import { AsyncLocalStorage } from 'node:async_hooks';
import { type Channel, channel, tracingChannel } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { TransportError } from '../../api/errors.ts';
import type { APIRequest, APIResponse } from '../../api/transport.ts';
import { RESTClient } from '../client.ts';
import type { RESTClientOptions } from '../client-options.ts';
import {
  type AttemptTrace,
  attemptChannel,
  observation,
  type RequestTrace,
  requestChannel,
} from './observe.ts';
import { attemptLine } from './observe-call.ts';
import { isObserved } from './observe-channels.ts';

const undo: (() => void)[] = [];
afterEach(() => {
  for (const one of undo.splice(0)) one();
  expect(isObserved()).toBe(false);
});

function listen(to: Channel, act: (message: unknown) => void): void {
  const listener = (message: unknown): void => act(message);
  to.subscribe(listener);
  undo.push(() => to.unsubscribe(listener));
}

/** Records the messages of the channels, with copies of the traces at that time. */
function observe() {
  const reported: { readonly name: string; readonly trace: RequestTrace }[] = [];
  const attempts: AttemptTrace[] = [];
  const tracing = tracingChannel(requestChannel);
  for (const name of ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const) {
    // The channels carry the documented types.
    listen(tracing[name], (message) => reported.push({ name, trace: { ...(message as RequestTrace) } }));
  }
  listen(channel(attemptChannel), (message) => attempts.push(message as AttemptTrace));
  return { reported, attempts, names: () => reported.map(({ name }) => name) };
}

function response(
  status: number,
  body = '{"secret":"sesame"}',
  headers: Record<string, string> = {},
): APIResponse {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(body);
  }
  return { status, headers, body: bytes(), cancel: () => undefined };
}

/** Returns a client whose transport returns the outcomes in turn, the last one repeatedly. */
function client(outcomes: readonly (() => APIResponse | Error)[], options: RESTClientOptions = {}) {
  const sent: APIRequest[] = [];
  const transport = async (request: APIRequest): Promise<APIResponse> => {
    const outcome = outcomes[Math.min(sent.length, outcomes.length - 1)]?.() ?? new Error('nothing to say');
    sent.push(request);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const config = { server: 'https://h:6443/prefix', auth: { token: 'sesame' } };
  return { rest: new RESTClient(config, { ...options, transport }), sent };
}

const again = { 'retry-after': '0' };
const list = {
  operation: { verb: 'get', resource: '/pods' },
  method: 'GET',
  path: '/pods',
  server: 'https://h:6443',
};

describe('an observed call', () => {
  it('is published in the order of a tracing channel', async () => {
    const { reported, names, attempts } = observe();
    const { rest } = client([() => response(200)]);
    const before = performance.now();
    expect(await rest.get('/pods', { query: { limit: 5 } })).toEqual({ secret: 'sesame' });
    const tookMs = performance.now() - before;
    const shown = [reported[3]?.trace.durationMs, attempts[0]?.durationMs];
    expect(shown.filter((ms) => ms === undefined || !(ms >= 0 && ms <= tookMs))).toEqual([]);
    expect(names()).toEqual(['start', 'end', 'asyncStart', 'asyncEnd']);
    expect(reported[0]?.trace).toMatchObject({ ...list, stream: false, attempts: 0, status: undefined });
    expect(reported[3]?.trace).toMatchObject({
      ...list,
      attempts: 1,
      status: 200,
      durationMs: expect.any(Number),
      responseBytes: '{"secret":"sesame"}'.length,
    });
    expect(attempts).toEqual([
      {
        ...list,
        stream: false,
        attempt: 1,
        after: undefined,
        status: 200,
        durationMs: expect.any(Number),
        requestBytes: 0,
      },
    ]);
  });

  it('publishes its error and the outcome of each attempt', async () => {
    const { reported, names, attempts } = observe();
    const reset = () => new TransportError('reset', undefined, { code: 'ECONNRESET' });
    const { rest } = client([() => response(429, '', again), reset, () => response(404, '')]);
    const before = performance.now();
    const error: unknown = await rest.get('/pods').catch((reason: unknown) => reason);
    const tookMs = performance.now() - before;
    expect(names()).toEqual(['start', 'end', 'error', 'asyncStart', 'asyncEnd']);
    const shown = [reported[2]?.trace.durationMs, ...attempts.map(({ durationMs }) => durationMs)];
    expect(shown.filter((ms) => ms === undefined || !(ms >= 0 && ms <= tookMs))).toEqual([]);
    expect(reported[2]?.trace).toMatchObject({
      attempts: 3,
      status: 404,
      error,
      durationMs: expect.any(Number),
    });
    expect(attempts.map(({ attempt, after, status }) => [attempt, after, status])).toEqual([
      [1, undefined, 429],
      [2, '429', undefined],
      [3, 'ECONNRESET', 404],
    ]);
    expect(attempts[1]?.error).toHaveProperty('code', 'ECONNRESET');
  });

  it('publishes the attempt before the end of an aborted call', async () => {
    const { reported, names, attempts } = observe();
    listen(channel(attemptChannel), () => reported.push({ name: 'attempt', trace: {} as RequestTrace }));
    const transport = (request: APIRequest): Promise<APIResponse> =>
      new Promise((_, reject) => {
        request.signal?.addEventListener('abort', () => reject(request.signal?.reason));
      });
    const rest = new RESTClient({ server: 'https://h' }, { transport });
    const error: unknown = await rest.get('/pods', { timeoutMs: 5 }).catch((reason: unknown) => reason);
    expect(names()).toEqual(['start', 'end', 'attempt', 'error', 'asyncStart', 'asyncEnd']);
    expect(attempts).toMatchObject([{ attempt: 1, status: undefined, error }]);
  });

  it('ends when a stream begins', async () => {
    const { reported, names } = observe();
    const { rest, sent } = client([() => response(200)]);
    const operation = { verb: 'watch', resource: 'pods' };
    await rest.stream({ method: 'GET', path: '/pods', query: [], headers: {}, operation });
    expect(names()).toEqual(['start', 'end', 'asyncStart', 'asyncEnd']);
    expect(reported[3]?.trace).toMatchObject({ operation, stream: true, status: 200 });
    expect(sent[0]?.stream).toBe(true);
  });

  it('runs in the context of its start', async () => {
    const store = new AsyncLocalStorage<string>();
    const { start } = tracingChannel(requestChannel);
    start.bindStore(store, () => 'the span of the call');
    undo.push(() => void start.unbindStore(store));
    const seen: (string | undefined)[] = [];
    listen(channel(attemptChannel), () => seen.push(store.getStore()));
    const { rest } = client([() => response(503, '', again), () => response(200)]);
    await store.run('of the caller', async () => {
      await rest.get('/pods');
      seen.push(store.getStore());
    });
    expect(seen).toEqual(['the span of the call', 'the span of the call', 'of the caller']);
  });

  it('sends only allowed headers of tracers', async () => {
    const responses: Record<string, boolean> = {};
    listen(tracingChannel(requestChannel).start, (message) => {
      const trace = message as RequestTrace;
      const headers = {
        TraceParent: '00-1-2-01',
        authorization: 'Bearer other',
        'impersonate-user': 'admin',
        'content-type': 'text/plain',
        host: 'elsewhere',
        'x-given': 'by the tracer',
        'bad name': 'x',
        tracestate: 'a\r\nx-remote-user: admin',
      };
      for (const [name, value] of Object.entries(headers)) responses[name] = trace.setHeader(name, value);
    });
    const { rest, sent } = client([() => response(503, '', again), () => response(200)]);
    await rest.get('/pods', { headers: { 'X-Given': 'by the caller' } });
    expect(Object.entries(responses).filter(([, taken]) => taken)).toEqual([['TraceParent', true]]);
    expect(sent).toHaveLength(2);
    for (const { headers } of sent) {
      expect(headers).toMatchObject({ traceparent: '00-1-2-01', authorization: 'Bearer sesame' });
      expect(headers).toMatchObject({ accept: 'application/json, */*', 'x-given': 'by the caller' });
      expect(headers).not.toHaveProperty('impersonate-user');
    }
  });

  it('publishes neither credentials nor bodies', async () => {
    const messages: unknown[] = [];
    const { start, end, asyncStart, asyncEnd, error } = tracingChannel(requestChannel);
    for (const one of [start, end, asyncStart, asyncEnd, error, channel(attemptChannel)]) {
      listen(one, (message) => messages.push(message));
    }
    const { rest } = client([() => response(200), () => response(403, '')]);
    const options = {
      headers: { authorization: 'Bearer sesame' },
      body: 'sesame',
      query: { token: 'sesame' },
    };
    await rest.post('/token', options);
    await rest.post('/token', options).catch(() => undefined);
    expect(messages).toHaveLength(11);
    const shown = messages.map((one) => [
      inspect(one, { depth: null, showHidden: true }),
      JSON.stringify(one),
    ]);
    expect(shown.join('\n')).not.toContain('sesame');
  });

  it('does not fail for a configuration without a server URL', async () => {
    const { reported } = observe();
    const rest = new RESTClient({ server: '' }, { transport: async () => response(200) });
    await rest.get('/pods');
    expect(reported[0]?.trace.server).toBe(undefined);
  });
});

it('publishes nothing without observers', async () => {
  const { rest, sent } = client([() => response(200)]);
  await rest.get('/pods');
  expect(Object.getOwnPropertySymbols(sent[0])).toEqual([]);
  observe();
  await rest.get('/pods');
  expect(Object.getOwnPropertySymbols(sent[1])).toEqual([observation]);
});

describe('the log line of an attempt', () => {
  const trace: AttemptTrace = {
    operation: { verb: 'list', resource: 'pods' },
    method: 'GET',
    path: '/api/v1/pods',
    server: 'https://h:6443',
    stream: false,
    attempt: 1,
    after: undefined,
    status: 200,
    durationMs: 12.4,
    requestBytes: 0,
  };
  it.each<{ given: Partial<AttemptTrace>; query?: APIRequest['query']; want: string }>([
    { given: {}, want: 'GET https://h:6443/api/v1/pods 200 in 12 ms (list pods)' },
    {
      given: { attempt: 2, after: '429' },
      query: [
        ['continue', 'abc'],
        ['limit', '5'],
      ],
      want: 'GET https://h:6443/api/v1/pods?continue=abc&limit=5 200 in 12 ms (list pods), attempt 2 after 429',
    },
    {
      given: { status: undefined, error: new TransportError('x', undefined, { code: 'ECONNRESET' }) },
      want: 'GET https://h:6443/api/v1/pods ECONNRESET in 12 ms (list pods)',
    },
    {
      given: { status: undefined, error: new TypeError('sesame'), server: undefined },
      query: [
        ['access_token', 'sesame'],
        ['command', 'login sesame'],
      ],
      want: 'GET /api/v1/pods?access_token=hidden&command=hidden TypeError in 12 ms (list pods)',
    },
    { given: { path: '/a\u001b[2J\n' }, want: 'GET https://h:6443/a?[2J? 200 in 12 ms (list pods)' },
  ])('$want', ({ given, query = [], want }) => {
    expect(attemptLine({ ...trace, ...given }, query)).toBe(want);
  });

  it.each([
    ['application/vnd.kubernetes.protobuf;stream=watch', '(list pods), protobuf, attempt 2 after 406'],
    ['application/json', '(list pods), attempt 2 after 406'],
  ])('contains the encoding of a protobuf response: %s', (type, want) => {
    const again: AttemptTrace = { ...trace, attempt: 2, after: '406' };
    const line = attemptLine(again, [], { headers: { 'content-type': type } });
    expect(line).toBe(`GET https://h:6443/api/v1/pods 200 in 12 ms ${want}`);
  });
});
