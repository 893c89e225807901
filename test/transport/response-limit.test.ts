/** Responses that exceed the limit of a program. */
import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { isApiError, isDecodeError, type RESTClient } from '@kgen/runtime';
import { DynamicClient } from '@kgen/runtime/dynamic';
import { describe, expect, it } from 'vitest';
import {
  configMapBytes,
  configMaps,
  inProtobuf,
  listInProtobuf,
  responding,
} from '../../src/runtime/client/protobuf.fixture.ts';
import { ResourceClient } from '../../src/runtime/client/resource-client.ts';
import type { RESTClientOptions } from '../../src/runtime/exports/index.ts';
import { failure, listen, open } from './support.ts';

type ScriptedResponse = (response: ServerResponse, path: string) => void;

/** Starts a server and counts its open connections. */
async function serve(reply: ScriptedResponse, options: RESTClientOptions = {}) {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => reply(response, request.url ?? ''));
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const rest = open({ server: `http://127.0.0.1:${await listen(server)}` }, options);
  return { rest, sockets };
}

const json = { 'content-type': 'application/json' };
const things = { group: 'a.io', version: 'v1', resource: 'things' };

function list(items: number, size: number): string {
  const spec = { text: 'x'.repeat(size) };
  const item = (name: string) => ({
    metadata: { name, namespace: 'a', uid: name, resourceVersion: '1' },
    spec,
  });
  const objects = Array.from({ length: items }, (_, index) => item(`n${index}`));
  return JSON.stringify({ apiVersion: 'a.io/v1', kind: 'ThingList', metadata: {}, items: objects });
}

const tooLong = (limit: number): RegExp =>
  new RegExp(`: the response exceeds the limit of ${limit} bytes \\(maxResponseBytes\\)$`);

async function refused(promise: Promise<unknown>, limit: number): Promise<void> {
  const error = await failure(promise);
  expect(error.message).toMatch(tooLong(limit));
  expect(isDecodeError(error)).toBe(true);
}

describe('maxResponseBytes', () => {
  const small = 64 * 1024;
  const large = 1024 * 1024;
  const bodies: Readonly<Record<string, readonly [limit: number, response: ScriptedResponse]>> = {
    'a short body': [10, (response) => response.writeHead(200, json).end('{"a":"0123456789"}')],
    'a body without an end': [
      small,
      (response) => {
        response.writeHead(200, json).write('{"a":"');
        const chunk = 'x'.repeat(16 * 1024);
        const more = (): void => {
          while (!response.destroyed && response.write(chunk));
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      },
    ],
    'a long list': [large, (response) => response.writeHead(200, json).end(list(400, 4096))],
    'a body that is small before it is decompressed': [
      small,
      (response) => {
        const headers = { ...json, 'content-encoding': 'gzip' };
        response.writeHead(200, headers).end(gzipSync(list(1000, 4096)));
      },
    ],
    text: [10, (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(20))],
  };

  it.each(Object.entries(bodies))('aborts %s, and closes its connection', async (_, [limit, reply]) => {
    const { rest, sockets } = await serve(reply, { maxResponseBytes: limit });
    const things = rest.get('/apis/a.io/v1/things');
    await refused(things, limit);
    // A short body is complete, so its connection can be reused.
    await rest.close();
    await expect.poll(() => sockets.size).toBe(0);
  });

  it('applies to each page of a list, and names the request', async () => {
    const { rest } = await serve((response) => response.writeHead(200, json).end(list(2, 1000)), {
      maxResponseBytes: 1500,
    });
    const client = new DynamicClient(rest).resource(things);
    const error = await failure(client.list());
    expect(error.message).toMatch(/^list things: the response exceeds the limit of 1500 bytes/);
    const iterated = async (): Promise<void> => {
      for await (const _ of client.iterate());
    };
    await refused(iterated(), 1500);
    expect((await client.list({ maxResponseBytes: 5000 })).items).toHaveLength(2);
  });

  it('prefers the limit of the call to that of the client', async () => {
    const { rest } = await serve((response) => response.writeHead(200, json).end('{"a":"0123456789"}'));
    expect(await rest.get('/a')).toEqual({ a: '0123456789' });
    await refused(rest.get('/a', { maxResponseBytes: 17 }), 17);
    expect(await rest.get('/a', { maxResponseBytes: 18 })).toEqual({ a: '0123456789' });
    const limits = [0, -1, Number.NaN];
    for (const maxResponseBytes of limits) {
      expect(await failure(rest.get('/a', { maxResponseBytes }))).toMatchObject({ name: 'RangeError' });
    }
  });

  it('truncates the body of an error, which remains that error', async () => {
    const { rest } = await serve(
      (response) => response.writeHead(500, { 'content-type': 'text/plain' }).end(`why: ${'x'.repeat(100)}`),
      { maxResponseBytes: 10 },
    );
    const error = await failure(rest.get('/a'));
    expect(isApiError(error)).toBe(true);
    expect(error.message).toMatch(/^get \/a: 500 InternalError: .*: why: xxxxx$/);
  });

  it.each([
    ['an object', inProtobuf(configMapBytes())],
    [
      'a long list',
      listInProtobuf(...Array.from({ length: 9000 }, () => configMapBytes({ data: { a: 'b' } }))),
    ],
  ])('applies to %s in protobuf', async (_, reply) => {
    const limit = reply.body.length - 1;
    const { rest } = responding(() => reply, { maxResponseBytes: limit });
    const target = { resource: configMaps().resource, namespace: 'shop' };
    const client = new ResourceClient(rest, target);
    await refused(reply.body.length < 1000 ? client.get('web') : client.list(), limit);
    const { rest: enough } = responding(() => reply, { maxResponseBytes: limit + 1 });
    const other = new ResourceClient(enough, target);
    await (reply.body.length < 1000 ? other.get('web') : other.list());
  });

  it('applies to each event of a watch', async () => {
    const event = (index: number, size: number): string =>
      `${JSON.stringify({
        type: 'ADDED',
        object: {
          apiVersion: 'a.io/v1',
          kind: 'Thing',
          metadata: { name: `n${index}`, namespace: 'a', uid: `n${index}`, resourceVersion: `${index + 2}` },
          spec: { text: 'x'.repeat(size) },
        },
      })}\n`;
    const { rest } = await serve((response, path) => {
      response.writeHead(200, json);
      const seen = Number(new URL(path, 'http://a').searchParams.get('resourceVersion'));
      for (let index = seen - 1; index < 20; index += 1) response.write(event(index, 500));
      response.write(event(20, 2000));
    });
    const seen: string[] = [];
    const options = { resourceVersion: '1', maxResponseBytes: 1000 };
    const follow = async (): Promise<void> => {
      for await (const { object } of new DynamicClient(rest).resource(things).watch(options)) {
        seen.push(object.metadata.name);
      }
    };
    const error = await failure(follow());
    expect(isDecodeError(error)).toBe(true);
    expect(error.message).toMatch(/^watch things: .*a line is longer than 1000 bytes/);
    expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => `n${index}`));
  });

  it('does not apply to streamed bytes', async () => {
    const { rest } = await serve((response) => response.end('x'.repeat(5000)), { maxResponseBytes: 10 });
    expect(await lengthOf(rest)).toBe(5000);
  });
});

async function lengthOf(rest: RESTClient): Promise<number> {
  const operation = { verb: 'get', resource: 'pods/log' };
  const request = { method: 'GET', path: '/log', query: [], headers: {}, operation } as const;
  let length = 0;
  for await (const chunk of (await rest.stream(request)).body) length += chunk.length;
  return length;
}
