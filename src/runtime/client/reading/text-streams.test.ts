import { afterEach, describe, expect, it, vi } from 'vitest';
import { ByteStream } from '../../../../test/support/runtime/byte-stream.ts';
import { settle } from '../../../../test/support/runtime/fake-clock.ts';
import { holdTime, until } from '../../../../test/support/runtime/no-time-passes.ts';
import { Seeded } from '../../../../test/support/runtime/random.ts';
import { isApiError, isDecodeError, isTimeoutError, TransportError } from '../../api/errors.ts';
import type { ResourceFacts } from '../../api/resource.ts';
import type { APIRequest, APIResponse } from '../../api/transport.ts';
import { RESTClient } from '../../rest/client.ts';
import { lineLimit } from '../../watch/stream/lines.ts';
import { ResourceClient } from '../resource-client.ts';

const pods: ResourceFacts = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  listKind: 'PodList',
  plural: 'pods',
  singular: 'pod',
  scope: 'Namespaced',
  verbs: [],
};

/** Response to the request for the pod, whose annotation may name a container. */
const absent: APIResponse = {
  status: 404,
  headers: {},
  body: { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }) },
  cancel: () => undefined,
};

/** Creates a client of pods with the same response to every request for a log. */
function responded(response: APIResponse) {
  const requests: APIRequest[] = [];
  const transport = async (request: APIRequest): Promise<APIResponse> => {
    if (request.path.endsWith('/pods/web')) return absent;
    requests.push(request);
    return response;
  };
  const rest = new RESTClient({ server: 'http://unused' }, { transport });
  return { client: new ResourceClient(rest, { resource: pods, namespace: 'shop' }), requests };
}

function streaming() {
  const stream = new ByteStream();
  return { ...responded(stream.response), stream };
}

/** Parameters of a log, which are known to generated code only. */
const follow: object = { follow: true };

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of source) all.push(one);
  return all;
}

/** Cuts bytes into pieces of random sizes. */
function pieces(bytes: Uint8Array, random: Seeded): Uint8Array[] {
  const all: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + random.below(5);
    all.push(bytes.subarray(at, at + size));
    at += size;
  }
  return all;
}

describe('a log that is not available yet', () => {
  const later: APIResponse = {
    status: 429,
    headers: { 'retry-after': '60' },
    body: { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }) },
    cancel: () => undefined,
  };
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([
    ['whole', (client: ReturnType<typeof responded>['client']) => client.getLog('web', { timeoutMs: 20 })],
    [
      'by lines',
      (client: ReturnType<typeof responded>['client']) => collect(client.streamLog('web', { timeoutMs: 20 })),
    ],
  ])('times out with the last response as cause: %s', async (_, request) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const end = request(responded(later).client).catch((cause: unknown) => cause);
    // The timeout and the delay of `Retry-After`: the response has been read.
    while (vi.getTimerCount() < 2) await settle();
    vi.advanceTimersByTime(20);
    const error: unknown = await end;
    expect(vi.getTimerCount()).toBe(0);
    expect(error).toMatchObject({ name: 'TimeoutError', cause: { name: 'ApiError', code: 429 } });
    expect(error).toHaveProperty(
      'message',
      expect.stringMatching(
        /^get pods\/log shop\/web: timed out after 20 ms; last response: 429 TooManyRequests: /,
      ),
    );
  });
});

