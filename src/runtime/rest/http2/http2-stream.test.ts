import type { ClientHttp2Session } from 'node:http2';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type Dispatched, Http2Stream, http2Headers } from './http2-stream.ts';

it('reports the head before data, even if Node emits them in reverse order', async () => {
  const stream = Object.assign(new PassThrough(), { rstCode: 0, setTimeout: () => undefined });
  // Only the stream of the session is used.
  const session = { request: () => stream } as unknown as ClientHttp2Session;
  const seen: string[] = [];
  const ended = new Promise<void>((resolve) => {
    const handler = {
      onResponseStart: (_: unknown, status: number) => void seen.push(String(status)),
      onResponseData: (_: unknown, chunk: Buffer) => void seen.push(chunk.toString()),
      onResponseEnd: () => resolve(),
    };
    const events = { heard: () => undefined, refused: () => undefined, closed: () => undefined };
    new Http2Stream({ options: { method: 'GET', path: '/' }, handler }, events).start(session, 'https://api');
    stream.end('{}');
    setImmediate(() => stream.emit('response', { ':status': 200 }));
  });
  await ended;
  expect(seen).toEqual(['200', '{}']);
});

it('converts headers to the format of Node', () => {
  const headers = [
    'accept',
    'a',
    'impersonate-group',
    'a',
    'impersonate-group',
    'b',
    'impersonate-group',
    'c',
  ];
  expect(http2Headers({ method: 'POST', path: '/x', headers, body: 'ä' }, 'https://api.test:6443')).toEqual({
    ':method': 'POST',
    ':path': '/x',
    ':scheme': 'https',
    ':authority': 'api.test:6443',
    accept: 'a',
    'impersonate-group': ['a', 'b', 'c'],
    'content-length': '2',
  });
});

it.each<[headers: string[], body: string | Uint8Array | null, want: object]>([
  [['Host', 'other.test'], null, { ':authority': 'other.test' }],
  [['a', ' \tx y\t '], '', { a: 'x y', 'content-length': '0' }],
  [['A', '1', 'a', '2'], Buffer.from('abc'), { a: ['1', '2'], 'content-length': '3' }],
  [['__proto__', '1'], null, JSON.parse('{"__proto__":"1"}')],
])('writes the headers %j with a body %j', (headers, body, want) => {
  const options: Dispatched['options'] = { method: 'POST', path: '/', headers: [...headers], body };
  const usual = { ':method': 'POST', ':path': '/', ':scheme': 'https', ':authority': 'api' };
  const written = http2Headers(options, 'https://api');
  expect(Object.entries(written).sort()).toEqual(Object.entries({ ...usual, ...want }).sort());
});

/** A stream like those of Node, whose peer is the test. It closes when the test emits `close`. */
class FakeStream extends PassThrough {
  rstCode = 0;
  readonly timeouts: number[] = [];
  readonly closedWith: number[] = [];
  readonly ends: unknown[] = [];

  constructor() {
    super({ autoDestroy: false });
  }

  setTimeout(ms: number): void {
    this.timeouts.push(ms);
  }

  close(code: number): void {
    this.closedWith.push(code);
  }

  override end(...content: unknown[]): this {
    this.ends.push(...content);
    return this;
  }

  /** Ends the received data. */
  finish(): void {
    super.end();
  }
}

/** Returns a request on a fake stream, and the events that its handler and its connection received. */
function given(options: Partial<Dispatched['options']> = {}, onRequestStart: () => void = () => undefined) {
  const node = new FakeStream();
  const seen: string[] = [];
  const requested: unknown[] = [];
  // Only streams are requested from a session.
  const session = {
    request: (...args: unknown[]) => {
      requested.push(args[1]);
      return node;
    },
  } as unknown as ClientHttp2Session;
  const handler: Dispatched['handler'] = {
    onRequestStart: () => onRequestStart(),
    onResponseStart: (_, status) => void seen.push(`head ${status}`),
    onResponseData: (_, chunk) => void seen.push(`data ${chunk}`),
    onResponseEnd: () => void seen.push('end'),
    onResponseError: (_, error) => void seen.push(`error ${'code' in error ? error.code : error.message}`),
  };
  const stream = new Http2Stream(
    {
      options: { method: 'GET', path: '/', headersTimeout: 10, bodyTimeout: 20, ...options },
      handler,
    },
    {
      heard: () => void seen.push('heard'),
      refused: () => void seen.push('refused'),
      closed: () => void seen.push('closed'),
    },
  );
  const start = (): void => stream.start(session, 'https://api');
  return { node, seen, requested, stream, start };
}

