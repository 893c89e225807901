/** A small API in both dialects: a server with one custom resource and one connect subresource. */
import { defaultEmitOptions, type EmitOptions } from '../emit/options.ts';
import type { JsonObject, JsonValue } from '../input/crd/crd-input.ts';
import { buildModel } from '../model/build.ts';
import type { Model, RuntimeType, Schema } from '../model/ir.ts';
import { crdOf } from '../model/model.fixture.ts';
import type { ApiDocument } from '../openapi/types.ts';

export const options: EmitOptions = { ...defaultEmitOptions, version: '1.2.3', docs: 'none' };

const plain = { nullable: false, facts: { keywords: {} } };

/** Definitions besides those of custom resources. */
export const definitions: ReadonlyMap<string, Schema> = new Map<string, Schema>([
  ['io.k8s.apimachinery.pkg.apis.meta.v1.Status', runtime('Status')],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.Patch', { shape: 'unknown', reason: 'free-form', ...plain }],
  ['com.example.Count', { shape: 'int-or-string', ...plain }],
]);

function runtime(name: RuntimeType): Schema {
  return { shape: 'runtime', name, ...plain };
}

/** Contains the custom resource `foos.example.com`. */
export const model: Model = buildModel({
  crds: [
    crdOf({
      schema: {
        type: 'object',
        properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
      },
    }),
  ],
}).model;

export function document(dialect: 2 | 3, value: JsonObject, file = `v${dialect}.json`): ApiDocument {
  return { dialect, value, file };
}

const kind = (name: string): JsonObject => ({
  type: 'object',
  'x-kubernetes-group-version-kind': [{ group: 'example.com', version: 'v1', kind: name }],
});

const schemas: JsonObject = {
  'com.example.v1.Foo': kind('Foo'),
  'com.example.v1.FooList': kind('FooList'),
  'com.example.Count': { type: 'string', format: 'int-or-string' },
  'io.k8s.apimachinery.pkg.apis.meta.v1.Patch': { type: 'object' },
  'io.k8s.apimachinery.pkg.apis.meta.v1.Status': { type: 'object' },
};

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const item = '/apis/example.com/v1/namespaces/{namespace}/foos/{name}';
const connection = '/apis/example.com/v1/namespaces/{namespace}/foos/{name}/shell/{path}';

const ref3 = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const ref2 = (name: string): JsonObject => ({ $ref: `#/definitions/${name}` });

/** Returns equal content in several media types. */
const media = (schema: JsonObject, ...types: readonly string[]): JsonObject =>
  Object.fromEntries(types.map((type) => [type, { schema }]));

const binary = 'application/vnd.kubernetes.protobuf';
const patches = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
];

const parameter3 = (place: string, name: string, type: string, more: JsonObject = {}): JsonObject => ({
  name,
  in: place,
  schema: { type, uniqueItems: true },
  ...more,
});

const path3 = [
  parameter3('path', 'name', 'string', { required: true, description: 'name of the Foo' }),
  parameter3('path', 'namespace', 'string', { required: true }),
];

const response3 = (name: string): JsonObject => ({
  '200': { description: 'OK', content: media(ref3(name), 'application/json', 'application/yaml', binary) },
  '401': { description: 'Unauthorized' },
});

export const v3: JsonObject = {
  openapi: '3.0.0',
  info: { title: 'Example', version: 'v1' },
  paths: {
    [item]: {
      parameters: path3,
      get: { description: 'read Foo', operationId: 'readFoo', responses: response3('com.example.v1.Foo') },
      put: {
        operationId: 'replaceFoo',
        requestBody: {
          required: true,
          content: media(ref3('com.example.v1.Foo'), 'application/json', '*/*'),
        },
        responses: response3('com.example.v1.Foo'),
      },
      patch: {
        operationId: 'patchFoo',
        parameters: [parameter3('query', 'force', 'boolean')],
        requestBody: {
          required: true,
          content: media(ref3(`${meta}.Patch`), ...patches, 'application/apply-patch+cbor'),
        },
        responses: response3('com.example.v1.Foo'),
      },
      delete: {
        operationId: 'deleteFoo',
        requestBody: { content: media(ref3('com.example.Unknown'), '*/*') },
        responses: response3(`${meta}.Status`),
      },
    },
    [connection]: {
      parameters: [
        ...path3,
        parameter3('path', 'path', 'string', { required: true }),
        parameter3('query', 'command', 'string'),
        parameter3('query', 'path', 'string'),
      ],
      post: {
        'x-kubernetes-action': 'connect',
        operationId: 'readFoo',
        responses: { '200': { description: 'OK', content: media({ type: 'string' }, '*/*') } },
      },
    },
    '/count/': { get: { responses: response3('com.example.Count') } },
  },
  components: { schemas },
};

const parameter2 = (place: string, name: string, type: string, more: JsonObject = {}): JsonObject => ({
  name,
  in: place,
  type,
  uniqueItems: true,
  ...more,
});

const response2 = (name: string): JsonObject => ({
  '200': { description: 'OK', schema: ref2(name) },
  '401': { description: 'Unauthorized' },
});

const body2 = (name: string, more: JsonObject = {}): JsonObject => ({
  name: 'body',
  in: 'body',
  schema: ref2(name),
  ...more,
});

const path2: readonly JsonValue[] = [
  parameter2('path', 'name', 'string', { required: true, description: 'name of the Foo' }),
  { $ref: '#/parameters/namespace' },
];

/** `v3` in OpenAPI 2. */
export const v2: JsonObject = {
  swagger: '2.0',
  info: { title: 'Example', version: 'v1' },
  produces: ['application/json', 'application/yaml', binary],
  paths: {
    [item]: {
      parameters: path2,
      get: { description: 'read Foo', operationId: 'readFoo', responses: response2('com.example.v1.Foo') },
      put: {
        operationId: 'replaceFoo',
        consumes: ['application/json', '*/*'],
        parameters: [body2('com.example.v1.Foo', { required: true })],
        responses: response2('com.example.v1.Foo'),
      },
      patch: {
        operationId: 'patchFoo',
        consumes: [...patches, 'application/apply-patch+cbor'],
        parameters: [{ $ref: '#/parameters/patch' }, parameter2('query', 'force', 'boolean')],
        responses: response2('com.example.v1.Foo'),
      },
      delete: {
        operationId: 'deleteFoo',
        consumes: ['*/*'],
        parameters: [body2('com.example.Unknown')],
        responses: response2(`${meta}.Status`),
      },
    },
    [connection]: {
      parameters: [
        ...path2,
        parameter2('path', 'path', 'string', { required: true }),
        parameter2('query', 'command', 'string'),
        parameter2('query', 'path', 'string'),
      ],
      post: {
        'x-kubernetes-action': 'connect',
        produces: ['*/*'],
        responses: { '200': { description: 'OK', schema: { type: 'string' } } },
      },
    },
    '/count/': { get: { responses: response2('com.example.Count') } },
  },
  parameters: {
    namespace: parameter2('path', 'namespace', 'string', { required: true }),
    patch: body2(`${meta}.Patch`, { required: true }),
  },
  definitions: schemas,
};
