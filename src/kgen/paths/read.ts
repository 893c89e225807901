/** Reads the paths of a document into the form that is printed. */
import type { JsonObject } from '../input/crd/crd-input.ts';
import { isObject, own } from '../input/json.ts';
import type { ApiDocument } from '../openapi/types.ts';
import { lift } from './lift.ts';
import { requestContent, responseContent } from './media-types.ts';
import {
  type Method,
  methods,
  type Operation,
  type PathItem,
  type PathResponse,
  type Paths,
  type RequestBody,
} from './openapi.ts';
import { readParameters } from './parameters.ts';
import { component, described, type ReadOptions, type Spot } from './spot.ts';

/** Returns a document of OpenAPI 3; one of OpenAPI 2 is converted. */
export function openApi3({ dialect, value }: ApiDocument): JsonObject {
  return dialect === 2 ? lift(value) : value;
}

/** Returns the paths of a document of OpenAPI 3. Invalid paths, methods and operations are ignored. */
export function readPaths(document: JsonObject, options: ReadOptions): Paths {
  const paths = own(document, 'paths');
  const found = new Map<string, PathItem>();
  for (const [path, item] of Object.entries(isObject(paths) ? paths : {})) {
    if (!path.startsWith('/') || !isObject(item)) continue;
    const read = new Map<Method, Operation>();
    for (const method of methods) {
      const operation = own(item, method);
      if (isObject(operation)) read.set(method, readOperation({ path, item, operation, document }, options));
    }
    if (read.size > 0) found.set(path, read);
  }
  return found;
}

function readOperation(spot: Spot, options: ReadOptions): Operation {
  const { operation } = spot;
  const requestBody = readBody(spot, options);
  return {
    ...described(operation, options),
    ...(own(operation, 'deprecated') === true ? { deprecated: true } : {}),
    parameters: readParameters(spot, options),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: readResponses(spot, options),
  };
}

function readBody({ operation, document }: Spot, options: ReadOptions): RequestBody | undefined {
  const body = component(own(operation, 'requestBody'), document);
  const content = body === undefined ? undefined : requestContent(own(body, 'content'), options.known);
  if (body === undefined || content === undefined) return undefined;
  return { ...described(body, options), required: own(body, 'required') === true, content };
}

const statusCode = /^(?:[1-5]\d\d|[1-5]XX|default)$/;

function readResponses(
  { operation, document }: Spot,
  options: ReadOptions,
): Readonly<Record<string, PathResponse>> {
  const responses = own(operation, 'responses');
  const replies = Object.entries(isObject(responses) ? responses : {}).flatMap(([status, value]) => {
    const response = component(value, document);
    if (!statusCode.test(status) || response === undefined) return [];
    const content = responseContent(own(response, 'content'), options.known);
    return [[status, { description: '', ...(content === undefined ? {} : { content }) }] as const];
  });
  return Object.fromEntries(replies);
}
