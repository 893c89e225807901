/** The OpenAPI v2 document, converted from the documents of version 3. */

import {
  array,
  fromEntries,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  text,
} from '@kgen/schema/values/json';
import type { Store } from '../../store/store.ts';
import { componentSchemas } from './components.ts';
import { contentOf, info, partsOf } from './documents.ts';

/** Responds to GET /openapi/v2: one document with all paths and definitions. */
export async function swagger(store: Store): Promise<JsonObject> {
  const contents = await Promise.all(partsOf(store).map((part) => contentOf(store, part)));
  const definitions = contents.flatMap(({ names, definitions: find }) =>
    Object.entries(componentSchemas(names, find)),
  );
  const paths = contents.flatMap((content) => Object.entries(content.paths));
  return {
    swagger: '2.0',
    info,
    paths: fromEntries(paths.map(([path, item]) => [path, isObject(item) ? swaggerPath(item) : item])),
    definitions: fromEntries(definitions.map(([name, item]) => [name, swaggerSchema(item)])),
    securityDefinitions: {
      BearerToken: {
        description: 'Bearer Token authentication',
        type: 'apiKey',
        name: 'authorization',
        in: 'header',
      },
    },
    security: [{ BearerToken: [] }],
  };
}

function swaggerPath(item: JsonObject): JsonObject {
  return fromEntries(
    Object.entries(item).map(([key, value]) => {
      if (key === 'parameters') return [key, swaggerParameters(value)];
      return [key, isObject(value) ? swaggerOperation(value) : value];
    }),
  );
}

function swaggerParameters(value: Json): Json {
  if (!isArray(value)) return value;
  return value.map((item) =>
    isObject(item) ? { ...omit(item, 'schema'), ...object(item, 'schema') } : item,
  );
}

function swaggerOperation(operation: JsonObject): JsonObject {
  const body = own(operation, 'requestBody');
  const bodies = Object.entries(object(body, 'content'));
  const parameters = swaggerParameters(own(operation, 'parameters') ?? []);
  const schema = swaggerSchema(own(object(bodies[0]?.[1]), 'schema') ?? {});
  const bodyParameter = isObject(body)
    ? [{ name: 'body', in: 'body', ...(own(body, 'required') === true ? { required: true } : {}), schema }]
    : [];
  const produced = object(operation, 'responses', '200', 'content');
  const isRoot = own(operation, 'x-kubernetes-action') === undefined;
  return {
    ...omit(operation, 'requestBody', 'parameters', 'responses'),
    consumes:
      bodies.length === 0
        ? isRoot
          ? inOrder(Object.keys(produced))
          : anyType
        : inOrder(bodies.map(([type]) => type)),
    produces: inOrder(Object.keys(produced)),
    schemes: ['https'],
    ...(isArray(parameters) && parameters.length + bodyParameter.length > 0
      ? { parameters: [...bodyParameter, ...parameters] }
      : {}),
    responses: fromEntries(
      Object.entries(object(operation, 'responses')).map(([code, response]) => [
        code,
        swaggerResponse(response),
      ]),
    ),
  };
}

const anyType = ['*/*'];

/** Order of media types in version 2. */
const order = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];

function inOrder(types: readonly string[]): readonly string[] {
  return types.toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
}

function swaggerResponse(response: Json): JsonObject {
  const [content] = Object.values(object(response, 'content'));
  const schema = own(content, 'schema');
  const description = own(response, 'description') ?? '';
  return schema === undefined ? { description } : { description, schema: swaggerSchema(schema) };
}

/** Version 2 has no defaults and no combinations; references have no siblings. */
function swaggerSchema(schema: Json): Json {
  if (isArray(schema)) return schema.map(swaggerSchema);
  if (!isObject(schema)) return schema;
  const [only] = array(schema, 'allOf');
  return fromEntries(
    Object.entries(only === undefined ? plain(schema) : withExtensions(object(only), schema)).map(
      ([key, item]) => {
        if (key === '$ref' && typeof item === 'string')
          return [key, item.replace('#/components/schemas/', '#/definitions/')];
        if (key === 'properties' && isObject(item)) {
          return [key, fromEntries(Object.entries(item).map(([name, part]) => [name, swaggerSchema(part)]))];
        }
        return [key, key === 'items' || key === 'additionalProperties' ? swaggerSchema(item) : item];
      },
    ),
  );
}

/** A reference keeps the extensions of the member. */
function withExtensions(reference: JsonObject, schema: JsonObject): JsonObject {
  const extensions = Object.entries(schema).filter(([key]) => key.startsWith('x-kubernetes-'));
  return { ...reference, ...fromEntries(extensions) };
}

/** Alternatives are strings: quantities, and numbers or strings. */
function plain(schema: JsonObject): JsonObject {
  const rest = omit(schema, 'default', 'anyOf', 'oneOf', 'not', 'nullable');
  const alternatives = array(schema, 'oneOf');
  return alternatives.some((item) => text(item, 'type') === 'string') ? { type: 'string', ...rest } : rest;
}
