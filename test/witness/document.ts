/**
 * OpenAPI documents as the witness reads them. Nothing here comes from the generator, which has a reader of its own:
 * what both misread would go unnoticed.
 */

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** What is asked of documents: their named schemas, and which kinds live outside of namespaces. */
export interface Definitions {
  /** Version of OpenAPI. */
  readonly dialect: 2 | 3;
  /** By full name. Every reference begins with `prefix`, whatever the dialect. */
  readonly schemas: ReadonlyMap<string, JsonObject>;
  /** Kinds that have paths, none of which is in a namespace; keys are made by `kindKey`. */
  readonly clusterKinds: ReadonlySet<string>;
}

/** What references begin with. */
export const prefix = '#/components/schemas/';

/** A kind as `group/version/kind`. */
export function kindKey({ group = '', version = '', kind = '' }: JsonObject): string {
  return `${group}/${version}/${kind}`;
}

/**
 * Reads documents of one dialect. Of a definition that several of them have the first is taken, with the kinds of all: each
 * document names those of its own group only.
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

/** The value if it is an object, else an empty one. */
export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The value if it is a list, else an empty one. */
export function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value);
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Schemas of v2 as v3 has them: for those of Kubernetes, only references are written in another way. */
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

/** A kind is in no namespace if none of the paths that name it is. */
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
