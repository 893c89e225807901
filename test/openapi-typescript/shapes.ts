/** Types of values of a schema, limited to the constructs that Kubernetes' schemas use. */
import { type Definitions, type JsonObject, listOf, objectOf, prefix } from './definitions.ts';

/** Type of the values of a schema. */
export type Shape =
  /** Any string if `literals` is empty. */
  | { readonly is: 'string'; readonly literals: readonly string[] }
  | { readonly is: 'integer' | 'number' | 'boolean' }
  /** Any value. */
  | { readonly is: 'any' }
  /** Any object. */
  | { readonly is: 'free' }
  | { readonly is: 'list' | 'map'; readonly values: JsonObject }
  | { readonly is: 'object'; readonly schema: JsonObject }
  /** A value of any of the schemas. */
  | { readonly is: 'either'; readonly schemas: readonly JsonObject[] };

/** A schema with its reference resolved. */
export interface Resolved {
  /** Full name of the referenced definition; `''` without a reference. */
  readonly name: string;
  readonly schema: JsonObject;
}

/**
 * Resolves a reference, also one in an `allOf` with a single member.
 * @throws if the definition does not exist
 */
export function resolve(schema: JsonObject, definitions: Definitions): Resolved {
  const { $ref } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.slice(prefix.length);
    const found = definitions.schemas.get(name);
    if (found === undefined) throw new Error(`${$ref} leads nowhere`);
    return { name, schema: found };
  }
  const [member, ...others] = listOf(schema['allOf']);
  if (member === undefined) return { name: '', schema };
  if (others.length > 0) throw new Error(`an allOf of several: ${JSON.stringify(schema)}`);
  return resolve(objectOf(member), definitions);
}

/**
 * Returns the shape of a schema without a reference.
 * @throws for constructs that the schemas of Kubernetes do not use
 */
export function shapeOf(schema: JsonObject): Shape {
  const { type, properties, items, additionalProperties, oneOf } = schema;
  if (oneOf !== undefined) return { is: 'either', schemas: listOf(oneOf).map(objectOf) };
  if (type === undefined) return { is: 'any' };
  if (type === 'string') return { is: 'string', literals: listOf(schema['enum']).map(String) };
  if (type === 'integer' || type === 'number' || type === 'boolean') return { is: type };
  if (type === 'array') return { is: 'list', values: objectOf(items) };
  if (type !== 'object') throw new Error(`a type of its own: ${JSON.stringify(schema)}`);
  if (properties !== undefined) return { is: 'object', schema };
  return additionalProperties === undefined
    ? { is: 'free' }
    : { is: 'map', values: objectOf(additionalProperties) };
}

/** Returns the schemas of an object's properties by name. */
export function propertiesOf(schema: JsonObject): readonly (readonly [string, JsonObject])[] {
  return Object.entries(objectOf(schema['properties'])).map(([name, node]) => [name, objectOf(node)]);
}

/** Returns the names of the required properties. */
export function requiredOf(schema: JsonObject): ReadonlySet<string> {
  return new Set(listOf(schema['required']).map(String));
}

/** Role of a definition among objects, as far as it is declared. */
export interface Role {
  /** `kind` and `list` have the metadata of an object and of a list. */
  readonly is: 'kind' | 'list' | 'part';
  /** `apiVersion` and `kind` of its objects, if it has exactly one kind. */
  readonly apiVersion?: string;
  readonly kind?: string;
}

/** Returns the role of a definition. */
export function roleOf(schema: JsonObject, definitions: Definitions): Role {
  const [kind, ...others] = listOf(schema['x-kubernetes-group-version-kind']).map(objectOf);
  if (kind === undefined || others.length > 0) return { is: 'part' };
  const metadata = resolve(objectOf(objectOf(schema['properties'])['metadata']), definitions).name;
  const { group = '', version = '' } = kind;
  const names = {
    apiVersion: group === '' ? String(version) : `${group}/${version}`,
    kind: String(kind['kind']),
  };
  if (metadata.endsWith('.ObjectMeta')) return { is: 'kind', ...names };
  const isList = metadata.endsWith('.ListMeta') && objectOf(schema['properties'])['items'] !== undefined;
  return { is: isList ? 'list' : 'part', ...names };
}
