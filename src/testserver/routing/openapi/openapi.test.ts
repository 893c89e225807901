import { expect, test } from 'vitest';
import { start } from '../../client.fixture.ts';
import { encodeSwagger } from './swagger-protobuf.ts';

const protobuf = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

test.each<[string, string, number, string]>([
  ['v2', '', 200, 'application/json'],
  ['v2', 'application/*', 200, 'application/json'],
  ['v2', protobuf, 200, protobuf],
  ['v2', protobuf.replace('v2.', 'v2@'), 200, protobuf],
  ['v2', `application/json;q=0.5, ${protobuf}`, 200, protobuf],
  ['v2', 'application/yaml', 406, 'text/plain; charset=utf-8'],
  ['v3/version', 'application/json', 200, 'application/json'],
  ['v3/version', 'application/yaml', 406, 'text/plain; charset=utf-8'],
])('the document %s for %j has the status %i and the type %s', async (path, accept, code, type) => {
  const server = await start({});
  const headers = { Authorization: `Bearer ${server.config.auth?.token}`, Accept: accept };
  const response = await fetch(`${server.url}/openapi/${path}`, { headers });
  await response.body?.cancel();
  expect([response.status, response.headers.get('content-type')]).toEqual([code, type]);
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
  const hex = (text: string): string => Buffer.from(text).toString('hex');
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
