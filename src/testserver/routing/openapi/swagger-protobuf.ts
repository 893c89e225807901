/**
 * The OpenAPI v2 document in protobuf, which kubectl requests: messages of
 * https://github.com/google/gnostic-models/blob/main/openapiv2/OpenAPIv2.proto. Loaded with the first request.
 */
import { isArray, isObject, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import {
  any,
  contentOf,
  delimited,
  double,
  each,
  flag,
  integer,
  type Members,
  map,
  message,
  pairs,
  string,
  type Write,
  wrapped,
} from './gnostic.ts';

/** Returns the bytes of a document. */
export function encodeSwagger(document: JsonObject): Uint8Array {
  return contentOf(document, documentMembers, 16);
}

const reference = message({ $ref: [1, string], description: [2, string] }, 0);

const schemaMembers: Members = {
  $ref: [1, string],
  format: [2, string],
  title: [3, string],
  description: [4, string],
  default: [5, any],
  multipleOf: [6, double],
  maximum: [7, double],
  exclusiveMaximum: [8, flag],
  minimum: [9, double],
  exclusiveMinimum: [10, flag],
  maxLength: [11, integer],
  minLength: [12, integer],
  pattern: [13, string],
  maxItems: [14, integer],
  minItems: [15, integer],
  uniqueItems: [16, flag],
  maxProperties: [17, integer],
  minProperties: [18, integer],
  required: [19, each(string)],
  enum: [20, each(any)],
  additionalProperties: [21, wrapped((value) => (isObject(value) ? [1, schema] : [2, flag]))],
  type: [22, types],
  items: [23, wrapped(() => [1, schema])],
  allOf: [24, each(schema)],
  properties: [25, map(schema)],
  externalDocs: [29, message({ description: [1, string], url: [2, string] }, 3)],
  example: [30, any],
};

const body = message(
  { description: [1, string], name: [2, string], in: [3, string], required: [4, flag], schema: [5, schema] },
  6,
);

/** Numbers and messages of other parameters by their place. */
const places: Readonly<Record<string, readonly [number: number, write: Write]>> = {
  header: [1, message(simple(5), 22)],
  formData: [2, message(simple(6), 23)],
  query: [3, message(simple(6), 23)],
  path: [4, message(simple(5), 22)],
};

const parameter = wrapped((value) => {
  const place = places[text(value, 'in')];
  return place === undefined ? [1, body] : [2, wrapped(() => place)];
});

const parameters = each(
  wrapped((value) => (own(value, '$ref') === undefined ? [1, parameter] : [2, reference])),
);

const response = message({ description: [1, string], schema: [2, wrapped(() => [1, schema])] }, 5);

const security = each(map(types));

const operation = message(
  {
    tags: [1, each(string)],
    summary: [2, string],
    description: [3, string],
    operationId: [5, string],
    produces: [6, each(string)],
    consumes: [7, each(string)],
    parameters: [8, parameters],
    responses: [9, map(wrapped(() => [1, response]))],
    schemes: [10, each(string)],
    deprecated: [11, flag],
    security: [12, security],
  },
  13,
);

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

const pathItem = message(
  {
    ...Object.fromEntries(methods.map((method, index) => [method, [index + 2, operation] as const])),
    parameters: [9, parameters],
  },
  10,
);

const apiKey = message(
  { type: [1, string], name: [2, string], in: [3, string], description: [4, string] },
  5,
);

const documentMembers: Members = {
  swagger: [1, string],
  info: [2, message({ title: [1, string], version: [2, string], description: [3, string] }, 7)],
  paths: [8, paths],
  definitions: [9, map(schema)],
  security: [12, security],
  securityDefinitions: [13, map(wrapped(() => [2, apiKey]))],
};

/** Types are a message with repeated strings. */
function types(number: number, value: Json): Uint8Array {
  return delimited(number, each(string)(1, isArray(value) ? value : [value]));
}

function schema(number: number, value: Json): Uint8Array {
  return delimited(number, contentOf(value, schemaMembers, 31));
}

/** Unlike other maps, paths are the second member. */
function paths(number: number, value: Json): Uint8Array {
  return delimited(number, pairs(2, Object.entries(object(value)), pathItem));
}

/** Members of parameters after those of their place, which begin at `first`. */
function simple(first: number): Members {
  return {
    required: [1, flag],
    in: [2, string],
    description: [3, string],
    name: [4, string],
    type: [first, string],
    format: [first + 1, string],
    default: [first + 4, any],
    pattern: [first + 11, string],
    uniqueItems: [first + 14, flag],
    enum: [first + 15, each(any)],
  };
}
