/**
 * OpenAPI v3 documents in protobuf: messages of
 * https://github.com/google/gnostic-models/blob/main/openapiv3/OpenAPIv3.proto. Loaded with the first request.
 */
import { isObject, type Json, type JsonObject, object, omit, own } from '@kgen/schema/values/json';
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
export function encodeDocument(document: JsonObject): Uint8Array {
  return contentOf(document, documentMembers, 9);
}

const reference = message({ $ref: [1, string], summary: [2, string], description: [3, string] }, 0);

const schema = orReference((number, value) => delimited(number, contentOf(value, schemaMembers, 36)));

/** Alternatives of a value and a reference. */
function orReference(write: Write): Write {
  return wrapped((value) => (own(value, '$ref') === undefined ? [1, write] : [2, reference]));
}

const schemaMembers: Members = {
  nullable: [1, flag],
  title: [9, string],
  multipleOf: [10, double],
  maximum: [11, double],
  exclusiveMaximum: [12, flag],
  minimum: [13, double],
  exclusiveMinimum: [14, flag],
  maxLength: [15, integer],
  minLength: [16, integer],
  pattern: [17, string],
  maxItems: [18, integer],
  minItems: [19, integer],
  uniqueItems: [20, flag],
  maxProperties: [21, integer],
  minProperties: [22, integer],
  required: [23, each(string)],
  enum: [24, each(any)],
  type: [25, string],
  allOf: [26, each(schema)],
  oneOf: [27, each(schema)],
  anyOf: [28, each(schema)],
  not: [29, (number, value) => delimited(number, contentOf(value, schemaMembers, 36))],
  items: [30, wrapped(() => [1, schema])],
  properties: [31, map(schema)],
  additionalProperties: [32, wrapped((value) => (isObject(value) ? [1, schema] : [2, alternative]))],
  default: [33, defaultValue],
  description: [34, string],
  format: [35, string],
};

/** A boolean that is an alternative is written if it is false, too. */
function alternative(number: number, value: Json): Uint8Array {
  return value === true ? flag(number, true) : Uint8Array.from([number * 8, 0]);
}

/** Defaults are numbers, booleans and strings; objects and lists are empty messages. */
function defaultValue(number: number, value: Json): Uint8Array {
  if (typeof value === 'number') return delimited(number, double(1, value));
  if (typeof value === 'boolean') return delimited(number, alternative(2, value));
  if (typeof value !== 'string') return delimited(number, new Uint8Array());
  return delimited(number, value === '' ? Uint8Array.from([26, 0]) : string(3, value));
}

const content = map(message({ schema: [1, schema], example: [2, any] }, 5));

const parameters = each(
  orReference(
    message(
      {
        name: [1, string],
        in: [2, string],
        description: [3, string],
        required: [4, flag],
        deprecated: [5, flag],
        schema: [10, schema],
        content: [13, content],
      },
      14,
    ),
  ),
);

const body = message({ description: [1, string], content: [2, content], required: [3, flag] }, 4);

const response = orReference(message({ description: [1, string], content: [3, content] }, 5));

const operation = message(
  {
    tags: [1, each(string)],
    summary: [2, string],
    description: [3, string],
    operationId: [5, string],
    parameters: [6, parameters],
    requestBody: [7, orReference(body)],
    responses: [8, responses],
    deprecated: [10, flag],
  },
  13,
);

/** The response `default` is a member of its own. */
function responses(number: number, value: Json): Uint8Array {
  const fallback = own(value, 'default');
  const others = Object.entries(omit(object(value), 'default'));
  const first = fallback === undefined ? [] : [response(1, fallback)];
  return delimited(number, Buffer.concat([...first, pairs(2, others, response)]));
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

const pathItem = message(
  {
    ...Object.fromEntries(methods.map((method, index) => [method, [index + 4, operation] as const])),
    parameters: [13, parameters],
  },
  14,
);

const securityScheme = orReference(
  message({ type: [1, string], description: [2, string], name: [3, string], in: [4, string] }, 9),
);

const documentMembers: Members = {
  openapi: [1, string],
  info: [2, message({ title: [1, string], description: [2, string], version: [6, string] }, 7)],
  paths: [4, map(pathItem)],
  components: [5, message({ schemas: [1, map(schema)], securitySchemes: [7, map(securityScheme)] }, 10)],
};
