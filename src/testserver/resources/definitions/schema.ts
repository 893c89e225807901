/**
 * Schema of the fields of CustomResourceDefinitions.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/
 */
import { plainKeywords } from '@kgen/schema/rules/schema-keywords';
import { parseSchema, type Schema } from '@kgen/schema/validation/structural';
import { fromEntries, type Json, type JsonObject } from '@kgen/schema/values/json';

const text: JsonObject = { type: 'string' };
const flag: JsonObject = { type: 'boolean' };
const free: JsonObject = { 'x-kubernetes-preserve-unknown-fields': true };

const rules = listOf(
  objectOf({
    ...each(['rule', 'message', 'messageExpression', 'reason', 'fieldPath'], text),
    optionalOldSelf: flag,
  }),
);

/** Keywords of schemas that contain no schema. */
const scalarKeywords = objectOf({
  ...each(plainKeywords.string, text),
  ...each(plainKeywords.boolean, flag),
  ...each(plainKeywords.number, { type: 'number' }),
  ...each(plainKeywords.integer, { type: 'integer' }),
  ...each(plainKeywords.strings, listOf(text)),
  ...each([...plainKeywords.any, 'dependencies'], free),
  externalDocs: objectOf(each(['description', 'url'], text)),
  'x-kubernetes-validations': rules,
});

/**
 * Below `items` and `additionalProperties` the API server drops unknown fields without a warning, because
 * their types are decoded by functions of their own.
 */
const openApiSchema = schemaOfSchemas(schemaOfSchemas());

const names = objectOf({
  ...each(['plural', 'singular', 'kind', 'listKind'], text),
  ...each(['shortNames', 'categories'], listOf(text)),
});

const service = objectOf({ ...each(['namespace', 'name', 'path'], text), port: { type: 'integer' } });
const webhook = objectOf({
  clientConfig: objectOf({ ...each(['url', 'caBundle'], text), service }),
  conversionReviewVersions: listOf(text),
});
const scale = objectOf(each(['specReplicasPath', 'statusReplicasPath', 'labelSelectorPath'], text));
const columns = listOf(
  objectOf({
    ...each(['name', 'type', 'format', 'description', 'jsonPath'], text),
    priority: { type: 'integer' },
  }),
);

const version = parseSchema(
  objectOf({
    ...each(['name', 'deprecationWarning'], text),
    ...each(['served', 'storage', 'deprecated'], flag),
    subresources: objectOf({ status: objectOf({}), scale }),
    additionalPrinterColumns: columns,
    selectableFields: listOf(objectOf({ jsonPath: text })),
  }),
);

const validation = withProperty(parseSchema(objectOf({})), 'openAPIV3Schema', openApiSchema);

const spec = parseSchema(
  objectOf({
    ...each(['group', 'scope'], text),
    names,
    conversion: objectOf({ strategy: text, webhook }),
    preserveUnknownFields: flag,
  }),
);

const conditions: JsonObject = {
  type: 'array',
  nullable: true,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  items: objectOf({
    ...each(['type', 'status', 'lastTransitionTime', 'reason', 'message'], text),
    observedGeneration: { type: 'integer' },
  }),
};

const status = objectOf({
  conditions,
  acceptedNames: names,
  storedVersions: listOf(text),
  observedGeneration: { type: 'integer' },
});

/** Schema of whole definitions. */
export const definitionSchema: Schema = withProperty(
  parseSchema({ ...objectOf({ status }), required: ['spec'] }),
  'spec',
  withProperty(spec, 'versions', {
    ...parseSchema({ type: 'array' }),
    items: withProperty(version, 'schema', validation),
  }),
);

/** Returns the schema of an object with members of one schema. */
function each(names: readonly string[], schema: JsonObject): JsonObject {
  return fromEntries(names.map((name) => [name, schema]));
}

function objectOf(properties: JsonObject): JsonObject {
  return { type: 'object', properties };
}

function listOf(items: Json): JsonObject {
  return { type: 'array', items };
}

/**
 * Returns the recursive schema of `JSONSchemaProps`.
 * @param below schema of `items`, `additionalItems` and `additionalProperties`; default: the result itself
 */
function schemaOfSchemas(below?: Schema): Schema {
  const scalar = parseSchema(scalarKeywords);
  const properties = new Map(scalar.properties);
  const self: Schema = { ...scalar, properties, isQuiet: below === undefined };
  const map: Schema = { ...parseSchema({ type: 'object' }), additionalProperties: self };
  const list: Schema = { ...parseSchema({ type: 'array' }), items: self };
  const inner = below ?? self;
  for (const name of ['definitions', 'patternProperties', 'properties']) properties.set(name, map);
  for (const name of ['allOf', 'anyOf', 'oneOf']) properties.set(name, list);
  for (const name of ['additionalItems', 'additionalProperties', 'items']) properties.set(name, inner);
  return properties.set('not', self) && self;
}

function withProperty(schema: Schema, name: string, property: Schema): Schema {
  return { ...schema, properties: new Map([...schema.properties, [name, property]]) };
}