describe('a log by lines', () => {
  it.each<{ given: string; want: string[] }>([
    { given: '', want: [] },
    { given: 'one\ntwo\n', want: ['one', 'two'] },
    { given: 'one\ntwo', want: ['one', 'two'] },
    { given: '\n\n a \n', want: ['', '', ' a '] },
    { given: 'one\r\ntwo\r\n', want: ['one\r', 'two\r'] },
    { given: 'grüße 日本語\n🙂', want: ['grüße 日本語', '🙂'] },
  ])('$given', async ({ given, want }) => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const { client, stream } = streaming();
      for (const piece of pieces(Buffer.from(given), new Seeded(seed))) stream.push(piece);
      stream.end();
      expect(await collect(client.streamLog('web')), `seed ${seed}`).toEqual(want);
    }
  });

  it('is requested with its parameters when the first line is requested', async () => {
    const { client, stream, requests } = streaming();
    stream.end();
    const options = { follow: true, sinceTime: '2024-01-31T12:00:00Z', headers: { 'X-A': 'b' } };
    const lines = client.streamLog('web', options);
    expect(requests).toEqual([]);
    await collect(lines);
    expect(requests).toMatchObject([
      {
        method: 'GET',
        path: '/api/v1/namespaces/shop/pods/web/log',
        query: [
          ['follow', 'true'],
          ['sinceTime', '2024-01-31T12:00:00Z'],
        ],
        headers: { accept: 'text/plain, */*', 'x-a': 'b' },
        stream: true,
        operation: { verb: 'get', resource: 'pods/log', namespace: 'shop', name: 'web' },
      },
    ]);
  });

  it('does not read ahead', async () => {
    const { client, stream } = streaming();
    for (const line of ['a\n', 'b\n', 'c\n']) stream.push(line);
    const lines = client.streamLog('web')[Symbol.asyncIterator]();
    await lines.next();
    expect(stream.reads).toBe(1);
    await lines.next();
    expect(stream.reads).toBe(2);
    await lines.return?.();
  });

  it('frees the connection when the loop is left', async () => {
    const { client, stream } = streaming();
    stream.push('a\nb\n');
    for await (const line of client.streamLog('web', follow)) {
      expect(line).toBe('a');
      break;
    }
    expect(stream.cancelled).toBe(true);
  });

  it('ends with the reason of its signal, also during a wait and between lines of one chunk', async () => {
    const reason = new Error('enough');
    const waiting = streaming();
    const controller = new AbortController();
    const next = collect(waiting.client.streamLog('web', { signal: controller.signal }));
    waiting.stream.push('a\n');
    setImmediate(() => controller.abort(reason));
    await expect(next).rejects.toBe(reason);

    const { client, stream } = streaming();
    const second = new AbortController();
    stream.push('a\nb\n');
    const lines = client.streamLog('web', { signal: second.signal })[Symbol.asyncIterator]();
    expect(await lines.next()).toEqual({ done: false, value: 'a' });
    second.abort(reason);
    await expect(lines.next()).rejects.toBe(reason);
    expect(stream.cancelled).toBe(true);
  });

  it('with follow, ends without an error by its signal, also during a wait and between lines of one chunk', async () => {
    const waiting = streaming();
    const controller = new AbortController();
    const lines = collect(waiting.client.streamLog('web', { ...follow, signal: controller.signal }));
    waiting.stream.push('a\nb');
    await expect.poll(() => waiting.stream.reads).toBe(2);
    controller.abort();
    expect(await lines).toEqual(['a']);
    expect(waiting.stream.cancelled).toBe(true);

    const { client, stream } = streaming();
    const second = new AbortController();
    stream.push('a\nb\n');
    const seen: string[] = [];
    for await (const line of client.streamLog('web', { ...follow, signal: second.signal })) {
      seen.push(line);
      second.abort();
    }
    await settle();
    expect([seen, stream.cancelled]).toEqual([['a'], true]);
  });

  it('with follow, sends no request for an aborted signal, and ends without an error', async () => {
    const { client, requests } = streaming();
    expect(await collect(client.streamLog('web', { ...follow, signal: AbortSignal.abort() }))).toEqual([]);
    expect(requests).toEqual([]);
  });

  it('can be left while it waits for a line', async () => {
    const { client, stream } = streaming();
    const lines = client.streamLog('web', follow)[Symbol.asyncIterator]();
    const waiting = lines.next();
    await expect.poll(() => stream.reads).toBe(1);
    await lines.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(stream.cancelled).toBe(true);
  });

  it('yields the complete lines before an interruption', async () => {
    const { client, stream } = streaming();
    const broken = new TransportError('reset');
    stream.push('a\nb');
    stream.fail(broken);
    const lines = client.streamLog('web')[Symbol.asyncIterator]();
    expect(await lines.next()).toEqual({ done: false, value: 'a' });
    await expect(lines.next()).rejects.toBe(broken);
  });

  it('times out', async () => {
    holdTime();
    const { client, stream } = streaming();
    const end = collect(client.streamLog('web', { timeoutMs: 5 })).catch((cause) => cause);
    await until(() => stream.reads === 1);
    vi.advanceTimersByTime(5);
    const error: unknown = await end;
    expect(isTimeoutError(error)).toBe(true);
    expect(error).toHaveProperty(
      'message',
      'get pods/log shop/web: timed out after 5 ms: the response was not complete',
    );
    expect(stream.cancelled).toBe(true);
  });

  it('throws DecodeError for a line above the limit', async () => {
    const { client, stream } = streaming();
    stream.push(new Uint8Array(lineLimit).fill(97));
    stream.push('a');
    const error: unknown = await collect(client.streamLog('web')).catch((cause) => cause);
    expect(isDecodeError(error)).toBe(true);
    expect(String(error)).toMatch(/request bytes/);
    expect(stream.cancelled).toBe(true);
  });

  it('throws before the first line if the server rejects the request', async () => {
    const stream = new ByteStream();
    stream.push(
      '{"kind":"Status","status":"Failure","reason":"BadRequest","message":"no container","code":400}',
    );
    stream.end();
    const { client } = responded({ ...stream.response, status: 400 });
    const error: unknown = await collect(client.streamLog('web')).catch((cause) => cause);
    expect(isApiError(error)).toBe(true);
    expect(error).toHaveProperty('message', 'get pods/log shop/web: 400 BadRequest: no container');
  });
});

describe('a log', () => {
  it('as bytes is unchanged', async () => {
    const { client, stream } = streaming();
    stream.push(Uint8Array.of(0xff, 10));
    stream.push(Uint8Array.of(0xc3));
    stream.end();
    const chunks: Uint8Array[] = await collect(client.streamLog('web', { as: 'bytes' }));
    expect(Buffer.concat(chunks)).toEqual(Buffer.from([0xff, 10, 0xc3]));
  });

  it('as a whole is one string, JSON or not', async () => {
    const { client, stream } = streaming();
    stream.push('{"level":"info"}\n');
    stream.push('');
    stream.end();
    expect(await client.getLog('web')).toBe('{"level":"info"}\n');
  });

  it('as a whole ends with the reason of its signal', async () => {
    const { client, stream } = streaming();
    const controller = new AbortController();
    const reason = new Error('enough');
    const log = client.getLog('web', { signal: controller.signal });
    stream.push('a');
    setImmediate(() => controller.abort(reason));
    await expect(log).rejects.toBe(reason);
  });
});
