/** Keywords of the schemas of definitions: the fields of `JSONSchemaProps` of apiextensions.k8s.io. */

/** Keywords whose values contain schemas: one schema or a list of them, or an object of schemas. */
export const schemaHoldings: ReadonlyMap<string, 'schema' | 'map'> = new Map([
  ...(['properties', 'patternProperties', 'definitions', 'dependencies'] as const).map(
    (keyword) => [keyword, 'map'] as const,
  ),
  ...(['items', 'additionalItems', 'additionalProperties', 'not', 'allOf', 'anyOf', 'oneOf'] as const).map(
    (keyword) => [keyword, 'schema'] as const,
  ),
]);

type ValueType = 'string' | 'boolean' | 'number' | 'integer' | 'strings' | 'any' | 'structured';

/** Other keywords, by the types of their values. */
export const plainKeywords: Readonly<Record<ValueType, readonly string[]>> = {
  string: [
    ...['$ref', '$schema', 'description', 'format', 'id', 'pattern', 'title', 'type'],
    ...['x-kubernetes-list-type', 'x-kubernetes-map-type'],
  ],
  boolean: [
    ...['exclusiveMaximum', 'exclusiveMinimum', 'nullable', 'uniqueItems', 'x-kubernetes-embedded-resource'],
    ...['x-kubernetes-int-or-string', 'x-kubernetes-preserve-unknown-fields'],
  ],
  number: ['maximum', 'minimum', 'multipleOf'],
  integer: ['maxItems', 'maxLength', 'maxProperties', 'minItems', 'minLength', 'minProperties'],
  strings: ['required', 'x-kubernetes-list-map-keys'],
  any: ['default', 'enum', 'example'],
  structured: ['externalDocs', 'x-kubernetes-validations'],
};