/** Waits until streams have emitted their pending events. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const head = { ':status': 200 };
const [noError, protocolError, refusedStream, cancel, internal] = [0, 1, 7, 8, 2];

describe('a stream', () => {
  it('reports a response from its head to its end', async () => {
    const { node, seen, start } = given();
    start();
    node.emit('response', head);
    node.write('abc');
    node.finish();
    await settled();
    node.emit('close');
    expect(seen).toEqual(['heard', 'head 200', 'heard', 'data abc', 'end', 'closed']);
    expect(node.timeouts).toEqual([10, 20]);
  });

  it.each([
    [null, true, []],
    [undefined, true, []],
    ['', false, ['']],
    ['abc', false, ['abc']],
  ])('sends the body %j', (body, endStream, ends) => {
    const { node, requested, start } = given(body === undefined ? {} : { body });
    start();
    expect(requested).toEqual([{ endStream }]);
    expect(node.ends).toEqual(ends);
  });

  it.each<[name: string, code: number, error: unknown, answered: boolean, want: string]>([
    ['refused before the head', refusedStream, undefined, false, 'refused'],
    ['refused after the head', refusedStream, undefined, true, 'error ERR_HTTP2_STREAM_ERROR'],
    ['reset', internal, undefined, false, 'error ERR_HTTP2_STREAM_ERROR'],
    ['reset after the head', internal, undefined, true, 'error ERR_HTTP2_STREAM_ERROR'],
    [
      'reset with an error',
      internal,
      { code: 'ERR_HTTP2_STREAM_ERROR' },
      true,
      'error ERR_HTTP2_STREAM_ERROR',
    ],
    [
      'reset with an error alone',
      noError,
      { code: 'ERR_HTTP2_STREAM_ERROR' },
      true,
      'error ERR_HTTP2_STREAM_ERROR',
    ],
    ['closed', noError, undefined, false, 'error UND_ERR_SOCKET'],
    ['lost with its session', internal, { code: 'ERR_HTTP2_SESSION_ERROR' }, false, 'error UND_ERR_SOCKET'],
    ['lost with its socket', internal, { code: 'ECONNRESET' }, false, 'error ECONNRESET'],
    ['lost without a code', internal, {}, false, 'error UND_ERR_SOCKET'],
  ])('that is %s reports it once', (_, code, error, answered, want) => {
    const { node, seen, start } = given();
    start();
    if (answered) node.emit('response', head);
    node.rstCode = code;
    if (error !== undefined) node.emit('error', Object.assign(new Error('lost'), error));
    node.emit('close');
    expect(seen.filter((event) => event !== 'heard' && event !== 'head 200')).toEqual([want, 'closed']);
  });

  it.each([{}, { ':status': 0 }, { ':status': 101 }])(
    'whose response has the head %j fails',
    async (wrong) => {
      const { node, seen, start } = given();
      start();
      node.emit('response', wrong);
      node.finish();
      await settled();
      node.emit('close');
      expect(seen).toEqual(['heard', 'error ERR_HTTP2_STATUS_INVALID', 'closed']);
      expect(node.closedWith).toEqual([protocolError]);
    },
  );

  it('that ends after a reset is not complete', async () => {
    const { node, seen, start } = given();
    start();
    node.emit('response', head);
    node.rstCode = internal;
    node.resume();
    node.finish();
    await settled();
    expect(seen).not.toContain('end');
  });

  it.each([
    [false, 'error UND_ERR_HEADERS_TIMEOUT'],
    [true, 'error UND_ERR_BODY_TIMEOUT'],
  ])('on which nothing comes is given up; after the head: %s', (answered, want) => {
    const { node, seen, stream, start } = given();
    start();
    if (answered) node.emit('response', head);
    stream.pause();
    node.emit('timeout');
    expect(node.closedWith).toEqual([]);
    stream.resume();
    node.emit('timeout');
    expect(seen.at(-1)).toBe(want);
    expect(node.closedWith).toEqual([cancel]);
  });

  it('that is aborted reports the reason, and nothing after it', () => {
    const { node, seen, stream, start } = given();
    start();
    expect([stream.aborted, stream.reason]).toEqual([false, null]);
    const reason = new Error('enough');
    stream.abort(reason);
    stream.abort(new Error('again'));
    node.emit('response', head);
    node.emit('error', new Error('lost'));
    expect([stream.aborted, stream.reason]).toEqual([true, reason]);
    expect(seen).toEqual(['error enough', 'heard']);
    expect(node.closedWith).toEqual([cancel]);
  });

  it('that is over when it is aborted stays as it is', async () => {
    const { node, seen, stream, start } = given();
    start();
    node.emit('response', head);
    node.finish();
    await settled();
    stream.abort(new Error('late'));
    expect(seen.at(-1)).toBe('end');
    expect(node.closedWith).toEqual([]);
  });

  it('whose handler refuses it is not sent', () => {
    const { seen, requested, start } = given({}, () => {
      throw new Error('unwanted');
    });
    start();
    expect([requested, seen]).toEqual([[], ['error unwanted', 'closed']]);
  });

  it('that is paused before its head keeps its bytes until it is resumed', async () => {
    const { node, seen, stream, start } = given();
    start();
    stream.pause();
    expect(stream.paused).toBe(true);
    node.emit('response', head);
    node.write('abc');
    await settled();
    expect(seen).toEqual(['heard', 'head 200']);
    stream.resume();
    await settled();
    expect(stream.paused).toBe(false);
    expect(seen).toContain('data abc');
  });
});
