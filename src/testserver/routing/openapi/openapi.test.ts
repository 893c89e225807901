import { expect, test } from 'vitest';
import { start } from '../../client.fixture.ts';
import { encodeDocument } from './document-protobuf.ts';
import { encodeSwagger } from './swagger-protobuf.ts';

const protobuf = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

const document = protobuf.replace('v2', 'v3');

test.each<[string, string, number, string | null]>([
  ['v2', '', 200, 'application/json'],
  ['v2', 'application/*', 200, 'application/json'],
  ['v2', protobuf, 200, protobuf],
  ['v2', protobuf.replace('v2.', 'v2@'), 200, protobuf],
  ['v2', `application/json;q=0.5, ${protobuf}`, 200, protobuf],
  ['v2', 'application/yaml', 406, null],
  ['v2/', '', 404, 'text/plain; charset=utf-8'],
  ['v3', 'application/yaml', 200, 'text/plain; charset=utf-8'],
  ['v3/', '', 404, null],
  ['v3/version', 'application/json', 200, 'application/json'],
  ['v3/version', document, 200, document],
  ['v3/version', document.replace('v3.', 'v3@'), 200, document],
  ['v3/version', 'application/yaml', 406, null],
  ['v3/nothing', '', 404, null],
])('the document %s for %j has the status %i and the type %s', async (path, accept, code, type) => {
  const server = await start({});
  const headers = { Authorization: `Bearer ${server.config.auth?.token}`, Accept: accept };
  const response = await fetch(`${server.url}/openapi/${path}`, { headers });
  await response.body?.cancel();
  expect([response.status, response.headers.get('content-type')]).toEqual([code, type]);
});

test('a document that moved has another hash', async () => {
  const server = await start({});
  const headers = { Authorization: `Bearer ${server.config.auth?.token}` };
  const get = (path: string) => fetch(`${server.url}${path}`, { headers, redirect: 'manual' });
  const { headers: moved, status } = await get('/openapi/v3/version?hash=1');
  expect(status).toBe(301);
  const found = await get(moved.get('location') ?? '');
  expect([found.status, found.headers.get('cache-control')]).toEqual([200, 'public, immutable']);
  expect(found.headers.get('etag')).toBe(moved.get('etag'));
});

const hex = (text: string): string => Buffer.from(text).toString('hex');

test('encodes alternatives, defaults and references of version 3 in protobuf', () => {
  const schemas = {
    A: { type: 'string', default: '', additionalProperties: false },
    B: { $ref: '#/A' },
  };
  const named = [
    '0a1a 0a0141 1215 0a13', // A is a schema
    `ca0106${hex('string')}`,
    '820202 1000', // the alternative `false`
    '8a0202 1a00', // the empty string
    '0a0c 0a0142 1207 1205', // B is a reference
    `0a03${hex('#/A')}`,
  ];
  const want = `2a2c0a2a${named.join('').replaceAll(' ', '')}`;
  expect(Buffer.from(encodeDocument({ components: { schemas } })).toString('hex')).toBe(want);
});

test('encodes members, maps, alternatives and extensions in protobuf', () => {
  const document = {
    swagger: '2.0',
    definitions: {
      A: {
        type: 'object',
        maximum: 1,
        additionalProperties: { type: 'string' },
        'x-a': { b: true },
      },
    },
  };
  const schema = [
    `390${'0'.repeat(11)}f03f`,
    'aa010d0a0b',
    `b20108 0a06${hex('string')}`,
    `b20108 0a06${hex('object')}`,
    `fa0114 0a03${hex('x-a')} 120d 120b ${hex('{"b":true}\n')}`,
  ].join('');
  const bytes = schema.replaceAll(' ', '');
  const length = (text: string): string => (text.length / 2).toString(16).padStart(2, '0');
  const named = `0a01${hex('A')}12${length(bytes)}${bytes}`;
  const definitions = `0a${length(named)}${named}`;
  const want = `0a03${hex('2.0')}4a${length(definitions)}${definitions}`;
  expect(Buffer.from(encodeSwagger(document)).toString('hex')).toBe(want);
});
