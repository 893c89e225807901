/** What a schema takes, in the few words that the schemas of Kubernetes need. */
import { type Definitions, type JsonObject, listOf, objectOf, prefix } from './document.ts';

/** What values of a schema look like. */
export type Shape =
  /** Without `words` any text. */
  | { readonly is: 'string'; readonly words: readonly string[] }
  | { readonly is: 'integer' | 'number' | 'boolean' }
  /** Nothing is said of it. */
  | { readonly is: 'any' }
  /** An object of which nothing is said. */
  | { readonly is: 'free' }
  | { readonly is: 'list' | 'map'; readonly values: JsonObject }
  | { readonly is: 'object'; readonly schema: JsonObject }
  /** Any one of these. */
  | { readonly is: 'either'; readonly schemas: readonly JsonObject[] };

/** A schema without the reference that leads to it. */
export interface Resolved {
  /** Full name of the definition that was referred to; `''` where there was no reference. */
  readonly name: string;
  readonly schema: JsonObject;
}

/**
 * Follows a reference, also one in an `allOf` of its own.
 * @throws where it leads nowhere
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
 * The shape of a schema that is no reference.
 * @throws for what schemas of Kubernetes do not say
 */
export function shapeOf(schema: JsonObject): Shape {
  const { type, properties, items, additionalProperties, oneOf } = schema;
  if (oneOf !== undefined) return { is: 'either', schemas: listOf(oneOf).map(objectOf) };
  if (type === undefined) return { is: 'any' };
  if (type === 'string') return { is: 'string', words: listOf(schema['enum']).map(String) };
  if (type === 'integer' || type === 'number' || type === 'boolean') return { is: type };
  if (type === 'array') return { is: 'list', values: objectOf(items) };
  if (type !== 'object') throw new Error(`a type of its own: ${JSON.stringify(schema)}`);
  if (properties !== undefined) return { is: 'object', schema };
  return additionalProperties === undefined
    ? { is: 'free' }
    : { is: 'map', values: objectOf(additionalProperties) };
}

/** Schemas of an object's properties by name. */
export function propertiesOf(schema: JsonObject): readonly (readonly [string, JsonObject])[] {
  return Object.entries(objectOf(schema['properties'])).map(([name, node]) => [name, objectOf(node)]);
}

/** Names of the properties that an object must have. */
export function requiredOf(schema: JsonObject): ReadonlySet<string> {
  return new Set(listOf(schema['required']).map(String));
}

/** What a definition is among objects, as far as it says so itself. */
export interface Role {
  /** `kind` and `list` have the metadata of one. */
  readonly is: 'kind' | 'list' | 'part';
  /** As its objects carry them, where it has exactly one kind. */
  readonly apiVersion?: string;
  readonly kind?: string;
}

/** What a definition is for. */
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
