import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../input/crd/crd-input.ts';
import type { Operation } from './openapi.ts';
import { document } from './paths.fixture.ts';
import { openApi3, readPaths } from './read.ts';

const options = { known: (name: string) => name === 'Foo', descriptions: true };

function operationOf(operation: JsonObject, more: JsonObject = {}, path = '/foos/{name}'): Operation {
  const { components = {}, ...item } = more;
  const read = readPaths({ paths: { [path]: { ...item, get: operation } }, components }, options);
  const found = read.get(path)?.get('get');
  if (found === undefined) throw new Error('the operation was not read');
  return found;
}

/** Returns the parameters as `location name?: schema`. */
function parametersOf(operation: JsonObject, more?: JsonObject, path?: string): readonly string[] {
  return operationOf(operation, more, path).parameters.map(
    ({ in: place, name, required, schema }) =>
      `${place} ${name}${required ? '' : '?'}: ${JSON.stringify(schema)}`,
  );
}

const string = { type: 'string' };
const integer = { type: 'integer' };

test.each<{ title: string; operation: JsonObject; more?: JsonObject; want: readonly string[] }>([
  { title: 'one that only the path names', operation: {}, want: ['path name: {"type":"string"}'] },
  {
    title: 'those of the path, and those of the operation instead of them',
    operation: { parameters: [{ in: 'query', name: 'a', schema: integer }] },
    more: {
      parameters: [
        { in: 'query', name: 'b', required: true, schema: { type: 'boolean', uniqueItems: true } },
        { in: 'query', name: 'a', schema: string },
        { in: 'header', name: 'a', schema: string },
      ],
    },
    want: [
      'header a?: {"type":"string"}',
      'path name: {"type":"string"}',
      'query a?: {"type":"integer"}',
      'query b: {"type":"boolean"}',
    ],
  },
  {
    title: 'one in the path, which is required whatever it declares',
    operation: { parameters: [{ in: 'path', name: 'name', required: false, schema: integer }] },
    want: ['path name: {"type":"integer"}'],
  },
  {
    title: 'none in the path that the path does not name',
    operation: { parameters: [{ in: 'path', name: 'other', schema: string }] },
    want: ['path name: {"type":"string"}'],
  },
  {
    title: 'one by reference',
    operation: {
      parameters: [{ $ref: '#/components/parameters/a' }, { $ref: '#/components/parameters/none' }],
    },
    more: { components: { parameters: { a: { in: 'query', name: 'a', schema: string } } } },
    want: ['path name: {"type":"string"}', 'query a?: {"type":"string"}'],
  },
  {
    title: 'repeated ones of connections',
    operation: {
      'x-kubernetes-action': 'connect',
      parameters: [
        { in: 'query', name: 'command', schema: string },
        { in: 'query', name: 'ports', schema: { type: 'array', items: integer } },
        { in: 'query', name: 'tty', schema: string },
        { in: 'query', name: 'name', schema: string },
      ],
    },
    want: [
      'path name: {"type":"string"}',
      'query command?: {"type":"array","items":{"type":"string"}}',
      'query ports?: {"type":"array","items":{"type":"integer"}}',
      'query tty?: {"type":"string"}',
    ],
  },
  {
    title: 'a command that is none of a connection',
    operation: {
      parameters: [
        { in: 'query', name: 'command', schema: string },
        { in: 'query', name: 'name', schema: string },
      ],
    },
    want: [
      'path name: {"type":"string"}',
      'query command?: {"type":"string"}',
      'query name?: {"type":"string"}',
    ],
  },
  {
    title: 'nothing of what is not a parameter',
    operation: { parameters: [null, 'a', {}, { in: 'body', name: 'a' }, { in: 'query', name: 1 }] },
    want: ['path name: {"type":"string"}'],
  },
])('parameters: $title', ({ operation, more, want }) => {
  expect(parametersOf(operation, more)).toEqual(want);
});

