import type { JsonObject, JsonValue } from '../input/crd-input.ts';
import { isList, isObject } from '../input/json.ts';
import { mapParts } from './schema-parts.ts';

/** Properties that every object has, and the server's own words for them in what it publishes. */
const identity: readonly string[] = ['apiVersion', 'kind', 'metadata'];

/** True for the names of the type of `metadata`; old servers number it where two of their parts differ. */
export function isObjectMeta(name: string): boolean {
  return /^io\.k8s\.apimachinery\.pkg\.apis\.meta\.v1\.ObjectMeta(?:_v\d+)?$/.test(name);
}

/**
 * The schema of a CRD out of what a server publishes of it, in the dialect of `ApiDefinition`. A server puts its own
 * `apiVersion`, `kind` and `metadata` in the place of those of the CRD, at the root and in embedded resources. What
 * stood there is lost, but that there were no others, so a root without other properties is taken for one without any.
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

/** Paths that field selectors of a kind accept, as a CRD writes them: `.spec.color`. */
export function selectableFieldsOf(published: JsonObject): readonly string[] {
  const fields = published['x-kubernetes-selectable-fields'];
  return (isList(fields) ? fields : []).flatMap((field) => {
    const path = isObject(field) ? field['fieldPath'] : undefined;
    return typeof path === 'string' ? [`.${path}`] : [];
  });
}
