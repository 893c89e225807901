/** Reversal of the changes that servers make to schemas of CRDs when they publish them. */
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { isList, isObject } from '../../input/json.ts';
import { mapParts } from './schema-parts.ts';

/** Properties that every object has. Servers publish their own descriptions of these. */
const identity: readonly string[] = ['apiVersion', 'kind', 'metadata'];

/**
 * Returns whether a definition is the type of `metadata`. Old servers append a number to its name if two of
 * their parts differ.
 */
export function isObjectMeta(name: string): boolean {
  return /^io\.k8s\.apimachinery\.pkg\.apis\.meta\.v1\.ObjectMeta(?:_v\d+)?$/.test(name);
}

/**
 * Returns the schema of a CRD from its published form, in the dialect of `ApiDefinition`. A server replaces
 * `apiVersion`, `kind` and `metadata` of the CRD by its own, at the root and in embedded resources. The
 * original properties are lost. A root without other properties is treated as a schema without properties.
 */
export function asWritten(published: JsonObject): JsonObject {
  const {
    'x-kubernetes-group-version-kind': _kinds,
    'x-kubernetes-selectable-fields': _fields,
    ...schema
  } = published;
  return rootAsWritten(mapParts(schema, nodeAsWritten));
}

function rootAsWritten(schema: JsonObject): JsonObject {
  const { properties, ...rest } = schema;
  if (!isObject(properties)) return schema;
  if (Object.keys(properties).every((name) => identity.includes(name))) return rest;
  return isPublishedMeta(properties['metadata'])
    ? { ...schema, properties: { ...properties, metadata: { type: 'object' } } }
    : schema;
}

function nodeAsWritten(node: JsonObject): JsonObject {
  const schema = mapParts(node, nodeAsWritten);
  const { properties, required, ...rest } = schema;
  if (node['x-kubernetes-embedded-resource'] !== true || !isObject(properties)) return schema;
  if (!isPublishedMeta(properties['metadata'])) return schema;
  const own = Object.entries(properties).filter(([name]) => !identity.includes(name));
  const needed = isList(required) ? required.filter((name) => name !== 'apiVersion' && name !== 'kind') : [];
  return {
    ...rest,
    ...(own.length === 0 ? {} : { properties: Object.fromEntries(own) }),
    ...(needed.length === 0 ? {} : { required: needed }),
  };
}

function isPublishedMeta(node: JsonValue | undefined): boolean {
  const ref = isObject(node) ? node['$ref'] : undefined;
  return typeof ref === 'string' && isObjectMeta(ref);
}

/** Returns the paths that field selectors of a kind accept, as written in a CRD: `.spec.color`. */
export function selectableFieldsOf(published: JsonObject): readonly string[] {
  const fields = published['x-kubernetes-selectable-fields'];
  return (isList(fields) ? fields : []).flatMap((field) => {
    const path = isObject(field) ? field['fieldPath'] : undefined;
    return typeof path === 'string' ? [`.${path}`] : [];
  });
}
