/** Schemas of OpenAPI documents: definitions in the form of version 3, with all that they refer to. */
import {
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

const prefix = '#/components/schemas/';

/** Returns the definition of a full name, without descriptions. */
export type Definitions = (name: string) => JsonObject | undefined;

/** Returns the schemas of `names` and of all definitions that they refer to, by name. */
export function componentSchemas(names: Iterable<string>, definitions: Definitions): JsonObject {
  const found = new Map<string, JsonObject>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const document = found.has(name) ? undefined : definitions(name);
    if (document === undefined) continue;
    found.set(
      name,
      undescribed.some((suffix) => name.endsWith(suffix))
        ? withBareReferences(document)
        : published(document),
    );
    for (const reference of references(document)) waiting.push(reference);
  }
  return fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function references(value: Json): readonly string[] {
  if (isArray(value)) return value.flatMap(references);
  if (!isObject(value)) return [];
  const own_ = text(value, '$ref');
  return [...(own_ === '' ? [] : [own_]), ...Object.values(value).flatMap(references)];
}

/** Members with siblings refer to their type by `allOf`: in published documents, those are descriptions. */
function published(schema: JsonObject): JsonObject {
  const properties = own(schema, 'properties');
  const items = own(schema, 'items');
  const values = own(schema, 'additionalProperties');
  return {
    ...withReferences(omit(schema, 'properties', 'items', 'additionalProperties')),
    ...(isObject(properties)
      ? { properties: fromEntries(Object.entries(properties).map(([name, item]) => [name, member(item)])) }
      : {}),
    ...(isObject(items) ? { items: element(items) } : {}),
    ...(values === undefined ? {} : { additionalProperties: isObject(values) ? element(values) : values }),
  };
}

/** Definitions whose members have no descriptions, by the ends of their names. */
const undescribed = ['.JSONSchemaProps', '.networking.v1.IngressRule'];

/** Members without a description have a bare reference. Only `default` has one. */
function withBareReferences(schema: JsonObject): JsonObject {
  const properties = Object.entries(object(schema, 'properties'));
  const bare = properties.map(
    ([name, item]) => [name, isObject(item) && name !== 'default' ? element(item) : member(item)] as const,
  );
  return { ...published(omit(schema, 'properties')), properties: fromEntries(bare) };
}

function member(item: Json): Json {
  if (!isObject(item)) return item;
  const reference = text(item, '$ref');
  if (reference === '') return published(item);
  return { ...omit(item, '$ref'), allOf: [{ $ref: prefix + reference }] };
}

function element(item: JsonObject): JsonObject {
  const reference = text(item, '$ref');
  if (reference === '') return published(item);
  const rest = omit(item, '$ref');
  return Object.keys(rest).length === 0
    ? { $ref: prefix + reference }
    : { ...rest, allOf: [{ $ref: prefix + reference }] };
}

/** References in combinations, such as `oneOf`. */
function withReferences(schema: JsonObject): JsonObject {
  return fromEntries(
    Object.entries(schema).map(([key, item]) => {
      if (key === '$ref' && typeof item === 'string')
        return [key, item.startsWith('#') ? item : prefix + item];
      if (!['allOf', 'anyOf', 'oneOf'].includes(key) || !isArray(item)) return [key, item];
      return [key, item.map((part) => (isObject(part) ? published(part) : part))];
    }),
  );
}

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** Returns the definitions of a custom resource and its list, as the API server publishes them. */
export function customDefinitions(
  schema: JsonObject | undefined,
  of: { readonly group: string; readonly version: string; readonly kind: string; readonly listKind: string },
  isPreserving: boolean,
): { readonly object: JsonObject; readonly list: JsonObject } {
  const { group, version, kind, listKind } = of;
  const typed = { apiVersion: { type: 'string' }, kind: { type: 'string' } };
  const base: JsonObject = schema === undefined || isPreserving ? { type: 'object' } : schema;
  const hasMembers = schema !== undefined && !isPreserving;
  return {
    object: {
      ...base,
      ...(hasMembers
        ? {
            properties: { ...object(base, 'properties'), ...typed, metadata: { $ref: `${meta}.ObjectMeta` } },
          }
        : {}),
      'x-kubernetes-group-version-kind': [{ group, kind, version }],
    },
    list: {
      type: 'object',
      required: ['items'],
      properties: {
        ...typed,
        items: { type: 'array', items: { $ref: definitionName(of) } },
        metadata: { $ref: `${meta}.ListMeta` },
      },
      'x-kubernetes-group-version-kind': [{ group, kind: listKind, version }],
    },
  };
}

/** Returns the full name of the definition of a custom resource: `com.example.cache.v1.RedisCluster`. */
export function definitionName({
  group,
  version,
  kind,
}: {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}): string {
  return `${group.split('.').reverse().join('.')}.${version}.${kind}`;
}
