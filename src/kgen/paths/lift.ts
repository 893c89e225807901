/**
 * Converts OpenAPI 2 to OpenAPI 3, as far as `paths.ts` needs it: body parameters become request bodies,
 * types of parameters become schemas, `consumes` and `produces` become media types of a content. Siblings of
 * a reference are kept.
 */
import type { JsonObject, JsonValue } from '../input/crd/crd-input.ts';
import { isList, isObject, own } from '../input/json.ts';
import { methods } from './openapi.ts';

/** Returns a document of OpenAPI 2 with its paths in OpenAPI 3. */
export function lift(document: JsonObject): JsonObject {
  const paths = own(document, 'paths');
  const items = isObject(paths) ? Object.entries(paths) : [];
  return {
    paths: Object.fromEntries(
      items.map(([path, item]) => [path, isObject(item) ? liftItem(item, document) : item]),
    ),
    components: { schemas: own(document, 'definitions') ?? {} },
  };
}

/**
 * Parameters of a path apply to each of its methods, so a body among them becomes the body of each method.
 */
function liftItem(item: JsonObject, document: JsonObject): JsonObject {
  const shared = parametersOf(item, document);
  const operations = methods.flatMap((method) => {
    const operation = own(item, method);
    return isObject(operation) ? [[method, liftOperation(operation, shared, document)] as const] : [];
  });
  return Object.fromEntries(operations);
}

function liftOperation(
  operation: JsonObject,
  shared: readonly JsonObject[],
  document: JsonObject,
): JsonObject {
  const parameters = [...shared, ...parametersOf(operation, document)];
  const body = parameters.findLast((parameter) => own(parameter, 'in') === 'body');
  const places: readonly (JsonValue | undefined)[] = ['body', 'formData'];
  const lifted: Record<string, JsonValue> = {
    ...operation,
    parameters: parameters
      .filter((parameter) => !places.includes(own(parameter, 'in')))
      .map(({ type = null, items = null, format = null, ...parameter }) => {
        return { ...parameter, schema: { type, items, format } };
      }),
    responses: liftResponses(operation, document),
  };
  if (body !== undefined) {
    const content = contentOf(own(body, 'schema'), mediaTypes('consumes', operation, document));
    lifted['requestBody'] = { ...body, content };
  }
  return lifted;
}

function liftResponses(operation: JsonObject, document: JsonObject): JsonObject {
  const responses = own(operation, 'responses');
  const names = mediaTypes('produces', operation, document);
  const lifted = Object.entries(isObject(responses) ? responses : {}).flatMap(([status, value]) => {
    const response = resolved(value, document);
    if (response === undefined) return [];
    const schema = own(response, 'schema');
    const { description = null } = response;
    return [
      [status, schema === undefined ? { description } : { description, content: contentOf(schema, names) }],
    ];
  });
  return Object.fromEntries(lifted);
}

function contentOf(schema: JsonValue | undefined, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { schema: schema ?? null }]));
}

/** Returns the media types of the operation, otherwise those of the document, otherwise JSON. */
function mediaTypes(
  key: 'consumes' | 'produces',
  operation: JsonObject,
  document: JsonObject,
): readonly string[] {
  const list = own(operation, key) ?? own(document, key);
  const names = isList(list) ? list.filter((name) => typeof name === 'string') : [];
  return names.length > 0 ? names : ['application/json'];
}

function parametersOf(node: JsonObject, document: JsonObject): readonly JsonObject[] {
  const list = own(node, 'parameters');
  return (isList(list) ? list : [])
    .map((parameter) => resolved(parameter, document))
    .filter((parameter) => parameter !== undefined);
}

/** Returns a parameter or a response, resolving a reference. */
function resolved(value: JsonValue | undefined, document: JsonObject): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const $ref = own(value, '$ref');
  if (typeof $ref !== 'string') return value;
  const [, folder, name] = /^#\/(parameters|responses)\/(.*)$/.exec($ref) ?? [];
  const shared = folder === undefined ? undefined : own(document, folder);
  const target = isObject(shared) && name !== undefined ? own(shared, name) : undefined;
  if (!isObject(target)) return undefined;
  const { $ref: _, ...siblings } = value;
  return { ...target, ...siblings };
}