test.each<{ title: string; schema: JsonValue; want: object }>([
  {
    title: 'a known reference',
    schema: { $ref: '#/components/schemas/Foo' },
    want: { $ref: '#/components/schemas/Foo' },
  },
  {
    title: 'a reference of OpenAPI 2',
    schema: { $ref: '#/definitions/Foo' },
    want: { $ref: '#/components/schemas/Foo' },
  },
  { title: 'a reference to nothing', schema: { $ref: '#/components/schemas/Bar' }, want: {} },
  { title: 'a reference to elsewhere', schema: { $ref: 'http://localhost/Foo' }, want: {} },
  {
    title: 'a described reference',
    schema: { description: 'a', default: {}, allOf: [{ $ref: '#/components/schemas/Foo' }] },
    want: { $ref: '#/components/schemas/Foo' },
  },
  {
    title: 'a reference with siblings',
    schema: { description: 'a', $ref: '#/definitions/Foo' },
    want: { $ref: '#/components/schemas/Foo' },
  },
  { title: 'several schemas at once', schema: { allOf: [string, string] }, want: {} },
  {
    title: 'int-or-string',
    schema: { type: 'string', format: 'int-or-string' },
    want: { oneOf: [integer, string] },
  },
  { title: 'alternatives', schema: { anyOf: [string, integer] }, want: { oneOf: [string, integer] } },
  { title: 'no alternatives', schema: { oneOf: [] }, want: {} },
  { title: 'a list', schema: { type: 'array', items: integer }, want: { type: 'array', items: integer } },
  {
    title: 'a map',
    schema: { type: 'object', additionalProperties: integer },
    want: { type: 'object', additionalProperties: integer },
  },
  { title: 'any object', schema: { type: 'object' }, want: { type: 'object', additionalProperties: {} } },
  {
    title: 'an object',
    schema: { type: 'object', properties: { a: integer, b: string }, required: ['a', 1] },
    want: { type: 'object', properties: { a: integer, b: string }, required: ['a'] },
  },
  { title: 'nothing', schema: null, want: {} },
  { title: 'an unknown type', schema: { type: 'file' }, want: {} },
])('schemas: $title', ({ schema, want }) => {
  const { requestBody } = operationOf({ requestBody: { content: { 'application/json': { schema } } } });
  expect(requestBody).toEqual({ required: false, content: { 'application/json': { schema: want } } });
});

const foo = { schema: { $ref: '#/components/schemas/Foo' } };
const text = { schema: string };

test.each<{ title: string; content: JsonValue; request: object | undefined; response: object | undefined }>([
  {
    title: 'JSON among others',
    content: { 'application/yaml': foo, 'application/json': foo, 'application/json;stream=watch': foo },
    request: { 'application/json': foo },
    response: { 'application/json': foo },
  },
  {
    title: 'anything',
    content: { '*/*': foo },
    request: { 'application/json': foo },
    response: { 'application/json': foo },
  },
  {
    title: 'patches',
    content: {
      'application/merge-patch+json': foo,
      'application/json-patch+json': foo,
      'application/apply-patch+cbor': foo,
    },
    request: { 'application/json-patch+json': foo, 'application/merge-patch+json': foo },
    response: { 'application/apply-patch+cbor': foo },
  },
  {
    title: 'a string that is said to be JSON as well',
    content: { 'application/json': text, 'text/plain': text },
    request: { 'application/json': text },
    response: { 'text/plain': text },
  },
  {
    title: 'a string that is said to be JSON alone',
    content: { 'application/json': text },
    request: { 'application/json': text },
    response: { 'application/json': { schema: {} } },
  },
  {
    title: 'text alone',
    content: { 'text/plain': text, 'a/b': text },
    request: { 'text/plain': text },
    response: { 'text/plain': text },
  },
  {
    title: 'one type that is not known',
    content: { 'application/jwk-set+json': text },
    request: { 'application/jwk-set+json': text },
    response: { 'application/jwk-set+json': text },
  },
  {
    title: 'no media types',
    content: { '': foo, 'a"b/c': foo, 'x/y': 1 },
    request: undefined,
    response: undefined,
  },
  { title: 'no content', content: null, request: undefined, response: undefined },
])('media types: $title', ({ content, request, response }) => {
  const read = operationOf({ requestBody: { content }, responses: { '200': { content } } });
  expect(read.requestBody?.content).toEqual(request);
  expect(read.responses['200']?.content).toEqual(response);
});

test('ignores invalid paths, operations and responses', () => {
  const get = { responses: { '200': {}, '2XX': {}, default: {}, '600': {}, x: {}, '404': 1 } };
  const paths = { '/a': { get, put: 1, purge: get }, '/b': 1, '/c': {}, d: { get }, ['__proto__']: { get } };
  const read = readPaths({ paths }, options);
  expect([...read].map(([path, item]) => [path, [...item.keys()]])).toEqual([['/a', ['get']]]);
  expect(Object.keys(read.get('/a')?.get('get')?.responses ?? {})).toEqual(['200', '2XX', 'default']);
  expect([readPaths({}, options).size, readPaths({ paths: [] }, options).size]).toEqual([0, 0]);
});

test('OpenAPI 2: keeps a description beside a reference and uses media types of the document', () => {
  const value = {
    consumes: ['application/json'],
    produces: ['text/plain'],
    paths: {
      '/a': {
        parameters: [{ $ref: '#/parameters/body', description: 'own words' }],
        post: { responses: { '200': { $ref: '#/responses/text' } } },
      },
    },
    parameters: { body: { in: 'body', name: 'body', description: 'shared words', schema: string } },
    responses: { text: { description: 'OK', schema: string } },
  };
  expect(
    readPaths(openApi3(document(2, value)), options)
      .get('/a')
      ?.get('post'),
  ).toEqual({
    parameters: [],
    requestBody: {
      description: 'own words',
      required: false,
      content: { 'application/json': { schema: string } },
    },
    responses: { '200': { description: '', content: { 'text/plain': { schema: string } } } },
  });
});
