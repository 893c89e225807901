import type { ClientHttp2Session } from 'node:http2';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { Http2Stream, http2Headers } from './http2-stream.ts';

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
