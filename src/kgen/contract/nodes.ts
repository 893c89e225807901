/** Nodes of published schemas, in a form that does not depend on how a document is written. */

import type { SchemaDocument, SchemaValue } from '@kgen/runtime/gen/v1';
import { isList, isObject } from '../input/json.ts';
import type { ContractSchema } from './types.ts';

/** A node without references. */
export interface SchemaNode {
  readonly document: SchemaDocument;
  /** Full name of the definition that it refers to; `''` if there is none. */
  readonly name: string;
}

/** Maximum number of references in a row. */
const maxReferences = 20;

/** Returns a node with the definition that it refers to. Its own keywords take precedence. */
export function resolveNode(node: SchemaDocument, schema: ContractSchema): SchemaNode {
  let document = withoutWrapper(node);
  let name = '';
  for (let count = 0; count < maxReferences; count += 1) {
    const ref = document['$ref'];
    if (typeof ref !== 'string') break;
    const { $ref: _ref, ...siblings } = document;
    name = ref.slice(ref.lastIndexOf('/') + 1);
    document = withoutWrapper({ ...schema.definition(name), ...siblings });
  }
  return { document, name };
}

/** Servers write a reference with siblings as `allOf` with a single member. */
function withoutWrapper(node: SchemaDocument): SchemaDocument {
  const { allOf, ...siblings } = node;
  const [inner] = listOf(allOf);
  if (listOf(allOf).length !== 1 || !isObject(inner) || typeof inner['$ref'] !== 'string') return node;
  return siblings['properties'] === undefined ? { ...inner, ...siblings } : node;
}

/** Returns a list, empty for other values. */
export function listOf(value: SchemaValue | undefined): readonly SchemaValue[] {
  return isList(value) ? value : [];
}

/** Returns the schema in a keyword. */
export function schemaIn(document: SchemaDocument, keyword: string): SchemaDocument | undefined {
  const value = document[keyword];
  return isObject(value) ? value : undefined;
}

/** Returns the properties of an object schema, by name. */
export function propertiesOf(document: SchemaDocument): ReadonlyMap<string, SchemaDocument> {
  const properties = Object.entries(schemaIn(document, 'properties') ?? {});
  return new Map(properties.flatMap(([name, value]) => (isObject(value) ? [[name, value] as const] : [])));
}

/** Returns whether an object keeps fields without a schema. */
export function keepsUnknownFields(document: SchemaDocument): boolean {
  return (
    document['x-kubernetes-preserve-unknown-fields'] === true || document['additionalProperties'] === true
  );
}

/** Returns the JSON types of values, or `undefined` if a value may have any type. */
export function typesOf(document: SchemaDocument): ReadonlySet<string> | undefined {
  const { type, format } = document;
  if (document['x-kubernetes-int-or-string'] === true || format === 'int-or-string')
    return new Set(['integer', 'string']);
  if (typeof type === 'string') return new Set([type]);
  const branches = typeAlternatives(document);
  if (branches !== undefined) return branches;
  if (document['properties'] !== undefined) return new Set(['object']);
  return document['items'] === undefined ? undefined : new Set(['array']);
}

/** Returns the types of `oneOf` or `anyOf` if their members have no other keywords. */
export function typeAlternatives(document: SchemaDocument): ReadonlySet<string> | undefined {
  const members = listOf(document['oneOf'] ?? document['anyOf']);
  const types = members.flatMap((member) =>
    isObject(member) && Object.keys(member).length === 1 && typeof member['type'] === 'string'
      ? [member['type']]
      : [],
  );
  return members.length > 0 && types.length === members.length ? new Set(types) : undefined;
}

/** Keywords that do not influence which values are valid. */
const prose: ReadonlySet<string> = new Set([
  '$schema',
  'description',
  'example',
  'externalDocs',
  'id',
  'title',
]);

/**
 * Returns JSON with sorted keys, without descriptions and with references in one form, to compare values and
 * schemas.
 */
export function canonical(value: SchemaValue | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'bigint') return String(value);
  if (isList(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value)
    .filter((key) => !(prose.has(key) && typeof value[key] === 'string'))
    .sort();
  const members = keys.map((key) => {
    const member = value[key];
    const isReference = key === '$ref' && typeof member === 'string';
    return `${JSON.stringify(key)}:${canonical(isReference ? member.slice(member.lastIndexOf('/') + 1) : member)}`;
  });
  return `{${members.join()}}`;
}
