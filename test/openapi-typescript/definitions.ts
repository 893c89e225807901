/**
 * Reader of OpenAPI documents for openapi-typescript, independent of the generator's reader: an error of a
 * shared reader would not be detected.
 */

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Named schemas of documents, and their cluster-scoped kinds. */
export interface Definitions {
  /** Version of OpenAPI. */
  readonly dialect: 2 | 3;
  /** Schemas by full name. Every reference begins with `prefix`, in both versions. */
  readonly schemas: ReadonlyMap<string, JsonObject>;
  /** Kinds with paths, none of which contains a namespace; keys as returned by `kindKey`. */
  readonly clusterKinds: ReadonlySet<string>;
}

/** Prefix of references. */
export const prefix = '#/components/schemas/';

/** Returns a kind as `group/version/kind`. */
export function kindKey({ group = '', version = '', kind = '' }: JsonObject): string {
  return `${group}/${version}/${kind}`;
}

/**
 * Reads documents of one version. Of a definition in several documents the first one is used, with the kinds
 * of all: each document names only those of its own group.
 */
export function definitionsOf(dialect: 2 | 3, documents: readonly JsonObject[]): Definitions {
  const schemas = new Map<string, JsonObject>();
  for (const document of documents) {
    const named = dialect === 2 ? document['definitions'] : objectOf(document['components'])['schemas'];
    for (const [name, schema] of Object.entries(objectOf(named))) {
      schemas.set(name, merged(schemas.get(name), objectOf(lifted(schema))));
    }
  }
  const sorted = new Map([...schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { dialect, schemas: sorted, clusterKinds: clusterKindsOf(documents) };
}

const kinds = 'x-kubernetes-group-version-kind';

function merged(first: JsonObject | undefined, other: JsonObject): JsonObject {
  if (first === undefined || other[kinds] === undefined) return first ?? other;
  const all = [...listOf(first[kinds]), ...listOf(other[kinds])].map(objectOf);
  return { ...first, [kinds]: [...new Map(all.map((kind) => [kindKey(kind), kind])).values()] };
}

/** Returns the value if it is an object, otherwise an empty object. */
export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns the value if it is a list, otherwise an empty list. */
export function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value);
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Converts schemas of v2 to v3: those of Kubernetes differ only in their references. */
function lifted(node: Json): Json {
  if (isList(node)) return node.map(lifted);
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? value.replace('#/definitions/', prefix) : lifted(value),
    ]),
  );
}

/** Returns the cluster-scoped kinds: none of their paths contains a namespace. */
function clusterKindsOf(documents: readonly JsonObject[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const namespaced = new Set<string>();
  for (const [path, item] of documents.flatMap(({ paths }) => Object.entries(objectOf(paths)))) {
    for (const operation of Object.values(objectOf(item))) {
      const kind = objectOf(operation)[kinds];
      if (kind === undefined) continue;
      (path.includes('/namespaces/{namespace}/') ? namespaced : seen).add(kindKey(objectOf(kind)));
    }
  }
  return new Set([...seen].filter((key) => !namespaced.has(key)));
}
